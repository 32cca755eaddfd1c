// The commands of the program. Each takes what follows its name and returns an exit status.
#pragma once
#include "options.h"

typedef int command_fn(int argc, char** argv);

command_fn command_run, command_render, command_view, command_mesh, command_surface, command_info,
    command_bench;
