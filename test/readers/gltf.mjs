// gltf.mjs PACKAGES FOLDER: .glb and .gltf by Khronos' validator, and their positions by the rules
// of the format: the first frame, and with each morph target the others.
import fs from "fs";
import { createRequire } from "module";
import { agree, fail, load } from "./truth.mjs";

const [packages, folder] = process.argv.slice(2);
const validator = createRequire(import.meta.url)(`${packages}/gltf-validator/index.js`);
const said = load(folder);

async function validate(name) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(`${folder}/${name}`)), {
        uri: name,
        externalResourceFunction: async (uri) =>
            new Uint8Array(fs.readFileSync(`${folder}/${decodeURIComponent(uri)}`)),
    });
    const { numErrors, numWarnings } = report.issues;
    console.log(`${name}: ${numErrors} errors, ${numWarnings} warnings`);
    if (numErrors || numWarnings) fail(JSON.stringify(report.issues.messages.slice(0, 5), null, 1));
    if (!report.info.animationCount || !report.info.hasMorphTargets) fail(`${name}: nothing moves`);
}

// The document and its buffer.
function open(name) {
    const data = fs.readFileSync(`${folder}/${name}`);
    if (!name.endsWith(".glb")) {
        const document = JSON.parse(data);
        return [document, fs.readFileSync(`${folder}/${document.buffers[0].uri}`)];
    }
    const length = data.readUInt32LE(12);
    return [JSON.parse(data.subarray(20, 20 + length)), data.subarray(28 + length)];
}

const readers = {
    5125: (buffer, at) => buffer.readUInt32LE(at),
    5126: (buffer, at) => buffer.readFloatLE(at),
};

function values([document, buffer], number) {
    const accessor = document.accessors[number];
    const view = document.bufferViews[accessor.bufferView];
    const first = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const count = { SCALAR: 1, VEC2: 2, VEC3: 3 }[accessor.type] * accessor.count;
    const read = readers[accessor.componentType];
    return Array.from({ length: count }, (_, i) => read(buffer, first + 4 * i));
}

const pick = (numbers, corners) => corners.flatMap((c) => numbers.slice(3 * c, 3 * c + 3));

function check(name) {
    const file = open(name);
    const document = file[0];
    for (const node of document.nodes) {
        const body = Number(node.name.slice("body_".length));
        const primitive = document.meshes[node.mesh].primitives[0];
        const first = values(file, primitive.attributes.POSITION);
        const corners = values(file, primitive.indices);
        // The vertices of a chain are its points.
        const expected = primitive.mode === 1 ? corners : said.triangles[body];
        said.frames.forEach((frame, number) => {
            const moved = number ? values(file, primitive.targets[number - 1].POSITION) : null;
            const now = moved ? first.map((x, i) => x + moved[i]) : first;
            agree(`${name}, ${node.name}, frame ${number}`, pick(now, corners),
                  pick(frame.bodies[body].seen, expected));
        });
    }
    if (document.nodes.length !== said.frames[0].bodies.length) fail(`${name}: bodies are missing`);
    const input = document.accessors[document.animations[0].samplers[0].input];
    agree(`${name}, last time`, input.max, [said.frames.at(-1).time]);
}

for (const name of ["frames.glb", "frames.gltf"]) {
    await validate(name);
    check(name);
}
