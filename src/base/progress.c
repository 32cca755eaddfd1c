#include "base/progress.h"
#include <stddef.h>

static bool tell(progress* p, double part)
{
    if (part > p->told) p->told = part;
    if (!p->canceled && p->call) p->canceled = !p->call(p->told, p->context);
    return !p->canceled;
}

bool progress_stage(progress* p, double end)
{
    if (!p) return true;
    p->begin = p->end;
    p->end = end;
    return tell(p, p->begin);
}

bool progress_share(progress* p, double share)
{
    return !p || tell(p, p->begin + share * (p->end - p->begin));
}

bool progress_tick(progress* p) { return !p || tell(p, p->told + (p->end - p->told) / 8); }
