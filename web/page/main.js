// The page: what comes from the simulation is drawn, what hands and keys do is told to it.
import { Curves } from "./curves.js";
import { Local, Socket, kinds, message } from "./link.js";
import { Panel } from "./panel.js";
import { Picture, colormap, hasWebGL } from "./picture.js";

const at = id => document.getElementById(id);
const state = {
    paused: false, steers: true, pages: 0, colors: 0, scene: null, status: null, holding: false, recording: 0,
    shown: 0, rate: 0, frames: 0, connected: false, drags: [],
};
window.pliant = state; // for those who look from outside

// ---- what is said to people

let noteTimer = 0;
function note(text, forever = false) {
    const file = /^(.*): \/file\/(\S+)$/.exec(text);
    at("note").textContent = file ? `${file[1]}: ` : text;
    if (file) {
        const link = document.createElement("a");
        link.href = `/file/${file[2]}${location.search}`;
        link.download = link.textContent = file[2];
        at("note").append(link);
    }
    at("note").hidden = !text;
    clearTimeout(noteTimer);
    if (!forever) noteTimer = setTimeout(() => { at("note").hidden = true; }, file ? 20000 : 7000);
}

// ---- the picture

let picture = null;
if (hasWebGL()) picture = new Picture(at("picture"));
else note("This browser has no WebGL 2, or it is switched off: nothing can be drawn here. The simulation runs, and the panel works.", true);
state.picture = picture;

const times = new Curves(at("times"), ["--accent"], true);
const energies = new Curves(at("energies"), ["--good", "--bad", "--third"], false);

// ---- what comes

let latest = null, unread = 0;

function describe(scene) {
    state.scene = scene;
    document.title = `${scene.name.replace(/^.*\//, "")} · Pliant`;
    at("name").textContent = scene.name.replace(/^.*\//, "");
    at("name").title = scene.name;
    at("description").textContent = scene.description;
    const count = (n, word) => n ? `${n.toLocaleString("en")} ${word}` : "";
    at("facts").textContent = [count(scene.bodies, scene.bodies === 1 ? "body" : "bodies"), count(scene.tets, "tets"),
                               count(scene.particles, "particles")].filter(Boolean).join(" · ");
    panel.setParameters(scene.parameters);
    picture?.setColliders(scene.colliders);
    picture?.setCamera(scene.camera);
    times.clear();
    energies.clear();
}

const round = value => Number(value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });

function follow(status) {
    state.status = status;
    state.paused = status.paused;
    at("pause").textContent = status.paused ? "Go on" : "Pause";
    at("pause").classList.toggle("on", status.paused);
    panel.follow(status.parameters);
    if (!status.paused) {
        times.add(1000 * status.step_seconds);
        energies.add(status.kinetic, status.elastic, status.gravity);
    }
    at("ms").textContent = `${(1000 * status.step_seconds).toFixed(2)} ms`;
    at("joules").textContent = status.kinetic === null ? "" :
        `moving ${round(status.kinetic)} J · elastic ${round(status.elastic)} J`;
    at("state").textContent = `${status.time.toFixed(2)} s · step ${status.step} · ${status.substeps} substeps · ` +
        `${state.rate} pictures/s`;
    if (status.digest) at("digest").textContent = `digest of step ${status.step}: ${status.digest}`;
    state.digest = status.digest ? { step: status.step, digest: status.digest } : state.digest;
    if (status.note) note(status.note);
}

function take(object) {
    if (object.kind === "scene") describe(object);
    if (object.kind === "status") follow(object);
    if (object.kind === "refused") note(object.why);
    if (object.kind === "role") {
        state.steers = object.steers;
        state.pages = object.pages;
        at("steer").hidden = object.steers;
        document.body.classList.toggle("watching", !object.steers);
        if (!object.steers) note("Another page steers: this one watches. T takes over.");
    }
}

