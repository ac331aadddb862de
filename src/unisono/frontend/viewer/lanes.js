// SPDX-License-Identifier: MIT
// The lanes on a canvas: only what is in sight is drawn, and where units are below a pixel, how densely they lie.
import { AXIS, eachMissing, trackInSight } from "./layout.js";
import { doNotOverlap, groupsInSight } from "./model.js";
import { ticks } from "./scale.js";

/** With more links between lanes than this the units could not be seen; the disorder row shows the same. */
const MOST_LINES = 2500;
/** A lane is crowded when it has more units in sight than one in so many pixels. */
const MANY = 4;

/** A canvas of this size in CSS pixels, sharp on any screen; returns its context, cleared. */
export function prepareCanvas(canvas, width, height) {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const [wide, high] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

/** Labels cut to the room they have; measuring text is slow, and the same labels come again in every frame. */
export class Labels {
  constructor() {
    this.widths = new Map();
    this.font = "";
  }

  fit(context, label, room) {
    if (this.font !== context.font) {
      this.font = context.font;
      this.widths.clear();
    }
    const steps = Math.floor(room / 6);
    const key = `${steps} ${label}`;
    let shown = this.widths.get(key);
    if (shown === undefined) {
      if (this.widths.size > 5000) this.widths.clear();
      shown = this.cutTo(context, label, steps * 6);
      this.widths.set(key, shown);
    }
    return shown;
  }

  cutTo(context, label, room) {
    const fits = (text) => context.measureText(text).width <= room;
    const characters = Array.from(label.slice(0, 200));
    if (label.length <= 200 && fits(label)) return label;
    let [low, high] = [0, characters.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(`${characters.slice(0, middle).join("")}…`)) low = middle;
      else high = middle - 1;
    }
    return low > 1 ? `${characters.slice(0, low).join("")}…` : "";
  }
}

/** Draws everything; `state`: model, filter, scale, layout, theme, hues, share (of a disorder), selected, hovered. */
export function drawLanes(canvas, labels, state) {
  const { scale, layout, theme, model } = state;
  const context = prepareCanvas(canvas, scale.width, layout.height);
  context.font = `12px ${theme.font}`;
  context.textBaseline = "middle";
  drawAxis(context, state);
  for (const row of layout.lanes) {
    context.fillStyle = theme.band;
    context.fillRect(0, row.top - 2, scale.width, row.bottom - row.top + 4);
  }
  const inSight = [];
  if (model.groups) {
    groupsInSight(model.groups, ...scale.sight, (group) => {
      if (state.filter.groups[group]) inSight.push(group);
    });
    drawChosen(context, state);
    drawDisorders(context, state, inSight);
  }
  const fits = inSight.length * layout.lanes.length <= MOST_LINES;
  const linked = fits && !layout.isHeat;
  if (linked) for (const group of inSight) if (!isChosen(state, group)) drawLink(context, state, group, 1.25, 0.75);
  for (const group of chosenGroups(state)) drawLink(context, state, group, 2.5, 1);
  for (const row of layout.lanes) drawUnits(context, state, labels, row);
  if (!layout.isHeat) drawEmpty(context, state, inSight, linked);
}

function isChosen(state, group) {
  return group === state.selected || group === state.hovered;
}

function chosenGroups(state) {
  return [...new Set([state.hovered, state.selected])].filter((group) => group >= 0 && state.filter.groups[group]);
}

function drawAxis(context, { scale, layout, theme }) {
  const marks = ticks(scale);
  context.strokeStyle = theme.line;
  context.lineWidth = 1;
  context.beginPath();
  for (const { position } of marks) {
    const x = Math.round(scale.x(position)) + 0.5;
    context.moveTo(x, AXIS - 4);
    context.lineTo(x, layout.height);
  }
  context.stroke();
  context.fillStyle = theme.soft;
  for (const { position, label } of marks) {
    const half = context.measureText(label).width / 2;
    const x = Math.min(scale.width - half, Math.max(half, scale.x(position)));
    context.fillText(label, x - half, 9);
  }
}

/** The column of the chosen unitary alignments, through all lanes. */
function drawChosen(context, state) {
  const { scale, layout, theme, model } = state;
  for (const group of chosenGroups(state)) {
    const from = scale.x(model.groups.from[group]);
    const to = Math.max(from + 2, scale.x(model.groups.to[group]));
    context.globalAlpha = group === state.selected ? 0.13 : 0.07;
    context.fillStyle = theme.accent;
    context.fillRect(from - 3, AXIS, to - from + 6, layout.height - AXIS);
    context.globalAlpha = 1;
  }
}

