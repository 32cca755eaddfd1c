// measure.mjs PROGRAM: figures of the page in a browser that draws by the processor: pictures a second, what the server
// takes beside the steps, and how late a drag is seen. Not a test: the machine should have nothing else to do.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Browser, findBrowser, sleep } from "./browser.mjs";
import { Viewer, placeOfBody } from "./suite.mjs";

const program = process.argv[2], seconds = Number(process.argv[3] ?? 8), folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-measure-"));
const large = { frames: 1000, dt: 1 / 60, substeps: 4, colliders: [{ shape: "plane" }],
    bodies: [{ mesh: "beam:32x32x32:0.03", position: [0, 0.6, 0], material: { young: 1e5 } }] };
fs.writeFileSync(path.join(folder, "large.json"), JSON.stringify(large));

async function rates(page) {
    const look = () => page.value("({ at: performance.now(), frames: pliant.frames, step: pliant.status.step })");
    const costs = [], first = await look();
    while ((await page.value("performance.now()")) < first.at + 1000 * seconds) {
        costs.push(await page.value("[pliant.status.frame_seconds, pliant.status.step_seconds]"));
        await sleep(0.2);
    }
    const last = await look(), took = (last.at - first.at) / 1000, pictures = (last.frames - first.frames) / took, steps = (last.step - first.step) / took;
    const middle = k => costs.map(c => c[k]).sort((a, b) => a - b)[costs.length >> 1];
    return { pictures, steps, frame: middle(0), step: middle(1), share: middle(0) * pictures / (middle(1) * steps) };
}

// From the moment that the page hears of the mouse until the hand of a picture is where it went.
async function lateness(page) {
    await page.value(`(() => {
        pliant.late = [];
        let before = null;
        const turn = () => {
            requestAnimationFrame(turn);
            const to = pliant.frame?.grip?.to;
            if (!to) return;
            if (before && (to[0] !== before[0] || to[1] !== before[1]) && pliant.drags.length) pliant.late.push(performance.now() - pliant.drags.splice(0)[0]);
            before = [...to];
        };
        requestAnimationFrame(turn);
    })()`);
    const [x, y] = await placeOfBody(page, 0);
    await page.mouse("mousePressed", x, y);
    await page.until("pliant.frame.grip !== null", 20);
    for (let i = 1; i <= 10; ++i) {
        await page.mouse("mouseMoved", x + 3 * i, y - 3 * i);
        await sleep(0.3);
    }
    await page.mouse("mouseReleased", x, y);
    const late = (await page.value("pliant.late")).sort((a, b) => a - b);
    return late.length ? late[late.length >> 1] : NaN;
}

const browser = new Browser(findBrowser());
for (const [name, scene] of [["drop", "drop"], ["163 840 tets", path.join(folder, "large.json")]]) {
    const viewer = await Viewer.start(program, [scene, "--port", "0", "--threads", "1", "--quiet", "--out", folder]);
    const page = await browser.open(viewer.url, 640, 480);
    await page.until("pliant.frames > 5", 60);
    await sleep(3);
    const r = await rates(page);
    console.log(`${name}: ${r.pictures.toFixed(1)} pictures/s, ${r.steps.toFixed(1)} steps/s of ${(1000 * r.step).toFixed(2)} ms, a frame takes the server ` +
        `${(1000 * r.frame).toFixed(3)} ms (${(100 * r.share).toFixed(1)} % of its steps)`);
    if (name !== "drop") console.log(`${name}: a drag is seen after ${(await lateness(page)).toFixed(0)} ms`);
    await page.close();
    await viewer.end();
}
await browser.close();
fs.rmSync(folder, { recursive: true, force: true });
