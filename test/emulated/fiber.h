// Threads of execution that give way to each other by themselves: each has a stack of its own.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct fiber fiber;

// One that will begin with run(), the same for all. Stacks of those that were given back are used
// again, and kept until the program ends.
fiber* fiber_take(void (*run)(void));
void fiber_give_back(fiber* f);

// Leaves what runs now, kept in `from`, and goes on with `to`. Whoever starts fibers is one, too.
void fiber_switch(fiber* from, fiber* to);
// The same where `from` never goes on.
void fiber_leave(fiber* from, fiber* to);
fiber* fiber_main(void);
