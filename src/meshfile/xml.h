// As much of XML as .vtu files need: tags one after the other, with their attributes.
#pragma once
#include "meshfile/cursor.h"

typedef struct {
    span name;       // without the slash; of length 0 at the end of the file
    span attributes; // what stands between the name and the end of the tag
    bool closing;    // </name>
} xml_tag;

// Moves behind the next tag, past text, comments and declarations.
xml_tag xml_next(cursor* c);
// The attribute's value; of length 0 where there is none.
span xml_attribute(const xml_tag* tag, const char* name);
