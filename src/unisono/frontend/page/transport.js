// SPDX-License-Identifier: MIT
// How requests reach the service: by HTTP. The page without a server has static/transport.js in the place of this file.
const API = "api/v1";

/** What the page says about where the data go, and what to do when there is no answer. */
export const WORDS = {
  privacy: ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)
    ? "Nothing leaves this computer."
    : "Files go to this service and nowhere else.",
  /** `time`: after which unused data are deleted. */
  kept: (time) => `data are deleted ${time} after you last used them, and when you leave`,
  silence: "the service does not answer",
  silenceRemedy: "Is unisono serve still running? Start it again, then try again here.",
};

/** Whether requests may be answered again after there was no answer. */
export const comesBack = true;

/** A Response, as `fetch` gives it. */
export const request = (path, options) => fetch(`${API}${path}`, options);

/** Sends a form; calls `progress` with the share that was sent. Returns {status, answer, retryAfter}. */
export function sendForm(path, form, { progress, signal }) {
  return new Promise((resolve, reject) => {
    const upload = new XMLHttpRequest(); // fetch does not report the progress of an upload
    upload.responseType = "json";
    upload.open("POST", `${API}${path}`);
    upload.upload.addEventListener(
      "progress",
      (event) => event.lengthComputable && progress(event.loaded / event.total),
    );
    upload.addEventListener("load", () =>
      resolve({
        status: upload.status,
        answer: upload.response,
        retryAfter: upload.getResponseHeader("retry-after"),
      }),
    );
    upload.addEventListener("error", () => reject(new TypeError("the upload was interrupted")));
    upload.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    signal.addEventListener("abort", () => upload.abort());
    upload.send(form);
  });
}

/** The events of a job: an EventSource. */
export const openEvents = (id) => new EventSource(`${API}/jobs/${id}/events`);
