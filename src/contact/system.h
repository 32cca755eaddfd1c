// Bodies that meet each other and themselves: contacts, friction, and the guard that keeps surfaces
// from crossing.
//
// Bodies of a world that touch have points (the corners of their surfaces) and elements (triangles
// and segments), numbered through, body after body. In every substep, when the sweeps are done and
// all rows of the world are at the same instant (the phase `join`), points take their rows,
// contacts push them, the guard looks, and rows take the points again.
//
//   find      elements that are near: by trees of boxes, with a margin, for several substeps; then
//             pairs of their points and edges that may meet in this one, where they are nearest at
//             its start: direction, weights, distance. A substep is short: direction and weights
//             stay
//   press     each contact by itself: n_i contacts at a point see n_i times its inverse mass, as if
//             each had a part of the mass. Both sides get the same push: momentum is kept, and with
//             it angular momentum, since the push goes along the line between the nearest points
//   move      each point by itself: the sum of what its contacts do, in the order of their keys
//   guard     what would still cross is stopped (guard.h)
//
// No order of threads is in it, no float is added by two, and pairs that do not touch add nothing:
// when lists are made anew changes no bit.
//
// Elements that are not in the list were farther apart than their thickness and the margins of both
// bodies when the list was made. Each body counts how far any of its points has gone since then, at
// most (its odometer). The list is good as long as that, and what the substep at hand adds to it,
// is within the margin.
#pragma once
#include "contact/pair.h"
#include "contact/surface.h"
#include "solver/step.h"
#include <string.h>

typedef struct {
    // Given: what it is,
    const contact_surface* surface;
    const plan* plan;
    const state* s;
    uint64_t born;  // which body it is, of all that its slot had
    uint64_t moves; // of its particles, when the last step had ended
    // and before each step:
    body_run* run;
    int slot; // of the body in its world
    uint32_t group, mask;
    bool self;
    double radius;         // [m] half of its thickness
    double stick, slip;    // [-] static and dynamic friction
    double restitution;    // [-]
    double compliance;     // [m/N]
    const uint32_t* phase; // of each particle: its own group, where it is not 0
    bool meets;            // some other body, or itself, may be near in this step

    int first_point, first_element;
    int* row;  // of each point: the first copy
    void* box; // [2 leaf_count + elements][6] scalars: low and high of nodes and elements, with
               // margins
    double low[3], high[3];
    double mean[3];                 // [m] how far the substep moves it
    double way, self_way;           // [m] how far any point, against all bodies' mean and its own
    double odometer, self_odometer; // [m] both, since the list was made
    double margin, self_margin;     // [m] for both
    double calm, self_calm;         // [m] a way for which all pairs are there
    _Atomic bool touched;           // in this substep
    bool crossed;                   // it crosses another body, or itself
    bool frozen;                    // it left the finite numbers: others meet it as it stands
} contact_body;

// Two elements that are near: one of a body at hand, one of another body or the same.
typedef struct {
    int other; // body
    int element[2];
    float apart;    // [m] no nearer than this when they were last looked at,
    float odometer; // [m] and how far both bodies had gone by then
} element_pair;

// A part of the elements of a body, and the pairs whose first element is there. Counts are of what
// was found, also where there was no room.
typedef struct {
    int body, first, last;
    element_pair* elements;
    near_pair* pair;
    void* state; // pair_state of each
    int element_count, element_capacity, element_room;
    int pair_count, pair_capacity, state_capacity, pair_room;
    int crossing; // elements that cross others
} find_chunk;

// Bodies b whose elements those of a body look at.
typedef struct {
    int* start; // body_count + 1
    int* other;
    uint64_t* key; // scratch
    int start_capacity, other_capacity, key_capacity, count;
} partner_list;

// Points that go on as one piece.
typedef struct {
    double mass;      // [kg]
    double motion[3]; // [kg m], or [m] where a point is held
    int points;
    bool held;
} guard_zone;

typedef struct {
    int lists;                 // that the step made
    double guarded;            // [N s] momentum that the guard took from points that are held
    int guarded_rounds;        // of the guard, of all substeps of the step
    int stopped;               // points that it gave a common motion, likewise
    int squeezed;              // pairs that could not be kept apart
    double find, solve, guard; // [s]
} contact_figures;

enum { PAIRS_OF_TASK = 256, POINTS_OF_TASK = 512 };

