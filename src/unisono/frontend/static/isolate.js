// SPDX-License-Identifier: MIT
// Sees to it that the page may share memory with its worker: by the headers of the server, or by a service worker.
const KEY = "unisono-isolation";
/** Milliseconds that a service worker has to begin. */
const PATIENCE = 5000;

/** Whether the page goes on; false: it is loaded again, with the headers that the service worker adds. */
export async function isolate() {
  const { serviceWorker } = navigator;
  if (globalThis.crossOriginIsolated || !serviceWorker || hasTried()) return true;
  try {
    await serviceWorker.register(new URL("../isolation.js", import.meta.url));
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
    if (!(await Promise.race([serviceWorker.ready, late]))) return true;
  } catch {
    return true; // the browser allows none here: a measurement is stopped by ending the worker
  }
  location.reload();
  return false;
}

/** Whether this tab was loaded again for it already. */
function hasTried() {
  try {
    if (sessionStorage.getItem(KEY)) return true;
    sessionStorage.setItem(KEY, "1");
    return false;
  } catch {
    return true;
  }
}
