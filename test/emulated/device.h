// The emulated device inside: what its files share.
#pragma once
#include "kernel.h"

// One thing at a time happens on the device, whoever asks for it.
void device_lock(void);
void device_unlock(void);

// What the environment says: a number, or `usual`.
long device_setting(const char* name, long usual);
// Settings of their own: multiprocessors, and the seed of all that is shuffled; 0: nothing is.
int device_processors(void);
bool device_is_shuffled(void);
unsigned device_random(unsigned below);

// Says what is wrong, and ends the program.
_Noreturn void device_stop(const char* format, ...);

// Memory starts with numbers that are not finite, and large as integers.
void device_spoil(void* memory, size_t bytes);
bool memory_is_on_device(const void* at);
bool memory_is_pinned(const void* at);

// Runs a kernel to its end.
void threads_run(const emulated_launch* l, void** arguments);