typedef struct contact_system {
    int scalar_bytes; // of the rows of its bodies
    contact_body* body;
    int body_count, body_capacity;
    int point_count, element_count;
    int passes; // in each iteration
    bool fresh; // for tests: lists are made anew in every substep
    executor* exec;

    // [point_count][4]: place and inverse mass, increment and number of contacts, residue,
    // velocity.
    void *place, *increment, *residue, *velocity;
    int* owner;   // body of each point
    void* points; // the memory of these
    int points_capacity, owner_capacity;

    uint64_t* along; // scratch: bodies in the order of x
    int along_capacity;
    partner_list partners;
    find_chunk* chunk;
    int chunk_count, chunk_capacity;
    near_pair* pair; // that may meet in this substep, in the order of their keys
    void* contact;   // pair_state of each
    int pair_count, pair_capacity, contact_capacity;
    int* live; // their points
    int live_capacity, live_count;
    int *incidence_start, *incidence_end; // of each live point, into:
    int* incidence; // 4 times the pair, plus the point's place there; ascending for each point
    int incidence_start_capacity, incidence_end_capacity, incidence_capacity;

    int* zone_of; // of each point (zones.h)
    guard_zone* zone;
    int zone_of_capacity, zone_capacity;
    bool zones_started;

    kept_contact *kept, *spare; // in the order of keys: what the next pairs take over; scratch
    int kept_count, kept_capacity, spare_capacity;
    uint64_t *touch, *touch_before; // for the world: slots of bodies that touched, in order; before
    int touch_count, touch_capacity, touch_before_count, touch_before_capacity;
    bool listed;       // lists of elements are of this world as it is
    bool paired;       // pairs have what is not in `kept`
    uint64_t* crossed; // bodies that cross each other, the lower number first, in order
    int crossed_count, crossed_capacity;
    double exit_speed; // [m/s] at which they are pulled apart
    bool look_for_crossed;
    bool numbered, jumped; // for the world: bodies have numbers; some was put elsewhere
    _Atomic bool escaped;  // some point went farther than its body's `calm`: pairs may be missing
    _Atomic bool touching; // some contact is active
    _Atomic bool violated; // some pair would cross
    double last_h;         // [s] of the substep before; 0: there was none

    // Of the substep at hand.
    double h;          // [s]
    double frame[3];   // [m] mean motion of all bodies that meet
    double rest_speed; // [m/s]
    contact_figures figures;
} contact_system;

// ---- for the world ------------------------------------------------------------------------------

void contact_system_destroy(contact_system* s);
// Room for bodies; new ones are zero. A body that is replaced loses its rows and boxes first.
bool contact_system_reserve(contact_system* s, int bodies);

// Numbers points and elements of the bodies, which are set but for that, and makes room. What pairs
// remember is kept for bodies of the same slot and surface. False when memory runs out, or where
// there are more elements than keys can count.
bool contact_system_number(contact_system* s);
// Forgets all that pairs remember.
void contact_system_clear(contact_system* s);

// Which bodies may be near others, or themselves, during a step of dt [s]: sets `meets`; `out_any`:
// some does. `more` [m/s]: how much faster than its particles are now a body may become. False when
// memory runs out.
bool contact_system_select(contact_system* s, double dt, double more, bool* out_any);

// Keys of bodies in the order of a coordinate, as far as 32 bits tell; of body -1 the last of a
// place.
static inline uint64_t along_key(double x, int body)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits >> 63 ? ~bits : bits | 1ull << 63) >> 32 << 32 | (uint32_t)body;
}
static inline int along_body(uint64_t key) { return (int)(key & 0xffffffffu); }

// Around a step: sums of forces start at zero.
void contact_system_start(contact_system* s);

// A pair as readers see it.
typedef struct {
    double weight[4], normal[3];
    double depth;  // [m] when the last substep ended
    double sum[3]; // [kg m] of the step
    bool pushes;   // it did in the last substep
} contact_description;

// What is kept of the pairs that touched, in the order of their keys. False when memory runs out.
bool contact_system_keep(contact_system* s);

// The body that has an element.
static inline int contact_body_of(const contact_system* s, int number)
{
    int low = 0, high = s->body_count - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (s->body[middle].first_element <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// What is state.
static inline bool kept_goes_on(const kept_contact* k) { return k->lambda > 0 || k->overlaps; }

static inline bool kept_has_pushed(const kept_contact* k)
{
    return k->sum[0] != 0 || k->sum[1] != 0 || k->sum[2] != 0;
}

static inline uint64_t crossed_key(int a, int b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}
// Whether two bodies cross each other.
static inline bool bodies_are_crossed(const contact_system* s, int a, int b)
{
    for (int i = 0; i < s->crossed_count; ++i)
        if (s->crossed[i] == crossed_key(a, b)) return true;
    return false;
}

// Where bodies meet in a substep (step.h).
pliant_result contact_meet(void* system, step_work* step, const sweep_pass* pass);
void contact_bounce(void* system, step_work* step);
