// site.mjs PACKAGES CORES OUT: the gallery, as files that any web server can host. CORES has the core as
// WebAssembly: one/ without threads and, where it was built, many/ with them.
import fs from "node:fs";
import path from "node:path";
import { bundle, page } from "./pack.mjs";

const [packages, cores, out] = process.argv.slice(2).map(name => path.resolve(name));
const here = path.dirname(new URL(import.meta.url).pathname), root = path.dirname(here);
const put = (name, data) => fs.writeFileSync(path.join(out, name), data);

// What shows best what there is, first.
const first = ["drop", "crane", "curtain", "boxes", "flag", "sand", "dam-break", "press"];
const tooLarge = ["cloth-stack", "tori", "tori400", "cloth-on-tube"]; // for a browser

function scenes() {
    const names = fs.readdirSync(path.join(root, "scenes")).filter(name => name.endsWith(".json")).map(name => name.slice(0, -5));
    const place = name => first.includes(name) ? first.indexOf(name) : first.length;
    return names.filter(name => !tooLarge.includes(name)).sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

const escape = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);

// A card with a picture where the documents have one, else a line of the list.
function entry(name) {
    const scene = JSON.parse(fs.readFileSync(path.join(root, "scenes", `${name}.json`), "utf8"));
    const picture = path.join(root, "docs/images", `${name}.png`), pictured = fs.existsSync(picture);
    put(`scenes/${name}.json`, JSON.stringify(scene));
    if (pictured) fs.copyFileSync(picture, path.join(out, "pictures", `${name}.png`));
    const image = pictured ? `<img src="pictures/${name}.png" alt="" loading="lazy">` : "";
    return { pictured, html: `<a href="view.html?scene=${name}">${image}<b>${name}</b><span>${escape(scene.description ?? "")}</span></a>` };
}

function copyCore(folder, name) {
    const from = path.join(cores, folder, "web/core");
    if (!fs.existsSync(path.join(from, `${name}.wasm`))) return false;
    for (const end of ["js", "wasm", "worker.js"])
        if (fs.existsSync(path.join(from, `${name}.${end}`))) fs.copyFileSync(path.join(from, `${name}.${end}`), path.join(out, `${name}.${end}`));
    return true;
}

fs.rmSync(out, { recursive: true, force: true });
for (const folder of ["scenes", "pictures"]) fs.mkdirSync(path.join(out, folder), { recursive: true });
copyCore("one", "pliant");
const threads = String(copyCore("many", "pliant-threads"));
put("view.html", page("page/page.html", await bundle(packages, "page/main.js", { WITH_CORE: "true", WITH_THREADS: threads })));
put("worker.js", await bundle(packages, "page/worker.js", { WITH_THREADS: threads }));
if (threads === "true") put("isolate.js", fs.readFileSync(path.join(here, "page/isolate.js")));
const entries = scenes().map(entry);
const html = page("page/gallery.html", "", "page/gallery.css")
    .replace("<!--cards-->", () => entries.filter(e => e.pictured).map(e => e.html).join("\n"))
    .replace("<!--lines-->", () => entries.filter(e => !e.pictured).map(e => e.html).join("\n"));
put("index.html", html);
console.log(`${entries.length} scenes, ${threads === "true" ? "with" : "without"} threads: ${out}`);
