// The core's functions (web/core/core.c) with JavaScript's arrays and texts; in workers, and in node for
// the tests. Where a page is isolated from others (COOP, COEP) there are threads.
const decoder = new TextDecoder(), encoder = new TextEncoder();

export class Core {
    constructor(module) {
        this.module = module;
        this.isOpen = this.paused = false;
    }

    // `threads`: how many; 1: none beside this one. `make`: the module that emscripten made, else fetched.
    static async load(threads, make = null, more = {}) {
        const isolated = globalThis.crossOriginIsolated === true, many = WITH_THREADS && isolated && threads !== 1;
        const count = many ? Math.min(threads || navigator.hardwareConcurrency || 1, 16) : 1;
        if (!make) {
            const script = new URL(many ? "pliant-threads.js" : "pliant.js", location.href).href;
            importScripts(script);
            make = self.pliantCore;
            more = { mainScriptUrlOrBlob: script };
        }
        const core = new Core(await make({ threads: count, ...more }));
        core.threads = count;
        return core;
    }

    // Writes what the next call reads.
    put(bytes) {
        const at = this.module._web_room(bytes.length);
        if (!at) throw new Error("not enough memory");
        this.module.HEAPU8.set(bytes, at);
        return bytes.length;
    }

    // A copy of what the last call wrote.
    data() {
        const at = this.module._web_data();
        return this.module.HEAPU8.slice(at, at + this.module._web_bytes());
    }

    text() { return decoder.decode(this.data()); }
    check(result) { if (result !== 0) throw new Error(this.text()); }

    open(text, name) {
        const title = encoder.encode(name), whole = encoder.encode(name + text);
        this.isOpen = false;
        this.put(whole);
        this.check(this.module._web_open(title.length, this.threads));
        this.isOpen = true;
    }

    // A sentence, where the message is refused.
    tell(buffer) {
        const bytes = this.put(new Uint8Array(buffer));
        return this.module._web_tell(bytes) === 0 ? "" : this.text();
    }

    advance() { return this.module._web_advance() !== 0; }
    rest() { return this.module._web_rest(); }

    follow() {
        const changed = this.module._web_follow();
        if (changed < 0) throw new Error(this.text());
        return changed === 1;
    }

    scene() { this.check(this.module._web_scene()); return this.text(); }
    topology() { this.check(this.module._web_topology()); return this.data().buffer; }
    frame() { this.check(this.module._web_frame()); return this.data().buffer; }

    status() {
        this.check(this.module._web_status());
        const text = this.text();
        this.paused = text.includes('"paused":true');
        return text;
    }
}
