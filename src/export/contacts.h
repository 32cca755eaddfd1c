// Contacts between bodies as a table.
#pragma once
#include "export/frame.h"
#include "meshfile/sink.h"

// Comma-separated values: a line with the names and units of the columns, and one for each contact
// of the frame.
void contacts_csv(const frame* f, sink* out);
