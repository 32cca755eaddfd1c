// Letters as strokes.
#pragma once

// Capitals are 6 units high and 4 wide; descenders go 2 below the line. From letter to letter: 5.6.
#define STROKE_HEIGHT 6
#define STROKE_STEP   5.6

// Points of two digits, x to the right and y down from the top of capitals, joined by lines; a
// space begins another stroke. "" for what has none.
const char* strokes_of(char letter);