/**
 * A bar for each unitary alignment, as high and as dark as its disorder; in the compact mode all are equally high. The
 * worst is on top where many share a pixel.
 */
function drawDisorders(context, state, inSight) {
  const { scale, theme, model, layout, share } = state;
  const { top, height } = layout.disorder;
  const { from, to, disorder } = model.groups;
  const bottom = top + height;
  context.strokeStyle = theme.line;
  context.beginPath();
  context.moveTo(0, bottom + 0.5);
  context.lineTo(scale.width, bottom + 0.5);
  context.stroke();
  if (inSight.length > scale.width / MANY) {
    const worst = worstPerPixel(inSight, state);
    worst.forEach((value, x) => {
      if (value < 0) return;
      bar(x, x + 1, value);
    });
    return;
  }
  const ordered = [...inSight].sort((g, h) => disorder[g] - disorder[h]);
  for (const group of ordered) {
    const x = scale.x(from[group]);
    bar(x, Math.max(x + 2, scale.x(to[group]) - 1), share(disorder[group]));
  }

  function bar(x0, x1, value) {
    const high = layout.isHeat ? height : 2 + Math.min(1, value) * (height - 4);
    context.fillStyle = theme.disorder(value);
    context.fillRect(x0, bottom - high, x1 - x0, high);
  }
}

/** For each pixel the share of the worst disorder there, -1 where there is no unitary alignment. */
export function worstPerPixel(groups, { scale, model, share }) {
  const worst = new Float32Array(Math.ceil(scale.width)).fill(-1);
  for (const group of groups) {
    const value = share(model.groups.disorder[group]);
    const first = Math.max(0, Math.floor(scale.x(model.groups.from[group])));
    const last = Math.min(worst.length - 1, Math.floor(scale.x(model.groups.to[group])));
    for (let x = first; x <= last; x++) if (value > worst[x]) worst[x] = value;
  }
  return worst;
}

/**
 * A line through the units of a unitary alignment, lane by lane; faint where it goes to an empty unit, dashed between two
 * units that do not overlap. Where lanes have no room for empty units, the line goes from unit to unit.
 */
