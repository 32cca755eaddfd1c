#include "scene/nearest.h"
#include <stdio.h>
#include <string.h>

// How many letters have to be changed, added or left out, or exchanged with their neighbor.
static int word_distance(const char* a, const char* b)
{
    enum { MOST = 62, FAR = 99 };
    int before[MOST + 2], row[MOST + 2], next[MOST + 2], n = (int)strlen(b);
    if (n > MOST || strlen(a) > MOST) return FAR;
    for (int j = 0; j <= n; ++j) row[j] = j;
    for (int i = 0; a[i]; ++i) {
        next[0] = i + 1;
        for (int j = 0; j < n; ++j) {
            int best = row[j] + (a[i] != b[j]);
            if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
            if (next[j] + 1 < best) best = next[j] + 1;
            if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j] && before[j - 1] + 1 < best)
                best = before[j - 1] + 1;
            next[j + 1] = best;
        }
        memcpy(before, row, sizeof row);
        memcpy(row, next, sizeof row);
    }
    return row[n];
}

void nearest_try(nearest* n, const char* word)
{
    int distance = word_distance(n->wrong, word);
    if (distance > ((int)strlen(n->wrong) + 2) / 3 || (n->word && distance >= n->distance)) return;
    n->word = word;
    n->distance = distance;
}

advice nearest_advice(const nearest* n)
{
    advice out = {""};
    if (n->word) snprintf(out.text, sizeof out.text, "; did you mean '%.60s'?", n->word);
    return out;
}
