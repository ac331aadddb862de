// SPDX-License-Identifier: MIT
// Values as dots on a line, each with its interval, one below the other.
import { actionButton, element, svgElement } from "../dom.js";
import { groupDigits, numberText } from "../numbers.js";
import { ChartFrame, drawing, openMark } from "./frame.js";
import { axisMarks, fitText, linear, textWidth } from "./scale.js";

const ROW = 22;
const TOP = 8;
const BOTTOM = 26;
/** Rows shown at first; with all shown, the chart scrolls. */
const ROWS = 20;

/**
 * Dots in the order given. `rows`: [{name, value, interval: [low, high] | null, beside: text at the right, other: a second
 * value shown as a ring, isSmall, reason, label, selection}]; `mark`: {value, text} of a line through all rows.
 */
export function dotChart({ rows, mark = null, axis, ...frame }) {
  let limit = ROWS;
  const finite = rows.flatMap(({ value, interval, other }) => [value, other ?? null, ...(interval ?? [])]);
  const low = Math.max(-1, Math.min(0, ...finite.filter((value) => value !== null)));
  const start = low < 0 ? Math.floor(low * 5) / 5 : 0;
  const draw = (width) => {
    const shown = rows.slice(0, limit);
    const beside = shown.some((row) => row.beside);
    const left = Math.min(width * 0.34, 16 + Math.max(30, ...shown.map(({ name }) => textWidth(name))));
    const right = width - (beside ? 96 : 16);
    const x = linear(start, 1, left, right);
    const at = (value) => x(Math.max(start, Math.min(1, value)));
    const height = TOP + shown.length * ROW + BOTTOM;
    const bottom = height - BOTTOM;
    const parts = axisMarks(start, 1, Math.max(start < 0 ? 4 : 2, (right - left) / 90)).flatMap(({ value, text }) => [
      svgElement("line", { class: "grid", x1: x(value), x2: x(value), y1: TOP - 4, y2: bottom }),
      svgElement("text", { class: "tick", x: x(value), y: bottom + 14, "text-anchor": "middle" }, text),
    ]);
    if (mark !== null && mark.value !== null)
      parts.push(
        svgElement("line", { class: "overall", x1: at(mark.value), x2: at(mark.value), y1: TOP - 4, y2: bottom }),
      );
    shown.forEach((row, i) => parts.push(rowOf(row, TOP + (i + 0.5) * ROW, { at, left, right, start })));
    return drawing(width, height, `${frame.title}. ${axis}`, ...parts);
  };
  const legend = element("div", { class: "chart-legend" }, element("span", {}, axis));
  const addKey = (key, words) => legend.append(element("span", { class: "chart-key" }, key, words));
  if (mark !== null && mark.value !== null) addKey(lineKey("overall"), mark.text);
  if (rows.some(({ interval }) => interval)) addKey(lineKey("range"), "interval");
  if (rows.some(({ other }) => other !== null && other !== undefined)) addKey(ringKey(), frame.otherText);
  const chart = new ChartFrame({ ...frame, draw, legend });
  if (rows.length > ROWS) {
    const more = actionButton(`Show all ${groupDigits(rows.length)}`, () => {
      limit = limit === ROWS ? rows.length : ROWS;
      more.textContent = limit === ROWS ? `Show all ${groupDigits(rows.length)}` : `Show the first ${ROWS}`;
      chart.figure.classList.toggle("tall", limit > ROWS);
      chart.show();
    });
    legend.append(more);
  }
  return chart;
}

function rowOf(row, y, { at, left, right, start }) {
  const group = svgElement("g", { class: row.isSmall ? "dot-row few" : "dot-row" });
  group.append(
    svgElement("rect", { class: "hit", x: 0, y: y - ROW / 2, width: right + 90, height: ROW }),
    svgElement("text", { class: "label", x: left - 10, y: y + 4, "text-anchor": "end" }, fitText(row.name, left - 12)),
  );
  if (row.value === null) {
    const words = fitText(row.reason ?? "no value", right - left);
    group.append(svgElement("text", { class: "absent", x: left + 4, y: y + 4 }, words));
  } else {
    if (row.interval)
      group.append(
        svgElement("line", { class: "range", x1: at(row.interval[0]), x2: at(row.interval[1]), y1: y, y2: y }),
      );
    if (row.other !== null && row.other !== undefined)
      group.append(svgElement("circle", { class: "ring", cx: at(row.other), cy: y, r: 4 }));
    if (row.value < start)
      group.append(svgElement("path", { class: "dot", d: `M${left + 1},${y}l8,-5v10z` })); // beyond the axis
    else group.append(svgElement("circle", { class: "dot", cx: at(row.value), cy: y, r: 5 }));
  }
  if (row.beside) group.append(svgElement("text", { class: "tick", x: right + 10, y: y + 4 }, row.beside));
  return openMark(group, row.label, row.selection);
}

const lineKey = (kind) =>
  svgElement("svg", { class: "drawing key", width: 22, height: 12, "aria-hidden": "true" }, lineOfKey(kind));
const lineOfKey = (kind) =>
  kind === "overall"
    ? svgElement("line", { class: "overall", x1: 11, x2: 11, y1: 0, y2: 12 })
    : svgElement("line", { class: "range", x1: 2, x2: 20, y1: 6, y2: 6 });
const ringKey = () =>
  svgElement(
    "svg",
    { class: "drawing key", width: 22, height: 12, "aria-hidden": "true" },
    svgElement("circle", { class: "ring", cx: 11, cy: 6, r: 4 }),
  );

/** "0.612 [0.540, 0.680]", or the reason why there is no value. */
export function valueText({ value, interval, reason }) {
  if (value === null) return reason ?? "no value";
  return interval ? `${numberText(value)} [${numberText(interval[0])}, ${numberText(interval[1])}]` : numberText(value);
}
