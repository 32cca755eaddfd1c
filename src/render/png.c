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

uint8_t* png_read(const void* data, size_t bytes, int* out_width, int* out_height)
{
    const png_uint_32 most = 16384;
    png_image header = {.version = PNG_IMAGE_VERSION};
    uint8_t* pixels = NULL;
    if (!png_image_begin_read_from_memory(&header, data, bytes)) return NULL;
    header.format = PNG_FORMAT_RGBA;
    if (header.width <= most && header.height <= most && header.width && header.height)
        pixels = (uint8_t*)mem_array(4 * (size_t)header.width, header.height);
    if (pixels && !png_image_finish_read(&header, NULL, pixels, 0, NULL)) {
        mem_free(pixels);
        pixels = NULL;
    }
    *out_width = (int)header.width;
    *out_height = (int)header.height;
    png_image_free(&header);
    return pixels;
}
#else
bool png_is_available(void) { return false; }

uint8_t* png_read(const void* data, size_t bytes, int* out_width, int* out_height)
{
    (void)data, (void)bytes, (void)out_width, (void)out_height;
    return NULL;
}

pliant_result png_write(const image* picture, const char* path)
{
    (void)picture;
    return fail(PLIANT_ERROR_UNSUPPORTED, "%.300s: this program was built without libpng", path);
}
#endif
