#pragma once
#include <stdbool.h>
#include <stddef.h>

// Another program that reads what is written to it on its standard input; what it prints goes
// nowhere. NULL when it cannot be started: that it is not there is told by its end.
typedef struct child_program child_program;
child_program* child_program_start(const char* const* arguments); // NULL after the last
bool child_program_write(child_program* child, const void* data, size_t bytes); // false: it ended
// Closes its input and waits: its exit status; 127: there is no such program.
int child_program_end(child_program* child);
