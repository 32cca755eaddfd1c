// Bodies that meet, as kernels see them: their points, their pairs, and the numbers of the substep.
// The same source for the processor and for CUDA, where all pointers are to the device's memory.
#pragma once
#include "contact/loose.h"
#include "contact/pair.h"
#include "contact/surface.h"
#include "joint/joined.h"
#include "rigid/rigid.h"
#include "solver/row.h"
#include <string.h>

struct plan;
struct state;
struct body_run;
struct collider;

// The rows of a body: the arrays of its state (solver/state.h).
typedef struct {
    void *row, *velocity, *residue, *contact;
    void *past, *lift;            // one of them is NULL
    const int *copy_start, *copy; // rows of each particle; NULL: each has the one of its number
    const unsigned char* axes;    // of each particle, along which it is pinned; NULL: none is
    const uint32_t* phase;        // of each particle: its own group, where it is not 0; or NULL
    double past_h[2];             // [s] of the substep before, of the step's first and the others
    void* load;                   // [][load_rows][LOAD] what colliders do that are asked for it
    int load_rows;
} contact_rows;

// A motion that brings no two points nearer to each other: step + turn x (place - middle).
typedef struct {
    double middle[3], step[3]; // [m]
    double turn[3];            // [-]
} rigid_motion;

// How long ago a list was made: substeps that it has seen, and is to see; what its bodies have gone
// since, in the mean [m]; and how many elements it was made longer for, since they strayed.
typedef struct {
    int age, life;
    double drift[3];
    int strayed;
} list_age;

typedef struct {
    // Given: what it is,
    const contact_surface* surface;
    const struct plan* plan;
    const struct state* s;
    uint64_t born;  // which body it is, of all that its slot had
    uint64_t moves; // of its particles, when the last step had ended
    // and before each step:
    struct body_run* run; // NULL: it is a collider
    rigid_state* rigid;   // that of a rigid body; NULL: its points move by themselves;
    const double* local;  // [m] and the places of its particles in its axes,
    int particles;        // of which there are so many
    contact_rows at;
    int slot;     // of the body, or the collider, in its world
    bool present; // it has points: all bodies, and colliders that have met somebody
    uint32_t group, mask;
    bool self;
    double radius;      // [m] half of its thickness
    double stick, slip; // [-] static and dynamic friction
    double restitution; // [-]
    double compliance;  // [m/N]
    double rolling;     // [-] resistance of loose particles to rolling; 1: they do not roll
    bool meets, met;    // some other body, or itself, may be near in this step; in the one before

    int first_point, first_element, first_chunk;
    int* row;  // of each point: the first copy
    void* box; // [2 leaf_count + elements][6] scalars: low and high of nodes and elements, with
               // margins: on a GPU of lists, on the CPU of who crosses whom
    struct leaf_tree* tree[2]; // on the CPU, of lists of pairs of two bodies, and of its own
    list_age own_age;          // on the CPU, of the latter
    double low[3], high[3];
    rigid_motion motion, motion_before; // how this substep moves it, about, and the one before did
    unsigned stir;      // [m] how far pushes may take its points, as bits of a float,
    unsigned stir_next; // and how far they did
    unsigned touched;   // 1: in this substep
    unsigned lapsed;    // pass that saw that the list of its own pairs does not reach
    bool listed;        // that list is of this body as it is
    bool crossed;       // it crosses another body, or itself
    bool frozen;        // it left the finite numbers: others meet it as it stands

    // Of a body, before each step:
    double friction, bounce; // [-] multiply those of colliders
    bool leaves;             // it is on its way out of colliders, and meets their particles alone
    bool flows;              // it is a liquid
    double speed;            // [m/s] of its fastest point when the step begins
    double smallest;         // [m] the least radius of its particles

    bool collider;   // nobody moves it (colliders.h). Of such a one, before each step:
    bool only_rigid; // it meets rigid bodies alone
    const struct collider* shape;
    int place;          // in the world's list of colliders
    double velocity[3]; // [m/s]
    double haste;       // [1/s] how many halves of its thickness its surface goes by turning
    bool still;         // it stands, and its surface does
    bool turns;
    int load;  // number of its sums of forces; -1: nobody asks
    void* own; // memory of its rows
    // And of the substep: its surface moves by shift + turn (x - position) where x is, as a
    // collider_pose has it, and its shape by step + spin (x - center).
    double position[3], shift[3], turn[3][3];
    double center[3], step[3], spin[3][3];
    double axis[3][3]; // when it begins
} contact_body;

