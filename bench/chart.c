#include "bench/chart.h"
#include "base/memory.h"
#include "base/platform.h"
#include "meshfile/sink.h"
#include "render/colormap.h"
#include "render/ink.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 980, HEIGHT = 480, LEFT = 76, TOP = 56, BOTTOM = 52, RIGHT = 24 };
enum { MOST_LINES = 24, NAME = 96, FONT = 9, TITLE = 11 };
enum { KEY_STEP = 17, KEY_LINE = 22, KEY_GAP = 8 }; // of the legend: rows, and what stands in them

// One line: the rows that are its points, by rising x.
typedef struct {
    char name[NAME];
    int* row;
    int count, capacity;
} line;

typedef struct {
    double low, high; // of the axis, as it is drawn: logarithms where it is one of those
    bool log;
} axis;

// Where marks go: text of the .svg, and pixels.
typedef struct {
    const chart_def* def;
    const data_table* table;
    int x, y; // columns
    axis across, up;
    line lines[MOST_LINES];
    int line_count;
    place2 key;   // the legend's upper left corner
    double right; // where the axes end [pixels]
    sink svg;
    image page;
    bool failed;
} chart;

// ---- lines --------------------------------------------------------------------------------------

static const cell* at(const chart* p, int row, int which)
{
    return &p->table->cell[(size_t)row * (size_t)p->table->count + (size_t)which];
}

static double value_at(const chart* p, int row, int which)
{
    return p->table->column[which].kind == COLUMN_TEXT ? (double)NAN : at(p, row, which)->number;
}

static bool is_wanted(const chart* p, int row)
{
    for (int i = 0; i < CHART_FILTERS && p->def->only[i].key; ++i) {
        int which = table_column(p->table, p->def->only[i].key);
        const char* text = which >= 0 ? at(p, row, which)->text : NULL;
        if (!text || strcmp(text, p->def->only[i].text) != 0) return false;
    }
    return true;
}

static bool is_drawn(const chart* p, int row)
{
    double x = value_at(p, row, p->x), y = value_at(p, row, p->y);
    return is_wanted(p, row) && isfinite(x) && isfinite(y) && (!p->def->log_x || x > 0) &&
           (!p->def->log_y || y > 0);
}

static bool is_same(const chart* p, const cell* a, const cell* b, int which)
{
    if (p->table->column[which].kind != COLUMN_TEXT)
        return a->number == b->number || (isnan(a->number) && isnan(b->number));
    return a->text == b->text || (a->text && b->text && strcmp(a->text, b->text) == 0);
}

// Whether a column tells lines apart: what they all share need not stand beside each.
static bool tells_apart(const chart* p, int which)
{
    const cell* first = NULL;
    for (int i = 0; i < p->table->rows; ++i) {
        if (!is_drawn(p, i)) continue;
        const cell* c = at(p, i, which);
        if (first && !is_same(p, first, c, which)) return true;
        first = c;
    }
    return false;
}

static void name_line(const chart* p, int row, char out[NAME])
{
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < CHART_GROUPS && p->def->group[i] && used < NAME - 1; ++i) {
        int which = table_column(p->table, p->def->group[i]);
        if (which < 0 || !tells_apart(p, which)) continue;
        const cell* c = at(p, row, which);
        bool text = p->table->column[which].kind == COLUMN_TEXT;
        if (text && c->text)
            used += (size_t)snprintf(out + used, NAME - used, "%s%s", used ? ", " : "", c->text);
        if (!text && isfinite(c->number))
            used += (size_t)snprintf(out + used, NAME - used, "%s%g", used ? ", " : "", c->number);
    }
}

static line* find_line(chart* p, const char* name)
{
    for (int i = 0; i < p->line_count; ++i)
        if (strcmp(p->lines[i].name, name) == 0) return &p->lines[i];
    if (p->line_count == MOST_LINES) return NULL;
    strcpy(p->lines[p->line_count].name, name);
    return &p->lines[p->line_count++];
}

// Behind the last point that is not to the right of it.
static void insert(const chart* p, line* l, int row)
{
    int k = l->count++;
    for (; k > 0 && value_at(p, l->row[k - 1], p->x) > value_at(p, row, p->x); --k)
        l->row[k] = l->row[k - 1];
    l->row[k] = row;
}

static void gather(chart* p)
{
    for (int i = 0; i < p->table->rows; ++i) {
        char name[NAME];
        if (!is_drawn(p, i)) continue;
        name_line(p, i, name);
        line* l = find_line(p, name);
        if (!l) continue;
        if (mem_reserve((void**)&l->row, &l->capacity, (int64_t)l->count + 1, sizeof(int)))
            insert(p, l, i);
        else
            p->failed = true;
    }
}

