// The page that a browser shows, embedded by the build; of no bytes where the build had nothing to
// make it of.
#pragma once
#include <stddef.h>

extern const unsigned char page_html[];
extern const size_t page_bytes;
