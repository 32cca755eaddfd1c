// The gallery's core in node, as the page's worker has it.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

globalThis.WITH_THREADS = false;
const { Core } = await import("../../web/page/core.js");
const { message, kinds } = await import("../../web/page/link.js");

export async function loadCore(site) {
    const make = createRequire(import.meta.url)(path.resolve(site, "pliant.js"));
    return Core.load(1, make, { wasmBinary: fs.readFileSync(path.join(site, "pliant.wasm")) });
}

// The digest after so many steps, and how long one took [ms].
export function digestOf(core, site, name, steps) {
    core.open(fs.readFileSync(path.join(site, "scenes", `${name}.json`), "utf8"), name);
    const start = performance.now();
    for (let left = steps; left > 0; left -= 1000) core.tell(message(kinds.step, "h", Math.min(left, 1000)));
    while (core.rest() === 0) core.advance();
    const each = (performance.now() - start) / steps, status = JSON.parse(core.status());
    if (status.note || status.step !== steps) throw new Error(`${name}: ${status.note ?? `${status.step} of ${steps} steps`}`);
    return { digest: status.digest, each };
}
