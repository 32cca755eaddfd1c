// What steps the bodies of a scene.
#pragma once
#include "pliant.h"

// Below so many elements in all (tetrahedra, or triangles and edges), "auto" stays on the CPU,
// where a step of them is over as soon.
enum { GPU_ELEMENTS = 20000 };

// Whether there is a GPU here that a world can use. If not, pliant_error_text() says why.
bool backend_has_gpu(void);

// What `patch_rows` is for a body of a scene on a GPU, where nobody says so: many bodies share its
// multiprocessors, so each has few patches. 0: it is alone. `all`: particles of all bodies.
int backend_patch_rows(int particles, int64_t all);

// What "auto" means for a scene of so many elements: one of the others.
pliant_backend backend_for(int64_t elements);
