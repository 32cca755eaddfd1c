// What the library says about the frames, and comparisons with it.
import fs from "fs";

export const load = (folder) => JSON.parse(fs.readFileSync(`${folder}/truth.json`, "utf8"));

export function fail(sentence) {
    console.log(sentence);
    process.exit(1);
}

export function agree(what, found, expected, tolerance = 1e-6) {
    if (found.length !== expected.length)
        fail(`${what}: ${found.length} numbers, ${expected.length} expected`);
    let worst = 0;
    for (let i = 0; i < found.length; ++i) {
        const off = Math.abs(found[i] - expected[i]);
        if (!(off <= worst)) worst = off; // NaN, too
    }
    console.log(`${what}: ${found.length} numbers, off by ${worst.toPrecision(2)}`);
    if (!(worst <= tolerance)) fail(`${what}: more than ${tolerance}`);
}
