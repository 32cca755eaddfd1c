// A yard for rigid bodies, in the three forms that they have: the corners of a surface, balls that
// are rigid together, and balls that shape matching keeps together.
#pragma once
#include "bench/physics.h"

typedef enum { FORM_CORNERS, FORM_BALLS, FORM_MATCHED, BODY_FORMS } body_form;
extern const char* const form_words[BODY_FORMS];

typedef struct {
    pliant_world* world;
    pliant_result result; // the first failure; nothing is done after one
} yard;

yard yard_open(bool weight);
// The same with so many substeps of a sixtieth of a second; 0: as the world chooses.
yard yard_open_with(bool weight, int substeps);
void yard_close(yard* y);

// A plane that falls toward x.
pliant_collider_id yard_slope(yard* y, double slope, double friction, double restitution);

// A brick or a ball of that size [m] with its middle at the origin, in some form. `spacing` [m]: of
// the balls that it is made of.
pliant_mesh* yard_brick(yard* y, body_form form, const double size[3], double spacing);
pliant_mesh* yard_ball(yard* y, body_form form, double radius, int balls);
pliant_body_id yard_add(yard* y, const pliant_mesh* mesh, body_form form,
                        const pliant_body_def* at);
pliant_body_def yard_place(double x, double y, double z);

// All of it goes at that velocity from now on [m/s].
void yard_send(yard* y, pliant_body_id id, const double velocity[3]);
void yard_run(yard* y, double seconds);

// The motion of the center of mass.
typedef struct {
    double center[3], velocity[3]; // [m, m/s]
    double spin[3];                // [kg m^2/s] about the origin
    double mass, energy;           // [kg, J] the last: kinetic
} yard_motion;
yard_motion yard_look(yard* y, pliant_body_id id);
