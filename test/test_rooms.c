// The folders of the sources are rooms: includes only point to rooms that stand before their own.
#include "check.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

// docs/architecture.md has the same order; of one rank, none includes another.
typedef struct {
    const char* name;
    int rank;
} room;
static const room rooms[] = {
    {"base", 0},     {"math", 0},     {"mesh", 1},     {"graph", 1},     {"constraint", 1},
    {"meshfile", 2}, {"generate", 2}, {"geometry", 2}, {"partition", 2}, {"rigid", 3},
    {"plan", 3},     {"collide", 3},  {"repair", 3},   {"visual", 3},    {"system", 3},
    {"solver", 4},   {"tetra", 4},    {"fill", 4},     {"surfacing", 4}, {"joint", 5},
    {"contact", 6},  {"fluid", 7},    {"air", 7},      {"asset", 7},     {"gas", 8},
    {"cuda", 9},     {"world", 10},   {"skin", 11},    {"scene", 11},    {"export", 12},
    {"render", 13},  {"live", 14},    {"serve", 15},   {"bench", 17},
};
enum { ROOMS = sizeof rooms / sizeof rooms[0] };

static int rank_of(const char* name, size_t length)
{
    for (int i = 0; i < ROOMS; ++i)
        if (strlen(rooms[i].name) == length && strncmp(rooms[i].name, name, length) == 0)
            return rooms[i].rank;
    return -1;
}

// What shows a world knows it by the interface, as a user's program does.
static bool is_behind_the_interface(const char* name, size_t length)
{
    static const char* const hidden[] = {"plan",  "solver", "joint", "contact",
                                         "asset", "cuda",   "world", "skin"};
    for (int i = 0; i < 8; ++i)
        if (strlen(hidden[i]) == length && strncmp(hidden[i], name, length) == 0) return true;
    return false;
}

static bool only_shows(const room* r)
{
    return strcmp(r->name, "export") == 0 || strcmp(r->name, "render") == 0 ||
           strcmp(r->name, "live") == 0 || strcmp(r->name, "serve") == 0;
}

static void check_line(const room* r, const char* path, const char* line)
{
    static const char mark[] = "#include \"";
    const char *word = line + sizeof mark - 1, *slash;
    if (strncmp(line, mark, sizeof mark - 1) != 0 || !(slash = strchr(word, '/'))) return;
    size_t length = (size_t)(slash - word);
    if (strlen(r->name) == length && strncmp(r->name, word, length) == 0) return;
    int rank = rank_of(word, length);
    if (rank < 0) fail_msg("%s: no room is called %.*s", path, (int)length, word);
    if (rank >= r->rank)
        fail_msg("%s includes from %.*s, which stands behind its room", path, (int)length, word);
    if (only_shows(r) && is_behind_the_interface(word, length))
        fail_msg("%s includes from %.*s: use pliant.h", path, (int)length, word);
}

static void check_file(const room* r, const char* path)
{
    char line[512];
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) check_line(r, path, line);
    fclose(file);
}

static bool is_source(const char* name)
{
    const char* dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".cu") ||
                   !strcmp(dot, ".cuh"));
}

static int check_room(const room* r)
{
    char folder[1024], path[2048];
    int count = 0;
    snprintf(folder, sizeof folder, SOURCE_DIR "/%s%s", r->rank < 16 ? "src/" : "", r->name);
    DIR* list = opendir(folder);
    if (!list) fail_msg("there is no room %s", folder);
    for (const struct dirent* entry = readdir(list); entry; entry = readdir(list)) {
        if (!is_source(entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check_file(r, path);
        count++;
    }
    closedir(list);
    return count;
}

static void includes_point_to_rooms_that_stand_before(void** state)
{
    (void)state;
    for (int i = 0; i < ROOMS; ++i) assert_true(check_room(&rooms[i]) > 0);
}

static void every_folder_is_a_room(void** state)
{
    (void)state;
    DIR* list = opendir(SOURCE_DIR "/src");
    assert_non_null(list);
    for (const struct dirent* entry = readdir(list); entry; entry = readdir(list)) {
        const char* name = entry->d_name;
        if (strchr(name, '.')) continue;
        if (rank_of(name, strlen(name)) < 0) fail_msg("src/%s has no place among the rooms", name);
    }
    closedir(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(includes_point_to_rooms_that_stand_before),
        cmocka_unit_test(every_folder_is_a_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
