// The page of pliant view.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Browser, sleep } from "./browser.mjs";
import { difference } from "./png.mjs";
import { Viewer, check, lookAt, middleOfBody, placeOfBody, sayNonsense } from "./suite.mjs";

// A block that rests on the floor, and one that is held above it.
const rest = { frames: 100, dt: 1 / 60, substeps: 10, gravity: [0, -9.81, 0],
    bodies: [{ mesh: "beam:4x4x4:0.1", position: [0, 0.205, 0], material: { young: 1e5 } },
             { mesh: "beam:3x3x3:0.1", position: [0.9, 0.16, 0], rigid: true }],
    colliders: [{ shape: "plane", friction: 0.6 }, { shape: "box", half_extents: [0.2, 0.1, 0.2], position: [-0.8, 0.1, 0] }] };

const size = [640, 480];

export async function testView(suite, browser, program, found) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-view-"));
    const scene = path.join(folder, "rest.json");
    fs.writeFileSync(scene, JSON.stringify(rest));
    const common = ["--port", "0", "--threads", "1", "--quiet", "--out", folder];
    const shows = page => page.until("pliant.frames > 0", 20);
    let viewer = await Viewer.start(program, ["drop", ...common]), page = null;

    await suite.test("the page loads and shows the scene", async tell => {
        const asked = [];
        page = await browser.open(null, ...size);
        browser.listeners.push(m => { if (m.method === "Network.requestWillBeSent") asked.push(m.params.request.url); });
        await page.send("Network.enable");
        const start = Date.now();
        await page.goTo(viewer.url);
        await shows(page);
        tell(`first picture after ${((Date.now() - start) / 1000).toFixed(2)} s`);
        const home = new URL(viewer.url).host, others = asked.filter(url => !url.startsWith("data:") && new URL(url).host !== home);
        check(others.length === 0, `other servers are asked: ${others}`);
    });

    await suite.test("what is seen is neither blank nor still", async tell => {
        await page.until("pliant.frames > 5", 20);
        const before = await lookAt(page, "drop"), frame = await page.value("pliant.frame.time");
        await page.until(`pliant.frame.time > ${frame} + 0.3`, 30);
        const share = difference(before, await lookAt(page));
        tell(`${(100 * share).toFixed(1)} % of the pixels changed`);
        check(share > 0.002, "nothing moves");
        check(page.problems.length === 0, page.problems[0]);
    });

    await suite.test("every color is shown, with a legend", async () => {
        for (let i = 1; i <= 5; ++i) {
            await page.key("c", "KeyC");
            await page.until(`pliant.frame.colors === ${i}`, 20);
            check(await page.value("document.getElementById('legend').hidden") === (i === 5), `color ${i}: the legend`);
            if (i === 1) await lookAt(page, "stress");
        }
        await page.key("c", "KeyC");
        await page.until("pliant.frame.colors === 0");
    });

    await suite.test("light and dark", async () => {
        const before = await lookAt(page);
        await page.key("l", "KeyL");
        await sleep(0.3);
        check(difference(before, await lookAt(page, "light")) > 0.3, "the key L changes little");
        await page.key("l", "KeyL");
    });

    await suite.test("a second page watches, and takes over when it wants", async () => {
        const other = await browser.open(viewer.url, 500, 400);
        await shows(other);
        await other.until("!pliant.steers && pliant.pages === 2");
        await other.value("pliant.say(pliant.kinds.pause, 'b', 1)");
        await other.until("/another page steers/.test(document.getElementById('note').textContent)");
        await other.key("t", "KeyT");
        await other.until("pliant.steers");
        await page.until("!pliant.steers");
        await other.close();
        await page.until("pliant.pages === 1 && pliant.steers");
    });

    await suite.test("a hundred malformed messages are refused, and it goes on", async tell => tell(`${await sayNonsense(page)} sent`));
    await page?.close();
    await viewer.end();

    viewer = await Viewer.start(program, [scene, ...common]);
    page = await browser.open(viewer.url, ...size);
    await shows(page);

    await suite.test("pause, step, reset", async () => {
        await page.until("pliant.status?.step > 3");
        await page.key(" ", "Space");
        await page.until("pliant.status.paused && pliant.status.digest");
        const step = await page.value("pliant.status.step");
        await sleep(0.3);
        check(await page.value("pliant.status.step") === step, "it goes on");
        await page.key(".", "Period");
        await page.until(`pliant.status.step === ${step + 1}`);
        await page.key("r", "KeyR");
        await page.until("pliant.status.step === 0 && pliant.status.digest");
        const digest = await page.value("pliant.status.digest");
        await page.value("pliant.say(pliant.kinds.step, 'h', 20)");
        await page.until("pliant.status.step === 20");
        await page.key("r", "KeyR");
        await page.until(`pliant.status.step === 0 && pliant.status.digest === "${digest}"`);
        await page.key(" ", "Space");
        await page.until("!pliant.status.paused");
    });

    await suite.test("a slider is obeyed, and goes back by a double click", async () => {
        const set = value => page.value(`{ const s = document.getElementById("slider-gravity"); s.value = ${value}; s.dispatchEvent(new Event("input")); }`);
        await set(2);
        await page.until("Math.abs(pliant.status.parameters[2] - 2) < 1e-6");
        check(await page.value("document.getElementById('slider-gravity').parentElement.classList.contains('changed')"), "it does not show that it was changed");
        await page.value("document.getElementById('slider-gravity').parentElement.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))");
        await page.until("Math.abs(pliant.status.parameters[2] - 9.81) < 1e-4");
    });

    for (const [body, name] of [[0, "soft"], [1, "rigid"]])
        await suite.test(`a ${name} body follows the hand`, async tell => {
            await page.key("r", "KeyR");
            await page.until("pliant.status.time > 0.2");
            const [x, y] = await placeOfBody(page, body), before = await middleOfBody(page, body);
            await page.mouse("mousePressed", x, y);
            await page.until("pliant.frame.grip !== null");
            for (let i = 1; i <= 12; ++i) {
                await page.mouse("mouseMoved", x, y - 10 * i);
                await sleep(0.02);
            }
            await page.until(`(() => { const p = pliant.picture, t = p.topology, x = p.frame.position; let y = 0, n = 0;
                for (let i = 0; i < t.points; ++i) if (t.body[i] === ${body}) y += x[3 * i + 1], ++n;
                return y / n > ${before[1]} + 0.1; })()`, 15);
            if (body === 0) await lookAt(page, "drag");
            tell(await page.value("document.getElementById('force').textContent"));
            check(!(await page.value("document.getElementById('force').hidden")), "no force is shown");
            await page.mouse("mouseReleased", x, y - 120);
            await page.until("pliant.frame.grip === null");
        });

    await suite.test("a drag beside the bodies turns the view", async () => {
        const where = () => page.value("pliant.picture.camera.position.toArray()"), before = await where();
        await page.mouse("mousePressed", 40, 300);
        for (let i = 1; i <= 5; ++i) await page.mouse("mouseMoved", 40 + 12 * i, 300);
        await page.mouse("mouseReleased", 100, 300);
        await sleep(0.2);
        const after = await where();
        check(Math.hypot(...after.map((value, k) => value - before[k])) > 0.05, "the camera stays");
    });

    await suite.test("the page comes back after its program was killed", async () => {
        const { port, searchParams } = new URL(viewer.url);
        await viewer.end("SIGKILL");
        await page.until("!pliant.connected && /does not answer/.test(document.getElementById('note').textContent)");
        viewer = await Viewer.start(program, [scene, ...common.slice(2), "--port", port, "--token", searchParams.get("token")]);
        const frames = await page.value("pliant.frames");
        await page.until(`pliant.connected && pliant.frames > ${frames} + 2`, 20);
    });

    await suite.test("a phone: nothing sticks out, fingers turn and pull", async () => {
        const phone = await browser.open(null, 390, 844);
        await phone.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
        await phone.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
        await page.close();
        await phone.goTo(viewer.url);
        await shows(phone);
        await phone.until("pliant.steers");
        await lookAt(phone, "phone");
        check(await phone.value("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the phone");
        const outside = await phone.value(`[...document.querySelectorAll("button")].filter(b => b.offsetParent).filter(b => {
            const box = b.getBoundingClientRect(), home = b.parentElement.getBoundingClientRect();
            return box.height < 30 || box.left < 0 || box.right > innerWidth || home.scrollWidth > home.clientWidth + 1; }).map(b => b.id)`);
        check(outside.length === 0, `${outside} are out of reach`);
        const [x, y] = await placeOfBody(phone, 0);
        const touch = (type, ...points) => phone.send("Input.dispatchTouchEvent", { type, touchPoints: points });
        await touch("touchStart", { x, y });
        await phone.until("pliant.frame.grip !== null");
        await touch("touchMove", { x, y: y - 60 });
        await touch("touchEnd");
        await phone.until("pliant.frame.grip === null");
        const before = await phone.value("pliant.picture.camera.position.length()");
        await touch("touchStart", { x: 100, y: 600 }, { x: 200, y: 600 });
        for (let i = 1; i <= 6; ++i) await touch("touchMove", { x: 100 - 8 * i, y: 600 }, { x: 200 + 8 * i, y: 600 });
        await touch("touchEnd");
        await sleep(0.3);
        check(Math.abs(await phone.value("pliant.picture.camera.position.length()") - before) > 0.02, "two fingers do not zoom");
        await phone.value("document.getElementById('more').click()");
        await lookAt(phone, "phone-panel");
        page = phone;
    });

    await suite.test("a wrong token is turned away with a sentence", async () => {
        const other = await browser.open(viewer.url.replace(/token=.*/, "token=wrong-wrong"), 400, 300);
        await other.until("/needs the token/.test(document.body.innerText)");
        await other.close();
    });

    await suite.test("a browser without WebGL says so, and its panel works", async () => {
        await page.close();
        const blind = new Browser(found, ["--disable-3d-apis"]);
        try {
            const other = await blind.open(viewer.url, 500, 400);
            await other.until("/no WebGL 2/.test(document.getElementById('note').textContent)", 20);
            await other.until("pliant.status && pliant.steers");
            await other.key(" ", "Space");
            await other.until("pliant.status.paused");
        } finally {
            await blind.close();
        }
    });
    await viewer.end();
    fs.rmSync(folder, { recursive: true, force: true });
}
