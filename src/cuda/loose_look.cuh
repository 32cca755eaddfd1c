// How far the particles of a world go that has nobody else.
#pragma once
#include "cuda/contact_reach.cuh"

// Sums of integers: no order is in them. Who goes farther than a meter in a substep counts as one
// that goes so far.
MEETING void add_way_of(const meeting* m, int i, long long sum[4])
{
    const contact_set* s = m->set;
    const contact_body* b = &s->body[s->owner[i]];
    if (!b->meets) return;
    const scalar* d = row_at_point(b, i - b->first_point) + ROW_D;
    for (int k = 0; k < 3; ++k)
        if (!(fabs((double)d[k]) < 1e30)) {
            atomicOr(&m->of->ways[s->owner[i]].bad, 1);
            return;
        }
    for (int k = 0; k < 3; ++k)
        sum[k] += (long long)(fmin(fmax((double)d[k], -1.0), 1.0) * (1 / LOOSE_WAY_PART));
    sum[3]++;
}

MEETING void measure_mean(meeting* m)
{
    contact_set* s = m->set;
    long long sum[4] = {0, 0, 0, 0}, *of = m->of->loose.sum[s->meeting & 1];
    for (int i = m->thread; i < s->point_count; i += m->threads) add_way_of(m, i, sum);
    for (int k = 0; k < 4; ++k) {
        long long all;
        block_scan(sum[k], &all);
        if (threadIdx.x == 0) atomic_sum(&of[k], all);
    }
    barrier(m);
    if (threadIdx.x == 0) {
        double count = (double)of[3] / LOOSE_WAY_PART;
        for (int k = 0; k < 3; ++k) {
            s->frame_before[k] = s->frame[k];
            s->frame[k] = of[3] > 0 ? (double)of[k] / count : 0;
        }
    }
    if (m->thread < 4) m->of->loose.sum[~s->meeting & 1][m->thread] = 0;
    for (int i = m->thread; i < s->body_count; i += m->threads) {
        s->body[i].frozen = m->of->ways[i].bad || has_failed(m, i);
        m->of->ways[i].bad = 0;
    }
    barrier(m);
}

MEETING void look_at_particles(meeting* m, contact_pass pass, bool first)
{
    meeting_run(m, pass);
    note_strayed(m);
    if (threadIdx.x == 0) m->set->looks_first = first;
    __syncthreads();
}

MEETING_LARGE void meeting_look(meeting* m)
{
    measure_mean(m);
    go_on_loose(m);
    look_at_particles(m, PASS_look_point, true);
}

MEETING_LARGE void meeting_look_again(meeting* m) { look_at_particles(m, PASS_widen_point, false); }
