// SHA-1, which the handshake of WebSocket asks for. It protects nothing here.
#pragma once
#include <stddef.h>

enum { SHA1_BYTES = 20 };
void sha1(const void* data, size_t bytes, unsigned char out[SHA1_BYTES]); // of 200 bytes at most
