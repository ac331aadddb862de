// SPDX-License-Identifier: MIT
// The strip with the whole continuum: where units and disorder are, and the movable window on it.
import { element } from "../dom.js";
import { prepareCanvas, worstPerPixel } from "./lanes.js";
import { Scale } from "./scale.js";

const HEIGHT = 40;
const HANDLE = 7;

export class Overview {
  constructor(listeners, { look }) {
    this.canvas = element("canvas", { class: "u-overview", "aria-hidden": "true" });
    this.background = document.createElement("canvas");
    this.look = look;
    this.drag = null;
    listeners.on(this.canvas, "pointerdown", (event) => this.begin(event));
    listeners.on(this.canvas, "pointermove", (event) => this.move(event));
    for (const type of ["pointerup", "pointercancel"]) listeners.on(this.canvas, type, () => (this.drag = null));
  }

  /** Redraws the strip for another document, filter, width or theme. */
  prepare(state) {
    this.whole = new Scale(state.scale.extent, state.scale.axis);
    this.whole.width = state.scale.width;
    const context = prepareCanvas(this.background, this.whole.width, HEIGHT);
    context.fillStyle = state.theme.band;
    context.fillRect(0, 0, this.whole.width, HEIGHT);
    const bottom = state.model.groups ? 16 : HEIGHT - 2;
    this.drawCover(context, state, bottom);
    if (state.model.groups) this.drawDisorder(context, state, bottom + 4, HEIGHT - bottom - 8);
    this.draw(state);
  }

  drawCover(context, { model, filter, theme }, bottom) {
    const cover = new Float32Array(Math.ceil(this.whole.width) + 1);
    const { start, end } = model.units;
    for (let i = 0; i < model.nUnits; i++) {
      if (!filter.units[i]) continue;
      const last = this.whole.x(end[i]);
      for (let x = Math.floor(this.whole.x(start[i])); x <= last; x++) cover[x] += 1;
    }
    const most = cover.reduce((high, value) => Math.max(high, value), 1);
    context.fillStyle = theme.soft;
    cover.forEach((value, x) => {
      const high = (value / most) * (bottom - 3);
      if (value) context.fillRect(x, bottom - high, 1, high);
    });
  }

  drawDisorder(context, { model, filter, theme, share }, top, height) {
    const groups = Array.from(model.groups.byPlace).filter((group) => filter.groups[group]);
    const worst = worstPerPixel(groups, { scale: this.whole, model, share });
    worst.forEach((value, x) => {
      if (value < 0) return;
      context.fillStyle = theme.disorder(value);
      context.fillRect(x, top, 1, height);
    });
  }

  draw({ scale, theme }) {
    const width = this.whole.width;
    const context = prepareCanvas(this.canvas, width, HEIGHT);
    context.drawImage(this.background, 0, 0, width, HEIGHT);
    this.window = [this.whole.x(scale.from), this.whole.x(scale.to)];
    const [from, to] = this.window;
    context.globalAlpha = 0.62;
    context.fillStyle = theme.ground;
    context.fillRect(0, 0, from, HEIGHT);
    context.fillRect(to, 0, width - to, HEIGHT);
    context.globalAlpha = 1;
    context.strokeStyle = theme.accent;
    context.lineWidth = 1.5;
    context.strokeRect(from, 0.75, Math.max(2, to - from), HEIGHT - 1.5);
    context.fillStyle = theme.accent;
    for (const x of [from, to]) context.fillRect(x - 1.5, HEIGHT / 2 - 7, 3, 14);
  }

  begin(event) {
    const x = event.offsetX;
    const [from, to] = this.window;
    this.canvas.setPointerCapture(event.pointerId);
    if (Math.abs(x - from) < HANDLE) this.drag = { edge: "from" };
    else if (Math.abs(x - to) < HANDLE) this.drag = { edge: "to" };
    else {
      if (x < from || x > to) this.centre(x);
      this.drag = { edge: null, grip: x - this.window[0] };
    }
    event.preventDefault();
  }

  move(event) {
    const x = event.offsetX;
    const [from, to] = this.window;
    this.canvas.style.cursor = Math.min(Math.abs(x - from), Math.abs(x - to)) < HANDLE ? "ew-resize" : "grab";
    if (!this.drag) return;
    const at = this.whole.position(x);
    if (this.drag.edge === "from") this.look(Math.min(at, this.whole.position(to - 4)), this.whole.position(to));
    else if (this.drag.edge === "to") this.look(this.whole.position(from), Math.max(at, this.whole.position(from + 4)));
    else this.look(this.whole.position(x - this.drag.grip), this.whole.position(x - this.drag.grip + to - from));
  }

  centre(x) {
    const [from, to] = this.window;
    const half = (to - from) / 2;
    this.look(this.whole.position(x - half), this.whole.position(x + half));
  }
}
