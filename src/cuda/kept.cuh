// What pairs remember, on a GPU, in the order of their keys.
#pragma once
#include "cuda/meeting.cuh"

// The first of some whose key is not lower.
template <class Key> MEETING int lower_of(int count, uint64_t key, Key key_of)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (key_of(middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
MEETING int lower_kept(const device_meeting* of, uint64_t key)
{
    return lower_of(of->kept_count, key, [=](int i) { return of->kept[i].key; });
}

// What was put together there becomes what is kept. All of it is to be taken.
MEETING void take_spare(meeting* m, int count)
{
    device_meeting* of = m->of;
    if (m->thread == 0) {
        kept_contact* kept = of->kept;
        of->kept = of->spare;
        of->spare = kept;
        of->kept_count = count;
    }
    barrier(m);
    for (int i = m->thread; i < of->kept_count; i += m->threads) of->alive[i] = 1;
}
