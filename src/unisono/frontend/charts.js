// SPDX-License-Identifier: MIT
// Charts that move or answer the pointer. Charts that stand still are drawn by unisono.report.charts.
import { element, svgElement } from "./dom.js";
import { intervalText, numberText, roundStep } from "./numbers.js";

/** Maps [low, high] to [first, last]. */
const linear = (low, high, first, last) => (value) => first + ((value - low) / (high - low)) * (last - first);

/** A value between chance and full agreement with its uncertainty; the parts move when another value is shown. */
export class IntervalBar {
  constructor() {
    const part = (name, ...children) => element("span", { class: `bar-${name}` }, ...children);
    this.parts = Object.fromEntries(["range", "dot", "chance"].map((name) => [name, part(name)]));
    const { range, dot, chance } = this.parts;
    this.low = part("low");
    this.zero = part("zero");
    this.one = part("one");
    this.node = element(
      "div",
      { class: "interval-bar", role: "img" },
      element("div", { class: "bar-track" }, chance, range, dot),
      element("div", { class: "bar-words", "aria-hidden": "true" }, this.low, this.zero, this.one),
    );
    this.reset();
  }

  /** The next value is the first one of a measurement. */
  reset() {
    this.start = 0;
  }

  /** Shows a value with its uncertainty; Python decides where the scale starts, and its labels. */
  show(value, { symbol, interval: uncertainty, scale_start: start, scale_labels: [zero, one] }) {
    this.start = Math.min(this.start, start);
    const low = this.start;
    const place = linear(low, 1, 0, 100);
    const at = (x) => place(Math.max(low, Math.min(1, x)));
    const stretch = (part, interval) => {
      part.hidden = interval === null;
      if (interval === null) return;
      part.style.left = `${at(interval.low)}%`;
      part.style.width = `${at(interval.high) - at(interval.low)}%`;
    };
    stretch(this.parts.range, uncertainty);
    this.parts.dot.style.left = `${at(value.value)}%`;
    this.parts.chance.style.left = this.zero.style.left = `${at(0)}%`;
    this.zero.textContent = zero;
    this.one.textContent = one;
    this.low.textContent = at(0) > 7 ? numberText(low, 1) : ""; // nearer, it would stand in the label of 0
    const interval = uncertainty ? `, interval ${intervalText(uncertainty)}` : "";
    this.node.setAttribute("aria-label", `${symbol} ${numberText(value.value)}${interval}; 0 is ${zero}, 1 is ${one}`);
  }
}

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
    this.figure = element("figure", {}, element("figcaption", {}, caption), this.svg, this.tip);
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
