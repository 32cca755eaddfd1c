// The gallery: the same page without a server.
import { execFileSync } from "node:child_process";
import { host } from "../../web/host.mjs";
import { digestOf, loadCore } from "./core.mjs";
import { difference } from "./png.mjs";
import { check, digestAfter, lookAt, placeOfBody, sayNonsense } from "./suite.mjs";

const size = [640, 480], compared = ["stack", "sand", "paper-plane"], steps = 300;

function nativeDigest(program, name) {
    const words = ["run", name, "--frames", String(steps), "--threads", "2", "--json", "--quiet"];
    const lines = execFileSync(program, words, { encoding: "utf8", maxBuffer: 1 << 26 }).trim().split("\n");
    return JSON.parse(lines.at(-1)).digest;
}

const script = `import sys, pliant
scene = pliant.Scene(sys.argv[1], changes={"frames": int(sys.argv[2])}, threads=1)
for frame in scene.run(): pass
print(f"{scene.world.digest():016x}")`;

function pythonDigest(python, name) {
    return execFileSync(python, ["-c", script, name, String(steps)], { encoding: "utf8" }).trim();
}

export async function testGallery(suite, browser, { program, site, python }) {
    const { server, url } = await host(site), plain = await host(site, 0, true);
    let page = await browser.open(null, ...size);

    await suite.test("the gallery lists its scenes, and a click opens one", async () => {
        await page.goTo(url);
        await page.until("document.images.length > 10 && [...document.images].slice(0, 6).every(i => i.complete && i.naturalWidth > 0)", 20);
        await lookAt(page, "gallery");
        await page.value("document.querySelector('a[href$=\"scene=drop\"]').click()");
        await page.until("globalThis.pliant?.frames > 3", 60);
        check(page.problems.length === 0, page.problems[0]);
    });

    await suite.test("it moves without a server", async tell => {
        const before = await lookAt(page, "alone"), time = await page.value("pliant.frame.time");
        await page.until(`pliant.frame.time > ${time} + 0.3`, 60);
        check(difference(before, await lookAt(page)) > 0.002, "nothing moves");
        const status = await page.value("pliant.status");
        tell(`${status.threads} threads, ${status.lanes} lanes, ${(1000 * status.step_seconds).toFixed(1)} ms a step`);
    });

    await suite.test("a hand pulls there, too", async () => {
        await page.value("pliant.link.fetch('stack')");
        await page.until("pliant.scene?.name === 'stack' && pliant.frame.time > 0", 60);
        const [x, y] = await placeOfBody(page, 0);
        await page.mouse("mousePressed", x, y);
        await page.until("pliant.frame.grip !== null", 20);
        await page.mouse("mouseMoved", x, y - 40);
        await page.until("pliant.frame.grip?.force > 0", 20);
        await page.mouse("mouseReleased", x, y - 40);
        await page.until("pliant.frame.grip === null", 20);
    });

    await suite.test("a hundred malformed messages are refused without a server, too", async () => { await sayNonsense(page); });

    await suite.test("a scene that cannot be read gets a sentence, and the next one runs", async () => {
        await page.value(`pliant.link.open('{"frames": 5,\\n"bodeis": []}', 'mine')`);
        await page.until("/mine:.*bodeis.*bodies/.test(document.getElementById('note').textContent)");
        await page.value(`pliant.link.open('{"frames": 5, "bodies": [{"mesh": "cow.obj"}]}', 'mine')`);
        await page.until("/there is no file .cow.obj./.test(document.getElementById('note').textContent)");
        await page.value("pliant.link.fetch('sand')");
        await page.until("pliant.connected && pliant.scene.name === 'sand' && pliant.frame.time > 0", 60);
        await page.value("pliant.link.fetch('no-such')");
        await page.until("/no scene .no-such./.test(document.getElementById('note').textContent)");
    });

    await suite.test("one thread, where the page is not isolated and may not be", async () => {
        await page.goTo(`${plain.url}view.html?scene=stack&threads=1`);
        await page.until("globalThis.pliant?.frames > 1", 60);
        check(await page.value("pliant.status.threads") === 1, "there are more threads");
    });

    await page.close();
    plain.server.close();
    server.close();
}

async function digestInBrowser(browser, url, name) {
    const page = await browser.open(`${url}view.html?scene=${name}`, 320, 240);
    await page.until(`globalThis.pliant?.scene?.name === "${name}" && pliant.status`, 60);
    const digest = await digestAfter(page, steps), threads = await page.value("pliant.status.threads");
    await page.close();
    return { digest, threads };
}

// Wherever it runs. Without a browser (null) those that are there are compared.
export async function testDigests(suite, browser, { program, site, python }) {
    const { server, url } = await host(site), core = await loadCore(site);
    for (const name of compared)
        await suite.test(`the digest of ${name} after ${steps} steps is the same everywhere`, async tell => {
            const found = {}, { digest, each } = digestOf(core, site, name, steps);
            found.node = digest;
            tell(`${digest}, ${each.toFixed(1)} ms a step in node`);
            if (browser) {
                const there = await digestInBrowser(browser, url, name);
                found.browser = there.digest;
                tell(`${there.threads} threads in the browser`);
            }
            if (program !== "-") found.native = nativeDigest(program, name);
            if (python) found.python = pythonDigest(python, name);
            tell(`the same in ${Object.keys(found).join(", ")}`);
            check(Object.keys(found).length > 1, "there is nothing to compare with");
            check(new Set(Object.values(found)).size === 1, JSON.stringify(found));
        });
    server.close();
}
