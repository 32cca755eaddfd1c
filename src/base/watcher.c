#include "base/watcher.h"
#include <stddef.h>

static bool tell(watcher* p, double part)
{
    if (part > p->told) p->told = part;
    if (!p->canceled && p->call) p->canceled = !p->call(p->told, p->context);
    return !p->canceled;
}

bool watcher_stage(watcher* p, double end)
{
    if (!p) return true;
    p->begin = p->end;
    p->end = end;
    return tell(p, p->begin);
}

bool watcher_share(watcher* p, double share)
{
    return !p || tell(p, p->begin + share * (p->end - p->begin));
}

bool watcher_tick(watcher* p) { return !p || tell(p, p->told + (p->end - p->told) / 8); }
