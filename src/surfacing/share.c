// What each particle adds to the field: looked up among its neighbors.
#include "surfacing/blocks.h"
#include <math.h>
#include <stdatomic.h>

enum { BINS_AT_ONCE = 256 };

typedef struct {
    surfacing* s;
    const field_kernels* run;
    _Atomic bool failed;
} sharing;

static bool reserve(near_particles* p, int64_t needed)
{
    float** const array[] = {&p->x[0], &p->x[1], &p->x[2], &p->tight};
    int capacity = p->capacity;
    for (int i = 0; i < 4; ++i) {
        capacity = p->capacity;
        if (!mem_reserve((void**)array[i], &capacity, needed, sizeof(float))) return false;
    }
    p->capacity = capacity;
    return true;
}

static bool add_bin(const surfacing* s, int bin, const int64_t from[3], near_particles* out)
{
    const bin_list* b = &s->bins;
    int first = b->start[bin], count = b->start[bin + 1] - first;
    int64_t place[3];
    bin_place(b, b->key[bin], place);
    if (!reserve(out, (int64_t)out->count + count + SUMS)) return false;
    for (int k = 0; k < 3; ++k) {
        float off = (float)((place[k] - from[k]) * b->width);
        for (int i = 0; i < count; ++i) out->x[k][out->count + i] = s->place[k][first + i] + off;
    }
    for (int i = 0; i < count; ++i) out->tight[out->count + i] = s->tight[first + i];
    out->count += count;
    return true;
}

// The particles of the bins around one, and none behind them.
static bool find_near(const surfacing* s, const int64_t at[3], near_particles* out)
{
    static const float nowhere = 1e9f;
    out->count = 0;
    for (int64_t z = at[2] - 1; z <= at[2] + 1; ++z)
        for (int64_t y = at[1] - 1; y <= at[1] + 1; ++y) {
            int begin, end;
            if (!bins_row(&s->bins, at[0] - 1, at[0] + 1, y, z, &begin, &end)) continue;
            for (int bin = begin; bin < end; ++bin)
                if (!add_bin(s, bin, at, out)) return false;
        }
    for (int i = out->count; i < out->count + SUMS; ++i) {
        for (int k = 0; k < 3; ++k) out->x[k][i] = nowhere;
        out->tight[i] = 1;
    }
    return true;
}

static void share_out(int piece, void* argument)
{
    sharing* c = (sharing*)argument;
    surfacing* s = c->s;
    const bin_list* b = &s->bins;
    near_particles near = {.count = 0};
    int begin = piece * BINS_AT_ONCE;
    int end = begin + BINS_AT_ONCE < b->count ? begin + BINS_AT_ONCE : b->count;
    for (int bin = begin; bin < end && !atomic_load(&c->failed); ++bin) {
        int64_t at[3];
        bin_place(b, b->key[bin], at);
        if (!find_near(s, at, &near)) atomic_store(&c->failed, true);
        for (int i = b->start[bin]; i < b->start[bin + 1] && !atomic_load(&c->failed); ++i) {
            const float place[3] = {s->place[0][i], s->place[1][i], s->place[2][i]};
            s->share[i] = 1 / c->run->crowd(&near, place);
        }
    }
    for (int k = 0; k < 3; ++k) mem_free(near.x[k]);
    mem_free(near.tight);
}

// Those with few others near have less support, down to that of one alone.
static void tighten(surfacing* s)
{
    const float AMONG = 2.4f; // the sum in one layer of particles
    for (int i = 0; i < s->count; ++i) {
        float part = (1 / s->share[i] - 1) / (AMONG - 1);
        if (part >= 1) continue;
        part = part > 0 ? part * part * (3 - 2 * part) : 0;
        float smaller =
            (float)SUPPORT / ((float)LONE_SUPPORT + part * (float)(SUPPORT - LONE_SUPPORT));
        s->tight[i] *= smaller * smaller;
    }
}

bool field_share(surfacing* s)
{
    sharing c = {.s = s, .run = field_kernels_for(16)};
    workers_run(s->threads, share_out, &c, (s->bins.count + BINS_AT_ONCE - 1) / BINS_AT_ONCE);
    bool failed = atomic_load(&c.failed);
    if (failed) fail_memory((size_t)s->count * sizeof(float)); // told by another thread
    if (!failed) tighten(s);
    return !failed;
}
