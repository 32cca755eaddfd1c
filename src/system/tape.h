#pragma once
#include "base/error.h"

// A file that grows at its end and is read anywhere. Opening keeps its first bytes and refuses a
// file that has fewer.
typedef struct tape tape;
pliant_result tape_open(const char* path, int64_t kept, tape** out);
pliant_result tape_add(tape* t, const void* data, size_t bytes);
pliant_result tape_read(const tape* t, int64_t from, void* out, size_t bytes);
pliant_result tape_sync(tape* t); // what was added is on the disk
void tape_close(tape* t);
