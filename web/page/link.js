// The way to the simulation: a WebSocket to the program, which is tried again when it breaks, or a worker of
// this page (worker.js). What comes is handed to `on`: text(object), bytes(ArrayBuffer), state(words).
export const kinds = { pause: 1, step: 2, reset: 3, set: 4, colors: 5, grab: 6, drag: 7, letGo: 8, digest: 9,
                       shown: 10, steer: 11, record: 12 };

// A message as src/live/message.h has it; letters of its numbers as there.
export function message(kind, shape = "", ...numbers) {
    const width = { b: 1, h: 2, w: 4, f: 4 };
    const bytes = [...shape].reduce((sum, letter) => sum + width[letter], 1);
    const view = new DataView(new ArrayBuffer(bytes));
    view.setUint8(0, kind);
    let at = 1;
    [...shape].forEach((letter, i) => {
        if (letter === "b") view.setUint8(at, numbers[i]);
        if (letter === "h") view.setUint16(at, numbers[i], true);
        if (letter === "w") view.setUint32(at, numbers[i], true);
        if (letter === "f") view.setFloat32(at, numbers[i], true);
        at += width[letter];
    });
    return view.buffer;
}

export class Socket {
    constructor(on) {
        this.on = on;
        this.open();
    }

    open() {
        const token = new URLSearchParams(location.search).get("token") ?? "";
        const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live?token=${encodeURIComponent(token)}`;
        const socket = this.socket = new WebSocket(address);
        socket.binaryType = "arraybuffer";
        socket.onopen = () => this.on.state("open");
        socket.onmessage = event => {
            if (typeof event.data === "string") this.on.text(JSON.parse(event.data));
            else this.on.bytes(event.data);
        };
        socket.onclose = event => {
            this.on.state("closed", event.reason);
            setTimeout(() => this.open(), 700);
        };
    }

    send(data) {
        if (this.socket.readyState === WebSocket.OPEN) this.socket.send(data);
    }
}

export class Local {
    constructor(on) {
        this.on = on;
        this.worker = new Worker("worker.js");
        this.worker.onerror = event => on.state("broken", `The simulation cannot run here: ${event.message || "no worker"}`);
        this.worker.onmessage = ({ data }) => typeof data === "string" ? this.take(JSON.parse(data)) : on.bytes(data);
    }

    take(object) {
        if (object.kind === "broken") return this.on.state("broken", object.why);
        if (object.kind === "scene") this.on.state("open");
        this.on.text(object);
    }

    // A scene as text. What runs now ends. `threads`: none beside the worker's with 1.
    open(text, name, threads = 0) { this.worker.postMessage({ text, name, threads }); }

    async fetch(name) {
        const answer = await fetch(`scenes/${encodeURIComponent(name)}.json`).catch(() => null);
        if (answer?.ok) this.open(await answer.text(), name, Number(new URLSearchParams(location.search).get("threads")));
        else this.on.state("broken", `There is no scene "${name}" here.`);
    }

    send(data) { this.worker.postMessage(data, [data]); }
}
