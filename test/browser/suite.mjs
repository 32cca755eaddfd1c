// What tests of pages have in common: a line for each, programs that run beside them, checks.
import { spawn } from "node:child_process";
import fs from "node:fs";
import { countColors, pixels } from "./png.mjs";

export class Suite {
    constructor() { Object.assign(this, { passed: 0, failed: 0, skipped: 0, only: process.env.PLIANT_BROWSER_TEST }); }

    // Runs what(tell); tell(text) is shown behind the name.
    async test(name, what) {
        if (this.only && !name.includes(this.only)) return;
        const said = [], start = Date.now();
        try {
            await what(text => said.push(text));
            this.passed += 1;
            console.log(`ok ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)${said.length ? ": " + said.join(", ") : ""}`);
        } catch (why) {
            this.failed += 1;
            console.log(`FAIL ${name}: ${why.message}${said.length ? " (" + said.join(", ") + ")" : ""}`);
        }
    }

    skip(name, why) {
        this.skipped += 1;
        console.log(`skip ${name}: ${why}`);
    }

    end() {
        console.log(`${this.passed} passed, ${this.failed} failed, ${this.skipped} skipped`);
        process.exitCode = this.failed ? 1 : 0;
    }
}

export function check(good, sentence) {
    if (!good) throw new Error(sentence);
}

// pliant view, whose first line is its address.
export class Viewer {
    static async start(program, words) {
        const made = new Viewer();
        made.child = spawn(program, ["view", ...words], { stdio: ["ignore", "pipe", "pipe"] });
        made.errors = "";
        made.child.stderr.on("data", data => { made.errors += data; });
        made.url = await new Promise((done, refuse) => {
            let text = "";
            made.child.stdout.on("data", data => {
                text += data;
                if (text.includes("\n")) done(text.trim());
            });
            made.child.on("exit", () => refuse(new Error(`pliant view ended: ${made.errors}`)));
        });
        return made;
    }

    end(signal = "SIGTERM") {
        if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
        return new Promise(done => { this.child.once("exit", done); this.child.kill(signal); });
    }
}

// A picture of the page that shows something. `name`: kept under this name, where somebody wants pictures.
export async function lookAt(page, name) {
    const png = await page.picture(), folder = process.env.PLIANT_BROWSER_PICTURES;
    if (folder && name) fs.writeFileSync(`${folder}/${name}.png`, png);
    const seen = pixels(png), colors = countColors(seen);
    check(colors > 20, `the picture has ${colors} colors: it is blank`);
    return seen;
}

// Where a body is on the screen: the middle of its points, which has to be over it.
export const placeOfBody = (page, body) => page.value(`(() => {
    const p = pliant.picture, t = p.topology, x = p.frame.position, sum = [0, 0, 0];
    let count = 0;
    for (let i = 0; i < t.points; ++i) if (t.body[i] === ${body}) { for (let k = 0; k < 3; ++k) sum[k] += x[3 * i + k]; ++count; }
    return p.screen(sum.map(value => value / count)).map(Math.round);
})()`);

export const middleOfBody = (page, body) => page.value(`(() => {
    const p = pliant.picture, t = p.topology, x = p.frame.position, sum = [0, 0, 0];
    let count = 0;
    for (let i = 0; i < t.points; ++i) if (t.body[i] === ${body}) { for (let k = 0; k < 3; ++k) sum[k] += x[3 * i + k]; ++count; }
    return sum.map(value => value / count);
})()`);

// So many steps from the start, and the digest there.
export async function digestAfter(page, steps) {
    await page.value("pliant.say(pliant.kinds.pause, 'b', 1)");
    await page.until("pliant.status?.paused");
    await page.value("pliant.say(pliant.kinds.reset)");
    await page.until("pliant.status.step === 0");
    await page.value(`pliant.say(pliant.kinds.step, 'h', ${steps})`);
    return page.until(`pliant.status.step === ${steps} && pliant.status.digest`, 120);
}

export function random(seed) {
    let state = seed;
    return below => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor(state / 4294967296 * below);
    };
}

// A hundred of them, in the page: what comes back is a sentence, and the simulation goes on.
export async function sayNonsense(page) {
    const next = random(7), messages = [[], [0], [13], [255], [1, 2], [4, 9, 0, 0, 0, 0], [4, 2, 0, 0, 192, 127], [6, ...Array(24).fill(0)], [2, 0, 0], [7, 1]];
    while (messages.length < 100) messages.push(Array.from({ length: next(60) }, () => next(256)));
    const harmless = messages.filter(m => ![3, 5, 9, 10, 11].includes(m[0]) || m.length > 5 || m.length === 0);
    await page.value(`(async () => {
        const of = pliant.link, told = pliant.refusals = [], take = of.on.text;
        of.on.text = object => { if (object.kind === "refused") told.push(object.why); take(object); };
        for (const bytes of ${JSON.stringify(harmless)}) {
            of.send(new Uint8Array(bytes).buffer);
            await new Promise(done => setTimeout(done, 5));
        }
    })()`);
    await page.until("pliant.connected && pliant.refusals.length > 10", 20);
    await page.value("pliant.say(pliant.kinds.pause, 'b', 0)");
    const step = await page.value("pliant.status.step");
    await page.until(`pliant.status.step !== ${step} && !pliant.status.paused`, 20);
    return harmless.length;
}
