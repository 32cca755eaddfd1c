// Forces of contacts as arrows over a picture: nothing hides them, since contacts lie between
// bodies.
#pragma once
#include "export/frame.h"
#include "render/png.h"
#include "render/style.h"
#include "render/view.h"

typedef struct {
    vec3 at, force; // [m, N]
} arrow;

// Those of a moment. Owned.
typedef struct {
    arrow* item;
    int count;
    double strongest; // [N] all but a hundredth are weaker
} arrow_list;

// Of the frame as it is now: the force on each particle, or both ways at each contact.
pliant_result arrows_find(const frame* f, arrows_of what, arrow_list* out);
void arrows_release(arrow_list* list);

// How arrows are drawn: the same in all moments of a picture.
typedef struct {
    double force;  // [N] of one that is `length` long; 0: there is none
    double length; // [m]; none is longer
} arrow_scale;

// Into the columns of an image from `left` on, of a view of FINE samples a pixel.
void arrows_draw(const arrow_list* list, arrow_scale scale, const view* v, image* out, int left,
                 int width);
// "longest arrows: 12 N or more"
void arrows_tell(arrow_scale scale, image* out);
