#include "bench/fewest.h"
#include <math.h>

// Substeps that are tried: 5, 6, 7, 8, 9, 10, 12, ...
enum { RUNGS = 60 };
static int rung(int number) { return (int)lround(4.8 * pow(1.15, number)); }

pliant_result quest_error(const quest* q, const trial* body, int substeps, double* out_error)
{
    trial t = *body;
    trial_outcome got;
    t.substeps = substeps;
    if (t.threads != 1) t.threads = trial_threads(&t);
    pliant_result result = trial_run(&t, q->steps, q->dt, 0, &got);
    *out_error = bench_percent_off(got.elastic, q->expected);
    return result;
}

pliant_result quest_fewest(const quest* q, const trial* body, int start, int* out_substeps,
                           double* out_error)
{
    int top = RUNGS - 1, at = 0;
    while (top > 0 && rung(top) >= q->most) --top;
    while (at < top && rung(at) < start) ++at;
    *out_substeps = 0;
    for (bool rising = true; at >= 0 && at <= top;) {
        double error;
        pliant_result result = quest_error(q, body, rung(at), &error);
        if (result) return result;
        bool good = error <= q->limit;
        if (!good && !rising) break;
        if (good) {
            *out_substeps = rung(at);
            if (out_error) *out_error = error;
            rising = false;
        }
        at += good ? -1 : 1;
    }
    return PLIANT_OK;
}
