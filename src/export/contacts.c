#include "export/contacts.h"
#include <math.h>

// What is left of the force without its part along the normal.
static double friction_of(const pliant_contact* c)
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double across = c->force[k] - c->normal_force * c->normal[k];
        square += across * across;
    }
    return sqrt(square);
}

static void add_number(double value, sink* out)
{
    sink_text(out, ",");
    sink_single(out, (float)value); // as many digits as mean something
}

void contacts_csv(const frame* f, sink* out)
{
    sink_text(out, "body,other,x [m],y [m],z [m],normal x,normal y,normal z,depth [m],force x [N],"
                   "force y [N],force z [N],normal force [N],friction force [N],collider\n");
    for (int i = 0; i < f->contact_count; ++i) {
        const pliant_contact* c = &f->contacts[i];
        sink_print(out, "%d,%d", (int)c->body[0].index1 - 1, (int)c->body[1].index1 - 1);
        for (int k = 0; k < 3; ++k) add_number(c->point[k], out);
        for (int k = 0; k < 3; ++k) add_number(c->normal[k], out);
        add_number(c->depth, out);
        for (int k = 0; k < 3; ++k) add_number(c->force[k], out);
        add_number(c->normal_force, out);
        add_number(friction_of(c), out);
        sink_print(out, ",%d\n", (int)c->collider.index1 - 1);
    }
}
