// Point caches: places of all points that are seen, frame after frame, for a mesh of the same
// points. That mesh is written beside them, NAME.obj, as the first frame has it. Blender's modifier
// "Mesh Cache" plays both; Houdini and 3ds Max read .pc2, LightWave and Maya .mdd.
//   .pc2   little-endian: "POINTCACHE2", 1, points, first frame, step of frames, frames; positions
//   .mdd   big-endian: frames, points, time of each frame [s]; positions
#pragma once
#include "export/film.h"

pliant_result pc2_write(const film* f, const char* path);
pliant_result mdd_write(const film* f, const char* path);
