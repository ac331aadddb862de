// SPDX-License-Identifier: MIT
// The view data of a document, made ready for drawing: stacked lanes, unitary alignments with their members and extents.
import { CodePoints } from "./codepoints.js";

/** What a unitary alignment disagrees on, as bits; none of them: full agreement. */
export const POSITION = 1;
export const CATEGORY = 2;
export const MISSING = 4;

const SCHEMA = 1;
/** Below this a disorder is rounding. */
export const NEGLIGIBLE = 1e-14;

/** The first index in [0, count) for which `holds` is true; it must be false up to there and true from there on. */
export function firstWhere(count, holds) {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

export function readView(data) {
  if (data.schema !== SCHEMA) throw new Error(`view data of schema ${SCHEMA} expected, ${data.schema} found`);
  const units = {
    annotator: Int32Array.from(data.units.annotator),
    category: Int32Array.from(data.units.category),
    start: Float64Array.from(data.units.start),
    end: Float64Array.from(data.units.end),
  };
  const model = {
    name: data.name,
    axis: data.axis,
    extent: extentOf(data.extent, units),
    text: data.text === null ? null : new CodePoints(data.text),
    annotators: data.annotators,
    categories: data.categories,
    units,
    nUnits: units.start.length,
  };
  model.lanes = data.annotators.map((_, annotator) => lane(units, annotator));
  model.unitsPerCategory = counts(units.category, data.categories.length);
  model.groups = groupsOf(data.alignment, model);
  return model;
}

/** An extent that can be drawn: of some length, and with all units inside. */
function extentOf([start, end], units) {
  let [low, high] = [start, end];
  for (let i = 0; i < units.start.length; i++) {
    if (units.start[i] < low) low = units.start[i];
    if (units.end[i] > high) high = units.end[i];
  }
  return high > low ? [low, high] : [low, low + 1];
}

function counts(codes, size) {
  const found = new Int32Array(size + 1); // the last one: without category (code -1)
  for (const code of codes) found[code < 0 ? size : code]++;
  return found;
}

/** The units of an annotator on as few tracks as they fit on; within a track they are disjoint and in order. */
function lane(units, annotator) {
  const mine = [];
  for (let i = 0; i < units.start.length; i++) if (units.annotator[i] === annotator) mine.push(i);
  // Of units that start together the longer one comes first: the nested one is drawn below it.
  mine.sort((i, j) => units.start[i] - units.start[j] || units.end[j] - units.end[i] || i - j);
  const tracks = [];
  const free = [];
  const trackOf = new Map();
  for (const unit of mine) {
    // A point takes no room: two at one place would hide each other on one track.
    let track = free.findIndex((end) => end.to < units.start[unit] || (end.to === units.start[unit] && !end.point));
    if (track < 0) {
      track = tracks.length;
      tracks.push([]);
      free.push({});
    }
    tracks[track].push(unit);
    free[track] = { to: units.end[unit], point: units.start[unit] === units.end[unit] };
    trackOf.set(unit, track);
  }
  return { annotator, units: Int32Array.from(mine), tracks: tracks.map((track) => Int32Array.from(track)), trackOf };
}

/** The unitary alignments: members, extents, disorders and their parts, and two orders, by place and by disorder. */
function groupsOf(alignment, model) {
  if (!alignment) return null;
  const { units, annotators } = model;
  const count = alignment.disorders.length;
  const first = new Int32Array(count + 1);
  for (const group of alignment.group) first[group + 1]++;
  for (let g = 0; g < count; g++) first[g + 1] += first[g];
  const members = new Int32Array(model.nUnits);
  const next = first.slice(0, count);
  alignment.group.forEach((group, unit) => (members[next[group]++] = unit));
  const groups = {
    count,
    of: Int32Array.from(alignment.group),
    first,
    members, // in the order of annotators, as the units are
    from: new Float64Array(count).fill(Infinity),
    to: new Float64Array(count).fill(-Infinity),
    disorder: Float64Array.from(alignment.disorders),
    parts: { position: alignment.positional, category: alignment.categorial, missing: alignment.empty },
    deltaEmpty: alignment.delta_empty,
    total: alignment.disorder,
    gap: alignment.gap,
    kinds: new Uint8Array(count),
    unitsOf: (group) => members.subarray(first[group], first[group + 1]),
  };
  for (let i = 0; i < model.nUnits; i++) {
    const g = groups.of[i];
    groups.from[g] = Math.min(groups.from[g], units.start[i]);
    groups.to[g] = Math.max(groups.to[g], units.end[i]);
  }
  for (let g = 0; g < count; g++) groups.kinds[g] = kindsOf(groups, g, units, annotators.length);
  const numbers = Array.from({ length: count }, (_, g) => g);
  const place = (g, h) => groups.from[g] - groups.from[h] || groups.to[g] - groups.to[h] || g - h;
  groups.byPlace = Int32Array.from(numbers).sort(place);
  groups.byDisorder = Int32Array.from(numbers).sort((g, h) => groups.disorder[h] - groups.disorder[g] || place(g, h));
  groups.reach = new Float64Array(count); // the furthest end up to here: where a search for what is in sight begins
  let furthest = -Infinity;
  groups.byPlace.forEach((g, i) => (groups.reach[i] = furthest = Math.max(furthest, groups.to[g])));
  groups.worst = count ? groups.disorder[groups.byDisorder[0]] : 0;
  return groups;
}

/** By the parts of the disorder where they are known, by what the units look like where they are not. */
function kindsOf(groups, group, units, nAnnotators) {
  const members = groups.unitsOf(group);
  const { position, category, missing } = groups.parts;
  const differ = (column) => members.some((unit) => column[unit] !== column[members[0]]);
  let kinds = 0;
  if (position ? position[group] > NEGLIGIBLE : differ(units.start) || differ(units.end)) kinds |= POSITION;
  if (category ? category[group] > NEGLIGIBLE : differ(units.category)) kinds |= CATEGORY;
  if (missing ? missing[group] > NEGLIGIBLE : members.length < nAnnotators) kinds |= MISSING;
  return kinds;
}

/** The unitary alignments that reach into [from, to], in the order of the continuum. */
export function groupsInSight(groups, from, to, visit) {
  const begin = firstWhere(groups.count, (i) => groups.reach[i] >= from);
  for (let i = begin; i < groups.count; i++) {
    const group = groups.byPlace[i];
    if (groups.from[group] > to) return;
    if (groups.to[group] >= from) visit(group);
  }
}

/** What is to be seen: annotators and categories switched on, the kind of disagreement. */
export class Filter {
  constructor(model) {
    this.model = model;
    this.annotators = new Uint8Array(model.annotators.length).fill(1);
    this.categories = new Uint8Array(model.categories.length + 1).fill(1); // the last one: without category
    this.kind = "all";
    this.units = new Uint8Array(model.nUnits);
    this.groups = new Uint8Array(model.groups ? model.groups.count : 0);
    this.apply();
  }

  get isOpen() {
    return this.kind === "all" && this.annotators.every(Boolean) && this.categories.every(Boolean);
  }

  /** A unitary alignment is seen when it is of the kind and one of its units is switched on; then all of it is. */
  apply() {
    const { units, groups, nUnits, categories } = this.model;
    const isOn = (unit) => {
      const category = units.category[unit];
      return this.annotators[units.annotator[unit]] && this.categories[category < 0 ? categories.length : category];
    };
    if (!groups) {
      for (let i = 0; i < nUnits; i++) this.units[i] = isOn(i) ? 1 : 0;
      return;
    }
    for (let g = 0; g < groups.count; g++) {
      this.groups[g] = isKind(groups.kinds[g], this.kind) && groups.unitsOf(g).some(isOn) ? 1 : 0;
    }
    for (let i = 0; i < nUnits; i++) this.units[i] = this.annotators[units.annotator[i]] && this.groups[groups.of[i]];
  }
}

export function isKind(kinds, kind) {
  switch (kind) {
    case "disagreement":
      return kinds !== 0;
    case "agreement":
      return kinds === 0;
    case "position":
      return (kinds & POSITION) !== 0;
    case "category":
      return (kinds & CATEGORY) !== 0;
    case "missing":
      return (kinds & MISSING) !== 0;
    default:
      return true;
  }
}
