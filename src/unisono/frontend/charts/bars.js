// SPDX-License-Identifier: MIT
// Bars over an axis: how many documents have which value, and the disorder along the continuum.
import { svgElement } from "../dom.js";
import { countText, groupDigits, numberText, roundStep } from "../numbers.js";
import { ChartFrame, drawing, openMark } from "./frame.js";
import { axisMarks, linear } from "./scale.js";

const HEIGHT = 190;
const [TOP, BOTTOM, LEFT, RIGHT] = [26, 40, 44, 14];
/** Values below this share the first bar. */
const LOWEST = -1;

/** Values that lie below a border by a rounding error belong above it. */
const ROUNDING = 1e-12;

/** Whether a value belongs to the bar from `from` (null: any value below) to `to`; the last one holds 1 itself. */
export const isBetween = (value, from, to) =>
  value !== null && (from === null || value >= from - ROUNDING) && (value < to - ROUNDING || to >= 1);

/** Bins of equal width up to 1, the first open to below: [{from, to, items}]. */
export function binsOf(items) {
  const least = items.reduce((lowest, { value }) => Math.max(LOWEST, Math.min(lowest, value)), 0);
  const about = Math.max(8, Math.min(40, Math.ceil(1.5 * Math.sqrt(items.length))));
  const step = roundStep((1 - least) / about);
  const count = Math.ceil((1 - least) / step - 1e-9);
  const bins = Array.from({ length: count }, (_, i) => ({
    from: Number((1 - (count - i) * step).toFixed(9)),
    to: Number((1 - (count - i - 1) * step).toFixed(9)),
    items: [],
  }));
  for (const item of items) {
    const place = bins.findLastIndex(({ from, to }) => isBetween(item.value, from, to));
    bins[Math.max(0, place)].items.push(item);
  }
  return bins;
}

/** The distribution of the documents' values with the overall one. `documents`: [{id, value}]. */
export function distributionChart({ documents, overall, symbol, open }) {
  const items = documents.filter(({ value }) => value !== null && value !== undefined);
  const bins = binsOf(items);
  const most = Math.max(...bins.map(({ items: inside }) => inside.length));
  const isOpen = items.some(({ value }) => value < bins[0].from);
  const rangeText = ({ from, to }, i) => `${i === 0 && isOpen ? "below" : `${numberText(from, 2)} to`} ${numberText(to, 2)}`;
  const draw = (width) => {
    const x = linear(bins[0].from, 1, LEFT, width - RIGHT);
    const y = linear(0, most, HEIGHT - BOTTOM, TOP);
    const parts = [...countAxis(y, most, width), ...axis(x, bins[0].from, 1, width, symbol)];
    bins.forEach((bin, i) => {
      if (!bin.items.length) return;
      const [left, right, top] = [x(bin.from) + 0.5, x(bin.to) - 0.5, y(bin.items.length)];
      const bar = svgElement(
        "rect",
        { class: "bar", x: left, y: top, width: Math.max(1, right - left), height: HEIGHT - BOTTOM - top },
      );
      const label = `${symbol} ${rangeText(bin, i)}: ${countText(bin.items.length, "document")}`;
      parts.push(openMark(bar, label, { values: [i === 0 && isOpen ? null : bin.from, bin.to], symbol }));
    });
    if (overall !== null) {
      const at = x(Math.max(bins[0].from, overall));
      const anchor = at > width - 120 ? "end" : "start";
      parts.push(
        svgElement("line", { class: "overall", x1: at, x2: at, y1: TOP - 12, y2: HEIGHT - BOTTOM }),
        svgElement(
          "text",
          { class: "overall", x: at + (anchor === "end" ? -6 : 6), y: TOP - 10, "text-anchor": anchor },
          `overall ${numberText(overall)}`,
        ),
      );
    }
    return drawing(width, HEIGHT, `Documents by ${symbol}, the overall value ${numberText(overall)}`, ...parts);
  };
  return new ChartFrame({
    name: "documents",
    title: `Documents by their ${symbol}`,
    note: "Each bar opens its documents, the worst first.",
    draw,
    open,
    table: () => ({
      columns: ["from", "to", "documents"],
      rows: bins.map(({ from, to, items: inside }, i) => [i === 0 && isOpen ? "" : from, to, inside.length]),
    }),
  });
}

