// The terminal that the standard error goes to.
#pragma once
#include <stdbool.h>

bool terminal_is_read(void); // stderr is read by a person
int terminal_columns(void);  // of that terminal; 80 where it is unknown