function takeBytes(buffer) {
    if (new Uint32Array(buffer, 0, 1)[0] === 1) {
        picture?.setTopology(buffer);
    } else {
        latest = buffer;
        unread += 1;
        if (!picture) shown();
    }
}

const on = {
    text: take,
    bytes: takeBytes,
    state: (word, reason) => {
        state.connected = word === "open";
        if (word === "open") at("note").hidden = picture !== null;
        else if (word === "broken") note(reason, true);
        else note(reason || "The program does not answer. It is tried again until it does.", true);
    },
};

// ---- what is told

const say = (kind, shape, ...numbers) => link.send(message(kind, shape, ...numbers));
const actions = {
    pause: () => say(kinds.pause, "b", state.paused ? 0 : 1),
    step: () => say(kinds.step, "h", 1),
    reset: () => { say(kinds.reset); times.clear(); energies.clear(); },
    fit: () => picture?.fit(),
    colors: () => {
        const all = state.scene?.colors ?? [];
        state.colors = (state.colors + 1) % Math.max(all.length, 1);
        at("colors").lastChild.textContent = all[state.colors]?.name ?? "body";
        say(kinds.colors, "b", state.colors);
    },
    more: () => {
        at("panel").hidden = !at("panel").hidden;
        at("more").setAttribute("aria-expanded", String(!at("panel").hidden));
        makeRoom();
    },
    screenshot: async () => {
        if (!picture) return;
        const link = document.createElement("a");
        link.href = URL.createObjectURL(await picture.image());
        link.download = `${state.scene?.name ?? "pliant"}-${state.status?.step ?? 0}.png`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 5000);
    },
    glb: () => record(1),
    mp4: () => record(2),
    steer: () => say(kinds.steer),
    theme: () => setTheme(document.documentElement.classList.contains("light")),
    help: () => at("keys").open ? at("keys").close() : at("keys").showModal(),
};

// The picture and the bar are in the middle of what the panel leaves free, where it stands beside them.
function makeRoom() {
    const beside = !at("panel").hidden && innerWidth > 720;
    document.body.classList.toggle("beside", beside);
    if (!picture) return;
    picture.inset = beside ? 306 : 0;
    picture.resize();
}

function record(kind) {
    state.recording = state.recording ? 0 : kind;
    say(kinds.record, "b", state.recording);
    at("glb").classList.toggle("on", state.recording === 1);
    at("mp4").classList.toggle("on", state.recording === 2);
    if (state.recording) note(kind === 1 ? "Recording a .glb; again to end." : "Recording an .mp4, which is drawn at its end; again to end.");
}

function setTheme(isDark) {
    document.documentElement.classList.toggle("light", !isDark);
    picture?.setTheme(isDark);
}

function shown() {
    for (; unread > 0; --unread) say(kinds.shown, "w", 0);
}

// ---- hands and keys

const panel = new Panel(at("sliders"), (index, value) => say(kinds.set, "bf", index, value));

for (const [id, action] of Object.entries(actions)) at(id)?.addEventListener("click", action);

const keys = { " ": "pause", ".": "step", r: "reset", f: "fit", c: "colors", p: "more", s: "screenshot", g: "glb",
               m: "mp4", t: "steer", l: "theme", h: "help", "?": "help" };
addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLButtonElement && event.key === " ") return;
    const name = keys[event.key.toLowerCase()];
    if (name && at(name)) actions[name]();
    if (event.key === "[" || event.key === "]") panel.multiply("speed", event.key === "[" ? 0.5 : 2);
    if (name) event.preventDefault();
});

function dragTo(event) {
    const point = picture.reach(event.clientX, event.clientY);
    if (!point) return;
    state.drags.push(performance.now());
    say(kinds.drag, "fff", ...point.toArray());
}

