"""caches.py FOLDER: .pc2, .mdd and .obj by the published descriptions of the formats alone.
PC2: header "<12siiffi" (signature, version, points, start, rate, samples), then floats;
MDD: header ">ii" (frames, points), times, then big-endian floats."""
import os
import struct
import sys

import truth


def read_pc2(path):
    with open(path, "rb") as file:
        data = file.read()
    signature, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    assert signature == b"POINTCACHE2\0" and version == 1, (signature, version)
    assert start == 0 and rate == 1, (start, rate)
    assert len(data) == 32 + 12 * points * samples, len(data)
    return [struct.unpack_from(f"<{3 * points}f", data, 32 + 12 * points * i) for i in range(samples)]


def read_mdd(path):
    with open(path, "rb") as file:
        data = file.read()
    frames, points = struct.unpack_from(">ii", data)
    times = struct.unpack_from(f">{frames}f", data, 8)
    first = 8 + 4 * frames
    assert len(data) == first + 12 * points * frames, len(data)
    return times, [struct.unpack_from(f">{3 * points}f", data, first + 12 * points * i) for i in range(frames)]


def check_obj(folder, name, said, seen):
    with open(os.path.join(folder, name)) as file:
        words = [line.split() for line in file]
    points = [float(x) for line in words if line[:1] == ["v"] for x in line[1:4]]
    truth.agree(name, points, seen)
    corners = [int(x.split("/")[0]) - 1 for line in words if line[:1] == ["f"] for x in line[1:]]
    assert corners == truth.corners(said), f"{name}: other triangles"


def main():
    folder = sys.argv[1]
    said = truth.load(folder)
    seen = [truth.joined(frame, "seen") for frame in said["frames"]]
    samples = read_pc2(os.path.join(folder, "frames.pc2"))
    assert len(samples) == len(seen), len(samples)
    for number, (found, expected) in enumerate(zip(samples, seen)):
        truth.agree(f"frames.pc2, sample {number}", found, expected)
    times, samples = read_mdd(os.path.join(folder, "frames.mdd"))
    truth.agree("frames.mdd, times", times, [frame["time"] for frame in said["frames"]])
    for number, (found, expected) in enumerate(zip(samples, seen)):
        truth.agree(f"frames.mdd, frame {number}", found, expected)
    check_obj(folder, "frames.obj", said, seen[0])
    for frame, expected in zip(said["frames"], seen):
        check_obj(folder, f"frame_{frame['number']:05d}.obj", said, expected)


main()
