// SPDX-License-Identifier: MIT
// What all charts have in common: a title, a drawing as wide as there is room, marks that open their cases, and the
// numbers and the drawing as files.
import { copyText, confirmOn } from "../clipboard.js";
import { actionButton, element, oncePerFrame, svgElement } from "../dom.js";
import { csvText, saveFile } from "../files.js";

/** Properties of shapes and texts that come from the stylesheet and must be written into a saved drawing. */
const STYLES = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "opacity"];
const TEXT_STYLES = ["font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline", "paint-order"];

/**
 * A chart. `draw(width)` returns an svg element; its marks are made by `openMark`. `table()` returns {columns, rows}: the
 * same numbers as a table. `open(selection)` is called when a mark is chosen by pointer or keyboard. `legend` is shown
 * below, `name` is that of saved files.
 */
export class ChartFrame {
  constructor({ name, title, note = null, draw, table, open = null, legend = null, level = 3 }) {
    Object.assign(this, { name, title, draw, table, open });
    this.body = element("div", { class: "chart-body scroll", role: "region", "aria-label": title, tabindex: "0" });
    this.tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.tools = element(
      "div",
      { class: "chart-tools" },
      actionButton("SVG", () => this.saveDrawing(), { title: "Save the drawing as an SVG file" }),
      actionButton("CSV", () => this.saveTable(), { title: "Save the numbers as a CSV file" }),
      actionButton("Copy", ({ target }) => this.copyTable(target), { title: "Copy the numbers, for a spreadsheet" }),
    );
    const heading = element(`h${level}`, {}, title);
    this.figure = element(
      "figure",
      { class: "chart-frame", "data-chart": name },
      element("figcaption", {}, element("div", { class: "chart-head" }, heading, this.tools), note && noteOf(note)),
      this.body,
      legend,
      this.tip,
    );
    const { body } = this;
    body.addEventListener("click", (event) => this.choose(markOf(event)));
    body.addEventListener("keydown", (event) => this.key(event));
    for (const type of ["pointermove", "focusin"]) body.addEventListener(type, (event) => this.showTip(markOf(event)));
    for (const type of ["pointerleave", "focusout"]) body.addEventListener(type, () => (this.tip.hidden = true));
    this.redraw = oncePerFrame(() => this.show());
    this.observer = new ResizeObserver(() => Math.abs(this.width - this.body.clientWidth) > 1 && this.redraw());
    this.observer.observe(body);
    frames.set(this.figure, this);
  }

  show() {
    this.width = this.body.clientWidth;
    if (!this.width) return;
    const drawn = this.draw(Math.max(280, this.width), this.figure);
    this.marks = [...drawn.querySelectorAll(".mark")];
    if (this.marks.length) {
      this.marks[0].setAttribute("tabindex", "0");
      this.body.removeAttribute("tabindex"); // the marks can be reached by keyboard
    }
    this.body.replaceChildren(drawn);
    this.figure.dataset.drawn = String(this.marks.length);
  }

  /** Arrow keys walk from mark to mark, within their row or column where they have one. Enter opens. */
  key(event) {
    const mark = markOf(event);
    if (!mark) return;
    if (event.key === "Enter" || event.key === " ") this.choose(mark);
    else {
      const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!by) return;
      const line = event.key === "ArrowDown" || event.key === "ArrowUp" ? "column" : "row";
      const marks = this.marks.filter(({ dataset }) => dataset[line] === mark.dataset[line]);
      const next = marks[marks.indexOf(mark) + by];
      if (!next) return;
      mark.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
    event.preventDefault();
  }

  choose(mark) {
    if (mark && this.open && selections.has(mark)) this.open(selections.get(mark));
  }

  showTip(mark) {
    this.tip.hidden = !mark;
    if (!mark) return;
    const [box, frame] = [mark.getBoundingClientRect(), this.figure.getBoundingClientRect()];
    this.tip.textContent = mark.getAttribute("aria-label");
    const middle = box.left + Math.min(box.width, 400) / 2 - frame.left;
    const left = Math.max(0, Math.min(frame.width - this.tip.offsetWidth, middle - this.tip.offsetWidth / 2));
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${box.top - frame.top - this.tip.offsetHeight - 4}px`;
  }

  saveDrawing() {
    saveFile(`${this.name}.svg`, svgText(this.body.querySelector("svg"), this.title, this.figure), "image/svg+xml");
  }

  saveTable() {
    saveFile(`${this.name}.csv`, csvText(this.table()), "text/csv");
  }

  async copyTable(button) {
    await copyText(csvText(this.table(), "\t"));
    confirmOn(button, "Copied");
  }
}

/** The charts by their figures; only those on the page are drawn again when the theme changes. */
const frames = new WeakMap();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const figure of document.querySelectorAll(".chart-frame")) frames.get(figure)?.redraw();
});

const noteOf = (note) => element("p", { class: "quiet" }, note);
const markOf = (event) => event.target.closest?.(".mark") ?? null;
const selections = new WeakMap();

/** Makes a shape a mark: it says what it is, and opens its cases if there is a selection; `place`: [row, column]. */
export function openMark(node, label, selection = null, place = []) {
  node.classList.add("mark");
  for (const [name, value] of Object.entries({
    role: selection === null ? "img" : "button",
    tabindex: "-1",
    "aria-label": label,
  }))
    node.setAttribute(name, value);
  if (place.length) [node.dataset.row, node.dataset.column] = place;
  if (selection !== null) {
    node.classList.add("opens");
    selections.set(node, selection);
  }
  return node;
}

/** An svg element of this size; its children are marks, so it is a group, not an image. */
export function drawing(width, height, label, ...children) {
  return svgElement(
    "svg",
    { class: "drawing", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label },
    ...children,
  );
}

/** The drawing as a file of its own: colours and fonts written out, marks with their words. */
export function svgText(svg, title, figure) {
  const copy = svg.cloneNode(true);
  const [shown, copied] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  shown.forEach((node, i) => {
    const style = getComputedStyle(node);
    const names = node.tagName === "text" ? [...STYLES, ...TEXT_STYLES] : STYLES;
    for (const name of names) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" && value !== "normal" && value !== "auto") copied[i].setAttribute(name, value);
      else if (value === "none" && (name === "fill" || name === "stroke")) copied[i].setAttribute(name, "none");
    }
    const label = copied[i].getAttribute("aria-label");
    for (const name of ["class", "tabindex", "role", "aria-label", "data-row", "data-column", "style"])
      copied[i].removeAttribute(name);
    if (label && i) copied[i].append(svgElement("title", {}, label));
  });
  const [, , width, height] = copy.getAttribute("viewBox").split(" ");
  const ground = getComputedStyle(figure.closest("body")).backgroundColor;
  copy.prepend(svgElement("title", {}, title), svgElement("rect", { width, height, fill: ground }));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}
