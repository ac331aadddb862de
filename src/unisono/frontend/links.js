// SPDX-License-Identifier: MIT
// A place in a report as part of an address: #document=...&unit=...&section=...; copied elsewhere it opens the same place.

/** How each part of a place is written; what is not listed here does not belong to a place. */
const TEXT = { write: (value) => value, read: (text) => text };
const DATA = { write: JSON.stringify, read: JSON.parse };
const PARTS = {
  document: TEXT,
  unit: { write: String, read: (text) => Math.max(1, Math.trunc(Number(text)) || 1) },
  kind: TEXT,
  without: DATA,
  withoutCategories: DATA,
  withoutNone: DATA,
  order: TEXT,
  compact: DATA,
  case: DATA,
  at: { write: String, read: (text) => Math.max(0, Math.trunc(Number(text)) || 0) },
  section: TEXT,
};

/** The parameters of a place; parts that are missing are left out. */
export function placeParameters(place) {
  return Object.entries(PARTS).flatMap(([name, { write }]) =>
    place[name] === undefined || place[name] === null ? [] : [[name, write(place[name])]],
  );
}

/** The place in the part of an address after #; parts that cannot be read are left out. */
export function placeOf(fragment) {
  const place = {};
  for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
    if (!Object.hasOwn(PARTS, name)) continue;
    try {
      place[name] = PARTS[name].read(text);
    } catch {
      // An address may be cut or mistyped: the rest of it still counts.
    }
  }
  return place;
}
