// The small reader beside jansson: its functions have other names here.
#define json_loadb             small_loadb
#define json_decref            small_decref
#define json_typeof            small_typeof
#define json_is_object         small_is_object
#define json_is_array          small_is_array
#define json_is_string         small_is_string
#define json_is_integer        small_is_integer
#define json_is_number         small_is_number
#define json_is_boolean        small_is_boolean
#define json_is_true           small_is_true
#define json_number_value      small_number_value
#define json_integer_value     small_integer_value
#define json_string_value      small_string_value
#define json_string_length     small_string_length
#define json_array_size        small_array_size
#define json_array_get         small_array_get
#define json_object_get        small_object_get
#define json_object_iter       small_object_iter
#define json_object_iter_next  small_object_iter_next
#define json_object_iter_key   small_object_iter_key
#define json_object_iter_value small_object_iter_value
#include "../../web/core/json.c"

// Of the reader above.
#include "describe.h"

bool describe_small(const char* text, size_t bytes, size_t flags, sink* out)
{
    json_error_t error;
    json_t* json = json_loadb(text, bytes, flags, &error);
    if (!json) return error.text[0] == 0 || error.line < 1; // refused without a word: no match
    describe_value(json, out);
    json_decref(json);
    return true;
}