static double end_of(const chart* p, const line* l)
{
    return l->count ? value_at(p, l->row[l->count - 1], p->y) : 0;
}

// The legend has the lines as they stand over each other at their ends.
static void sort_lines(chart* p)
{
    for (int i = 1; i < p->line_count; ++i) {
        const line moved = p->lines[i];
        int k = i;
        for (; k > 0 && end_of(p, &p->lines[k - 1]) < end_of(p, &moved); --k)
            p->lines[k] = p->lines[k - 1];
        p->lines[k] = moved;
    }
}

// ---- axes ---------------------------------------------------------------------------------------

static double on_axis(const axis* a, double value) { return a->log ? log10(value) : value; }

static axis find_axis(const chart* p, int which, bool is_log)
{
    axis a = {INFINITY, -INFINITY, is_log};
    for (int i = 0; i < p->line_count; ++i)
        for (int k = 0; k < p->lines[i].count; ++k) {
            double v = on_axis(&a, value_at(p, p->lines[i].row[k], which));
            a.low = fmin(a.low, v);
            a.high = fmax(a.high, v);
        }
    if (!is_log && a.low > 0 && a.low < 0.5 * a.high) a.low = 0;
    double room = a.high > a.low ? 0.04 * (a.high - a.low) : 0.5;
    if (a.low != 0 || is_log) a.low -= room;
    a.high += room;
    return a;
}

static place2 place_of(const chart* p, double x, double y)
{
    double u = (on_axis(&p->across, x) - p->across.low) / (p->across.high - p->across.low);
    double v = (on_axis(&p->up, y) - p->up.low) / (p->up.high - p->up.low);
    place2 out = {LEFT + u * (p->right - LEFT), HEIGHT - BOTTOM - v * (HEIGHT - TOP - BOTTOM)};
    return out;
}

// ---- where the legend goes ----------------------------------------------------------------------

static place2 key_size(const chart* p)
{
    double widest = 0;
    for (int i = 0; i < p->line_count; ++i)
        widest = fmax(widest, ink_text_width(FONT, p->lines[i].name));
    return (place2){KEY_LINE + 3 * KEY_GAP + widest, KEY_STEP * p->line_count + KEY_GAP};
}

// From a box to the nearest point of a line between two places [pixels].
static double distance_to(place2 low, place2 high, place2 a, place2 b)
{
    int steps = 1 + (int)(hypot(b.x - a.x, b.y - a.y) / 4);
    double nearest = INFINITY;
    for (int i = 0; i <= steps; ++i) {
        double t = (double)i / steps, x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);
        double dx = fmax(fmax(low.x - x, x - high.x), 0), dy = fmax(fmax(low.y - y, y - high.y), 0);
        nearest = fmin(nearest, hypot(dx, dy));
    }
    return nearest;
}

// How much room is between the legend, were it there, and the lines.
static double clearance(const chart* p, place2 low)
{
    const place2 size = key_size(p), high = {low.x + size.x, low.y + size.y};
    double nearest = INFINITY;
    for (int i = 0; i < p->line_count; ++i)
        for (int k = 0; k < p->lines[i].count; ++k) {
            int row = p->lines[i].row[k], before = p->lines[i].row[k ? k - 1 : 0];
            place2 a = place_of(p, value_at(p, before, p->x), value_at(p, before, p->y));
            place2 b = place_of(p, value_at(p, row, p->x), value_at(p, row, p->y));
            nearest = fmin(nearest, distance_to(low, high, a, b));
        }
    return nearest;
}

// Between the lines, where they leave the most room, as far up and to the right as that goes;
// beside them where there is none.
static void place_key(chart* p)
{
    const double enough = 36, least = 10, step = 12;
    const place2 size = key_size(p);
    double most = 0;
    p->right = WIDTH - RIGHT;
    for (double x = p->right - KEY_GAP - size.x; x >= LEFT + KEY_GAP; x -= step)
        for (double y = TOP + 2; y <= HEIGHT - BOTTOM - KEY_GAP - size.y; y += step) {
            double room = fmin(clearance(p, (place2){x, y}), enough);
            if (!(room > most)) continue;
            most = room;
            p->key = (place2){x, y};
        }
    if (most >= least) return;
    p->right = fmax(WIDTH - KEY_GAP - size.x, 0.5 * WIDTH);
    p->key = (place2){p->right + KEY_GAP, TOP};
}

// ---- marks --------------------------------------------------------------------------------------

