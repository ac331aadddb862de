// SPDX-License-Identifier: MIT
// Curves over magnitudes, which answer the pointer and the keyboard.
import { actionButton, element, svgElement } from "../dom.js";
import { saveFile } from "../files.js";
import { numberText, roundStep } from "../numbers.js";
import { svgText } from "./frame.js";
import { linear } from "./scale.js";

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [640, 400, 46, 12, 42];
/** Distance of two names at the ends of curves, in pixels. */
const APART = 15;

/**
 * Curves over magnitudes from 0 to 1, with bands, names at their ends, and the values where one points or goes by
 * keyboard. `data`: {symbols, styles, magnitudes, low, high}; `curve`: {name, responses: [{measure, points}]}.
 */
export class LineChart {
  constructor(data, curve, { caption }) {
    this.data = data;
    this.curve = curve;
    this.isShown = () => true;
    this.at = 0;
    this.right = WIDTH - 24 - Math.min(200, 7.5 * Math.max(...data.symbols.map((name) => name.length)));
    this.x = linear(0, 1, LEFT, this.right);
    this.y = linear(data.low, data.high, HEIGHT - BOTTOM, TOP);
    const label = `Agreement against magnitude: ${curve.name}. The values are in the table of means below.`;
    this.svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, tabindex: 0, role: "img", "aria-label": label });
    this.tip = element("div", { class: "tip", hidden: true, "aria-live": "polite" });
    const save = actionButton("SVG", () => this.saveDrawing(), { title: "Save the drawing as an SVG file" });
    const tools = element("div", { class: "chart-tools" }, save);
    this.figure = element("figure", {}, element("figcaption", {}, element("span", {}, caption), tools), this.svg, this.tip);
    this.svg.addEventListener("pointermove", (event) => this.showValues(this.nearest(event)));
    this.svg.addEventListener("keydown", (event) => this.step(event));
    for (const type of ["pointerleave", "blur"]) this.svg.addEventListener(type, () => this.hideValues());
    this.draw();
  }

  /** Draws the measures for which `isShown(number)` holds. */
  show(isShown) {
    this.isShown = isShown;
    this.draw();
    this.hideValues();
  }

  draw() {
    const { x, y } = this;
    const responses = this.curve.responses.filter(({ measure }) => this.isShown(measure));
    const vertical = { y1: TOP, y2: HEIGHT - BOTTOM };
    this.guide = svgElement("line", { class: "guide", visibility: "hidden", ...vertical });
    this.svg.replaceChildren(
      ...this.drawGrid(vertical),
      svgElement("line", { class: "zero", x1: x(0), x2: x(1), y1: y(0), y2: y(0) }),
      svgElement("text", { x: x(0.5), y: HEIGHT - 6, "text-anchor": "middle" }, "magnitude"),
      ...responses.flatMap((response) => this.drawCurve(response)),
      ...this.drawNames(responses),
      this.guide,
    );
  }

  drawGrid(vertical) {
    const { x, y, data } = this;
    const step = roundStep((data.high - data.low) / 12);
    const parts = [];
    for (let i = Math.ceil(data.low / step); i * step <= data.high; i++) {
      const at = y(i * step);
      parts.push(svgElement("line", { class: "grid", x1: x(0), x2: x(1), y1: at, y2: at }));
      parts.push(
        svgElement("text", { x: LEFT - 8, y: at + 4, "text-anchor": "end" }, String(Math.round(i * step * 100) / 100)),
      );
    }
    for (const magnitude of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      const at = x(magnitude);
      parts.push(svgElement("line", { class: "grid", x1: at, x2: at, ...vertical }));
      parts.push(svgElement("text", { x: at, y: HEIGHT - BOTTOM + 18, "text-anchor": "middle" }, String(magnitude)));
    }
    return parts;
  }

  style(measure) {
    return `s${measure % this.data.styles}`;
  }

  drawCurve({ measure, points }) {
    const style = this.style(measure);
    const place = (key) => (point) => `${this.x(point.magnitude)},${this.y(point[key])}`;
    const bands = runs(points, "low").map((run) => {
      const outline = [...run.map(place("high")), ...run.map(place("low")).toReversed()];
      return svgElement("polygon", { class: `band ${style}`, points: outline.join(" ") });
    });
    const lines = runs(points, "mean").map((run) =>
      svgElement("polyline", { class: `line ${style}`, points: run.map(place("mean")).join(" ") }),
    );
    const dots = points
      .filter(({ mean }) => mean !== null)
      .map(({ magnitude, mean }) =>
        svgElement("circle", { class: `dot ${style}`, cx: this.x(magnitude), cy: this.y(mean), r: 2.5 }),
      );
    return [...bands, ...lines, ...dots];
  }

  drawNames(responses) {
    const ends = responses.flatMap(({ measure, points }) => {
      const last = points.findLast(({ mean }) => mean !== null);
      if (!last) return [];
      return [
        {
          x: this.x(last.magnitude),
          y: this.y(last.mean),
          style: this.style(measure),
          name: this.data.symbols[measure],
        },
      ];
    });
    const heights = spread(ends.map(({ y }) => y));
    const edge = this.x(1);
    return ends.flatMap(({ x, y, style, name }, i) => {
      const text = svgElement("text", { class: `end ${style}`, x: edge + 8, y: heights[i] + 4 }, name);
      if (x >= edge && Math.abs(y - heights[i]) <= 3) return [text];
      return [svgElement("line", { class: `lead ${style}`, x1: x, y1: y, x2: edge + 6, y2: heights[i] }), text];
    });
  }

  nearest(event) {
    const box = this.svg.getBoundingClientRect();
    const at = linear(this.x(0), this.x(1), 0, 1)(((event.clientX - box.left) / box.width) * WIDTH);
    const distances = this.data.magnitudes.map((magnitude) => Math.abs(magnitude - at));
    return distances.indexOf(Math.min(...distances));
  }

  step(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") this.hideValues();
    if (!by) return;
    event.preventDefault();
    const last = this.data.magnitudes.length - 1;
    this.showValues(this.tip.hidden ? this.at : Math.min(last, Math.max(0, this.at + by)));
  }

  /** The values at the magnitude of this number, beside a line. */
  showValues(number) {
    this.at = number;
    const { tip, guide, curve, data } = this;
    const magnitude = data.magnitudes[number];
    const at = this.x(magnitude);
    for (const [name, value] of Object.entries({ x1: at, x2: at, visibility: "visible" }))
      guide.setAttribute(name, value);
    const rows = curve.responses
      .filter(({ measure }) => this.isShown(measure))
      .map(({ measure, points }) => {
        const { mean, low, high, reason, n } = points[number];
        const interval = low === null ? reason || "" : `[${numberText(low)}, ${numberText(high)}]`;
        const cells = [data.symbols[measure], mean === null ? "no value" : numberText(mean), interval, `n ${n}`];
        return element("tr", {}, ...cells.map((text) => element("td", {}, text)));
      });
    tip.replaceChildren(element("div", {}, `magnitude ${magnitude}`), element("table", {}, ...rows));
    tip.hidden = false;
    const box = this.svg.getBoundingClientRect();
    const scale = box.width / WIDTH;
    const isRight = at * scale + 12 + tip.offsetWidth <= this.figure.clientWidth;
    tip.style.left = `${isRight ? at * scale + 12 : Math.max(0, at * scale - 12 - tip.offsetWidth)}px`;
    tip.style.top = `${box.top - this.figure.getBoundingClientRect().top + TOP * scale + 8}px`;
  }

  saveDrawing() {
    this.hideValues();
    saveFile("benchmark.svg", svgText(this.svg, this.curve.name, this.figure), "image/svg+xml");
  }

  hideValues() {
    this.tip.hidden = true;
    this.guide.setAttribute("visibility", "hidden");
  }
}

/** Runs of neighbouring points that have this value: a curve has a gap where there is none. */
function runs(points, key) {
  const all = [];
  points.forEach((point, i) => {
    if (point[key] === null) return;
    if (i === 0 || points[i - 1][key] === null) all.push([]);
    all.at(-1).push(point);
  });
  return all;
}

/** Heights as near to these as possible (least squares), in the same order, each at least APART from the next. */
function spread(heights) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const mean = (pool) => pool.reduce((a, b) => a + b) / pool.length;
  const pools = [];
  order.forEach((i, rank) => {
    pools.push([heights[i] - rank * APART]);
    while (pools.length > 1 && mean(pools.at(-2)) > mean(pools.at(-1))) {
      const last = pools.pop();
      pools.at(-1).push(...last);
    }
  });
  const levels = pools.flatMap((pool) => pool.map(() => mean(pool)));
  const placed = [];
  order.forEach((i, rank) => (placed[i] = levels[rank] + rank * APART));
  return placed;
}
