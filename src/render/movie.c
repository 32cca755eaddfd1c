#include "render/movie.h"
#include "system/child.h"
#include <stdio.h>
#include <string.h>

static bool ends_in(const char* path, const char* ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool movie_is_path(const char* path) { return ends_in(path, ".mp4") || ends_in(path, ".gif"); }

void movie_fit(const char* path, int* width, int* height)
{
    if (!ends_in(path, ".mp4")) return;
    *width += *width & 1;
    *height += *height & 1;
}

pliant_result movie_check(const char* path)
{
    static const char* const question[] = {"ffmpeg", "-version", NULL};
    child_program* child = child_program_start(question);
    int status = child ? child_program_end(child) : -1;
    if (status == 0) return PLIANT_OK;
    return fail(PLIANT_ERROR_UNSUPPORTED,
                "%.300s: films are made by ffmpeg, which is not there: install it, or name a .png",
                path);
}

// A .gif gets the 256 colors that suit it.
static child_program* start(const movie* m, int width, int height, double rate)
{
    char size[32], fps[32];
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(fps, sizeof fps, "%.6g", rate);
    const char* const mp4[] = {"ffmpeg",   "-y",      "-loglevel", "error",      "-f",   "rawvideo",
                               "-pix_fmt", "rgb24",   "-s",        size,         "-r",   fps,
                               "-i",       "-",       "-c:v",      "libx264",    "-crf", "18",
                               "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",   "mp4",
                               m->part,    NULL};
    const char* const gif[] = {
        "ffmpeg", "-y",       "-loglevel", "error",
        "-f",     "rawvideo", "-pix_fmt",  "rgb24",
        "-s",     size,       "-r",        fps,
        "-i",     "-",        "-vf",       "split[a][b];[a]palettegen[p];[b][p]paletteuse",
        "-f",     "gif",      m->part,     NULL};
    return child_program_start(ends_in(m->path, ".gif") ? gif : mp4);
}

pliant_result movie_open(movie* out, const char* path, int width, int height, double rate)
{
    int length = snprintf(out->part, sizeof out->part, "%s.part", path);
    if (length < 0 || (size_t)length >= sizeof out->part)
        return fail(PLIANT_ERROR_FILE, "%.200s...: the path is too long", path);
    strcpy(out->path, path);
    out->child = start(out, width, height, rate);
    return out->child ? PLIANT_OK
                      : fail(PLIANT_ERROR_FILE, "%.300s: ffmpeg cannot be started", path);
}

pliant_result movie_add(movie* m, const image* picture)
{
    size_t bytes = 3 * (size_t)picture->width * (size_t)picture->height;
    return child_program_write(m->child, picture->rgb, bytes)
               ? PLIANT_OK
               : fail(PLIANT_ERROR_FILE, "%.300s: ffmpeg has stopped early", m->path);
}

pliant_result movie_close(movie* m, bool keep)
{
    int status = child_program_end(m->child);
    m->child = NULL;
    if (keep && status == 0 && rename(m->part, m->path) == 0) return PLIANT_OK;
    remove(m->part);
    if (!keep) return PLIANT_OK;
    return fail(
        PLIANT_ERROR_FILE,
        "%.300s: ffmpeg could not make it (it left with %d): look whether the folder can be "
        "written to, or try a .gif",
        m->path, status);
}
