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
// Pairs that are not in a list stay farther apart than their thickness and the margins of both
// elements as long as it lasts, if all points go on as they did when it was made. The list is good
// as long as nobody strays from that by more than its margin (watch.h).
#pragma once
#include "contact/leaves.h"
#include "contact/loose_list.h"
#include "contact/overlaps.h"
#include "contact/set.h"
#include "solver/step.h"
#include <string.h>

// A part of the elements of a body, and pairs whose first element is there. Counts are of what
// was found, also where there was no room.
typedef struct {
    int body, of; // pairs of it with itself, or with others: OF_ONE, OF_TWO
    int first, last;
    void* listed; // listed_pair of each
    near_pair* pair;
    void* state; // pair_state of each
    int* order;  // of both, by their keys
    int listed_count, listed_room;
    int pair_count, pair_capacity, state_capacity, order_capacity, pair_room;
    int64_t first_pair; // of all
} find_chunk;

// Bodies b whose elements those of a body look at.
typedef struct {
    int* start; // body_count + 1
    int* other;
    uint64_t* key; // scratch
    int start_capacity, other_capacity, key_capacity, count;
} partner_list;

typedef struct {
    int mends;                 // of lists of loose particles,
    int lists;                 // that the step made
    double find, solve, guard; // [s]
} contact_figures;

typedef struct contact_system {
    contact_set set;
    contact_flags flags; // of the set
    int scalar_bytes;    // of the rows of its bodies
    int lanes;           // of pairs of loose particles
    loose_system loose;
    int passes; // in each iteration
    bool fresh; // for tests: lists are made anew in every substep;
    bool plain; // loose particles are elements and pairs as all others
    int room;   // for tests: lists of a GPU have room for so many at first; 0: as usual
    executor* exec;

    // Memory of the set.
    void* points;
    int body_capacity, points_capacity, owner_capacity;
    int pair_capacity, contact_capacity, live_capacity, crossed_capacity;
    int touching_list_capacity, hold_capacity, touching_capacity[3], holding_capacity[3];
    int zone_of_capacity, zone_capacity, loaded_capacity;
    int element_owner_capacity, reach_capacity[2], stray_capacity[2], off_capacity[2];
    int margin_capacity[2], corner_capacity, element_radius_capacity, swerve_capacity;

    uint64_t* along; // scratch: bodies in the order of x
    int along_capacity;
    partner_list partners;
    find_chunk* chunk;
    int chunk_count, chunk_capacity;
    int *due, *busy; // scratch: chunks whose list is made; the first of both, where some have pairs
    int due_count, due_capacity, busy_count, busy_capacity;

    int* pressing;          // scratch of manifolds.c: pairs of contacts of a pass, by their bodies;
    uint64_t* pressing_key; // keys;
    contact_manifold* manifolds; // of two bodies each, their colors,
    int *color_of, *place_of;    // and where they were before they were in the order of colors
    uint64_t* taken;             // of each body: colors, as bits
    int pressing_capacity, pressing_key_capacity, manifolds_capacity, color_of_capacity,
        place_of_capacity, taken_capacity, press_capacity, manifold_capacity, color_start_capacity,
        island_capacity, rounds_capacity;

    kept_contact* lost; // scratch of handover.c: what pairs of the substep before lose
    int lost_count, lost_capacity;
    kept_contact *kept, *spare; // in the order of keys: what the next pairs take over; scratch
    int kept_count, kept_capacity, spare_capacity;
    uint64_t *touch, *touch_before; // for the world: slots of bodies that touched, in order; before
    int touch_count, touch_capacity, touch_before_count, touch_before_capacity;
    uint64_t* swept_before; // of the step before: set.swept
    int* swept_place;       // of this one: places of the colliders in the world's list
    int swept_capacity, swept_before_count, swept_before_capacity, swept_place_capacity;
    overlap_tree near; // where bodies may go during the step
    double* radius;    // [m] of each body, as `body` has it, for whoever looks at nothing else
    int radius_capacity;
    bool listed;        // lists of pairs of two bodies are of this world as it is
    bool strays;        // some element goes farther than a list thinks
    watched_pair* more; // scratch: what that adds to a list, and whom it may meet
    int* around;
    int more_capacity, around_capacity;
    bool paired; // pairs have what is not in `kept`
    bool look_for_crossed;
    bool numbered, jumped; // for the world: bodies have numbers; some was put elsewhere
    double last_h;         // [s] of the substep before; 0: there was none
    contact_figures figures;
} contact_system;

// ---- for the world ------------------------------------------------------------------------------

void contact_system_destroy(contact_system* s);
// Room for bodies; new ones are zero. A body that is replaced loses its memory first.
bool contact_system_reserve(contact_system* s, int bodies);
void contact_body_free(contact_body* b);

// Numbers points and elements of the bodies, which are set but for that, and makes room. Colliders
// that are not present have numbers of their elements alone: those do not depend on who meets whom.
// What pairs remember is kept for bodies of the same slot and surface. False when memory runs out,
// or where there are more elements than keys can count.
bool contact_system_number(contact_system* s);
// Forgets all that pairs remember.
void contact_system_clear(contact_system* s);

// Which bodies may be near others, or themselves, or colliders that meet their surface during a
// step: sets `meets`, and the set's `swept`; `out_any`: some does. False when memory runs out.
bool contact_system_select(contact_system* s, const select_rules* r, bool* out_any);
// Whether any two bodies may meet whose boxes, in `near`, overlap, or a body and a collider, by
// what is known of the body's speed.
bool contact_system_any_near(contact_system* s, const select_rules* r);
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
typedef struct contact_description {
    double weight[4], normal[3];
    double depth;  // [m] when the last substep ended
    double sum[3]; // [kg m] of the step
    bool pushes;   // it did in the last substep
    bool touches;  // it was close then, held back, or gave back what it stored
} contact_description;

// What is kept of the pairs that touched, in the order of their keys. False when memory runs out.
bool contact_system_keep(contact_system* s);

// What the step at hand brings for each body, once it is prepared.
void contact_set_tell(contact_set* s);

// Where bodies meet in a substep (step.h).
pliant_result contact_meet(void* system, step_work* step, const sweep_pass* pass);
void contact_bounce(void* system, step_work* step);
