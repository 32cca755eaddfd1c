// host.mjs FOLDER [PORT] [plain]: files of a folder for a browser on this machine; prints the address. With the
// heads that let pages have threads, but for `plain`.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json", ".png": "image/png" };

export function host(folder, port = 0, plain = false) {
    const root = path.resolve(folder);
    const heads = plain ? {} : { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
    const server = http.createServer((request, answer) => {
        const name = decodeURIComponent(new URL(request.url, "http://here").pathname);
        const file = path.join(root, name.endsWith("/") ? `${name}index.html` : name);
        if (!file.startsWith(root) || !fs.existsSync(file) || fs.statSync(file).isDirectory())
            return answer.writeHead(404, { "Content-Type": "text/plain" }).end("There is no such file.\n");
        answer.writeHead(200, { ...heads, "Content-Type": types[path.extname(file)] ?? "application/octet-stream", "Cache-Control": "no-cache" });
        fs.createReadStream(file).pipe(answer);
    });
    return new Promise(done => server.listen(port, "127.0.0.1", () => done({ server, url: `http://127.0.0.1:${server.address().port}/` })));
}

if (process.argv[1] && path.resolve(process.argv[1]) === path.resolve(new URL(import.meta.url).pathname)) {
    const { url } = await host(process.argv[2] ?? "build/site", Number(process.argv[3] ?? 8780), process.argv[4] === "plain");
    console.log(url);
}
