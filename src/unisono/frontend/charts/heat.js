// SPDX-License-Identifier: MIT
// Heat maps: rows and columns of cells whose colour is a share, on a fixed scale that a legend shows.
import { cut, element, svgElement } from "../dom.js";
import { ChartFrame, drawing, openMark } from "./frame.js";
import { palette } from "./scale.js";

const SMALLEST = 14;
const LARGEST = 46;
/** A cell at least so wide shows its text. */
const TEXT_WIDTH = 30;
const STRONGEST = 0.85;

/**
 * A heat map. `rows`, `columns`: names; `cell(i, j)`: {share: 0 to 1, or null, colour: the name of a colour, text, label,
 * selection} or null for no cell; `legend`: [{colour, from, to, steps}] as words and colours.
 */
export function heatMap({ rows, columns, cell, keys, ...frame }) {
  const cells = rows.map((_, i) => columns.map((__, j) => cell(i, j)));
  const longest = (names) => Math.max(3, ...names.map((name) => Math.min(24, name.length)));
  const draw = (width, node) => {
    const colours = palette(node);
    const left = Math.min(width * 0.4, 14 + 7 * longest(rows));
    const size = Math.max(SMALLEST, Math.min(LARGEST, (width - left - 30) / columns.length));
    const height = Math.max(SMALLEST, Math.min(26, size));
    const top = 12 + Math.min(120, 5.2 * longest(columns));
    const full = Math.max(width, left + size * columns.length + 60);
    const parts = columns.map((name, j) =>
      svgElement(
        "text",
        { class: "label", transform: `translate(${left + (j + 0.6) * size},${top - 6}) rotate(-45)` },
        cut(name, 22),
      ),
    );
    rows.forEach((name, i) => {
      const y = top + i * height;
      parts.push(
        svgElement(
          "text",
          { class: "label", x: left - 8, y: y + height / 2 + 4, "text-anchor": "end" },
          cut(name, Math.max(4, Math.floor((left - 10) / 7))),
        ),
      );
      columns.forEach((_, j) => {
        const content = cells[i][j];
        if (content === null) return;
        parts.push(drawCell(content, left + j * size, y, size, height, colours, columns.length));
      });
    });
    return drawing(full, top + rows.length * height + 6, frame.title, ...parts);
  };
  const legend = element("div", { class: "chart-legend" });
  const chart = new ChartFrame({ ...frame, draw, legend });
  const show = chart.show.bind(chart);
  chart.show = () => {
    legend.replaceChildren(...keys.map((key) => drawKey(key, palette(chart.figure))));
    show();
  };
  return chart;
}

function drawCell({ share, colour, text, label, selection }, x, y, width, height, colours, across) {
  const strength = share === null ? 0 : STRONGEST * Math.max(0, Math.min(1, share));
  const shape = svgElement("rect", { class: share === null ? "cell void" : "cell", x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 });
  if (share !== null) shape.style.fill = colours.mix(colour, strength);
  const group = svgElement("g", {}, shape);
  if (text && width >= TEXT_WIDTH) {
    const words = svgElement("text", { class: "cell-text", x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle" }, text);
    if (share !== null) words.style.fill = colours.ink(colour, strength);
    group.append(words);
  }
  return openMark(group, label, selection, across);
}

/** A stretch of colours with the words at its ends. */
function drawKey({ colour, from, to, strengths = [0, 0.25, 0.5, 0.75, 1] }, colours) {
  const steps = strengths.map((share, i) => {
    const step = svgElement("rect", { class: "cell", x: i * 22, y: 0, width: 22, height: 12 });
    step.style.fill = colours.mix(colour, STRONGEST * share);
    return step;
  });
  const scale = svgElement("svg", { class: "drawing key", width: 22 * steps.length, height: 12, "aria-hidden": "true" }, ...steps);
  return element("span", { class: "heat-key" }, from, scale, to);
}
