// The known word that somebody may have meant.
#pragma once

typedef struct {
    const char *wrong, *word; // word: the nearest so far that is near; NULL: none is
    int distance;
} nearest;

static inline nearest nearest_to(const char* wrong)
{
    nearest n = {wrong, 0, 0};
    return n;
}

// Remembers the word if it is nearer than those before. Words of which more than a third of the
// letters differ are not near: no advice is better than bad advice.
void nearest_try(nearest* n, const char* word);

// "; did you mean 'word'?", or nothing.
typedef struct {
    char text[96];
} advice;
advice nearest_advice(const nearest* n);