// What any of the kernels may have to say. Each is the number of the pass that said it last, so
// that nobody has to clear it.
typedef struct {
    unsigned escaped;   // some point left its course: pairs may be missing
    unsigned unlisted;  // the list of two bodies does not have all that some element may meet
    unsigned lapsed;    // nor does that of some body with itself,
    unsigned strayed;   // nor does that of loose particles
    unsigned lost;      // some pair of those that pushed is on their list no more
    unsigned touching;  // some contact is active,
    unsigned pressing;  // or one of loose particles
    unsigned unsettled; // some island of rigid bodies wants another round
    unsigned violated;  // some pair would cross
    unsigned grown;     // some piece of the guard has become larger
    unsigned parting;   // some contact gives back what it stored
    // Of the step so far:
    int stopped;       // points that the guard gave a common motion
    long long guarded; // [1e-12 N s] momentum that it took from points which go on with a held one,
    long long guarded_angular; // [1e-12 N m s] and angular momentum about that
    // Of pieces: the largest mass [kg], way and arm [m] in them, as bits of floats.
    unsigned most_mass, most_way, most_arm;
} contact_flags;

// Points that go on as one piece (zones.h): sums over them, in parts of the largest ones. Arms are
// seen from the piece's first point.
typedef struct {
    long long mass, motion[3], arm[3];
    long long square[6]; // of arms: xx yy zz, yz zx xy
    long long spin[3];   // arms x motions
    int held;            // the first point that nobody moves; INT32_MAX: none
    int points;
} guard_zone;

// Pairs of each point: entries are 4 times the pair, plus the point's place there, ascending.
typedef struct {
    int *start, *end, *entry;
} point_pairs;

enum { REBOUND_ROUNDS = 8 }; // in which rigid bodies give back what impacts stored, there and back

// Contacts of two bodies that follow each other (manifold.h).
typedef struct {
    int first, last;
} contact_manifold;

// Pairs are of two bodies, or of one with itself.
enum { OF_TWO = 0, OF_ONE = 1, TIGHT = -1 }; // TIGHT: no list, boxes without margins

// How far a point goes in a substep, at most, against the mean motion of all bodies and against
// that of its own [m]; and how far it went in the one before, against the mean of all and against
// its own body as a rigid one.
typedef struct {
    float way[2], gone[2];
} point_way;

// Likewise an element, for pairs of two bodies and for those of one.
typedef struct {
    float way[2];      // [m] in this substep
    float odometer[2]; // [m] before it, since the list was made
    float margin[2];   // [m] for which the list has all
} element_way;

// How far a point or an element has strayed from what a list expects (watch.h) [m], and how far it
// may in this substep, with room.
typedef struct {
    float off, all;
} point_stray;

