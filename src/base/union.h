// Sets that are joined: each element points toward the lowest of its set.
#pragma once

static inline int union_root(int* parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static inline void union_join(int* parent, int a, int b)
{
    a = union_root(parent, a), b = union_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

static inline void union_start(int* parent, int count)
{
    for (int i = 0; i < count; ++i) parent[i] = i;
}
