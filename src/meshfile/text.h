// Characters, and numbers of a text whatever the cursor's encoding: read_real and read_integer
// choose.
#pragma once
#include "meshfile/cursor.h"

// In the C locale, whatever the program's.
static inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

double text_real(cursor* c);
int64_t text_integer(cursor* c);
