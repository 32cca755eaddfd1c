// Scripts with all that they import as one text, and pages with their style and script inside.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

const here = path.dirname(new URL(import.meta.url).pathname);

// `packages`: where fetch.mjs has put them. `words`: names that are replaced before the rest is looked at.
export async function bundle(packages, script, words = {}) {
    const esbuild = createRequire(path.join(packages, "package.json"))("esbuild");
    const made = await esbuild.build({
        entryPoints: [path.join(here, script)],
        bundle: true,
        minify: true,
        write: false,
        format: "iife",
        target: "es2022",
        define: words,
        legalComments: "inline",
        nodePaths: [path.join(packages, "node_modules")],
    });
    return made.outputFiles[0].text;
}

export function page(html, script, style = "page/style.css") {
    const read = name => fs.readFileSync(path.join(here, name), "utf8");
    return read(html)
        .replace("/*style*/", () => read(style))
        .replace("/*script*/", () => script.replaceAll("</script", "<\\/script"));
}