function drawLink(context, state, group, width, alpha) {
  const { scale, theme, model, layout, share } = state;
  const { groups, units } = model;
  const members = groups.unitsOf(group);
  const middle = (groups.from[group] + groups.to[group]) / 2;
  context.strokeStyle = theme.disorder(share(groups.disorder[group]));
  context.lineWidth = width;
  const unitOf = new Int32Array(model.annotators.length).fill(-1);
  for (const unit of members) unitOf[units.annotator[unit]] = unit;
  let [lastX, lastY, lastUnit] = [0, -1, -1];
  for (const row of layout.lanes) {
    const unit = unitOf[row.annotator];
    if (unit < 0 && row.rail === null) continue;
    const x = scale.x(unit < 0 ? middle : (units.start[unit] + units.end[unit]) / 2);
    const top = unit < 0 ? row.rail : row.top + row.lane.trackOf.get(unit) * row.pitch;
    const bottom = unit < 0 ? row.rail + layout.rail - 2 : top + row.pitch - 3;
    if (lastY >= 0) {
      const bend = (top - lastY) / 2;
      const isFaint = unit < 0 || lastUnit < 0;
      context.globalAlpha = isFaint ? alpha / 3 : alpha;
      context.setLineDash(!isFaint && doNotOverlap(units, unit, lastUnit) ? [5, 4] : []);
      context.beginPath();
      context.moveTo(lastX, lastY);
      context.bezierCurveTo(lastX, lastY + bend, x, top - bend, x, top);
      context.stroke();
    }
    [lastX, lastY, lastUnit] = [x, bottom, unit];
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function drawUnits(context, state, labels, row) {
  const { scale, model, filter } = state;
  const { units } = model;
  const [from, to] = scale.sight;
  const ranges = row.lane.tracks.map((track) => trackInSight(units, track, from, to));
  const count = ranges.reduce((sum, [first, last]) => sum + last - first, 0);
  // Where there are many units, those below two pixels are not drawn one by one; their coverage of each pixel is.
  const least = count > scale.width / MANY ? 2 / scale.pixelsPerUnit : 0;
  const cover = least ? new Float32Array(Math.ceil(scale.width) + 1) : null;
  row.lane.tracks.forEach((track, number) => {
    const y = row.top + number * row.pitch;
    for (let i = ranges[number][0]; i < ranges[number][1]; i++) {
      const unit = track[i];
      if (!filter.units[unit]) continue;
      if (units.end[unit] - units.start[unit] < least) addCover(cover, scale, units, unit);
      else drawUnit(context, state, labels, unit, y, Math.max(1, row.pitch - 3));
    }
  });
  if (cover) drawCover(context, state, row, cover);
}

function drawUnit(context, state, labels, unit, y, height) {
  const { scale, theme, model, hues } = state;
  const { start, end, category } = model.units;
  const x0 = Math.max(-20, scale.x(start[unit]));
  const x1 = Math.min(scale.width + 20, scale.x(end[unit]));
  const width = Math.max(2, x1 - x0 - 1);
  const colour = theme.hue(category[unit] < 0 ? -1 : hues[category[unit]]);
  const emphasised = model.groups && isChosen(state, model.groups.of[unit]);
  if (width < 7) {
    context.fillStyle = colour;
    context.fillRect(x0, y, width, height);
  } else {
    context.fillStyle = theme.ground; // opaque: links end at the unit
    context.fillRect(x0, y, width, height);
    context.fillStyle = colour;
    context.globalAlpha = emphasised ? 0.5 : 0.26;
    context.fillRect(x0, y, width, height);
    context.globalAlpha = 1;
    context.fillRect(x0, y, 3, height);
    context.fillRect(x0, y + height - 2, width, 2);
  }
  if (emphasised) {
    context.strokeStyle = theme.ink;
    context.lineWidth = model.groups.of[unit] === state.selected ? 2 : 1;
    context.strokeRect(x0 - 0.5, y - 0.5, width + 1, height + 1);
  }
  if (width > 26 && height > 12 && category[unit] >= 0) {
    // The label stays in sight while its unit is.
    const left = Math.max(x0 + 7, 4);
    const label = labels.fit(context, model.categories[category[unit]], x0 + width - 3 - left);
    if (label) {
      context.fillStyle = theme.ink;
      context.fillText(label, left, y + height / 2);
    }
  }
}

function addCover(cover, scale, units, unit) {
  const x0 = Math.max(0, scale.x(units.start[unit]));
  const x1 = Math.min(scale.width, Math.max(scale.x(units.end[unit]), x0 + 0.3));
  for (let x = Math.floor(x0); x < x1; x++) cover[x] += Math.min(x + 1, x1) - Math.max(x, x0);
}

/** How much of each pixel small units cover, tracks summed: a profile as high as the lane. */
function drawCover(context, { theme }, row, cover) {
  const bottom = row.top + row.height - 3;
  context.fillStyle = theme.soft;
  for (let x = 0; x < cover.length; x++) {
    if (cover[x] <= 0) continue;
    const high = Math.ceil(Math.min(1, cover[x] / row.lane.tracks.length) * (row.height - 3));
    context.fillRect(x, bottom - high, 1, high);
  }
}

/** Empty units: dashed outlines on the rail of each annotator who marked nothing there. */
function drawEmpty(context, state, inSight, outlined) {
  const { scale, theme, model, layout, share } = state;
  if (!model.groups) return;
  const rows = new Map(layout.lanes.map((row) => [row.annotator, row]));
  const height = layout.rail - 3;
  context.lineWidth = 1.25;
  if (outlined) context.setLineDash([3, 2]);
  for (const group of inSight) {
    const { from, to, disorder } = model.groups;
    const emphasised = isChosen(state, group);
    const colour = emphasised ? theme.ink : theme.disorder(share(disorder[group]));
    const middle = scale.x((from[group] + to[group]) / 2);
    const half = Math.max(3, (scale.x(to[group]) - scale.x(from[group])) / 2 - 0.5);
    eachMissing(model, group, (annotator) => {
      const row = rows.get(annotator);
      if (!row) return;
      if (outlined) {
        context.fillStyle = theme.ground;
        context.fillRect(middle - half, row.rail, 2 * half, height);
        context.strokeStyle = colour;
        context.strokeRect(middle - half, row.rail + 0.5, 2 * half, height);
      } else {
        context.fillStyle = colour;
        context.fillRect(middle, row.rail + 1, 1, height);
      }
    });
  }
  context.setLineDash([]);
}
