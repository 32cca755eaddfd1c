// The projections of all constraint types in single precision.
#include "projections.h"

int main(void)
{
    const struct CMUnitTest tests[] = {PROJECTION_TESTS};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
