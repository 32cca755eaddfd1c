#include "render/style.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const paint_words[BY_COUNT + 1] = {
    "body",           "color", "cluster", "patch",       "strain", "stress",
    "plastic_strain", "speed", "force",   "temperature", NULL};
const char* const arrow_words[ARROWS_COUNT + 1] = {"none", "force", "contact", NULL};
const char* const map_words[MAP_COUNT + 1] = {"even", "jet", "apart", NULL};

style style_defaults(void)
{
    style s = {.map = MAP_EVEN, .low = NAN, .high = NAN, .clip_axis = -1, .wires = true};
    return s;
}

static int find_word(const char* const* words, const char* word)
{
    for (int i = 0; words[i]; ++i)
        if (strcmp(words[i], word) == 0) return i;
    return -1;
}

bool style_by_word(style* out, const char* word)
{
    int found = find_word(paint_words, strcmp(word, "contact_force") == 0 ? "force" : word);
    if (found < 0) return false;
    out->by = (paint_by)found;
    out->map = found == BY_COLOR ? MAP_JET : style_counts(out) ? MAP_APART : MAP_EVEN;
    return true;
}

bool style_map_word(style* out, const char* word)
{
    int found = find_word(map_words, word);
    if (found < 0) return false;
    out->map = (map_kind)found;
    return true;
}

bool style_arrows_word(style* out, const char* word)
{
    int found = find_word(arrow_words, word);
    if (found < 0) return false;
    out->arrows = (arrows_of)found;
    return true;
}

bool style_clip_word(style* out, const char* word)
{
    bool below = word[0] == '-';
    const char* at = word + below;
    char* end = NULL;
    if (at[0] < 'x' || at[0] > 'z' || at[1] != ':') return false;
    double share = strtod(at + 2, &end);
    if (end == at + 2 || *end || !(share >= 0 && share <= 1)) return false;
    out->clip_axis = at[0] - 'x';
    out->clip_at = share;
    out->clip_below = below;
    return true;
}
