// SPDX-License-Identifier: MIT
// Where everything is drawn: a lane for each annotator, tracks in it for overlapping units, below it a rail for empty
// units.
import { firstWhere, groupsInSight } from "./model.js";

export const AXIS = 22;
const DISORDER = 30;
const GAP = 12;
const RAIL = 11;
const NAME_ABOVE = 19;
const BESIDE = 34;
const TRACK = 22;
const TALLEST = 110;
/** The same in the compact mode: thin lanes, no room for empty units. */
const COMPACT = { disorder: 14, gap: 2, beside: 15, track: 11, tallest: 33 };
/** From so many annotators on the viewer begins in the compact mode. */
export const MANY_ANNOTATORS = 7;

/** Below this width the names of annotators stand above their lanes, not beside. */
export const NARROW = 620;

/** Where everything is; `order`: the annotators from top to bottom. */
export function layoutOf(model, filter, { narrow, isCompact, order }) {
  const sizes = isCompact ? COMPACT : { disorder: DISORDER, gap: GAP, beside: BESIDE, track: TRACK, tallest: TALLEST };
  const disorder = model.groups ? { top: AXIS + 4, height: sizes.disorder } : null;
  let top = AXIS + (disorder ? sizes.disorder + 4 : 0) + 8;
  const rails = new Uint8Array(model.annotators.length);
  if (model.groups && !isCompact) {
    for (let g = 0; g < model.groups.count; g++) {
      if (!filter.groups[g]) continue;
      const members = model.groups.unitsOf(g);
      if (members.length < rails.length) eachMissing(model, g, (annotator) => (rails[annotator] = 1));
    }
  }
  const lanes = [];
  const isNameAbove = narrow && !isCompact;
  for (const annotator of order) {
    const lane = model.lanes[annotator];
    if (!filter.annotators[annotator]) continue;
    const depth = Math.max(1, lane.tracks.length);
    const pitch = Math.min(sizes.track, sizes.tallest / depth);
    const name = top;
    top += isNameAbove ? NAME_ABOVE : 0;
    const height = pitch * depth;
    const rail = rails[lane.annotator] ? top + height + 2 : null;
    const bottom = Math.max(top + height + (rail === null ? 0 : RAIL + 2), isNameAbove ? 0 : top + sizes.beside);
    lanes.push({ lane, annotator, name, top, pitch, height, rail, bottom });
    top = bottom + sizes.gap;
  }
  return { disorder, lanes, rail: RAIL, height: top - sizes.gap + 6, isHeat: isCompact };
}

/** The annotators who have no unit in a unitary alignment. */
export function eachMissing(model, group, visit) {
  const members = model.groups.unitsOf(group); // in the order of annotators
  let next = 0;
  for (let annotator = 0; annotator < model.annotators.length; annotator++) {
    if (next < members.length && model.units.annotator[members[next]] === annotator) next++;
    else visit(annotator);
  }
}

/** The part [first, last) of a track that reaches into [from, to]. */
export function trackInSight(units, track, from, to) {
  const first = firstWhere(track.length, (i) => units.end[track[i]] >= from);
  const last = firstWhere(track.length, (i) => units.start[track[i]] > to);
  return [first, Math.max(first, last)];
}

/** What is at a point of the drawing: a unit, an empty unit, a bar of the disorder row; null where nothing is. */
export function whatIsAt(x, y, { model, filter, scale, layout }) {
  const near = 3 / scale.pixelsPerUnit;
  const position = scale.position(x);
  const { disorder } = layout;
  if (disorder && y >= disorder.top && y <= disorder.top + disorder.height) {
    return hitGroup(worstAt(model, filter, position, near));
  }
  for (const row of layout.lanes) {
    if (y < row.top || y > row.bottom + 2) continue;
    if (row.rail !== null && y >= row.rail - 1)
      return hitGroup(emptyAt(model, filter, row.annotator, position, 5 / scale.pixelsPerUnit));
    const track = row.lane.tracks[Math.min(row.lane.tracks.length - 1, Math.floor((y - row.top) / row.pitch))];
    const unit = track ? unitAt(model.units, filter, track, position, near) : -1;
    return unit < 0 ? null : { unit, group: model.groups ? model.groups.of[unit] : -1 };
  }
  return null;
}

function hitGroup(group) {
  return group < 0 ? null : { unit: -1, group };
}

/** The unit of a track at a position, or the nearest one within `near`. */
function unitAt(units, filter, track, position, near) {
  const [first, last] = trackInSight(units, track, position - near, position + near);
  let best = -1;
  let distance = Infinity;
  for (let i = first; i < last; i++) {
    const unit = track[i];
    if (!filter.units[unit]) continue;
    const away = Math.max(units.start[unit] - position, position - units.end[unit], 0);
    if (away < distance) [best, distance] = [unit, away];
  }
  return best;
}

function emptyAt(model, filter, annotator, position, near) {
  let best = -1;
  let distance = Infinity;
  groupsInSight(model.groups, position - near, position + near, (group) => {
    if (!filter.groups[group]) return;
    let missing = false;
    eachMissing(model, group, (who) => (missing ||= who === annotator));
    const away = Math.abs((model.groups.from[group] + model.groups.to[group]) / 2 - position);
    if (missing && away < distance) [best, distance] = [group, away];
  });
  return best;
}

function worstAt(model, filter, position, near) {
  let best = -1;
  groupsInSight(model.groups, position - near, position + near, (group) => {
    if (filter.groups[group] && (best < 0 || model.groups.disorder[group] > model.groups.disorder[best])) best = group;
  });
  return best;
}
