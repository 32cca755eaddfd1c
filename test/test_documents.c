// The documents show code that exists.
#include "base/memory.h"
#include "base/platform.h"
#include "check.h"

static char* read_text(const char* path)
{
    void* data = NULL;
    size_t bytes = 0;
    CHECK_OK(platform_read_file(path, &data, &bytes));
    return (char*)data;
}

static void the_example_of_a_constraint_is_the_source(void** state)
{
    (void)state;
    char* page = read_text(SOURCE_DIR "/docs/add-a-constraint.md");
    char* header = read_text(SOURCE_DIR "/src/constraint/distance.h");
    if (!strstr(page, header))
        fail_msg("docs/add-a-constraint.md does not show distance.h as it is");
    mem_free(page);
    mem_free(header);
}

static void the_line_of_the_example_is_in_the_list(void** state)
{
    (void)state;
    char* list = read_text(SOURCE_DIR "/src/constraint/list.h");
    assert_non_null(strstr(list, "X(distance,          2,         1,    0,    either, places)"));
    mem_free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_a_constraint_is_the_source),
        cmocka_unit_test(the_line_of_the_example_is_in_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
