#include "findings.h"
#include "base/memory.h"
#include <stdio.h>

enum { MOST_FINDINGS = 200, MOST_OF_A_KIND = 5, KINDS = PLIANT_FINDING_FAST_COLLIDER + 1 };

static const char* const kind_word[KINDS] = {"inside", "no_room", "small",
                                             "fast",   "overlap", "fast_collider"};

// How many there are; the caller releases them. A look that fails finds nothing: the run will tell.
static int look(const stage* s, pliant_finding** out)
{
    *out = (pliant_finding*)mem_array(MOST_FINDINGS, sizeof **out);
    int count = 0;
    if (*out && s->scene->dt > 0)
        pliant_world_look(s->world, (float)s->scene->dt, *out, MOST_FINDINGS, &count);
    return count;
}

static bool is_told_by_the_step(pliant_finding_kind kind)
{
    return kind == PLIANT_FINDING_INSIDE || kind == PLIANT_FINDING_NO_ROOM ||
           kind == PLIANT_FINDING_FAST_COLLIDER;
}

void findings_warn(const stage* s)
{
    pliant_finding* found;
    int count = look(s, &found), of_kind[KINDS] = {0};
    for (int i = 0; i < count; ++i) {
        if (is_told_by_the_step(found[i].kind)) continue;
        if (++of_kind[found[i].kind] <= MOST_OF_A_KIND)
            fprintf(stderr, "pliant run: %s\n", found[i].text);
    }
    for (int k = 0; k < KINDS; ++k)
        if (of_kind[k] > MOST_OF_A_KIND)
            fprintf(stderr,
                    "pliant run: and %s%d more of the kind \"%s\" (pliant info lists them)\n",
                    count == MOST_FINDINGS ? "at least " : "", of_kind[k] - MOST_OF_A_KIND,
                    kind_word[k]);
    mem_free(found);
}

void findings_list(const stage* s, facts* out)
{
    static const column columns[] = {{"finding", COLUMN_TEXT, 12, 0}, {"text", COLUMN_TEXT, 0, 0}};
    pliant_finding* found;
    int count = look(s, &found);
    cell* cells = (cell*)mem_array(2 * (size_t)count, sizeof(cell));
    for (int i = 0; i < count && cells; ++i) {
        cells[2 * i].text = kind_word[found[i].kind];
        cells[2 * i + 1].text = found[i].text;
    }
    if (count && cells) facts_rows(out, "findings", columns, 2, cells, count);
    mem_free(cells);
    mem_free(found);
}