static void put_line(chart* p, place2 a, place2 b, double width, ink color)
{
    sink_print(&p->svg,
               "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#%02x%02x%02x\" "
               "stroke-width=\"%g\" stroke-linecap=\"round\"/>\n",
               a.x, a.y, b.x, b.y, (unsigned)(255 * color.r + 0.5), (unsigned)(255 * color.g + 0.5),
               (unsigned)(255 * color.b + 0.5), width);
    ink_line(&p->page, a, b, width, color);
}

// White: what stands on it is not crossed by the grid.
static void put_box(chart* p, place2 low, place2 size)
{
    static const ink white = {1, 1, 1, 1};
    sink_print(&p->svg,
               "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#ffffff\"/>\n",
               low.x, low.y, size.x, size.y);
    ink_box(&p->page, low, (place2){low.x + size.x, low.y + size.y}, white);
}

typedef enum { FROM_LEFT, CENTERED, FROM_RIGHT } anchor;

// Keys and words of tables are read as text: their underscores are spaces.
static void put_text(chart* p, place2 from, anchor how, double size, const char* text)
{
    static const char* const words[] = {"start", "middle", "end"};
    static const ink dark = {0.16, 0.18, 0.21, 1};
    char plain[NAME];
    snprintf(plain, sizeof plain, "%s", text);
    for (char* c = plain; *c; ++c) *c = *c == '_' ? ' ' : *c;
    // Capitals are about three quarters of a font's size.
    sink_print(&p->svg, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%g\" text-anchor=\"%s\">", from.x,
               from.y, floor(size * 4 / 3), words[how]);
    for (const char* c = plain; *c; ++c) {
        const char* escaped = *c == '&' ? "&amp;" : *c == '<' ? "&lt;" : *c == '>' ? "&gt;" : NULL;
        if (escaped)
            sink_print(&p->svg, "%s", escaped);
        else
            sink_print(&p->svg, "%c", *c);
    }
    sink_print(&p->svg, "</text>\n");
    from.x -= (how == CENTERED ? 0.5 : how == FROM_RIGHT ? 1 : 0) * ink_text_width(size, plain);
    ink_text(&p->page, from, size, dark, plain);
}

// 1, 2 or 5 times a power of ten: about a sixth of the axis. Of logarithms: whole ones.
static double step_of(const axis* a)
{
    double wanted = (a->high - a->low) / 6, power = pow(10, floor(log10(wanted)));
    double part = wanted / power;
    double step = power * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
    return a->log ? fmax(1, floor(step + 0.5)) : step;
}

// 10 000 and 1e-5, not 1e+04 and 1e-05.
static void write_tick(double value, char out[32])
{
    char plain[32];
    size_t used = 0;
    if (fabs(value) >= 1e4 && fabs(value) < 1e7)
        snprintf(plain, sizeof plain, "%.0f", value);
    else
        snprintf(plain, sizeof plain, "%.4g", value);
    bool whole = strcspn(plain, ".e") == strlen(plain), exponent = false;
    for (const char* c = plain; *c; ++c) {
        size_t left = strlen(c);
        if (exponent && (*c == '+' || (*c == '0' && left > 1))) continue;
        exponent = exponent || *c == 'e';
        out[used++] = *c;
        if (whole && strlen(plain) > 4 && left % 3 == 1 && left > 1 && *c != '-') out[used++] = ' ';
    }
    out[used] = 0;
}

static void draw_axis(chart* p, const axis* a, bool upward)
{
    static const ink pale = {0.87, 0.88, 0.90, 1};
    double step = step_of(a), first = ceil(a->low / step) * step;
    // An axis of logarithms that is shorter than a power of ten has ticks at 1, 2, 5.
    bool fine = a->log && a->high - a->low < 1.6;
    for (double tick = fine ? floor(a->low) : first; tick <= a->high; tick += step)
        for (int k = 0; k < (fine ? 3 : 1); ++k) {
            static const double part[] = {0, 0.30102999566398120, 0.69897000433601880};
            double here = tick + part[k], value = a->log ? pow(10, here) : here;
            char text[32];
            if (here < a->low || here > a->high) continue;
            write_tick(fabs(value) < 1e-9 * step ? 0 : value, text);
            place2 on = upward ? place_of(p, p->across.log ? 1 : 0, value)
                               : place_of(p, value, p->up.log ? 1 : 0);
            if (upward) {
                put_line(p, (place2){LEFT, on.y}, (place2){p->right, on.y}, 1, pale);
                put_text(p, (place2){LEFT - 8, on.y + 4}, FROM_RIGHT, FONT, text);
            } else {
                put_line(p, (place2){on.x, TOP}, (place2){on.x, HEIGHT - BOTTOM}, 1, pale);
                put_text(p, (place2){on.x, HEIGHT - BOTTOM + 18}, CENTERED, FONT, text);
            }
        }
}

