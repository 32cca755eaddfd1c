// The bodies of a scene, for `pliant info`.
#pragma once
#include <stdbool.h>

// Prints them and returns an exit status.
int info_scene(const char* path, bool json);