/** The mean disorder in each stretch of the continuum, over all documents. */
export function alongChart({ along, axisName, open }) {
  const most = Math.max(...along.map(({ disorder }) => disorder ?? 0)) || 1;
  const total = along.reduce((sum, { unitary_alignments: n, disorder }) => sum + n * (disorder ?? 0), 0);
  const count = along.reduce((sum, { unitary_alignments: n }) => sum + n, 0);
  const mean = total / count;
  const percent = (share) => `${Math.round(share * 100)} %`;
  const draw = (width) => {
    const x = linear(0, 1, LEFT, width - RIGHT);
    const y = linear(0, most, HEIGHT - BOTTOM, TOP);
    const marks = [0, 0.25, 0.5, 0.75, 1].flatMap((at) => [
      svgElement("line", { class: "tick", x1: x(at), x2: x(at), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 5 }),
      svgElement(
        "text",
        { class: "tick", x: x(at), y: HEIGHT - BOTTOM + 18, "text-anchor": at === 1 ? "end" : "middle" },
        percent(at),
      ),
    ]);
    const parts = [
      ...valueAxis(y, most, width),
      ...marks,
      svgElement("text", { class: "tick", x: (LEFT + width) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, axisName),
      svgElement("line", { class: "overall", x1: LEFT, x2: width - RIGHT, y1: y(mean), y2: y(mean) }),
      svgElement(
        "text",
        { class: "overall", x: width - RIGHT, y: TOP - 12, "text-anchor": "end" },
        `mean ${numberText(mean)}`,
      ),
    ];
    for (const { from, to, disorder, unitary_alignments: n } of along) {
      if (disorder === null) continue;
      const top = Math.min(y(disorder), HEIGHT - BOTTOM - 2);
      const bar = svgElement(
        "rect",
        {
          class: "bar",
          x: x(from) + 0.5,
          y: top,
          width: Math.max(1, x(to) - x(from) - 1),
          height: HEIGHT - BOTTOM - top,
        },
      );
      const label = `${percent(from)} to ${percent(to)}: mean disorder ${numberText(disorder)}, ${countText(n, "unitary alignment")}`;
      parts.push(
        openMark(
          bar,
          label,
          { along: [from, to], words: `Between ${percent(from)} and ${percent(to)} of the continuum` },
        ),
      );
    }
    return drawing(width, HEIGHT, `Mean disorder along the continuum, mean of all ${numberText(mean)}`, ...parts);
  };
  return new ChartFrame({
    name: "along",
    title: "Along the continuum",
    note: "Where in the text or recording the annotators differ: the mean disorder of the unitary alignments in each twentieth, over all documents.",
    draw,
    open,
    table: () => ({
      columns: ["from", "to", "unitary alignments", "mean disorder"],
      rows: along.map(({ from, to, unitary_alignments: n, disorder }) => [from, to, n, disorder]),
    }),
  });
}

/** Disorders of random continua, or of random corpora, as bars, the observed and the expected one marked. */
export function randomChart({ observed, expected, n, documents, below, edges, counts }) {
  const most = Math.max(...counts, 1);
  const [least, last] = [Math.min(observed, edges[0]), Math.max(observed, edges.at(-1))];
  const low = least < 0.35 * last ? 0 : least;
  const room = (last - low) * 0.05;
  const nouns = documents > 1 ? ["random corpus", "random corpora"] : ["random continuum", "random continua"];
  const words = `${countText(n, ...nouns)}${documents > 1 ? `, one random continuum for each of ${groupDigits(documents)} documents` : ""}: ${below ? groupDigits(below) : "none"} with a disorder as low as the observed one.`;
  const draw = (width) => {
    const x = linear(low, last + room, LEFT, width - RIGHT);
    const y = linear(0, most, HEIGHT - BOTTOM, TOP + 8);
    const parts = [...countAxis(y, most, width), ...axis(x, low, last + room, width, "disorder")];
    counts.forEach((count, i) => {
      if (!count) return;
      const [left, right, top] = [x(edges[i]), x(edges[i + 1]), y(count)];
      const bar = svgElement(
        "rect",
        { class: "bar", x: left, y: top, width: Math.max(1, right - left - 1), height: HEIGHT - BOTTOM - top },
      );
      parts.push(openMark(bar, `${numberText(edges[i])} to ${numberText(edges[i + 1])}: ${groupDigits(count)}`));
    });
    [[expected, "expected", TOP + 4], [observed, "observed", TOP - 10]].forEach(([value, word, height]) => {
      const at = x(value);
      const anchor = at > width - 120 ? "end" : "start";
      parts.push(
        svgElement("line", { class: "overall", x1: at, x2: at, y1: height - 8, y2: HEIGHT - BOTTOM }),
        svgElement(
          "text",
          { class: "overall", x: at + (anchor === "end" ? -6 : 6), y: height, "text-anchor": anchor },
          `${word} ${numberText(value)}`,
        ),
      );
    });
    return drawing(width, HEIGHT, `Observed disorder ${numberText(observed)} compared with random ones. ${words}`, ...parts);
  };
  return new ChartFrame({
    name: "chance",
    title: "Observed and random disorders",
    note: words,
    draw,
    table: () => ({ columns: ["from", "to", nouns[1]], rows: counts.map((count, i) => [edges[i], edges[i + 1], count]) }),
  });
}

function axis(x, low, high, width, name) {
  const bottom = HEIGHT - BOTTOM;
  return [
    ...axisMarks(low, high, Math.max(4, width / 110)).flatMap(({ value, text }) => [
      svgElement("line", { class: "tick", x1: x(value), x2: x(value), y1: bottom, y2: bottom + 5 }),
      svgElement("text", { class: "tick", x: x(value), y: bottom + 18, "text-anchor": "middle" }, text),
    ]),
    svgElement("text", { class: "tick", x: width - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, name),
  ];
}

function countAxis(y, most, width) {
  return axisMarks(0, most, 4)
    .filter(({ value }) => Number.isInteger(value))
    .flatMap(({ value }) => gridLine(y(value), groupDigits(value), width));
}

function valueAxis(y, most, width) {
  return axisMarks(0, most, 4).flatMap(({ value, text }) => gridLine(y(value), text, width));
}

const gridLine = (y, text, width) => [
  svgElement("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y, y2: y }),
  svgElement("text", { class: "tick", x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text),
];
