#include "meshfile/tags.h"
#include "base/memory.h"
#include <string.h>

void tags_release(tag_map* map)
{
    mem_free(map->entry);
    mem_free(map->table);
    *map = (tag_map){0};
}

void tags_add(cursor* c, tag_map* map, int64_t tag)
{
    if (!cursor_ok(c)) return;
    if (!mem_reserve((void**)&map->entry, &map->capacity, (int64_t)map->count + 1,
                     sizeof *map->entry)) {
        c->result = PLIANT_ERROR_MEMORY;
        return;
    }
    map->entry[map->count] = (tag_entry){tag, map->count};
    if (map->count == 0 || tag < map->low) map->low = tag;
    if (map->count == 0 || tag > map->high) map->high = tag;
    ++map->count;
}

static void merge(const tag_entry* from, tag_entry* to, int low, int middle, int high)
{
    int left = low, right = middle;
    for (int i = low; i < high; ++i) {
        bool take_left = left < middle && (right >= high || from[left].tag <= from[right].tag);
        to[i] = take_left ? from[left++] : from[right++];
    }
}

bool tags_sort(tag_entry* entry, int count)
{
    tag_entry* spare = (tag_entry*)mem_array((size_t)count, sizeof *spare);
    if (!spare) return false;
    tag_entry *from = entry, *to = spare;
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t low = 0; low < count; low += 2 * width) {
            int64_t middle = low + width < count ? low + width : count;
            int64_t high = low + 2 * width < count ? low + 2 * width : count;
            merge(from, to, (int)low, (int)middle, (int)high);
        }
        tag_entry* other = from;
        from = to;
        to = other;
    }
    if (from != entry) memcpy(entry, from, (size_t)count * sizeof *entry);
    mem_free(spare);
    return true;
}

static void refuse_twice(cursor* c, int64_t tag, const char* what)
{
    refuse(c, PLIANT_ERROR_FORMAT, "expected every %s once, found number %lld twice", what,
           (long long)tag);
}

static void fill_table(cursor* c, tag_map* map, int range, const char* what)
{
    map->table = (int*)mem_array((size_t)range, sizeof(int));
    if (!got_memory(c, map->table)) return;
    memset(map->table, 0xff, (size_t)range * sizeof(int));
    for (int i = 0; i < map->count; ++i) {
        int* slot = &map->table[map->entry[i].tag - map->low];
        if (*slot >= 0) refuse_twice(c, map->entry[i].tag, what);
        *slot = i;
    }
}

void tags_index(cursor* c, tag_map* map, const char* what)
{
    if (!cursor_ok(c) || map->count == 0) return;
    if (map->indexed)
        refuse(c, PLIANT_ERROR_FORMAT, "expected one list of every %s, found two", what);
    if (map->indexed) return;
    map->indexed = true;
    uint64_t range = (uint64_t)map->high - (uint64_t)map->low;
    if (range < 4 * (uint64_t)map->count) {
        fill_table(c, map, (int)range + 1, what);
        return;
    }
    if (!tags_sort(map->entry, map->count)) c->result = PLIANT_ERROR_MEMORY;
    for (int i = 1; i < map->count; ++i)
        if (map->entry[i].tag == map->entry[i - 1].tag) refuse_twice(c, map->entry[i].tag, what);
}

int tags_find(const tag_map* map, int64_t tag)
{
    if (map->count == 0 || tag < map->low || tag > map->high) return -1;
    if (map->table) return map->table[tag - map->low];
    int low = 0, high = map->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (map->entry[middle].tag < tag)
            low = middle + 1;
        else
            high = middle;
    }
    return map->entry[low].tag == tag ? map->entry[low].index : -1;
}
