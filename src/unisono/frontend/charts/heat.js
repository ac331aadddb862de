// SPDX-License-Identifier: MIT
// Heat maps: rows and columns of cells whose colour is a share, on a fixed scale that a legend shows.
import { element, svgElement } from "../dom.js";
import { ChartFrame, drawing, openMark } from "./frame.js";
import { fitText, palette, textWidth } from "./scale.js";

const SMALLEST = 14;
const LARGEST = 46;
/** A cell at least so wide shows its text. */
const TEXT_WIDTH = 30;
const STRONGEST = 0.85;
/** With more rows they are thin; with more columns the chart takes the whole width. */
const MANY_ROWS = 25;
const MANY_COLUMNS = 14;

/**
 * A heat map. `rows`, `columns`: names; `cell(i, j)`: {share: 0 to 1, or null, colour: the name of a colour, text, label,
 * selection} or null for no cell; `keys`: [{colour, from, to, strengths}], the entries of the legend.
 */
export function heatMap({ rows, columns, cell, keys, ...frame }) {
  const cells = rows.map((_, i) => columns.map((__, j) => cell(i, j)));
  const longest = (names) => Math.max(20, ...names.map(textWidth));
  const isLong = rows.length > MANY_ROWS;
  const draw = (width, node) => {
    const colours = palette(node);
    const left = Math.min(width * 0.34, 240, 14 + longest(rows));
    const slant = Math.min(110, longest(columns)); // the names above the columns are at an angle
    const size = Math.max(SMALLEST, Math.min(LARGEST, (width - left - slant * 0.7) / columns.length));
    const height = Math.max(SMALLEST, Math.min(isLong ? 16 : 26, size));
    const isDense = size < 20;
    const top = 14 + slant * (isDense ? 0.95 : 0.72);
    const full = Math.max(
      Math.min(width, left + size * columns.length + slant),
      left + size * columns.length + slant * 0.7,
    );
    const parts = columns.map((name, j) =>
      svgElement(
        "text",
        {
          class: isDense ? "label dense" : "label",
          transform: `translate(${left + (j + 0.6) * size},${top - 6}) rotate(${isDense ? -70 : -45})`,
        },
        fitText(name, slant),
      ),
    );
    rows.forEach((name, i) => {
      const y = top + i * height;
      parts.push(
        svgElement(
          "text",
          { class: "label", x: left - 8, y: y + height / 2 + 4, "text-anchor": "end" },
          fitText(name, left - 10),
        ),
      );
      columns.forEach((_, j) => {
        const content = cells[i][j];
        if (content === null) return;
        parts.push(drawCell(content, left + j * size, y, size, height, colours, [i, j]));
      });
    });
    return drawing(full, top + rows.length * height + 6, frame.title, ...parts);
  };
  const legend = element("div", { class: "chart-legend" });
  const chart = new ChartFrame({ ...frame, draw, legend });
  if (columns.length > MANY_COLUMNS) chart.figure.classList.add("wide-chart");
  const show = chart.show.bind(chart);
  chart.show = () => {
    legend.replaceChildren(...keys.map((key) => drawKey(key, palette(chart.figure))));
    show();
  };
  return chart;
}

function drawCell({ share, colour, text, label, selection }, x, y, width, height, colours, place) {
  const strength = share === null ? 0 : STRONGEST * Math.max(0, Math.min(1, share));
  const shape = svgElement(
    "rect",
    { class: share === null ? "cell void" : "cell", x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1 },
  );
  if (share !== null) shape.style.fill = colours.mix(colour, strength);
  const group = svgElement("g", {}, shape);
  if (text && width >= TEXT_WIDTH) {
    const words = svgElement(
      "text",
      { class: "cell-text", x: x + width / 2, y: y + height / 2 + 4, "text-anchor": "middle" },
      text,
    );
    if (share !== null) words.style.fill = colours.ink(colour, strength);
    group.append(words);
  }
  return openMark(group, label, selection, place);
}

/** A stretch of colours with the words at its ends. */
function drawKey({ colour, from, to, strengths = [0, 0.25, 0.5, 0.75, 1] }, colours) {
  const steps = strengths.map((share, i) => {
    const step = svgElement("rect", { class: "cell", x: i * 22, y: 0, width: 22, height: 12 });
    step.style.fill = colours.mix(colour, STRONGEST * share);
    return step;
  });
  const scale = svgElement(
    "svg",
    { class: "drawing key", width: 22 * steps.length, height: 12, "aria-hidden": "true" },
    ...steps,
  );
  return element("span", { class: "heat-key" }, from, scale, to);
}
