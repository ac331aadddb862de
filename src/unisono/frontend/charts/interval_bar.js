// SPDX-License-Identifier: MIT
// One value between chance and full agreement.
import { element } from "../dom.js";
import { intervalText, numberText } from "../numbers.js";
import { linear } from "./scale.js";

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
