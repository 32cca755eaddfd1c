// fetch.mjs NPM FOLDER: puts what the page is bundled with into a folder, by the hashes of
// package-lock.json. What is there already is left alone. One line on the standard output says why not.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const [npm, folder] = process.argv.slice(2);
const here = path.dirname(new URL(import.meta.url).pathname);
const lock = fs.readFileSync(path.join(here, "package-lock.json"));
const mark = path.join(folder, "whole.json");

function isThere() {
    return fs.existsSync(mark) && fs.readFileSync(mark).equals(lock);
}

if (!isThere()) {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.mkdirSync(folder, { recursive: true });
    for (const name of ["package.json", "package-lock.json"])
        fs.copyFileSync(path.join(here, name), path.join(folder, name));
    try {
        execFileSync(npm, ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline",
                           "--fetch-retries=1", "--fetch-timeout=30000"],
                     { cwd: folder, stdio: "pipe", timeout: 120000 });
        fs.writeFileSync(mark, lock);
    } catch (why) {
        const text = String(why.stderr ?? why.message).split("\n").find(line => /ERR|error/.test(line));
        console.log(`three.js and esbuild cannot be fetched from the npm registry (${text ?? why.message})`);
        process.exitCode = 1;
    }
}
