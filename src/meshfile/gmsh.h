// What the readers of the Gmsh versions share.
#pragma once
#include "meshfile/draft.h"
#include "meshfile/tags.h"

typedef struct {
    encoding encoding; // of the numbers; section names are text
    scalar size;       // of counts and tags in version 4
    tag_map nodes;
    tag_map volumes;   // entities of dimension 3
    int64_t* physical; // of each volume; 0: none
    int physical_capacity;
} gmsh;

typedef struct {
    cell_kind kind;
    int corners;
} gmsh_element;

// Refuses an unknown number.
gmsh_element gmsh_element_type(cursor* c, int64_t number);
// Adds the node with this tag to the cell being read.
void gmsh_corner(cursor* c, draft* d, const gmsh* g, int64_t tag);

// Sections, from behind the name up to the line with its end.
void read_nodes2(cursor* c, draft* d, gmsh* g);
void read_elements2(cursor* c, draft* d, gmsh* g);
void read_entities4(cursor* c, gmsh* g);
void read_nodes4(cursor* c, draft* d, gmsh* g);
void read_elements4(cursor* c, draft* d, gmsh* g);
