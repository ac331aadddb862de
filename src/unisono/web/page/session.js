// SPDX-License-Identifier: MIT
// What restores a session: its settings and how its files were read, in the address or in a file. Never the data.
const KIND = "unisono settings";
const PARTS = ["settings", "reading", "sample"];

/** The same as one object, without what is empty. */
function kept({ settings, reading, sample }) {
  const session = {};
  if (Object.keys(settings).length) session.settings = settings;
  if (sample) session.sample = sample;
  else if (Object.keys(reading).length) session.reading = reading;
  return session;
}

/** The part of an address after #. */
export function asFragment(session) {
  return `#${new URLSearchParams(Object.entries(kept(session)).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]))}`;
}

/** The session in an address; null where there is none, an Error where it cannot be understood. */
export function fromFragment(fragment) {
  const found = Object.fromEntries([...new URLSearchParams(fragment.replace(/^#/, ""))].filter(([name]) => PARTS.includes(name)));
  if (!Object.keys(found).length) return null;
  return checked({
    settings: found.settings === undefined ? {} : JSON.parse(found.settings),
    reading: found.reading === undefined ? {} : JSON.parse(found.reading),
    sample: found.sample ?? null,
  });
}

export function asFile(session) {
  return `${JSON.stringify({ kind: KIND, schema: 1, ...kept(session) }, null, 2)}\n`;
}

/** The session in a file; throws an Error in words where there is none. */
export function fromFile(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("this is not JSON");
  }
  if (found?.kind !== KIND) throw new Error("this is no file of settings that this page saved");
  if (found.schema !== 1) throw new Error(`these settings have the form ${String(found.schema)}, of another version of unisono`);
  return checked({ settings: found.settings ?? {}, reading: found.reading ?? {}, sample: found.sample ?? null });
}

/** Whether a file says of itself that it holds settings. */
export const isSettingsFile = (text) => text.trimStart().startsWith("{") && text.slice(0, 200).includes(`"${KIND}"`);

function checked({ settings, reading, sample }) {
  for (const part of [settings, reading]) {
    if (typeof part !== "object" || part === null || Array.isArray(part)) throw new Error("settings must be an object");
  }
  return { settings, reading, sample: typeof sample === "string" ? sample : null };
}
