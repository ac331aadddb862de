// SPDX-License-Identifier: MIT
// How requests reach the service on the page without a server: they go to a worker, in which the same service runs.
import { byId, element } from "../dom.js";
import { isolate } from "./isolate.js";

export const WORDS = {
  privacy: "Nothing leaves this computer: this page computes in your browser, and has no server to send data to.",
  kept: () => "data are in this tab only, and gone when you close it",
  silence: "Python in this page has ended",
  silenceRemedy: "Reload the page, then give the files again. With large data it may have run out of memory.",
};

/** Whether requests may be answered again after there was no answer: Python that has ended does not come back. */
export const comesBack = false;

const SIGINT = 2;

/** Python in a worker, and the requests that it has not answered yet. */
class Back {
  constructor() {
    this.waiting = new Map(); // by id: {resolve, reject, stream}
    this.number = 0;
    this.listeners = new Map(); // by job: called with events while the worker is busy
    this.uploads = new Map(); // by id: the request that made it, to make it again
    this.renamed = new Map(); // ids of uploads in a former worker, to their present ids
    this.whole = null; // a promise: resolved when a new worker has the data of the former one
    this.start();
  }

  start() {
    this.running = null;
    this.fault = null; // why the worker has ended
    this.interrupts = globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;
    this.worker = new Worker(new URL("../worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.receive(data));
    this.worker.addEventListener("error", (event) => this.fail(event.message));
    this.post({ interrupts: this.interrupts });
  }

  post(message) {
    this.worker.postMessage(message); // oxlint-disable-line unicorn/require-post-message-target-origin -- a worker has none
  }

  /** Sends a request; a Response, whose body comes in pieces. */
  send(message, signal) {
    if (signal?.aborted) return Promise.reject(new DOMException("stopped", "AbortError"));
    if (this.fault !== null) return Promise.reject(new TypeError(this.fault));
    const id = (this.number += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, stream: null });
      signal?.addEventListener("abort", () => {
        if (!this.waiting.has(id)) return;
        this.post({ gone: id });
        this.end(id, new DOMException("stopped", "AbortError"));
      });
      this.post({ id, ...message });
    });
  }

  receive(data) {
    if ("id" in data) this.receivePart(data);
    else if ("running" in data) this.receiveNews(data);
    else if (data.stage) showStage(`Loading ${data.stage} …`);
    else if (data.ready) showStage(null);
    else if (data.fault) this.fail(data.fault);
  }

  receivePart({ id, status, headers, piece, fault }) {
    const asked = this.waiting.get(id);
    if (!asked) return;
    if (fault !== undefined) this.end(id, new TypeError(fault));
    else if (status !== undefined) {
      const body = new ReadableStream({ start: (stream) => (asked.stream = stream) });
      const isEmpty = status === 204 || status === 304;
      asked.resolve(new Response(isEmpty ? null : body, { status, headers }));
    } else if (piece !== undefined) asked.stream.enqueue(piece);
    else this.end(id);
  }

  receiveNews({ running, event }) {
    this.running = running;
    if (event && running.job) this.listeners.get(running.job)?.(event);
  }

  /** Ends a request, with an error if there is one. */
  end(id, error = null) {
    const { reject, stream } = this.waiting.get(id) ?? {};
    this.waiting.delete(id);
    if (!error) stream?.close();
    else if (stream) stream.error(error);
    else reject?.(error);
  }

  fail(text) {
    this.fault = text;
    showStage(`${WORDS.silence} (${text}). ${WORDS.silenceRemedy}`);
    for (const id of this.waiting.keys()) this.end(id, new TypeError(text));
  }

  /** Stops the work on a job or an upload that is deleted: by an interrupt, or else by a new worker. */
  stop(id) {
    this.uploads.delete(id);
    const now = this.renamed.get(id) ?? id;
    if (id === undefined || (this.running?.job !== now && this.running?.upload !== now)) return;
    if (this.interrupts) {
      this.interrupts[0] = SIGINT;
      return;
    }
    this.worker.terminate();
    for (const each of this.waiting.keys()) this.end(each, new DOMException("stopped", "AbortError"));
    this.start();
    this.whole = this.makeAgain().catch(() => {}); // this worker was ended too: the next one gets the data
  }

  /** Gives the data to the new worker, which has new ids for them. */
  async makeAgain() {
    for (const [upload, message] of this.uploads) {
      const answer = await this.send(message);
      if (answer.ok) this.renamed.set(upload, (await answer.json()).id);
    }
  }

  /** A text with the present ids of uploads. */
  rename(text) {
    for (const [before, now] of this.renamed) text = text?.replaceAll(before, now);
    return text;
  }

  /** Remembers how an upload was made: by these files or this sample, and how it is read. */
  async remember(message, answer) {
    if (message.method !== "POST" || !answer.ok || this.interrupts) return;
    const [, place, name, what] = message.path.split("/");
    if (answer.status === 201) this.uploads.set((await answer.clone().json()).id, message);
    else if (place === "uploads" && what === "reading") {
      const made = this.uploads.get(name);
      const form = made?.form?.filter((part) => part.name !== "reading");
      if (form) this.uploads.set(name, { ...made, form: [...form, { name: "reading", value: message.body }] });
    }
  }
}

