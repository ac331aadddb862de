// SPDX-License-Identifier: MIT
// Requests to the service. A failure is thrown as a Refusal, with the problems that the service names, or as NoAnswer.
import { comesBack, openEvents, request as transfer, sendForm, WORDS } from "./transport.js";

/** A problem in the form of the service's own. */
export const problemOf = (code, message, remedy = "") => ({ code, severity: "error", where: "", message, remedy });

/** The service refused; `problems` say why. */
export class Refusal extends Error {
  constructor(status, problems, retryAfter = null) {
    super(problems.map(({ message, expected }) => message || expected).join("; "));
    this.status = status;
    this.problems = problems;
    this.retryAfter = retryAfter;
  }

  get isBusy() {
    return this.status === 429;
  }

  get isLost() {
    return this.status === 404;
  }
}

/** The service does not answer: it was stopped, or the connection is broken. */
export class NoAnswer extends Error {
  problems = [problemOf("silence", WORDS.silence, WORDS.silenceRemedy)];

  /** `cause`: what the browser says. */
  constructor(cause) {
    super(WORDS.silence, { cause });
  }
}

async function request(path, options) {
  try {
    return await transfer(path, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new NoAnswer(error.message);
  }
}

/** A Refusal made of the status, the parsed answer (null if it is no JSON) and the Retry-After header. */
function refusal(status, answer, retryAfter) {
  const problems = answer?.problems ?? [
    problemOf("unexpected", `the service answered with status ${status} and no explanation`),
  ];
  return new Refusal(status, problems, Number(retryAfter) || null);
}

/** The response if it is a success. */
async function accept(response) {
  if (response.ok) return response;
  throw refusal(response.status, await response.json().catch(() => null), response.headers.get("retry-after"));
}

/** An object from the service; null where the answer is empty. */
export async function call(method, path, body, { signal, keepalive } = {}) {
  const content =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await accept(await request(path, { method, signal, keepalive, ...content }));
  return response.status === 204 ? null : response.json();
}

export const get = (path, options) => call("GET", path, undefined, options);

/** A response that the service may have to compute first: repeats the request while it does (status 202). */
export async function fetchWhenReady(path, { signal } = {}) {
  for (;;) {
    const response = await accept(await request(path, { signal }));
    if (response.status !== 202) return response;
    await pause(1000 * (Number(response.headers.get("retry-after")) || 1), signal);
  }
}

export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(new DOMException("stopped", "AbortError"));
    });
  });
}

/** Sends files ({path, file}); calls `progress` with the share that was sent. */
export async function sendFiles(files, reading, { progress, signal }) {
  const form = new FormData();
  for (const { path, file } of files) form.append("files", file, path);
  if (Object.keys(reading).length) form.append("reading", JSON.stringify(reading));
  let sent;
  try {
    sent = await sendForm("/uploads", form, { progress, signal });
  } catch (error) {
    throw error.name === "AbortError" ? error : new NoAnswer(error.message);
  }
  if (sent.status === 201) return sent.answer;
  throw refusal(sent.status, sent.answer, sent.retryAfter);
}

const EVENTS = ["progress", "estimate", "result", "done", "failed", "cancelled"];

/** Milliseconds before a stream of events that the browser has given up is opened again. */
const REOPEN_AFTER = 2000;

/**
 * Follows a job: calls `onEvent(name, data)` once for each of its events, and `onError(error, isLost)` when the connection
 * breaks. Unless the job is lost with it, the stream is opened again, by the browser or, where that gives up, here: then
 * the events come again from the first. Returns a function that stops it.
 */
export function followJob(id, onEvent, onError) {
  let source = null;
  let last = 0; // the number of the last event
  let isOver = false;
  const stop = () => {
    isOver = true;
    source.close();
  };
  const handleError = async () => {
    const broken = source;
    if (isOver) return;
    try {
      await get(`/jobs/${id}`);
    } catch (error) {
      if (isOver) return;
      const isLost = error instanceof Refusal || !comesBack;
      if (isLost) stop();
      onError(error, isLost);
    }
    if (!isOver && source === broken && broken.readyState === EventSource.CLOSED) {
      await pause(REOPEN_AFTER);
      if (!isOver && source === broken) open();
    }
  };
  const open = () => {
    source = openEvents(id);
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        if (isOver || Number(event.lastEventId) <= last) return;
        last = Number(event.lastEventId);
        if (["done", "failed", "cancelled"].includes(name)) stop();
        onEvent(name, JSON.parse(event.data));
      });
    }
    source.addEventListener("error", handleError);
  };
  open();
  return stop;
}
