// Threads need a page that is isolated from others, which its server says by two heads. Where it does not, this
// service worker adds them: the server may be any that hosts files.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", event => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", event => {
    if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
    event.respondWith(fetch(event.request).then(answer => {
        if (answer.status === 0 || answer.status === 304) return answer;
        const heads = new Headers(answer.headers);
        heads.set("Cross-Origin-Opener-Policy", "same-origin");
        heads.set("Cross-Origin-Embedder-Policy", "require-corp");
        return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers: heads });
    }));
});
