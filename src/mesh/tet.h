// The corners of a tet's faces. Face k is opposite of corner k, outward for a tet of positive
// volume.
#pragma once

static const int tet_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
