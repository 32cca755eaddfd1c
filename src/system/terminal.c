#ifdef __linux__
#define _GNU_SOURCE // the size of a terminal
#endif
#include "system/terminal.h"
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is_read(void) { return isatty(fileno(stderr)) == 1; }

int terminal_columns(void)
{
    struct winsize size;
    bool known = ioctl(fileno(stderr), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}
