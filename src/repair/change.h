// A proposal: some tets go, others come in their place. It is judged before anything happens.
#pragma once
#include "repair/complex.h"
#include "repair/envelope.h"
#include "repair/hosts.h"

typedef struct {
    int_list old;     // tets
    int_list fresh;   // 4 corners each
    int_list outer;   // per fresh tet: bits of the faces that will be outside
    int_list made;    // per fresh tet: those of them that are no face now
    int_list exposed; // tet and face: inner faces that will be outside
    host_set faces;   // outer ones after the change
    bool failed;      // memory ran out
} change;

void change_destroy(change* ch);
void change_begin(change* ch);
void change_remove(change* ch, int tet);
void change_add(change* ch, int a, int b, int c, int d);
// The tet with one corner replaced.
void change_add_replaced(change* ch, const cell* t, int from, int to);

// Worst tet of those that go.
double quality_before(const complex* c, const change* ch);
// Worst of those that come, or something below `enough` as soon as one is.
double quality_after(const complex* c, const change* ch, double enough);
// Of the edges that come, squared.
double longest2_after(const complex* c, const change* ch);

// Whether all tets that go are of one region, which those that come will have.
bool change_is_in_one_region(const complex* c, const change* ch);

// Finds out what happens to the surface: before the two below.
void change_find_surface(const complex* c, change* ch);
bool change_moves_surface(const change* ch);
// Whether the new faces stay near to the original surface, and the original surface to them.
bool change_stays_near(const complex* c, change* ch, const envelope* e);

void change_apply(complex* c, change* ch);
