// The simulation in the browser: the core, compiled to WebAssembly (web/core), with the clock of
// src/serve/show.c around it. Messages are those of the program's server: bytes both ways, and texts.
import { Core } from "./core.js";

const FRAME = 1000 / 75, STATUS = 100; // [ms] from one to the next: screens show no more
let core = null, timer = 0, awake = false, news = true, told = true, onTheWay = 0, frameAt = 0, statusAt = 0;

// Messages that wait come before the next step, which comes sooner than by a timer.
const soon = new MessageChannel();
soon.port1.onmessage = () => { awake = false; turn(); };
function wake() {
    clearTimeout(timer);
    if (!awake) soon.port2.postMessage(0);
    awake = true;
}

const sayText = text => postMessage(text);
const sayBytes = bytes => postMessage(bytes, [bytes]);

function sayFrame(now) {
    if (!news || onTheWay >= 2 || now - frameAt < FRAME) return;
    if (core.follow()) sayBytes(core.topology());
    sayBytes(core.frame());
    news = false;
    onTheWay += 1;
    frameAt = now;
}

function sayStatus(now) {
    if (!told && now - statusAt < (core.paused ? 10 * STATUS : STATUS)) return;
    sayText(core.status());
    told = false;
    statusAt = now;
}

function turn() {
    if (!core.isOpen) return;
    try {
        if (core.advance()) news = true;
        const now = performance.now();
        sayFrame(now);
        sayStatus(now);
        const rest = Math.min(1000 * core.rest(), news && onTheWay < 2 ? Math.max(FRAME - (now - frameAt), 0) : 1000);
        if (rest < 1) wake();
        else timer = setTimeout(turn, rest);
    } catch (why) {
        sayText(JSON.stringify({ kind: "broken", why: String(why.message ?? why) }));
    }
}

async function open({ text, name, threads }) {
    try {
        core ??= await Core.load(threads);
        core.open(text, name);
        sayText(core.scene());
        sayBytes(core.topology());
        news = told = true;
        onTheWay = 0;
        wake();
    } catch (why) {
        sayText(JSON.stringify({ kind: "broken", why: String(why.message ?? why) }));
    }
}

function obey(bytes) {
    const kind = new Uint8Array(bytes)[0];
    if (!core?.isOpen) return;
    const refused = core.tell(bytes);
    if (refused) sayText(JSON.stringify({ kind: "refused", why: refused }));
    else if (kind === 10) onTheWay = Math.max(0, onTheWay - 1); // shown
    else news = true;
    told ||= kind !== 7 && kind !== 10; // drags are many
    wake();
}

onmessage = event => event.data instanceof ArrayBuffer ? obey(event.data) : open(event.data);
