// Bodies that cross each other when a step begins: placed so, or put there.
#pragma once
#include "contact/system.h"

// Looks for them, around where bodies are; the list of elements is there. Those that cross no
// longer are forgotten, new ones are told. False when memory runs out.
bool crossed_look(contact_system* s);
