// The manual page, docs/pliant.1: the commands' options come from the tables that parse them.
#pragma once
#include "options.h"

void manual_begin(void);
// The part of one command.
void manual_command(const command_help* help);
void manual_end(void);