if (picture) {
    const canvas = at("picture");
    // Before the camera's own listener.
    canvas.addEventListener("pointerdown", event => {
        if (event.button !== 0 || !event.isPrimary || !state.steers) return;
        const ray = picture.pick(event.clientX, event.clientY);
        if (!ray) return;
        event.stopImmediatePropagation();
        canvas.setPointerCapture(event.pointerId);
        canvas.classList.add("holding");
        state.holding = true;
        say(kinds.grab, "ffffff", ...ray.origin.toArray(), ...ray.direction.toArray());
    }, { capture: true });
    canvas.addEventListener("pointermove", event => { if (state.holding) dragTo(event); });
    for (const name of ["pointerup", "pointercancel"])
        canvas.addEventListener(name, () => {
            if (!state.holding) return;
            state.holding = false;
            canvas.classList.remove("holding");
            say(kinds.letGo);
        });
    }

const wantsDark = matchMedia("(prefers-color-scheme: dark)");
setTheme(wantsDark.matches);
wantsDark.addEventListener("change", event => setTheme(event.matches));
if (innerWidth <= 720) actions.more();
makeRoom();
addEventListener("resize", makeRoom);

// ---- pictures

const map = at("map").getContext("2d");
for (let i = 0; i < 128; ++i) {
    map.fillStyle = `rgb(${colormap.subarray(6 * i, 6 * i + 3).join(",")})`;
    map.fillRect(i, 0, 1, 8);
}

function showLegend(frame) {
    const kind = state.scene?.colors[frame.colors];
    at("legend").hidden = !frame.colors || kind?.name === "patch";
    if (at("legend").hidden) return;
    at("low").textContent = `${kind.name} 0`;
    at("high").textContent = `${round(frame.high)} ${kind.unit}`;
}

function showForce(grip) {
    at("force").hidden = !grip;
    if (!grip) return;
    const [x, y] = picture.screen(grip.to);
    at("force").style.left = `${x}px`;
    at("force").style.top = `${y}px`;
    at("force").textContent = `${round(grip.force)} N`;
}

let before = 0, drew = false, second = 0, drawn = 0, curves = 0;
function turn(now) {
    requestAnimationFrame(turn);
    const fresh = latest !== null;
    if (fresh) {
        const frame = picture.show(latest);
        latest = null;
        if (frame) {
            state.frame = frame;
            state.frames += 1;
            drawn += 1;
            showLegend(frame);
            showForce(frame.grip);
        }
    }
    if (drew && now - before < 3000) picture.adapt(now - before);
    drew = picture.draw();
    before = now;
    shown();
    if (now - curves > 100) {
        times.draw();
        energies.draw();
        curves = now;
    }
    if (now - second > 1000) {
        state.rate = Math.round(1000 * drawn / (now - second));
        drawn = 0;
        second = now;
    }
}
if (picture) requestAnimationFrame(turn);
else setInterval(() => { times.draw(); energies.draw(); }, 200);

// ---- the simulation: of the program, or of the page itself (WITH_CORE)

function openFile(file) {
    if (!file) return;
    file.text().then(text => link.open(text, file.name.replace(/\.json$/i, "")));
}

// Where the server does not isolate the page, a service worker does, after one more load: there are threads then.
async function isolate() {
    const tried = sessionStorage.getItem("isolated");
    if (crossOriginIsolated || tried || !("serviceWorker" in navigator) || navigator.hardwareConcurrency < 2) return;
    sessionStorage.setItem("isolated", "tried");
    await navigator.serviceWorker.register("isolate.js");
    await navigator.serviceWorker.ready;
    location.reload();
}

function beginAlone() {
    if (WITH_THREADS) isolate().catch(() => {}); // without, there is one thread
    const made = new Local(on);
    for (const id of ["glb", "mp4", "steer"]) at(id).remove();
    at("home").hidden = false;
    addEventListener("dragover", event => event.preventDefault());
    addEventListener("drop", event => {
        event.preventDefault();
        openFile(event.dataTransfer.files[0]);
    });
    made.fetch(new URLSearchParams(location.search).get("scene") ?? "drop");
    return made;
}

const link = WITH_CORE ? beginAlone() : new Socket(on);
state.link = link;
state.say = say;
state.kinds = kinds;
