// SPDX-License-Identifier: MIT
// A place in a report as part of an address: #document=...&unit=...&section=...; copied elsewhere it opens the same place.

/** How each part of a place is written; what is not listed here does not belong to a place. */
const TEXT = { write: (value) => value, read: (text) => text };
const FLAG = { write: JSON.stringify, read: (text) => text === "true" };
const NAMES = { write: JSON.stringify, read: (text) => check(JSON.parse(text), areNames) };
const CASE = { write: JSON.stringify, read: (text) => check(JSON.parse(text), isSelection) };
const PARTS = {
  document: TEXT,
  unit: { write: String, read: (text) => Math.max(1, Math.trunc(Number(text)) || 1) },
  kind: TEXT,
  without: NAMES,
  withoutCategories: NAMES,
  withoutNone: FLAG,
  order: TEXT,
  compact: FLAG,
  case: CASE,
  at: { write: String, read: (text) => Math.max(0, Math.trunc(Number(text)) || 0) },
  section: TEXT,
};

/** A value from an address, which anybody may have written; throws if it is not of the kind expected. */
function check(value, isExpected) {
  if (!isExpected(value)) throw new Error("not a place");
  return value;
}

const isName = (value) => typeof value === "string";
const isCategory = (value) => value === null || isName(value);
const areNames = (value) => Array.isArray(value) && value.every(isName);
const arePair = (value, isMember) => Array.isArray(value) && value.length === 2 && value.every(isMember);
const isPlace = (value) => isName(value?.document) && [value.start, value.end].every(Number.isFinite);

/** Whether a value is a selection of cases, of one of the kinds that cases.js lists. */
function isSelection(value) {
  if (typeof value !== "object" || value === null) return false;
  const tests = {
    categories: (given) => arePair(given, isCategory),
    category: isCategory,
    annotators: (given) => arePair(given, isName),
    annotator: isName,
    along: (given) => arePair(given, Number.isFinite),
    values: ([from, to]) => (from === null || Number.isFinite(from)) && Number.isFinite(to),
    places: (given) => Array.isArray(given) && given.every(isPlace),
  };
  const kinds = Object.keys(tests).filter((name) => name in value);
  const words = [value.document, value.symbol, value.words].filter((each) => each !== undefined);
  return kinds.length > 0 && kinds.every((name) => tests[name](value[name])) && words.every(isName);
}

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
