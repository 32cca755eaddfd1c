"""What the library says about the frames, and comparisons with it."""
import json
import os
import sys


def load(folder):
    with open(os.path.join(folder, "truth.json")) as file:
        return json.load(file)


def joined(frame, key):
    """Numbers of all bodies, one after the other."""
    return [x for body in frame["bodies"] for x in body[key]]


def corners(said):
    """Of the triangles of all bodies, among all points."""
    first, found = 0, []
    for body, triangles in zip(said["frames"][0]["bodies"], said["triangles"]):
        found += [first + corner for corner in triangles]
        first += len(body["seen"]) // 3
    return found


def agree(what, found, expected, tolerance=1e-6):
    found, expected = list(found), list(expected)
    if len(found) != len(expected):
        sys.exit(f"{what}: {len(found)} numbers, {len(expected)} expected")
    worst = max((abs(a - b) for a, b in zip(found, expected)), default=0)
    print(f"{what}: {len(found)} numbers, off by {worst:.2g}")
    if not worst <= tolerance:
        sys.exit(f"{what}: more than {tolerance:g}")
