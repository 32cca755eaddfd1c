#include "stats.h"
#include "base/memory.h"
#include "base/platform.h"
#include "export/strain.h"
#include "plot.h"
#include <math.h>
#include <string.h>

void stats_begin(stats* out, const stage* s)
{
    memset(out, 0, sizeof *out);
    out->stage = s;
}

void stats_release(stats* s)
{
    for (int i = 0; i < HISTORIES; ++i) mem_free(s->history[i]);
    memset(s, 0, sizeof *s);
}

void stats_add(stats* s, double step_seconds, double file_seconds)
{
    if (!s->stage) return;
    pliant_profile p = pliant_world_profile(s->stage->world);
    double rest = step_seconds - (p.predict + p.sweep + p.contacts + p.update);
    const double seconds[TIME_PHASES] = {p.predict, p.sweep, p.contacts,
                                         p.update,  rest,    file_seconds};
    for (int i = 0; i < TIME_PHASES; ++i) s->seconds[i] += fmax(seconds[i], 0);
    pliant_world_count_contacts(s->stage->world, &s->contacts);
    if (s->contacts > s->most_contacts) s->most_contacts = s->contacts;
    s->steps++;
}

// ---- looking ------------------------------------------------------------------------------------

typedef struct {
    const char* kind;
    const int* corner;
    int count, corners;
} cell_list;

static void look_at(const cell_list* cells, const double* rest, const double* now, int body,
                    worst_element* worst)
{
    for (int i = 0; i < cells->count; ++i) {
        const simplex s =
            simplex_of(rest, now, cells->corner + (ptrdiff_t)i * cells->corners, cells->corners);
        double e[6], square = 0;
        simplex_strain(&s, e);
        for (int k = 0; k < 6; ++k) square += (k < 3 ? 1 : 2) * e[k] * e[k];
        worst->inverted += cells->corners == 4 && simplex_is_inverted(&s);
        if (worst->kind && !(sqrt(square) > worst->strain)) continue;
        worst->kind = cells->kind;
        worst->body = body;
        worst->number = i;
        worst->strain = sqrt(square);
    }
}

static worst_element find_worst(const stage* s)
{
    worst_element worst = {0};
    for (int i = 0; i < s->body_count; ++i) {
        pliant_mesh_arrays m = pliant_mesh_view(s->entries[s->bodies[i].entry].mesh);
        const cell_list lists[] = {{"tet", m.tets, m.tet_count, 4},
                                   {"triangle", m.triangles, m.tet_count ? 0 : m.triangle_count, 3},
                                   {"edge", m.edges, m.edge_count, 2}};
        double* now = (double*)mem_array(3 * (size_t)m.vertex_count, sizeof(double));
        if (!now) break;
        bool known = pliant_body_read_positions_exact(s->world, s->bodies[i].id, now,
                                                      m.vertex_count) == PLIANT_OK;
        for (int k = 0; k < 3 && known; ++k) look_at(&lists[k], m.vertices, now, i, &worst);
        mem_free(now);
    }
    return worst;
}

static void keep_history(stats* s)
{
    const pliant_energies* e = &s->energies;
    const double value[HISTORIES] = {e->kinetic, e->elastic, e->gravity,
                                     e->kinetic + e->elastic + e->gravity,
                                     pliant_world_time(s->stage->world)};
    for (int i = 0; i < HISTORIES; ++i) {
        if (!mem_reserve((void**)&s->history[i], &s->capacity[i], (int64_t)s->count + 1,
                         sizeof(double)))
            return;
        s->history[i][s->count] = value[i];
    }
    s->count++;
}

void stats_sample(stats* s, bool must)
{
    double start = platform_seconds();
    if (!s->stage || (!must && start - s->last_sample < 20 * s->cost)) return;
    if (pliant_world_energies(s->stage->world, &s->energies)) return; // a GPU: the step tells
    s->worst = find_worst(s->stage);
    keep_history(s);
    s->last_sample = platform_seconds();
    s->cost = s->last_sample - start;
}

// ---- telling ------------------------------------------------------------------------------------

static void format_worst(const worst_element* w, char* out, size_t room)
{
    if (!w->kind) {
        snprintf(out, room, "no elements");
        return;
    }
    int length = snprintf(out, room, "worst: %s %d of body %d, strain %.2g", w->kind, w->number,
                          w->body, w->strain);
    if (w->inverted && length > 0 && (size_t)length < room)
        snprintf(out + length, room - (size_t)length, ", %d inverted", w->inverted);
}

// "sweep 71 %, contacts 12 %, ...", what took no time left out.
static void format_shares(const stats* s, char* out, size_t room)
{
    static const char* const names[TIME_PHASES] = {"predict", "sweep", "contacts",
                                                   "update",  "rest",  "files"};
    double all = 0;
    size_t used = 0;
    for (int i = 0; i < TIME_PHASES; ++i) all += s->seconds[i];
    out[0] = 0;
    for (int i = 0; i < TIME_PHASES; ++i) {
        double share = all > 0 ? 100 * s->seconds[i] / all : 0;
        if (share < 0.5 || used >= room) continue;
        int length =
            snprintf(out + used, room - used, "%s%s %.0f %%", used ? ", " : "", names[i], share);
        used += length > 0 ? (size_t)length : 0;
    }
}

void stats_format(const stats* s, char* out, size_t room)
{
    char worst[128], shares[160];
    const pliant_energies* e = &s->energies;
    format_worst(&s->worst, worst, sizeof worst);
    format_shares(s, shares, sizeof shares);
    snprintf(out, room,
             "energy %.4g J (kinetic %.3g, elastic %.3g, gravity %.3g), %d contacts\n%s\ntime: %s",
             e->kinetic + e->elastic + e->gravity, e->kinetic, e->elastic, e->gravity, s->contacts,
             worst, shares);
}

// One energy: kinetic and elastic from 0, the others in their range.
static void print_curve(const stats* s, history_kind kind, FILE* out, bool unicode)
{
    enum { ROWS = 2 };
    static const char* const names[] = {"kinetic", "elastic", "gravity", "all"};
    bool from_zero = kind == HISTORY_KINETIC || kind == HISTORY_ELASTIC;
    double low = from_zero ? 0 : INFINITY, high = from_zero ? 0 : -INFINITY, column[PLOT_COLUMNS];
    for (int i = 0; i < s->count; ++i) {
        low = fmin(low, s->history[kind][i]);
        high = fmax(high, s->history[kind][i]);
    }
    plot_resample(s->history[HISTORY_TIME], s->history[kind], s->count, column);
    for (int row = 0; row < ROWS; ++row) {
        char text[4 * PLOT_COLUMNS];
        plot_row(column, low, high, row, ROWS, unicode, text, sizeof text);
        fprintf(out, "  %-8s %s %.4g\n", row ? names[kind] : "", text, row ? low : high);
    }
}

void stats_print(const stats* s, FILE* out, bool unicode)
{
    char worst[128], shares[160];
    if (!s->stage || !s->count) return;
    format_worst(&s->worst, worst, sizeof worst);
    format_shares(s, shares, sizeof shares);
    fprintf(out, "  %d steps; time: %s\n", s->steps, shares);
    fprintf(out, "  at the end %s; at most %d contacts\n", worst, s->most_contacts);
    const double* time = s->history[HISTORY_TIME];
    fprintf(out, "  energies [J] from %.4g s to %.4g s:\n", time[0], time[s->count - 1]);
    for (int i = 0; i < HISTORY_TIME; ++i) print_curve(s, (history_kind)i, out, unicode);
}
