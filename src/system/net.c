#define _POSIX_C_SOURCE 200809L
#include "system/net.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool never_wait(int socket)
{
    int flags = fcntl(socket, F_GETFL);
    return flags >= 0 && fcntl(socket, F_SETFL, flags | O_NONBLOCK) == 0 &&
           fcntl(socket, F_SETFD, FD_CLOEXEC) == 0;
}

static pliant_result refuse(int socket, const char* address, int port)
{
    int reason = errno;
    if (socket >= 0) close(socket);
    if (reason == EADDRINUSE)
        return fail(PLIANT_ERROR_FILE,
                    "port %d of %.100s is in use: --port takes another number, 0 a free one", port,
                    address);
    return fail(PLIANT_ERROR_FILE, "cannot listen at port %d of %.100s: %s", port, address,
                strerror(reason));
}

pliant_result net_listen(const char* address, int port, int* out_socket, int* out_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t length = sizeof at;
    int yes = 1;
    if (inet_pton(AF_INET, address, &at.sin_addr) != 1)
        return fail(
            PLIANT_ERROR_ARGUMENT,
            "'%.100s' is no address of a machine: use 127.0.0.1 for this one alone, 0.0.0.0 "
            "for all that reach it",
            address);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || !never_wait(listener)) return refuse(listener, address, port);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(listener, (struct sockaddr*)&at, sizeof at) != 0 || listen(listener, 16) != 0 ||
        getsockname(listener, (struct sockaddr*)&at, &length) != 0)
        return refuse(listener, address, port);
    *out_socket = listener;
    *out_port = ntohs(at.sin_port);
    return PLIANT_OK;
}

int net_accept(int listener)
{
    int yes = 1, client = accept(listener, NULL, NULL);
    if (client < 0) return -1;
    if (!never_wait(client)) {
        close(client);
        return -1;
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return client;
}

pliant_result net_connect(int port, int* out_socket)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    *out_socket = socket(AF_INET, SOCK_STREAM, 0);
    if (*out_socket >= 0 && connect(*out_socket, (struct sockaddr*)&at, sizeof at) == 0)
        return PLIANT_OK;
    return fail(PLIANT_ERROR_FILE, "port %d: %s", port, strerror(errno));
}

void net_close(int socket)
{
    if (socket >= 0) close(socket);
}

static bool only_now(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

ptrdiff_t net_read(int socket, void* out, size_t bytes)
{
    ssize_t got = recv(socket, out, bytes, 0);
    return got > 0 ? got : got < 0 && only_now() ? 0 : -1;
}

ptrdiff_t net_write(int socket, const void* data, size_t bytes)
{
    ssize_t sent = send(socket, data, bytes, MSG_NOSIGNAL);
    return sent >= 0 ? sent : only_now() ? 0 : -1;
}

void net_wait(net_watch* list, int count, double seconds)
{
    enum { MOST = 128 };
    struct pollfd watched[MOST];
    if (count > MOST) count = MOST;
    for (int i = 0; i < count; ++i)
        watched[i] =
            (struct pollfd){list[i].socket, (short)(POLLIN | (list[i].write ? POLLOUT : 0)), 0};
    // Up to the next millisecond: less would be a loop without sleep.
    int found = poll(watched, (nfds_t)count, (int)(1000 * seconds + 0.999));
    for (int i = 0; i < count; ++i) {
        short what = found > 0 ? watched[i].revents : 0;
        list[i].readable = (what & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) != 0;
        list[i].writable = (what & POLLOUT) != 0;
    }
}

bool net_bell_open(int ends[2])
{
    if (pipe(ends) != 0) return false;
    if (never_wait(ends[0]) && never_wait(ends[1])) return true;
    net_bell_close(ends);
    return false;
}

// A pipe that is full has rung.
void net_bell_ring(const int ends[2])
{
    ssize_t ignored = write(ends[1], "", 1);
    (void)ignored;
}

void net_bell_clear(const int ends[2])
{
    char bytes[64];
    while (read(ends[0], bytes, sizeof bytes) > 0) {
    }
}

void net_bell_close(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

bool net_random(void* out, size_t bytes)
{
    FILE* source = fopen("/dev/urandom", "rb");
    bool good = source && fread(out, 1, bytes, source) == bytes;
    if (source) fclose(source);
    return good;
}
