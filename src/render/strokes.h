// Letters as strokes.
#pragma once

// Capitals are 6 units high and up to 6 wide; descenders go 2 below the line.
#define STROKE_HEIGHT 6

// Points of two digits, x to the right and y down from the top of capitals, joined by lines; a
// space begins another stroke. "" for what has none.
const char* strokes_of(char letter);

// From where to where a letter goes, and how far it is to the next one [units]. Digits are all as
// wide as each other, so that numbers stand below each other.
typedef struct {
    double left, step;
} stroke_width;
stroke_width strokes_width(char letter);