typedef struct {
    contact_body* body;
    int body_count, point_count, element_count;

    // [point_count][4]: place and inverse mass, increment and number of contacts, residue,
    // velocity.
    void *place, *increment, *residue, *velocity;
    int* owner;       // body of each point
    unsigned* loaded; // of each point: the last meeting that it was part of

    // [point_count][4]: the increment that sweeps left, and how far from it pushes may take the
    // point until pairs are looked for again.
    void* course;
    point_way* going;
    float* swerve;      // [m] how far the substep before took the point from its course
    int* element_owner; // body of each element
    element_way* way;   // of each element
    float* reach[2];    // [m] likewise: its odometer, and how far it may reach in this substep

    // On the CPU instead of `going` and `way` (watch.h), for pairs of two bodies and of one:
    // [point_count][4] where each point was when the list was made, and how it went on; how far it
    // has strayed. Then of elements: the same, its largest part in `reach`; how far it may.
    void *from[2], *along[2];
    point_stray* stray[2];
    float *off[2], *margin[2];
    float* radius;    // [m] of each element: its part of the distance to touch at
    int (*corner)[4]; // of each element: its points, a segment's last one twice; how many it has
    list_age age;     // of the list of pairs of two bodies

    near_pair* pair; // that may meet in this substep, in the order of their keys
    void* contact;   // pair_state of each
    int pair_count;
    int* live; // their points
    int live_count;
    int* touch; // pairs that may touch, or overlap
    int touch_count;
    point_pairs touching; // of each live point: pairs that may touch
    int* hold;            // pairs that the guard holds back
    int hold_count;       // 0: it held back none since pairs were found
    point_pairs holding;  // of each live point

    int* zone_of; // of each point
    guard_zone* zone;

    int first_collider;            // of the bodies: it and those behind it are colliders
    int rigid_count;               // of the bodies, those that are rigid
    struct pressed_contact* press; // contacts of these in a pass, manifold after manifold,
    int press_count;               //
    int* island;                   // of each body: the lowest of those that touch each other
    struct island_rounds* rounds;  // of each that is the lowest
    contact_manifold* manifold;    // color after color
    int* color_start;              // color_count + 1
    int color_count, color;        // the one at hand
    bool backward;                 // its manifolds go through their contacts from the last on
    uint64_t* swept; // bodies and colliders that meet in this step, as crossed_key, in order
    int swept_count;

    uint64_t* crossed; // bodies that cross each other, the lower number first, in order
    int crossed_count;

    loose_pairs loose;   // of points 0 to loose.count - 1
    bool loose_by_pairs; // they are elements and pairs as all others, instead
    bool loose_alone;    // nobody else is there

    const joined_points* joined; // that joints hold together; NULL: none

    contact_flags* flags;
    unsigned pass;      // number of the one at hand
    unsigned meeting;   // number of the substep, never 0
    int guarded_rounds; // of the guard, of all substeps of the step
    int squeezed;       // times that a pair could not be kept apart, likewise

    // Of the substep at hand.
    int substeps, substep;  // of the step, and which of them it is
    bool looks_first;       // pairs of the substep have not been found yet
    double h;               // [s]
    double frame[3];        // [m] mean motion of all bodies that meet,
    double frame_before[3]; // [m] and in the substep before
    double rest_speed;      // [m/s] impacts slower than this do not bounce
    double exit_speed;      // [m/s] at which bodies that cross are pulled apart
    bool guards;            // nothing may cross
} contact_set;

// Pairs that may have something to keep: those that may touch, and all where the guard held some
// back.
INLINE int giving_count(const contact_set* s)
{
    return s->hold_count > 0 ? s->pair_count : s->touch_count;
}
INLINE int giving_pair(const contact_set* s, int i) { return s->hold_count > 0 ? i : s->touch[i]; }

// Most kernels of a device do without the code for rigid bodies: those are of worlds that have
// some.
#if !defined(__CUDACC__) || defined(RIGID_TOO)
#define MEETS_RIGID 1
#else
#define MEETS_RIGID 0
#endif

// Whether it moves as one.
INLINE bool is_rigid(const contact_body* b) { return MEETS_RIGID && b->rigid != NULL; }
// A plane, which rigid bodies alone meet by its surface.
INLINE bool is_plane(const contact_body* b) { return MEETS_RIGID && b->surface->plane; }

// The body that has an element.
INLINE int contact_body_of(const contact_set* s, int number)
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

// ---- flags --------------------------------------------------------------------------------------

// Whoever says so says the same.
INLINE void flag_raise(unsigned* flag, unsigned pass)
{
#ifdef __CUDACC__
    *(volatile unsigned*)flag = pass;
#else
    if (__atomic_load_n(flag, __ATOMIC_RELAXED) != pass)
        __atomic_store_n(flag, pass, __ATOMIC_RELAXED);
#endif
}
INLINE bool flag_is_raised(const unsigned* flag, unsigned pass)
{
#ifdef __CUDACC__
    return *(const volatile unsigned*)flag == pass;
#else
    return __atomic_load_n(flag, __ATOMIC_RELAXED) == pass;
#endif
}

// ---- what several threads may do to a number at once --------------------------------------------

FUNCTION int atomic_lower(int* at, int value) // returns what was there
{
#ifdef __CUDA_ARCH__
    return atomicMin(at, value);
#else
    int old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old > value && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
    return old;
#endif
}
FUNCTION void atomic_raise(unsigned* at, unsigned value)
{
#ifdef __CUDA_ARCH__
    atomicMax(at, value);
#else
    unsigned old = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (old < value && !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED,
                                                       __ATOMIC_RELAXED)) {
    }
