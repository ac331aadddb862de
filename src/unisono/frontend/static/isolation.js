// SPDX-License-Identifier: MIT
// A service worker that adds headers to this page's own files, where the web space cannot: the page may share memory
// with its worker (to stop a measurement at once), and neither may ask any other host for anything.
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
    "font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'",
};

addEventListener("install", () => globalThis.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(globalThis.clients.claim()));
addEventListener("fetch", (event) => {
  if (new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(withHeaders(event.request));
});

async function withHeaders(request) {
  const answer = await fetch(request);
  if (answer.status === 0 || answer.status === 304) return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  return new Response(answer.body, { status: answer.status, statusText: answer.statusText, headers });
}
