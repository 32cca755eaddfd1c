#include "render/sky.h"

// Even over the half sphere: equal steps of height, turned by the golden angle. The lowest rows
// would see along the ground.
static vec3 direction(int i)
{
    double y = (i + 0.8) / (SKY_VIEWS + 0.3), turn = 2.399963229728653 * i;
    double out = sqrt(1 - y * y);
    return v3(out * cos(turn), y, out * sin(turn));
}

bool sky_create(sky* out, vec3 min, vec3 max)
{
    bool good = true;
    for (int i = 0; i < SKY_VIEWS; ++i) {
        out->toward[i] = direction(i);
        out->view[i] = view_of_sun(out->toward[i], min, max, SKY_SIZE);
        good = canvas_create(&out->map[i], SKY_SIZE, SKY_SIZE, false) && good;
    }
    return good;
}

void sky_destroy(sky* s)
{
    for (int i = 0; i < SKY_VIEWS; ++i) canvas_destroy(&s->map[i]);
}

void sky_draw(sky* s, int number, const model* m)
{
    const band all = {0, SKY_SIZE};
    for (int i = 0; i < m->face_count; ++i) {
        spot corner[3];
        if (model_lets_light_through(m, i)) continue;
        for (int k = 0; k < 3; ++k)
            corner[k] = view_drop(&s->view[number], m->vertex[m->face[i].corner[k]]);
        canvas_draw(&s->map[number], all, corner, i);
    }
    for (int i = 0; i < m->ball_count; ++i) {
        disk d = view_drop_ball(&s->view[number], m->ball[i].center, m->ball[i].radius);
        canvas_disk(&s->map[number], all, &d, m->face_count + i);
    }
}

// Whether the point is the first thing that light from there meets.
static bool is_lit(const sky* s, int number, vec3 point)
{
    const view* v = &s->view[number];
    const canvas* map = &s->map[number];
    spot at = view_drop(v, point);
    if (!(at.x >= 0 && at.y >= 0 && at.x < SKY_SIZE && at.y < SKY_SIZE)) return true;
    return (double)map->near[canvas_at(map, (int)at.x, (int)at.y)] <=
           fmax(at.near, 0) + 0.8 / v->scale;
}

double sky_light(const sky* s, vec3 point, vec3 normal)
{
    double lit = 0, all = 0;
    vec3 lifted = v3_add_scaled(point, 1.6 / s->view[0].scale, normal);
    for (int i = 0; i < SKY_VIEWS; ++i) {
        double slope = v3_dot(normal, s->toward[i]);
        if (slope <= 0.02) continue;
        all += slope;
        if (is_lit(s, i, lifted)) lit += slope;
    }
    return all > 0 ? lit / all : 1;
}
