#include "fiber.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define TELLS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TELLS_SANITIZER
#endif
#endif

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__))
#define SWITCHES_HERE
#else
#include <ucontext.h>
#endif

#ifdef TELLS_SANITIZER
void __sanitizer_start_switch_fiber(void** fake, const void* bottom, size_t bytes);
void __sanitizer_finish_switch_fiber(void* fake, const void** bottom, size_t* bytes);
void __asan_unpoison_memory_region(const void* at, size_t bytes);
enum { STACK_BYTES = 1 << 20, LEFT_BYTES = 1 << 14 };
#else
enum { STACK_BYTES = 1 << 18 };
#endif
enum { GUARD_BYTES = 1 << 16 };

struct fiber {
#ifdef SWITCHES_HERE
    void* top; // where its registers are
#else
    ucontext_t context;
#endif
    char* stack;
    fiber* next; // of those that were given back
    int number;
#ifdef TELLS_SANITIZER
    void* fake;
    const void* bottom;
    size_t bytes;
#endif
};

static fiber first, *spare;
static int count;
static fiber* from_before; // who gave way to the one that runs
static void (*to_run)(void);

fiber* fiber_main(void) { return &first; }

// ---- the switch ---------------------------------------------------------------------------------

#ifdef SWITCHES_HERE
// Keeps what a function call keeps, and the stack.
void emulated_switch(void** out_top, void* top);

#ifdef __x86_64__
enum { KEPT = 6 }; // words, then the place to return to
__asm__(".text\n"
        ".globl emulated_switch\n"
        ".type emulated_switch,@function\n"
        "emulated_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size emulated_switch,.-emulated_switch\n");
enum { PLACE = KEPT, WORDS = KEPT + 2 };
#else
__asm__(".text\n"
        ".globl emulated_switch\n"
        ".type emulated_switch,%function\n"
        "emulated_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n"
        "    stp x21, x22, [sp, #16]\n"
        "    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n"
        "    stp x27, x28, [sp, #64]\n"
        "    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n"
        "    ldp x21, x22, [sp, #16]\n"
        "    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n"
        "    ldp x27, x28, [sp, #64]\n"
        "    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n"
        "    ldp d10, d11, [sp, #112]\n"
        "    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n"
        ".size emulated_switch,.-emulated_switch\n");
enum { PLACE = 11, WORDS = 20 };
#endif
#endif

static void tell_start(fiber* from, const fiber* to, bool leaves)
{
#ifdef TELLS_SANITIZER
    __sanitizer_start_switch_fiber(leaves ? NULL : &from->fake, to->bottom, to->bytes);
#else
    (void)from, (void)to, (void)leaves;
#endif
}

// In the one that runs now.
static void tell_arrival(fiber* now)
{
#ifdef TELLS_SANITIZER
    const void* bottom;
    size_t bytes;
    __sanitizer_finish_switch_fiber(now ? now->fake : NULL, &bottom, &bytes);
    if (from_before == &first) first.bottom = bottom, first.bytes = bytes;
#else
    (void)now;
#endif
}

static void go(fiber* from, fiber* to, bool leaves)
{
    from_before = from;
    tell_start(from, to, leaves);
#ifdef SWITCHES_HERE
    emulated_switch(&from->top, to->top);
#else
    swapcontext(&from->context, &to->context);
#endif
    tell_arrival(from);
}

void fiber_switch(fiber* from, fiber* to) { go(from, to, false); }
void fiber_leave(fiber* from, fiber* to)
{
    go(from, to, true);
    abort();
}

// ---- stacks -------------------------------------------------------------------------------------

static void begin(void)
{
    tell_arrival(NULL);
    to_run();
    abort(); // it leaves by itself
}

static void prepare(fiber* f)
{
    // Stacks whose tops were at the same places of their pages would share few lines of the cache.
    size_t aside = (size_t)(f->number % 61) * 64;
    char* top = f->stack + STACK_BYTES - aside;
#ifdef TELLS_SANITIZER
    // Functions that never returned, of who had it before.
    __asan_unpoison_memory_region(f->stack + STACK_BYTES - LEFT_BYTES, LEFT_BYTES);
#endif
#ifdef SWITCHES_HERE
    void** words = (void**)(void*)top - WORDS;
    memset(words, 0, WORDS * sizeof *words);
    void (*start)(void) = begin;
    memcpy(&words[PLACE], &start, sizeof start);
    f->top = words;
#else
    getcontext(&f->context);
    f->context.uc_stack.ss_sp = f->stack;
    f->context.uc_stack.ss_size = (size_t)(top - f->stack);
    f->context.uc_link = NULL;
    makecontext(&f->context, begin, 0);
#endif
}

static fiber* make(void)
{
    fiber* f = (fiber*)calloc(1, sizeof *f);
    void* memory = mmap(NULL, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (!f || memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE)) {
        fprintf(stderr, "emulated device: no memory for a stack\n");
        abort();
    }
    f->stack = (char*)memory + GUARD_BYTES;
    f->number = count++;
#ifdef TELLS_SANITIZER
    f->bottom = f->stack;
    f->bytes = STACK_BYTES;
#endif
    return f;
}

fiber* fiber_take(void (*run)(void))
{
    fiber* f = spare;
    if (f)
        spare = f->next;
    else
        f = make();
    to_run = run;
    prepare(f);
    return f;
}

void fiber_give_back(fiber* f)
{
    f->next = spare;
    spare = f;
}
