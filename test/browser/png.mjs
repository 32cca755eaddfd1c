// Pixels of a .png as browsers make them: 8 bits, RGB or RGBA, not interlaced.
import zlib from "node:zlib";

function predict(kind, left, up, corner) {
    if (kind === 1) return left;
    if (kind === 2) return up;
    if (kind === 3) return (left + up) >> 1;
    if (kind !== 4) return 0;
    const p = left + up - corner, a = Math.abs(p - left), b = Math.abs(p - up), c = Math.abs(p - corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

export function pixels(png) {
    const parts = [];
    let width = 0, height = 0, channels = 0;
    for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
        const kind = png.toString("latin1", at + 4, at + 8), data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
        if (kind === "IDAT") parts.push(data);
        if (kind !== "IHDR") continue;
        [width, height, channels] = [data.readUInt32BE(0), data.readUInt32BE(4), data[9] === 6 ? 4 : 3];
        if (data[8] !== 8 || (data[9] !== 2 && data[9] !== 6) || data[12] !== 0) throw new Error("a .png of another kind");
    }
    const raw = zlib.inflateSync(Buffer.concat(parts)), row = width * channels, out = Buffer.alloc(row * height);
    for (let y = 0; y < height; ++y)
        for (let i = 0; i < row; ++i) {
            const left = i < channels ? 0 : out[y * row + i - channels], up = y ? out[(y - 1) * row + i] : 0;
            const corner = y && i >= channels ? out[(y - 1) * row + i - channels] : 0;
            out[y * row + i] = raw[y * (row + 1) + 1 + i] + predict(raw[y * (row + 1)], left, up, corner);
        }
    return { width, height, channels, data: out };
}

// How many colors there are, of 4 bits a channel: a blank picture has few.
export function countColors({ channels, data }) {
    const seen = new Set();
    for (let i = 0; i < data.length; i += channels) seen.add((data[i] >> 4) << 8 | (data[i + 1] >> 4) << 4 | data[i + 2] >> 4);
    return seen.size;
}

// Share of the pixels that are clearly different.
export function difference(a, b) {
    let count = 0;
    for (let i = 0; i < a.data.length; i += a.channels)
        count += Math.abs(a.data[i] - b.data[i]) + Math.abs(a.data[i + 1] - b.data[i + 1]) + Math.abs(a.data[i + 2] - b.data[i + 2]) > 48;
    return count / (a.data.length / a.channels);
}
