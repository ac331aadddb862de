// SPDX-License-Identifier: MIT
// Makes sure that the page may share memory with its worker: by the headers of the server, or by a service worker.
const KEY = "unisono-isolation";
/** Milliseconds that a service worker has to begin. */
const PATIENCE = 5000;

/** Whether the page can go on; false: it is being reloaded, with the headers that the service worker adds. */
export async function isolate() {
  const { serviceWorker } = navigator;
  if (globalThis.crossOriginIsolated || !serviceWorker || hasTried()) return true;
  try {
    await serviceWorker.register(new URL("../isolation.js", import.meta.url));
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
    if (!(await Promise.race([serviceWorker.ready, late]))) return true;
  } catch {
    return true; // no service worker is allowed here: measurements are then stopped by ending the worker
  }
  location.reload();
  return false;
}

/** Whether this tab was already reloaded for this. */
function hasTried() {
  try {
    if (sessionStorage.getItem(KEY)) return true;
    sessionStorage.setItem(KEY, "1");
    return false;
  } catch {
    return true;
  }
}
