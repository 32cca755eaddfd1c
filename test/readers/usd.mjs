// usd.mjs PACKAGES FOLDER: .usda by TinyUSDZ: the stage as its renderer sees it, and all values and
// time samples as it has read them.
import { webcrypto } from "crypto";
import fs from "fs";
import { agree, fail, load } from "./truth.mjs";

const [packages, folder] = process.argv.slice(2);
const said = load(folder);

// It is built for browsers.
async function start() {
    const wasm = fs.readFileSync(`${packages}/tinyusdz/tinyusdz.wasm`);
    globalThis.window = {};
    globalThis.crypto ??= webcrypto; // node 18
    const { default: init } = await import(`${packages}/tinyusdz/tinyusdz.js`);
    const process = globalThis.process;
    globalThis.process = undefined;
    const module = await init({
        instantiateWasm(imports, done) {
            WebAssembly.instantiate(wasm, imports).then((made) => done(made.instance, made.module));
            return {};
        },
    });
    globalThis.process = process;
    return () => new module.TinyUSDZLoaderNative();
}

const loader = await start();
const data = fs.readFileSync(`${folder}/frames.usda`);
const layer = loader();
if (!layer.loadAsLayerFromBinary(data, "frames.usda")) fail(`frames.usda: ${layer.error()}`);
const text = layer.layerToString();

// The text of a prim as TinyUSDZ has it, and the numbers of one of its attributes.
function prim(name) {
    const from = text.indexOf(`"${name}"`);
    if (from < 0) fail(`frames.usda: there is no ${name}`);
    const next = text.indexOf("\n    def ", from);
    return text.slice(from, next < 0 ? undefined : next);
}

const numbers = (list) => list.match(/-?\d[\d.]*(e[-+]?\d+)?/g).map(Number);

function samples(body, attribute) {
    const found = body.match(new RegExp(`${attribute}\\.timeSamples = \\{([^}]*)\\}`));
    if (!found) fail(`frames.usda: no samples of ${attribute}`);
    return found[1].trim().split("\n").map((line) => {
        const [, code, list] = line.match(/^\s*(-?[\d.]+): \[(.*)\]/);
        return [Number(code), numbers(list)];
    });
}

function extent(points, margin) {
    const ends = [Math.min, Math.max].map((pick) =>
        [0, 1, 2].map((k) => points.filter((_, i) => i % 3 === k).reduce((a, b) => pick(a, b))));
    return [...ends[0].map((x) => x - margin), ...ends[1].map((x) => x + margin)];
}

const meta = Object.fromEntries([...text.slice(0, text.indexOf(")")).matchAll(/(\w+) = "?([\w.]+)/g)]
    .map((pair) => [pair[1], pair[2]]));
const rate = 1 / (said.dt * said.every);
agree("frames.usda, timeCodesPerSecond, metersPerUnit, first and last time code",
      [meta.timeCodesPerSecond, meta.metersPerUnit, meta.startTimeCode, meta.endTimeCode].map(Number),
      [rate, 1, 0, said.frames.length - 1]);
if (meta.upAxis !== "Y" || meta.defaultPrim !== "run") fail(`frames.usda: ${JSON.stringify(meta)}`);

said.triangles.forEach((triangles, number) => {
    const name = `body_${number}`;
    const body = prim(name);
    const curves = triangles.length === 0;
    const margin = curves ? numbers(body.match(/widths = \[([^\]]*)\]/)[1])[0] / 2 : 0;
    const points = samples(body, "points"), extents = samples(body, "extent");
    said.frames.forEach((frame, i) => {
        const seen = frame.bodies[number].seen;
        // A curve of two points for each edge of a chain.
        const expected = !curves ? seen
            : Array.from({ length: seen.length / 3 - 1 }, (_, e) => seen.slice(3 * e, 3 * e + 6)).flat();
        agree(`frames.usda, ${name}, time code ${i}`, [points[i][0], ...points[i][1]], [i, ...expected]);
        agree(`frames.usda, ${name}, extent ${i}`, extents[i][1], extent(seen, margin));
    });
    if (curves) return;
    agree(`frames.usda, ${name}, triangles`,
          numbers(body.match(/faceVertexIndices = \[([^\]]*)\]/)[1]), triangles);
});

const scene = loader();
if (!scene.loadFromBinary(data, "frames.usda")) fail(`frames.usda: ${scene.error()}`);
const meshes = said.triangles.filter((list) => list.length).length;
if (scene.numMeshes() !== meshes) fail(`frames.usda: ${scene.numMeshes()} meshes are seen, not ${meshes}`);
