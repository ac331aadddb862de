// SPDX-License-Identifier: MIT
// The view data of a document, prepared for drawing: stacked lanes, unitary alignments with members and extents.
import { CodePoints } from "./codepoints.js";

/** What a unitary alignment disagrees on, as bits; none of them: full agreement. */
export const POSITION = 1;
export const CATEGORY = 2;
export const MISSING = 4;

const SCHEMA = 1;
/** A disorder below this is a rounding error. */
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
  if (data.schema !== SCHEMA)
    throw new Error(`the view data have schema ${data.schema}; this viewer reads schema ${SCHEMA}`);
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
  model.unitsPerCategory = countCodes(units.category, data.categories.length);
  model.byName = orderByName(model);
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

function countCodes(codes, size) {
  const perCode = new Int32Array(size + 1); // the last one: without category (code -1)
  for (const code of codes) perCode[code < 0 ? size : code]++;
  return perCode;
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
    // A point has no length: two at the same position need two tracks.
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
    areApart: new Uint8Array(count), // whether two of the units do not overlap
    hasStray: new Uint8Array(count), // whether a unit overlaps none of the others
    unitsOf: (group) => members.subarray(first[group], first[group + 1]),
  };
  for (let i = 0; i < model.nUnits; i++) {
    const g = groups.of[i];
    groups.from[g] = Math.min(groups.from[g], units.start[i]);
    groups.to[g] = Math.max(groups.to[g], units.end[i]);
  }
  for (let g = 0; g < count; g++) {
    groups.kinds[g] = kindsOf(groups, g, units, annotators.length);
    [groups.areApart[g], groups.hasStray[g]] = overlapsOf(groups.unitsOf(g), units);
  }
  const numbers = Array.from({ length: count }, (_, g) => g);
  const place = (g, h) => groups.from[g] - groups.from[h] || groups.to[g] - groups.to[h] || g - h;
  groups.byPlace = Int32Array.from(numbers).sort(place);
  // Units that were aligned and do not overlap say more about the alignment than about the annotators: they come later.
  const part = (g) => (groups.disorder[g] <= NEGLIGIBLE ? 2 : groups.hasStray[g]);
  const disorder = (g, h) => groups.disorder[h] - groups.disorder[g];
  groups.byDisorder = Int32Array.from(numbers).sort((g, h) => part(g) - part(h) || disorder(g, h) || place(g, h));
  groups.reach = new Float64Array(count); // the furthest end so far: where the search for groups in sight starts
  let furthest = -Infinity;
  groups.byPlace.forEach((g, i) => (groups.reach[i] = furthest = Math.max(furthest, groups.to[g])));
  groups.worst = groups.disorder.reduce((most, value) => Math.max(most, value), 0);
  return groups;
}

/** Whether two of these units do not overlap, and whether one overlaps none of the others. */
function overlapsOf(members, units) {
  const { start, end } = units;
  const areApart = (i, j) => doNotOverlap(units, i, j);
  const sorted = [...members].sort((i, j) => start[i] - start[j] || end[i] - end[j]);
  let [furthest, hasPair, hasStray] = [-1, false, false];
  sorted.forEach((unit, place) => {
    // The unit before it that ends last, and the one after it that starts first: if these do not overlap it, none does.
    const isFree = furthest < 0 || areApart(furthest, unit);
    const isLast = place + 1 === sorted.length || areApart(unit, sorted[place + 1]);
    hasStray ||= sorted.length > 1 && isFree && isLast;
    hasPair ||= areApart(unit, sorted.at(-1)) && unit !== sorted.at(-1);
    if (furthest < 0 || end[unit] > end[furthest]) furthest = unit;
  });
  return [hasPair, hasStray];
}

/** Whether two units have no stretch in common; points overlap where they are the same. */
export function doNotOverlap({ start, end }, i, j) {
  const [from, to] = [Math.max(start[i], start[j]), Math.min(end[i], end[j])];
  return from > to || (from === to && (end[i] > start[i] || end[j] > start[j]));
}

/** What a unitary alignment disagrees on, as bits: by the parts of its disorder if known, else by comparing the units. */
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

const collator = new Intl.Collator("en", { numeric: true });

/** The annotators in the order of their names, human-2 before human-10. */
export function orderByName({ annotators }) {
  return annotators.map((_, i) => i).sort((i, j) => collator.compare(annotators[i], annotators[j]) || i - j);
}

/** The annotators by how often the others marked the same with the same category, those who agree most first. */
export function orderByAgreement(model) {
  const { groups, units, annotators, lanes, nUnits } = model;
  const names = [...model.byName];
  if (!groups) return names;
  const [matched, met] = [new Float64Array(annotators.length), new Float64Array(annotators.length)];
  for (let group = 0; group < groups.count; group++) {
    const members = groups.unitsOf(group);
    for (const unit of members) {
      met[units.annotator[unit]] += members.length;
      for (const other of members)
        if (other !== unit && units.category[other] === units.category[unit]) matched[units.annotator[unit]] += 1;
    }
  }
  const share = (i) => matched[i] / ((annotators.length - 1) * lanes[i].units.length + nUnits - met[i] || 1);
  return names.sort((i, j) => share(j) - share(i));
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

/** What is shown: annotators and categories switched on, the kind of disagreement. */
export class Filter {
  constructor(model) {
    this.model = model;
    this.annotators = new Uint8Array(model.annotators.length).fill(1);
    this.categories = new Uint8Array(model.categories.length + 1).fill(1); // the last one: without category
    this.kind = "all";
    this.only = null; // the unitary alignments to show, as a set; null: all
    this.units = new Uint8Array(model.nUnits);
    this.groups = new Uint8Array(model.groups ? model.groups.count : 0);
    this.apply();
  }

  get isOpen() {
    return this.kind === "all" && this.annotators.every(Boolean) && this.categories.every(Boolean);
  }

  /** A unitary alignment is shown, whole, when it is of the kind and one of its units is switched on. */
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
      const isWanted = isKind(groups.kinds[g], this.kind) && (this.only === null || this.only.has(g));
      this.groups[g] = isWanted && groups.unitsOf(g).some(isOn) ? 1 : 0;
    }
    for (let i = 0; i < nUnits; i++) this.units[i] = this.annotators[units.annotator[i]] && this.groups[groups.of[i]];
  }
}

/** What may be shown: everything, all disagreements, those of one kind, full agreement. */
export const KINDS = ["all", "disagreement", "position", "category", "missing", "agreement"];

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
