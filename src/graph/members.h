// Members by group: a counting sort.
#pragma once

// group[member] is below group_count. Those of group i are out_member[out_first[i]] to
// out_member[out_first[i + 1] - 1], ascending. out_first has group_count + 1 entries.
static inline void list_members(const int* group, int member_count, int group_count, int* out_first,
                                int* out_member)
{
    for (int i = 0; i <= group_count; ++i) out_first[i] = 0;
    for (int m = 0; m < member_count; ++m) out_first[group[m]]++;
    for (int i = 0, end = 0; i <= group_count; ++i) out_first[i] = end += out_first[i];
    for (int m = member_count - 1; m >= 0; --m) out_member[--out_first[group[m]]] = m;
}
