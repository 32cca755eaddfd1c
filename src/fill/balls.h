// Balls of different sizes, and whether another one has room between them.
//
// Each octave of radii has a grid of its own, so that large balls do not look into many cells and
// small ones do not look through many balls. Cells are chains of a hash table: two cells with the
// same chain cost time and nothing else.
#pragma once
#ifndef PRECISION_DOUBLE
#error "balls are in double: define PRECISION_DOUBLE before the first include"
#endif
#include "base/memory.h"
#include "math/vec3.h"

enum { BALL_OCTAVES = 16 };

typedef struct {
    double most; // [m] largest radius
    double cell; // [m]
    int* head;   // of each chain: a ball, or -1
    int size;    // of the table: a power of 2
    int count;   // balls of this octave
} ball_grid;

typedef struct {
    vec3* place;
    double* radius;
    double* depth; // below the surface, as far as it was looked for
    int* next;     // of the chain
    int count, place_capacity, radius_capacity, depth_capacity, next_capacity;
    double gap; // [m] between any two
    ball_grid grid[BALL_OCTAVES];
    int octaves;
} ball_list;

// Of radii from `least` to `most`. Release it in every case.
void balls_start(ball_list* b, double least, double most, double gap);
void balls_release(ball_list* b);

// The radius that a ball there may have: `wanted`, less where others are near, below `least` (0)
// where there is no room for that.
double balls_room(const ball_list* b, vec3 place, double least, double wanted);

// Balls around a place, for questions about many places near it.
typedef struct {
    vec3 place;
    double radius;
} near_ball;
typedef struct {
    near_ball* ball;
    int count, capacity;
} near_list;

// Those that a ball of up to `most` could overlap whose center is no farther than `reach` from the
// place. False when memory runs out.
bool balls_near(const ball_list* b, vec3 place, double reach, double most, near_list* out);
// As balls_room, between those.
double near_room(const near_list* n, double gap, vec3 place, double least, double wanted);

// False when memory runs out.
bool balls_add(ball_list* b, vec3 place, double radius, double depth);

// In the order of a curve through space. False when memory runs out.
bool balls_sort(ball_list* b);
