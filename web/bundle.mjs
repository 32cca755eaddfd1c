// bundle.mjs PACKAGES OUT: the page as one file: OUT.html, or OUT.c with the bytes of it for the program.
import fs from "node:fs";
import path from "node:path";
import { bundle, page } from "./pack.mjs";

const [packages, out] = process.argv.slice(2).map(name => path.resolve(name));
const html = page("page/page.html", await bundle(packages, "page/main.js", { WITH_CORE: "false", WITH_THREADS: "false" }));

function asC(bytes) {
    const lines = ['#include "serve/page.h"\n', "const unsigned char page_html[] = {"];
    for (let i = 0; i < bytes.length; i += 32) lines.push([...bytes.subarray(i, i + 32)].join(",") + ",");
    lines.push("};", `const size_t page_bytes = ${bytes.length};`, "");
    return lines.join("\n");
}

fs.mkdirSync(path.dirname(out), { recursive: true });
fs.writeFileSync(out, out.endsWith(".c") ? asC(Buffer.from(html)) : html);
