#include "render/png.h"
#include "base/memory.h"
#include "base/platform.h"
#ifdef HAVE_PNG
#include <png.h>

bool png_is_available(void) { return true; }

pliant_result png_write(const image* picture, const char* path)
{
    png_image header = {.version = PNG_IMAGE_VERSION,
                        .width = (png_uint_32)picture->width,
                        .height = (png_uint_32)picture->height,
                        .format = PNG_FORMAT_RGB};
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(header);
    void* data = mem_alloc(bytes);
    if (!data) return PLIANT_ERROR_MEMORY;
    pliant_result result;
    if (png_image_write_to_memory(&header, data, &bytes, 0, picture->rgb, 0, NULL))
        result = platform_write_file(path, data, bytes);
    else
        result = fail(PLIANT_ERROR_FILE, "%.300s: %s", path, header.message);
    png_image_free(&header);
    mem_free(data);
    return result;
}
#else
bool png_is_available(void) { return false; }

pliant_result png_write(const image* picture, const char* path)
{
    (void)picture;
    return fail(PLIANT_ERROR_UNSUPPORTED, "%.300s: this program was built without libpng", path);
}
#endif
