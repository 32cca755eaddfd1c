// fetch.mjs FOLDER: gets the readers that no distribution has from the npm registry, by version and
// hash. What is there already is left alone.
import { execFileSync } from "child_process";
import { createHash } from "crypto";
import fs from "fs";

const folder = process.argv[2];
const packages = [
    ["gltf-validator", "2.0.0-dev.3.10",
     "odJ4k0tRkGXiDGn78yDBg+fBbAIvBnXxh3RwAta0emSxGtyagFE8B4xELB1oYe3S5RD8Ci3uZAsZaascH2LAEQ=="],
    ["tinyusdz", "0.9.0-rc10",
     "MgToqEIhJoYaS4obCVHLllKjkMGiIQQqxDS9BO6GdvVQRpL6TQ/0kow4SOo1zQDwNv9EjYcJtHiPr506v+XOXg=="],
];

async function get(name, version, hash) {
    const answer = await fetch(`https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`,
                               { signal: AbortSignal.timeout(60000) });
    if (!answer.ok) throw new Error(`the registry answers ${answer.status}`);
    const data = Buffer.from(await answer.arrayBuffer());
    if (createHash("sha512").update(data).digest("base64") !== hash) throw new Error("another hash");
    const archive = `${folder}/${name}.tgz`, fresh = `${folder}/${name}.new`;
    fs.writeFileSync(archive, data);
    fs.rmSync(fresh, { recursive: true, force: true });
    fs.mkdirSync(fresh);
    execFileSync("tar", ["-xzf", archive, "-C", fresh, "--strip-components=1"]);
    fs.rmSync(archive);
    // Their files are modules, whatever version of node asks.
    if (name === "tinyusdz") {
        const about = JSON.parse(fs.readFileSync(`${fresh}/package.json`));
        fs.writeFileSync(`${fresh}/package.json`, JSON.stringify({ ...about, type: "module" }));
    }
    fs.renameSync(fresh, `${folder}/${name}`);
}

fs.mkdirSync(folder, { recursive: true });
for (const [name, version, hash] of packages) {
    if (fs.existsSync(`${folder}/${name}`)) continue;
    try {
        await get(name, version, hash);
    } catch (why) {
        console.error(`fetch: ${name} ${version}: ${why.cause ?? why.message ?? why}`);
        process.exitCode = 1;
    }
}
