// What is drawn of a stage's bodies: which triangles, fixed for a run, and how they are painted.
// Either the surfaces that bodies carry, as they are, or particles: the outer faces of the tets
// that a cut leaves, cloth, edges, painted by values.
#pragma once
#include "export/liquids.h"
#include "render/arrows.h"

typedef struct {
    const stage* stage; // both outlive the sketch
    const frame* frame;
    style style;
    // Of a look inside: triangles of particles, and the tet behind each; -1: cloth.
    int *triangle, *tet;
    int triangle_count;
    int* number;         // of each tet: what it is painted by, where that counts something
    int number_count;    // different numbers
    unsigned char* kept; // of each particle: some tet that is left has it, or none at all has
} sketch;

// Tells of what the style asks for and no body has.
void sketch_warn(const stage* s, const style* how);
pliant_result sketch_create(const stage* s, const frame* f, const style* how, sketch* out);
void sketch_destroy(sketch* k);

// A moment of a run: where things are, and their values. Owned.
typedef struct {
    double* vertices;                // 3 each: of the surfaces, or of the particles
    pliant_collider_info* colliders; // as they were then
    float* values;                   // of the particles; NULL: none
    float* radius;                   // [m] of loose ones, below 0 where one is absent; NULL: as
                                     // they are at first
    int count;                       // vertices
    liquid_list liquids;             // of bodies that are seen so
    const sketch* of;                // where bodies were apart as they were then; NULL: the album's
    present_particles* smoke;        // likewise, of all bodies; NULL: nobody is
    int smoke_count;
    pliant_rod_segment* segments; // of all bodies that are rods, one after the other; NULL: none
    arrow_list arrows;
    double most; // all but a hundredth of the values that are not zero are below
} moment;

// As frame and world are now.
pliant_result sketch_note(const sketch* k, moment* out);
void moment_release(moment* m);

// Values from low to high get the colors of the map, others those of its ends.
typedef struct {
    double low, high;
} map_range;

// Whether particles of the body are drawn as balls in this style.
static inline bool sketch_shows_balls(const sketch* k, int body)
{
    const body_face* f = k->frame->shown[body].face;
    return !f->hidden && (style_looks_inside(&k->style) || (!f->liquid && !f->smoke));
}

struct model;
void sketch_draw(const sketch* k, const moment* at, map_range range, double line_radius,
                 struct model* m);
