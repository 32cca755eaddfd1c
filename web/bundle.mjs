// bundle.mjs PACKAGES OUT: the page as one file: OUT.html, or OUT.c with the bytes of it for the program.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const [packages, out] = process.argv.slice(2).map(name => path.resolve(name));
const here = path.dirname(new URL(import.meta.url).pathname);
const esbuild = createRequire(path.join(packages, "package.json"))("esbuild");

const made = await esbuild.build({
    entryPoints: [path.join(here, "page/main.js")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "inline",
    nodePaths: [path.join(packages, "node_modules")],
});
const script = made.outputFiles[0].text.replaceAll("</script", "<\\/script");
const style = fs.readFileSync(path.join(here, "page/style.css"), "utf8");
const html = fs.readFileSync(path.join(here, "page/page.html"), "utf8")
    .replace("/*style*/", () => style)
    .replace("/*script*/", () => script);

function asC(bytes) {
    const lines = ['#include "serve/page.h"\n', "const unsigned char page_html[] = {"];
    for (let i = 0; i < bytes.length; i += 32) lines.push([...bytes.subarray(i, i + 32)].join(",") + ",");
    lines.push("};", `const size_t page_bytes = ${bytes.length};`, "");
    return lines.join("\n");
}

fs.mkdirSync(path.dirname(out), { recursive: true });
fs.writeFileSync(out, out.endsWith(".c") ? asC(Buffer.from(html)) : html);
