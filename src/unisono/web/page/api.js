// SPDX-License-Identifier: MIT
// Talking with the service. Whatever goes wrong is thrown as a Refusal with problems, in the words of the service, or
// as Silence when nobody answers.
const API = "api/v1";

/** The service said no; `problems` say why. */
export class Refusal extends Error {
  constructor(status, problems, retryAfter = null) {
    super(problems.map((problem) => problem.expected).join("; "));
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

/** Nobody answers: the service was stopped, or the connection is gone. */
export class Silence extends Error {
  problems = [
    {
      code: "silence",
      severity: "error",
      where: "",
      expected: "an answer of the service",
      found: "none",
      remedy: "is unisono serve still running? Start it again, then try again here",
    },
  ];
}

const asked = async (path, options) => {
  try {
    return await fetch(`${API}${path}`, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Silence(error.message);
  }
};

async function refusal(response) {
  let problems;
  try {
    ({ problems } = await response.json());
  } catch {
    problems = null;
  }
  problems ??= [
    { code: "unexpected", severity: "error", where: "", expected: "an answer", found: `status ${response.status}`, remedy: "" },
  ];
  return new Refusal(response.status, problems, Number(response.headers.get("retry-after")) || null);
}

/** An object from the service; null where the answer is empty. */
export async function call(method, path, body, { signal, keepalive } = {}) {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const response = await asked(path, { method, headers, signal, keepalive, body: body === undefined ? undefined : JSON.stringify(body) });
  if (!response.ok) throw await refusal(response);
  return response.status === 204 ? null : response.json();
}

export const get = (path, options) => call("GET", path, undefined, options);

/** Something that the service may have to make first: asks again while it does. */
export async function made(path, { signal } = {}) {
  for (;;) {
    const response = await asked(path, { signal });
    if (!response.ok) throw await refusal(response);
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

/** Sends files ({path, file}); `progress` hears the share that was sent. */
export function sendFiles(files, reading, { progress, signal }) {
  const form = new FormData();
  for (const { path, file } of files) form.append("files", file, path);
  if (Object.keys(reading).length) form.append("reading", JSON.stringify(reading));
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.responseType = "json";
    request.open("POST", `${API}/uploads`);
    request.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
    request.addEventListener("load", () => {
      if (request.status === 201) resolve(request.response);
      else {
        const found = `status ${request.status}`;
        const unclear = { code: "unexpected", severity: "error", where: "", expected: "an answer", found, remedy: "" };
        const retryAfter = Number(request.getResponseHeader("retry-after")) || null;
        reject(new Refusal(request.status, request.response?.problems ?? [unclear], retryAfter));
      }
    });
    request.addEventListener("error", () => reject(new Silence("the upload broke off")));
    request.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

const EVENTS = ["progress", "estimate", "result", "done", "failed", "cancelled"];

/**
 * Follows a job: calls `told(name, data)` for each of its events, and `broken(error)` when the connection broke: the
 * browser then takes it up again where it was, unless the error is a Refusal: then the job is lost. Returns a stop.
 */
export function follow(id, told, broken) {
  const source = new EventSource(`${API}/jobs/${id}/events`);
  let isOver = false;
  const stop = () => {
    isOver = true;
    source.close();
  };
  for (const name of EVENTS) {
    source.addEventListener(name, (event) => {
      if (isOver) return;
      if (["done", "failed", "cancelled"].includes(name)) stop();
      told(name, JSON.parse(event.data));
    });
  }
  source.addEventListener("error", async () => {
    if (isOver) return;
    try {
      await get(`/jobs/${id}`);
      if (source.readyState === EventSource.CLOSED && !isOver) broken(new Silence("the events broke off"));
    } catch (error) {
      if (isOver) return;
      if (error instanceof Refusal || source.readyState === EventSource.CLOSED) stop();
      broken(error);
    }
  });
  return stop;
}
