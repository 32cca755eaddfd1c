#include "live/message.h"
#include "live/look.h"
#include <math.h>
#include <string.h>

// What follows the first byte: letters of its numbers.
static const char* const shapes[MESSAGE_END] = {
    [MESSAGE_PAUSE] = "b",  [MESSAGE_STEP] = "h",   [MESSAGE_RESET] = "",
    [MESSAGE_SET] = "bf",   [MESSAGE_COLORS] = "b", [MESSAGE_GRAB] = "ffffff",
    [MESSAGE_DRAG] = "fff", [MESSAGE_LET_GO] = "",  [MESSAGE_DIGEST] = "",
    [MESSAGE_SHOWN] = "w",  [MESSAGE_STEER] = "",   [MESSAGE_RECORD] = "b",
};

static const struct {
    message_kind kind;
    unsigned low, high;
} ranges[] = {
    {MESSAGE_PAUSE, 0, 1},
    {MESSAGE_STEP, 1, MESSAGE_MOST_STEPS},
    {MESSAGE_SET, 0, PARAMETER_COUNT - 1},
    {MESSAGE_COLORS, 0, LIVE_COLORS - 1},
    {MESSAGE_RECORD, 0, 2},
};

static size_t width_of(char letter) { return letter == 'b' ? 1 : letter == 'h' ? 2 : 4; }

static size_t length_of(const char* shape)
{
    size_t bytes = 1;
    for (; *shape; ++shape) bytes += width_of(*shape);
    return bytes;
}

static uint32_t whole_at(const unsigned char* at, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value |= (uint32_t)at[i] << (8 * i);
    return value;
}

static double real_at(const unsigned char* at)
{
    uint32_t bits = whole_at(at, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

// Places are those of a world, not of a universe.
static pliant_result check_reals(const double* value, int count)
{
    for (int i = 0; i < count; ++i)
        if (!(fabs(value[i]) <= 1e9))
            return fail(PLIANT_ERROR_FORMAT, "a message has a number that is not finite, or beyond "
                                             "1e9");
    return PLIANT_OK;
}

static pliant_result check_whole(const message* m)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i)
        if (ranges[i].kind == m->kind && (m->number < ranges[i].low || m->number > ranges[i].high))
            return fail(PLIANT_ERROR_FORMAT, "a message of kind %d has the number %u: %u to %u",
                        (int)m->kind, m->number, ranges[i].low, ranges[i].high);
    return PLIANT_OK;
}

static pliant_result check(const message* m, const double* real, int reals)
{
    pliant_result result = check_reals(real, reals);
    if (!result) result = check_whole(m);
    if (result || m->kind != MESSAGE_GRAB) return result;
    const double* d = m->direction;
    if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 1e-12) return PLIANT_OK;
    return fail(PLIANT_ERROR_FORMAT, "a message has a ray without a direction");
}

pliant_result message_read(const void* data, size_t bytes, message* out)
{
    const unsigned char* at = (const unsigned char*)data;
    double real[6] = {0};
    int reals = 0;
    *out = (message){.kind = (message_kind)0};
    if (bytes == 0) return fail(PLIANT_ERROR_FORMAT, "a message is empty");
    if (at[0] == 0 || at[0] >= MESSAGE_END)
        return fail(PLIANT_ERROR_FORMAT, "there is no message of kind %d", at[0]);
    const char* shape = shapes[at[0]];
    if (bytes != length_of(shape))
        return fail(PLIANT_ERROR_FORMAT, "a message of kind %d has %zu bytes, not %zu", at[0],
                    length_of(shape), bytes);
    out->kind = (message_kind)*at++;
    for (; *shape; at += width_of(*shape++)) {
        if (*shape == 'f')
            real[reals++] = real_at(at);
        else
            out->number = whole_at(at, width_of(*shape));
    }
    out->value = real[0];
    memcpy(out->point, real, sizeof out->point);
    memcpy(out->direction, real + 3, sizeof out->direction);
    return check(out, real, reals);
}
