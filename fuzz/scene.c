// Any bytes as a scene file: parsed or refused, never more. No world is built.
#include "scene/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes)
{
    scene* s = NULL;
    if (scene_parse(data, bytes, "fuzz.json", &s) == PLIANT_OK) scene_destroy(s);
    return 0;
}