#endif
}
FUNCTION void atomic_count(int* at)
{
#ifdef __CUDA_ARCH__
    atomicAdd(at, 1);
#else
    __atomic_fetch_add(at, 1, __ATOMIC_RELAXED);
#endif
}
FUNCTION void atomic_sum(long long* at, long long value)
{
#ifdef __CUDA_ARCH__
    atomicAdd((unsigned long long*)at, (unsigned long long)value);
#else
    __atomic_fetch_add(at, value, __ATOMIC_RELAXED);
#endif
}
FUNCTION int atomic_read(const int* at)
{
#ifdef __CUDA_ARCH__
    return *(const volatile int*)at;
#else
    return __atomic_load_n(at, __ATOMIC_RELAXED);
#endif
}

// ---- floats as numbers that several threads may raise -------------------------------------------

FUNCTION unsigned bits_of_float(float a)
{
    unsigned bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}
FUNCTION float float_of_bits(unsigned bits)
{
    float a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

// ---- groups -------------------------------------------------------------------------------------

// Particles with groups of their own are looked at pair by pair (phases_meet). Liquids meet each
// other as such (fluid/system.h).
INLINE bool groups_meet(const contact_body* a, const contact_body* b)
{
    return !(a->flows && b->flows) && (a->at.phase || (a->group & b->mask)) &&
           (b->at.phase || (b->group & a->mask));
}

// Of particles: those of the points before `first` with the others.
FUNCTION bool phases_meet(const contact_body* a, const contact_body* b, const int point[4],
                          int first)
{
    const uint32_t *of_a = a->at.phase, *of_b = b->at.phase;
    if ((!of_a && !of_b) || a->collider || b->collider) return true;
    for (int i = 0; i < first; ++i)
        for (int k = first; k < 4; ++k) {
            uint32_t one = of_a ? of_a[a->surface->particle[point[i]]] : 0;
            uint32_t two = of_b ? of_b[b->surface->particle[point[k]]] : 0;
            if (!((one ? one : a->group) & b->mask) || !((two ? two : b->group) & a->mask))
                return false;
        }
    return true;
}

// Whether it is loose particles that have lists of their own (loose.h).
INLINE bool is_loose(const contact_set* s, const contact_body* b)
{
    return b->surface->grains && !s->loose_by_pairs;
}

// Of what is kept: whether it is of two loose particles that are listed.
INLINE bool loose_has(const contact_set* s, const kept_contact* k)
{
    return key_second(k->key) < s->loose.count;
}

// Whether two particles of a body that has clusters do not touch: where it does not meet itself no
// two do.
INLINE bool holds_together(const contact_body* b, int point, int other)
{
    return b->surface->cluster_start && (!b->self || surface_binds(b->surface, point, other));
}

// Whether a body has a list of pairs of its own elements.
INLINE bool lists_itself(const contact_set* s, const contact_body* b)
{
    return b->self && !is_loose(s, b);
}

// Of loose particles, which do not turn: where real ones would roll over each other, no more of
// friction holds them than their resistance to that.
FUNCTION double rolling_limit(const contact_body* a, const contact_body* b)
{
    return a->rolling < 1 || b->rolling < 1 ? sqrt(a->rolling * b->rolling) : INFINITY;
}

// ---- bodies that cross --------------------------------------------------------------------------

INLINE uint64_t crossed_key(int a, int b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

// Whether two bodies cross each other.
INLINE bool bodies_are_crossed(const contact_set* s, int a, int b)
{
    for (int i = 0; i < s->crossed_count; ++i)
        if (s->crossed[i] == crossed_key(a, b)) return true;
    return false;
}

// ---- colliders ----------------------------------------------------------------------------------

// Whether a body and a collider meet by their surfaces in this step.
INLINE bool is_swept(const contact_set* s, int a, int b)
{
    uint64_t key = crossed_key(a, b);
    int low = 0, high = s->swept_count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->swept[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->swept_count && s->swept[low] == key;
}

// The collider of a pair, or NULL.
INLINE const contact_body* collider_of(const contact_set* s, const near_pair* p)
{
    if (s->first_collider == s->body_count) return (const contact_body*)0;
    const contact_body *a = &s->body[p->body[0]], *b = &s->body[p->body[1]];
    return a->collider ? a : b->collider ? b : (const contact_body*)0;
}

INLINE bool contact_set_bounces(const contact_set* s)
{
    for (int i = 0; i < s->body_count; ++i)
        if (s->body[i].meets && s->body[i].restitution > 0) return true;
    return false;
}

// The next substep.
INLINE void contact_set_next(contact_set* s)
{
    if (++s->meeting == 0) s->meeting = 1;
}
