// SPDX-License-Identifier: MIT
// A session in the address or in a file: its settings and how its files were read, never the data.
const KIND = "unisono settings";
const PARTS = ["settings", "reading", "sample"];

/** The session as one object without its empty parts. */
function pack({ settings, reading, sample }) {
  const session = {};
  if (Object.keys(settings).length) session.settings = settings;
  if (sample) session.sample = sample;
  if (Object.keys(reading).length) session.reading = reading;
  return session;
}

/** The part of an address after #; `place`: further parameters, of the place in the data. */
export function asFragment(session, place = []) {
  const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value));
  const parts = Object.entries(pack(session)).map(([name, value]) => [name, textOf(value)]);
  return `#${new URLSearchParams([...parts, ...place])}`;
}

const KEY = "unisono-session";

/** Keeps for a reload of this tab which data it has: {upload, job, sample, usualReading}; null: none. */
export function keepSession(session) {
  try {
    if (session === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // The browser keeps nothing: a reload begins anew.
  }
}

/** What this tab had before it was reloaded; null if nothing. */
export function keptSession() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}

/** The session in an address, null if there is none; throws an Error if it is malformed. */
export function fromFragment(fragment) {
  const parts = Object.fromEntries(
    [...new URLSearchParams(fragment.replace(/^#/, ""))].filter(([name]) => PARTS.includes(name)),
  );
  if (!Object.keys(parts).length) return null;
  return check({
    settings: JSON.parse(parts.settings ?? "{}"),
    reading: JSON.parse(parts.reading ?? "{}"),
    sample: parts.sample ?? null,
  });
}

export function asFile(session) {
  return `${JSON.stringify({ kind: KIND, schema: 1, ...pack(session) }, null, 2)}\n`;
}

/** The session in a file; throws an Error that says what is wrong with it. */
export function fromFile(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error("the file is not JSON");
  }
  if (content?.kind !== KIND) throw new Error("the file is not a settings file saved by this page");
  if (content.schema !== 1)
    throw new Error(`the settings have schema ${String(content.schema)}, of another version of unisono`);
  return check({ settings: content.settings ?? {}, reading: content.reading ?? {}, sample: content.sample ?? null });
}

/** Whether a file claims to hold settings. */
export const isSettingsFile = (text) => text.trimStart().startsWith("{") && text.slice(0, 200).includes(`"${KIND}"`);

function check({ settings, reading, sample }) {
  for (const part of [settings, reading]) {
    if (typeof part !== "object" || part === null || Array.isArray(part))
      throw new Error("the settings are not a JSON object");
  }
  return { settings, reading, sample: typeof sample === "string" ? sample : null };
}
