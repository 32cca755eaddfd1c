// Bytes as text, as .vtu files hold them.
#pragma once
#include "meshfile/cursor.h"

// Decodes up to the first byte that is neither of the alphabet, '=' nor blank. Padding may stand
// inside: each padded piece is decoded by itself. Returns the number of bytes written to `out`
// (capacity 3 / 4 of the text, rounded up), or -1 where a group is cut off.
int64_t base64_decode(const char* at, const char* end, unsigned char* out);
