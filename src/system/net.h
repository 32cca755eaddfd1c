// Sockets of the local network, which never wait, and waiting for several of them at once.
#pragma once
#include "base/error.h"
#include <stddef.h>

// Listens at an address as "127.0.0.1"; port 0: a free one. A port in use is refused with a way
// out.
pliant_result net_listen(const char* address, int port, int* out_socket, int* out_port);
int net_accept(int listener);                         // -1: nobody is there
pliant_result net_connect(int port, int* out_socket); // to this machine, for tests; this one waits
void net_close(int socket);

// How many bytes went through: 0: none at the moment, -1: the other side is gone.
ptrdiff_t net_read(int socket, void* out, size_t bytes);
ptrdiff_t net_write(int socket, const void* data, size_t bytes);

typedef struct {
    int socket;
    bool write;              // wants to write, too
    bool readable, writable; // out
} net_watch;
// Sleeps until one of them has something, or `seconds` have passed.
void net_wait(net_watch* list, int count, double seconds);

// A bell: one thread waits at `ends[0]`, others ring.
bool net_bell_open(int ends[2]);
void net_bell_ring(const int ends[2]);
void net_bell_clear(const int ends[2]);
void net_bell_close(const int ends[2]);

bool net_random(void* out, size_t bytes); // that nobody can guess
