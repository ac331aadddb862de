// SPDX-License-Identifier: MIT
// The worker of the page without a server: Python, numpy and unisono, which answer the requests of the page.
// Messages to it: {id, method, path, body | form} and {gone: id}. From it: {stage}, {ready}, {fault}, {running, event},
// {id, status, headers}, {id, piece}, {id, end}, {id, fault}.
import { loadPyodide } from "./pyodide/pyodide.mjs";

/** Runs Python's start; `backend` answers requests from then on. */
async function begin(interrupts) {
  postMessage({ stage: "Python" });
  const [python, wheels] = await Promise.all([
    loadPyodide({ indexURL: new URL("./pyodide/", import.meta.url).href }),
    fetch(new URL("./wheels/wheels.json", import.meta.url)).then((file) => file.json()),
  ]);
  if (interrupts) python.setInterruptBuffer(interrupts);
  postMessage({ stage: "numpy and unisono" });
  await python.loadPackage(
    wheels.map((name) => new URL(`./wheels/${name}`, import.meta.url).href),
    { messageCallback: () => {}, errorCallback: (text) => postMessage({ fault: text }) },
  );
  const { Backend } = python.pyimport("unisono.web.in_browser");
  const backend = Backend((message) => postMessage(message.toJs({ dict_converter: Object.fromEntries })));
  await backend.start();
  return { python, backend, newEvent: python.pyimport("asyncio").Event };
}

let started = null;
/** What tells Python that the page no longer waits for a request, by its id. */
const open = new Map();

/** The content type and the bytes of a request. */
async function content({ body, form }) {
  if (body !== undefined) return ["application/json", new TextEncoder().encode(body)];
  if (!form) return ["", new Uint8Array()];
  const data = new FormData();
  for (const { name, value, path } of form) data.append(name, value, ...(path === undefined ? [] : [path]));
  const request = new Response(data);
  return [request.headers.get("content-type"), new Uint8Array(await request.arrayBuffer())];
}

async function answer(message) {
  const { id, method, path } = message;
  const { python, backend, newEvent } = await started;
  const gone = newEvent();
  open.set(id, gone);
  let answered = 0; // the status, once there is one
  try {
    const [kind, bytes] = await content(message);
    const send = (piece) => {
      const copy = piece.toJs();
      postMessage({ id, piece: copy }, [copy.buffer]);
    };
    const head = (status, headers) => {
      answered = status;
      postMessage({ id, status, headers: headers.toJs() });
    };
    await backend.answer(method, path, kind, python.toPy(bytes).tobytes(), head, send, gone);
  } catch (error) {
    if (answered < 500) throw error; // reported to the page; with status 500, the answer itself did that
  } finally {
    open.delete(id);
  }
  postMessage({ id, end: true });
}

addEventListener("message", ({ data }) => {
  if ("interrupts" in data) {
    started = begin(data.interrupts);
    started.then(
      () => postMessage({ ready: true }),
      (error) => postMessage({ fault: String(error) }),
    );
  } else if ("gone" in data) {
    open.get(data.gone)?.set();
  } else {
    answer(data).catch((error) => postMessage({ id: data.id, fault: String(error) }));
  }
});
