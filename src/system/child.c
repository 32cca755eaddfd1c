#define _POSIX_C_SOURCE 200809L
#include "system/child.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct child_program {
    pid_t id;
    int input;            // what it reads from the other end
    void (*on_pipe)(int); // what SIGPIPE did before
};

// In the child: never returns.
static void become(const char* const* arguments, int input)
{
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(input, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execvp(arguments[0], (char* const*)(uintptr_t)arguments);
    _exit(127);
}

child_program* child_program_start(const char* const* arguments)
{
    int ends[2];
    child_program* child = (child_program*)mem_alloc(sizeof *child);
    if (!child) return NULL;
    if (pipe(ends) != 0) {
        mem_free(child);
        return NULL;
    }
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    child->input = ends[1];
    child->id = fork();
    if (child->id == 0) become(arguments, ends[0]);
    close(ends[0]);
    if (child->id > 0) {
        child->on_pipe = signal(SIGPIPE, SIG_IGN); // its end is noticed by what is not written
        return child;
    }
    close(ends[1]);
    mem_free(child);
    return NULL;
}

bool child_program_write(child_program* child, const void* data, size_t bytes)
{
    const char* at = (const char*)data;
    while (bytes > 0) {
        ssize_t written = write(child->input, at, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}

int child_program_end(child_program* child)
{
    int status = 0;
    close(child->input);
    while (waitpid(child->id, &status, 0) < 0 && errno == EINTR) {
    }
    signal(SIGPIPE, child->on_pipe);
    mem_free(child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
