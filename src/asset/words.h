// Names of the values of enumerations: in lists of members, scene files, on the command line and in
// results. By the values, with NULL at the end.
#pragma once

extern const char* const formulation_words[];
extern const char* const schedule_words[];
extern const char* const color_scope_words[];
extern const char* const interface_words[];
extern const char* const phantoms_words[];
extern const char* const merge_words[];
extern const char* const rotation_words[];
extern const char* const integrator_words[];
extern const char* const clustering_words[];
extern const char* const backend_words[];
extern const char* const arithmetic_words[];
extern const char* const launch_mode_words[];
extern const char* const shape_words[];
extern const char* const surface_contacts_words[];
extern const char* const precision_words[];
extern const char* const lame_words[];
extern const char* const stiffness_mode_words[];
extern const char* const bending_words[];