static ink color_of(int number, int count)
{
    uint8_t map[4 * MOST_LINES];
    colormap_fill(MAP_APART, count < 3 ? 3 : count, map);
    const uint8_t* c = map + 4 * (size_t)number;
    ink out = {0.85 * c[0] / 255.0, 0.85 * c[1] / 255.0, 0.85 * c[2] / 255.0, 1};
    return out;
}

static void draw_line(chart* p, int number)
{
    const line* l = &p->lines[number];
    const ink color = color_of(number, p->line_count);
    bool many = l->count > 30;
    for (int i = 0; i < l->count; ++i) {
        int row = l->row[i], before = l->row[i ? i - 1 : 0];
        place2 here = place_of(p, value_at(p, row, p->x), value_at(p, row, p->y));
        place2 last = place_of(p, value_at(p, before, p->x), value_at(p, before, p->y));
        put_line(p, last, here, 1.8, color);
        if (!many) put_line(p, here, here, 6, color);
    }
}

static void draw_key(chart* p)
{
    put_box(p, p->key, key_size(p));
    for (int i = 0; i < p->line_count; ++i) {
        double x = p->key.x + KEY_GAP, y = p->key.y + KEY_STEP * (i + 1) - KEY_GAP / 2.0;
        put_line(p, (place2){x, y - 4}, (place2){x + KEY_LINE, y - 4}, 3,
                 color_of(i, p->line_count));
        put_text(p, (place2){x + KEY_LINE + KEY_GAP, y}, FROM_LEFT, FONT, p->lines[i].name);
    }
}

static void draw(chart* p)
{
    static const ink dark = {0.3, 0.32, 0.36, 1};
    sink_print(&p->svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
               "font-family=\"sans-serif\" fill=\"#292e36\">\n<rect width=\"%d\" height=\"%d\" "
               "fill=\"#ffffff\"/>\n",
               WIDTH, HEIGHT, WIDTH, HEIGHT);
    memset(p->page.rgb, 255, 3 * (size_t)WIDTH * HEIGHT);
    draw_axis(p, &p->across, false);
    draw_axis(p, &p->up, true);
    put_line(p, (place2){LEFT, HEIGHT - BOTTOM}, (place2){p->right, HEIGHT - BOTTOM}, 1, dark);
    put_line(p, (place2){LEFT, TOP}, (place2){LEFT, HEIGHT - BOTTOM}, 1, dark);
    if (p->line_count > 1) draw_key(p);
    for (int i = 0; i < p->line_count; ++i) draw_line(p, i);
    put_text(p, (place2){LEFT, TOP - 28}, FROM_LEFT, TITLE, p->def->title);
    put_text(p, (place2){0.5 * (LEFT + p->right), HEIGHT - 12}, CENTERED, FONT, p->def->x);
    double room = 4 + ink_text_width(FONT, p->def->y);
    put_text(p, (place2){fmax(LEFT - 8, room), TOP - 12}, FROM_RIGHT, FONT, p->def->y);
    sink_print(&p->svg, "</svg>\n");
}

static pliant_result write_files(chart* p, const char* path)
{
    char name[4096];
    pliant_result result = p->failed || p->svg.failed ? PLIANT_ERROR_MEMORY : PLIANT_OK;
    snprintf(name, sizeof name, "%.4000s.svg", path);
    if (!result) result = platform_write_file(name, p->svg.data, p->svg.bytes);
    snprintf(name, sizeof name, "%.4000s.png", path);
    if (!result && png_is_available()) result = png_write(&p->page, name);
    return result;
}

pliant_result chart_write(const chart_def* def, const data_table* t, const char* path)
{
    chart p = {.def = def, .table = t, .x = table_column(t, def->x), .y = table_column(t, def->y)};
    pliant_result result = PLIANT_OK;
    if (p.x < 0 || p.y < 0) return PLIANT_OK;
    gather(&p);
    p.page = (image){WIDTH, HEIGHT, (uint8_t*)mem_alloc(3 * (size_t)WIDTH * HEIGHT)};
    p.failed = p.failed || !p.page.rgb;
    if (p.failed) result = PLIANT_ERROR_MEMORY;
    if (!result && p.line_count) {
        p.across = find_axis(&p, p.x, def->log_x);
        p.up = find_axis(&p, p.y, def->log_y);
        sort_lines(&p);
        place_key(&p);
        draw(&p);
        result = write_files(&p, path);
    }
    for (int i = 0; i < p.line_count; ++i) mem_free(p.lines[i].row);
    mem_free(p.page.rgb);
    sink_release(&p.svg);
    return result;
}
