// A browser without a window, driven over a pipe by the DevTools protocol.
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

export function findBrowser() {
    const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    const folders = (process.env.PATH ?? "").split(":");
    for (const name of names)
        for (const folder of folders)
            if (fs.existsSync(path.join(folder, name))) return path.join(folder, name);
    return null;
}

export const sleep = seconds => new Promise(done => setTimeout(done, 1000 * seconds));

export class Browser {
    constructor(program, options = []) {
        this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-browser-"));
        this.child = spawn(program, ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu-sandbox",
            "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-extensions", "--mute-audio", "--hide-scrollbars", "--window-size=1280,800",
            `--user-data-dir=${this.folder}`, ...options, "about:blank"],
            { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
        this.waiting = new Map();
        this.listeners = [];
        this.number = 0;
        let rest = "";
        this.child.stdio[4].setEncoding("utf8").on("data", data => {
            const parts = (rest + data).split("\0");
            rest = parts.pop();
            for (const part of parts) this.take(JSON.parse(part));
        });
    }

    take(message) {
        const wait = this.waiting.get(message.id);
        if (!wait) return this.listeners.forEach(listener => listener(message));
        this.waiting.delete(message.id);
        if (message.error) wait.refuse(new Error(message.error.message));
        else wait.done(message.result);
    }

    send(method, params = {}, sessionId) {
        const id = ++this.number;
        this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
        return new Promise((done, refuse) => this.waiting.set(id, { done, refuse }));
    }

    async open(url, width = 1280, height = 800) {
        const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
        const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId);
        await page.send("Page.enable");
        await page.send("Runtime.enable");
        await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
        if (url) await page.goTo(url);
        return page;
    }

    close() {
        this.child.kill("SIGKILL");
        return new Promise(done => this.child.once("exit", () => {
            fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
            done();
        }));
    }
}

export class Page {
    constructor(browser, session, target) {
        Object.assign(this, { browser, session, target, problems: [] });
        browser.listeners.push(message => {
            if (message.sessionId !== session) return;
            if (message.method === "Runtime.exceptionThrown")
                this.problems.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
        });
    }

    send(method, params) { return this.browser.send(method, params, this.session); }
    goTo(url) { return this.send("Page.navigate", { url }); }
    close() { return this.browser.send("Target.closeTarget", { targetId: this.target }); }

    async value(expression) {
        const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result.value;
    }

    // Until an expression is true; what it says in the end.
    async until(expression, seconds = 10) {
        const end = Date.now() + 1000 * seconds;
        for (;;) {
            let value = false;
            try { value = await this.value(expression); } catch (why) { value = false; this.last = why; }
            if (value) return value;
            if (Date.now() > end) throw new Error(`not within ${seconds} s: ${expression}`);
            await sleep(0.03);
        }
    }

    mouse(type, x, y, more = {}) {
        return this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: type === "mouseReleased" ? 0 : 1, clickCount: 1, ...more });
    }

    async key(key, code = key) {
        const text = key.length === 1 ? key : undefined;
        await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, text });
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, code });
    }

    async picture() {
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        return Buffer.from(data, "base64");
    }
}
