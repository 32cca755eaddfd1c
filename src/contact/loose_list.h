// Which loose particles are near each other, and what their pairs remember, on the processor.
#pragma once
#include "contact/cells.h"
#include "contact/set.h"

struct contact_system;

// A part of the cells, and who is near to their particles.
typedef struct {
    int first, last; // cells
    int* found;      // numbers, particle after particle
    int count, capacity;
    cell_ranges ranges;
    bool good;
} loose_chunk;

typedef struct {
    cell_grid cells;
    grid_ball* ball; // of each particle
    loose_chunk* chunk;
    int chunk_count, chunk_capacity;
    grid_ball *way, *sorted_way; // course and radius of each, with what it may deviate; in the
                                 // order of cells
    int* place; // of each particle: where its neighbors begin, in the chunk that found them
    int* finder;
    int ball_capacity, way_capacity, sorted_way_capacity, place_capacity, finder_capacity;
    int from_capacity, course_capacity;
    uint8_t* strays; // of each: 1: it does now (loose_pairs), 2: it did since lists were made and
                     // went so far that cells do not have it
    int *stray, *apart; // their numbers
    int* in_cells;      // of each: where it is in the order of cells
    cell_ranges around;
    int stray_count, apart_count, strayed_count; // the last: of all since lists were made
    int strays_capacity, stray_capacity, apart_capacity, in_cells_capacity;
    bool lost; // some pair of the old list pushed in this step, and is on the new one no more

    // Memory of the set's loose_pairs: now, and of the list before.
    loose_pairs before;
    int neighbors_capacity[2], start_capacity[2], depth_capacity[2], room_capacity[2];
    int other_capacity[2];
    int number_capacity[2], flags_capacity[2];
    int ball_row_capacity, push_capacity, total_capacity, lasting_capacity, rules_capacity;
    loose_rules* rules;
    int count;    // particles that take part; the set's pairs have as many once they are listed
    bool alike;   // every two of them may touch
    int newest;   // of the two
    int life;     // [substeps] that a new list is to last
    bool listed;  // the lists are of these particles,
    bool due;     // and do not reach any more,
    bool strayed; // or do not for some
    bool newer;   // pairs have what s->kept does not
} loose_system;

void loose_destroy(struct contact_system* s);

// Before a step: what the bodies' contacts say; sums of forces start at zero. False when memory
// runs out.
bool loose_start(struct contact_system* s);
// New lists, whose pairs take over what they remember from the old ones, or from s->kept. False
// when memory runs out: nothing is forgotten then.
bool loose_list(struct contact_system* s);
// How many rows to have memory for, so that lists can be mended.
int64_t loose_rows_wanted(int64_t rows);
// What a list expects of a particle from now on, for `life` substeps.
void loose_look(struct contact_system* s, int particle, int life);
// Lists that do not reach for some get the pairs that those may have now. False: they are to be
// made anew.
bool loose_mend(struct contact_system* s);
// The next substep of the lists: who was listed goes on.
void loose_go_on(struct contact_system* s);
// Passes over all blocks, on threads. True: some pair takes part.
bool loose_run(struct contact_system* s, loose_step which, double carry);
// What pairs remember, into s->kept, in the order of keys. False when memory runs out.
bool loose_keep(struct contact_system* s);
// Room for a list that comes from elsewhere, of which no entry says anything yet. False when memory
// runs out.
bool loose_reserve(struct contact_system* s, int count, int rows);
// Who is on no list any more.
void loose_forget(struct contact_system* s);

// Of what is kept of two loose particles: the pair, as it was in the last substep.
struct contact_description;
void loose_describe(const struct contact_system* s, const kept_contact* k, near_pair* out,
                    struct contact_description* out_numbers);
int64_t loose_count_near(const struct contact_system* s);
