#include "base/archive.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(int) == 4 && sizeof(double) == 8 && sizeof(float) == 4, "as in the file");

bool archive_refuse(archive* a, const char* format, ...)
{
    char text[512];
    va_list arguments;
    if (a->result) return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    a->result = fail(PLIANT_ERROR_FORMAT, "%s: %s", a->name, text);
    return false;
}

bool archive_refuse_found(archive* a, pliant_result found)
{
    char text[512];
    if (found == PLIANT_ERROR_MEMORY) {
        a->result = found;
        return false;
    }
    snprintf(text, sizeof text, "%s", pliant_error_text());
    return archive_refuse(a, "%s", text);
}

static size_t left(const archive* a) { return a->bytes - a->at; }

static bool visit(archive* a, void* data, size_t bytes)
{
    if (a->result) return false;
    if (archive_reads(a) && bytes > left(a)) return archive_refuse(a, "it is cut off");
    if (archive_reads(a) && bytes) memcpy(data, a->in + a->at, bytes);
    if (a->mode == ARCHIVE_WRITE && bytes) memcpy(a->out + a->at, data, bytes);
    a->at += bytes;
    return true;
}

bool archive_int(archive* a, int* value) { return visit(a, value, sizeof *value); }
bool archive_real(archive* a, double* value) { return visit(a, value, sizeof *value); }
bool archive_byte(archive* a, unsigned char* value) { return visit(a, value, 1); }

bool archive_size(archive* a, size_t* value)
{
    uint64_t wide = *value;
    if (!visit(a, &wide, sizeof wide)) return false;
    if (wide > SIZE_MAX) return archive_refuse(a, "it is too large for this machine");
    *value = (size_t)wide;
    return true;
}

bool archive_flag(archive* a, bool* value)
{
    unsigned char byte = *value;
    if (!archive_byte(a, &byte)) return false;
    if (byte > 1) return archive_refuse(a, "a flag is %d", byte);
    *value = byte;
    return true;
}

bool archive_int_within(archive* a, int* value, int least, int most, const char* what)
{
    if (!archive_int(a, value)) return false;
    if (archive_reads(a) && (*value < least || *value > most))
        return archive_refuse(a, "%s is %d, and can be %d to %d", what, *value, least, most);
    return true;
}

static bool take_memory(archive* a, void** data, size_t count, size_t element, size_t least)
{
    if (least && count > left(a) / least) return archive_refuse(a, "it is cut off");
    *data = mem_array(count, element);
    if (!*data) a->result = PLIANT_ERROR_MEMORY;
    return *data != NULL;
}

bool archive_array(archive* a, void* data, size_t count, size_t element)
{
    void* array;
    if (a->result) return false;
    memcpy(&array, data, sizeof array); // whatever it points to
    if (archive_reads(a)) {
        if (!take_memory(a, &array, count, element, element)) return false;
        memcpy(data, &array, sizeof array);
    }
    return visit(a, array, count * element);
}

bool archive_room(archive* a, void* data, size_t count, size_t element, size_t least)
{
    void* array = NULL;
    if (a->result) return false;
    if (!archive_reads(a)) return true;
    if (!take_memory(a, &array, count, element, least)) return false;
    memset(array, 0, count * element);
    memcpy(data, &array, sizeof array);
    return true;
}
