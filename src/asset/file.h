// Compiled assets as bytes:
//
//   magic     8 bytes, "PLIASSET"
//   order     0x01020304, in the order of bytes of all numbers: little-endian
//   format    the version of this layout
//   library   major, minor and patch version, 10 bits each
//   lanes     of a block of constraints
//   types     64 bits: a hash of the list of constraint types
//   bytes     64 bits: of the whole
//   hash      64 bits: of everything else
//
// and behind these 48 bytes the definition, materials, mesh, parts, frequencies and plan
// (asset/file.c, plan/file.c).
#pragma once
#include "pliant.h"

enum { ASSET_FILE_FORMAT = 11, ASSET_FILE_HEADER = 48, ASSET_FILE_BYTES_AT = 32 }; // [bytes]

// Writes the hash of `bytes` bytes, a header or more, where it belongs.
void asset_file_seal(void* data, size_t bytes);
