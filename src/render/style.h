// How bodies are painted, and how much of them is drawn.
#pragma once
#include "pliant.h"

// What decides the color.
typedef enum {
    BY_BODY,  // each its own
    BY_COLOR, // of the tets, as the schedule has them: those of one color run at the same time
    BY_CLUSTER,
    BY_PATCH,
    BY_STRAIN,         // [-] the norm of Green's strain
    BY_STRESS,         // [Pa] von Mises, of the true stress
    BY_PLASTIC_STRAIN, // [-] what has flowed of tets
    BY_SPEED,          // [m/s]
    BY_FORCE,          // [N] of contacts on each particle
    BY_TEMPERATURE,    // [K]
    BY_COUNT,
} paint_by;

typedef enum {
    MAP_EVEN,  // dark blue to yellow, equal steps to the eye, also without color
    MAP_JET,   // blue, green, red, as in the papers
    MAP_APART, // neighbors in number look different
    MAP_COUNT,
} map_kind;

// Forces that are drawn as arrows.
typedef enum {
    ARROWS_NONE,
    ARROWS_FORCE,   // of colliders and other bodies on each particle
    ARROWS_CONTACT, // both ways at each contact between bodies
    ARROWS_COUNT,
} arrows_of;

extern const char* const arrow_words[ARROWS_COUNT + 1]; // NULL at the end
extern const char* const paint_words[BY_COUNT + 1];
extern const char* const map_words[MAP_COUNT + 1];

typedef struct {
    paint_by by;
    map_kind map;
    double low, high; // of the map; NaN: 0 and what is there
    int clip_axis;    // of the mesh: 0, 1, 2; -1: nothing is taken away
    double clip_at;   // [-] share of the body's length along the axis beyond which tets are gone
    bool clip_below;  // before which, instead
    bool wires;       // edges show
    bool points;      // particles instead of surfaces
    arrows_of arrows;
} style;

style style_defaults(void); // every body in its color, whole, edges as ever

// "stress" and so on, "contact_force" as the files call "force"; sets the map that suits it. False:
// no such word.
bool style_by_word(style* out, const char* word);
bool style_map_word(style* out, const char* word);
bool style_arrows_word(style* out, const char* word);
// "x:0.5" keeps what is below the middle along x, "-x:0.5" what is above.
bool style_clip_word(style* out, const char* word);

// Whether a value belongs to tets and is a number of something, not a measure.
static inline bool style_counts(const style* s) { return s->by >= BY_COLOR && s->by <= BY_PATCH; }
static inline bool style_measures(const style* s) { return s->by >= BY_STRAIN; }
// Whether particles are drawn, and not the surfaces that bodies carry.
static inline bool style_looks_inside(const style* s)
{
    return s->by != BY_BODY || s->clip_axis >= 0 || s->points;
}