function showStage(words) {
  const place = byId("starting") ?? element("p", { id: "starting", class: "caution", role: "status" });
  if (!place.isConnected) byId("results").prepend(place);
  place.textContent = words ?? "";
  place.hidden = words === null;
}

if (!(await isolate())) await new Promise(() => {}); // the page is loaded again
const back = new Back();
/** Answers to the first requests of the page, stored when it was built: Python need not be loaded for them. */
const answers = await fetch(new URL("../answers.json", import.meta.url)).then((file) => file.json());

/** The answer to a request, in the form that `fetch` has. */
export async function request(path, { method = "GET", body, signal } = {}) {
  if (method === "GET" && path in answers) return Response.json(answers[path]);
  return transfer({ method, path, body }, signal);
}

/** Sends a form; nothing is sent anywhere, so that there is no progress to show. */
export async function sendForm(path, form, { signal }) {
  const parts = [...form].map(([name, value]) => {
    return value instanceof File ? { name, value, path: value.name } : { name, value };
  });
  const answer = await transfer({ method: "POST", path, form: parts }, signal);
  return { status: answer.status, answer: await answer.json(), retryAfter: answer.headers.get("retry-after") };
}

async function transfer(message, signal) {
  if (message.method === "DELETE") back.stop(message.path.split(/[/?]/)[2]);
  await back.whole;
  const named = { ...message, path: back.rename(message.path), body: back.rename(message.body) };
  const answer = await back.send(named, signal);
  await back.remember(message, answer);
  return answer;
}

/** The events of a job, as an EventSource has them. */
class Events extends EventTarget {
  readyState = 1;

  constructor(id) {
    super();
    this.id = id;
    back.listeners.set(id, (text) => this.take(text));
    this.read().catch((error) => this.breakOff(error));
  }

  async read() {
    const answer = await request(`/jobs/${this.id}/events`);
    if (!answer.ok) throw new TypeError(`status ${answer.status}`);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.readyState === EventSource.CLOSED) return;
      const texts = (rest + value).split("\n\n");
      rest = texts.pop();
      for (const text of texts) this.take(text);
    }
  }

  /** Reports an event; some come twice, while the worker is busy and by the stream. */
  take(text) {
    const fields = new Map();
    for (const line of text.trimEnd().split("\n")) {
      const [name, ...value] = line.split(": ");
      fields.set(name, [...(fields.get(name) ?? []), value.join(": ")]);
    }
    if (!fields.has("id") || this.readyState === EventSource.CLOSED) return; // a comment keeps the stream alive
    const [data, lastEventId] = [fields.get("data").join("\n"), fields.get("id")[0]];
    this.dispatchEvent(new MessageEvent(fields.get("event")[0], { data, lastEventId }));
  }

  breakOff() {
    if (this.readyState === EventSource.CLOSED) return;
    this.close();
    this.dispatchEvent(new Event("error"));
  }

  close() {
    this.readyState = EventSource.CLOSED;
    back.listeners.delete(this.id);
  }
}

export const openEvents = (id) => new Events(id);
