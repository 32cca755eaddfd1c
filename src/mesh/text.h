// Numbers of a text, whatever the cursor's encoding: read_real and read_integer choose.
#pragma once
#include "mesh/cursor.h"

double text_real(cursor* c);
int64_t text_integer(cursor* c);
