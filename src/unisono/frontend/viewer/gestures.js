// SPDX-License-Identifier: MIT
// Pointer, wheel and keyboard on the lanes of the viewer: panning, zooming, pointing at units and choosing them.
import { whatIsAt } from "./layout.js";
import { disorderText, unitText, viewerName } from "./words.js";

/** `viewer` is the Viewer whose stage is listened to. */
export class Gestures {
  constructor(viewer) {
    this.viewer = viewer;
    this.pointers = new Map(); // those pressed, by their id
    this.pinch = 0; // distance of two fingers; 0: no pinch
  }

  listen() {
    const { stage, listeners } = this.viewer;
    listeners.on(stage, "wheel", (event) => this.wheel(event), { passive: false });
    listeners.on(stage, "pointerdown", (event) => this.press(event));
    listeners.on(stage, "pointermove", (event) => this.movePointer(event));
    listeners.on(stage, "pointerup", (event) => this.release(event));
    listeners.on(stage, "pointercancel", (event) => this.letGo(event));
    listeners.on(stage, "pointerleave", () => this.leave());
    listeners.on(stage, "keydown", (event) => this.key(event));
  }

  wheel(event) {
    const { scale } = this.viewer.state;
    if (event.ctrlKey || event.metaKey) {
      this.viewer.zoom(Math.exp(-event.deltaY * 0.002 * (event.deltaMode === 1 ? 16 : 1)), event.offsetX);
    } else {
      const distance = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (Math.abs(distance) <= Math.abs(event.shiftKey ? 0 : event.deltaY)) return; // the page scrolls
      this.viewer.look(() => scale.pan(distance / scale.pixelsPerUnit));
    }
    event.preventDefault();
  }

  press(event) {
    if (event.button !== 0) return;
    this.pointers.set(event.pointerId, { x: event.offsetX, from: event.offsetX, y: event.offsetY, dragged: false });
    this.pinch = this.pointers.size === 2 ? this.spread() : 0;
    this.viewer.stage.setPointerCapture(event.pointerId);
    this.viewer.stage.focus({ preventScroll: true });
  }

  spread() {
    const [first, second] = [...this.pointers.values()];
    return Math.max(1, Math.abs(first.x - second.x));
  }

  movePointer(event) {
    const held = this.pointers.get(event.pointerId);
    if (!held) {
      if (event.pointerType !== "touch") this.hover(event);
      return;
    }
    const distance = event.offsetX - held.x;
    held.x = event.offsetX;
    if (!held.dragged && Math.abs(held.x - held.from) < 4) return;
    held.dragged = true;
    this.viewer.tip.hidden = true;
    this.viewer.stage.classList.add("u-dragging");
    const { scale } = this.viewer.state;
    if (this.pinch) {
      const [first, second] = [...this.pointers.values()];
      const spread = this.spread();
      this.viewer.zoom(spread / this.pinch, (first.x + second.x) / 2);
      this.pinch = spread;
    } else this.viewer.look(() => scale.pan(-distance / scale.pixelsPerUnit));
  }

  /** Forgets a pointer that was pressed, and returns where it was. */
  letGo(event) {
    const held = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    this.pinch = 0;
    this.viewer.stage.classList.remove("u-dragging");
    return held;
  }

  release(event) {
    const held = this.letGo(event);
    if (!held || held.dragged) return;
    const hit = whatIsAt(event.offsetX, event.offsetY, this.viewer.state);
    if (hit && hit.group < 0) this.viewer.point(hit);
    else this.viewer.select(hit ? hit.group : -1);
    if (hit?.group >= 0) this.viewer.text.scrollTo(this.viewer.state.model.groups.from[hit.group]);
  }

  hover(event) {
    const { state, stage, plot, tip, texts } = this.viewer;
    const { model } = state;
    const hit = whatIsAt(event.offsetX, event.offsetY, state);
    this.viewer.point(hit);
    stage.classList.toggle("u-over", Boolean(hit));
    tip.hidden = !hit;
    if (!hit) return;
    const words =
      hit.unit >= 0
        ? [viewerName(model.annotators[model.units.annotator[hit.unit]], 40), ` ${unitText(model, hit.unit, 60)}`]
        : [`${texts.disorder} ${disorderText(model.groups.disorder[hit.group])}`];
    tip.replaceChildren(...words);
    const left = stage.offsetLeft + event.offsetX + 14;
    const room = plot.clientWidth - tip.offsetWidth - 4;
    const [x, y] = [Math.max(0, Math.min(left, room)), event.offsetY + 18].map(Math.round);
    tip.style.transform = `translate(${x}px, ${y}px)`;
  }

  leave() {
    this.viewer.tip.hidden = true;
    this.viewer.stage.classList.remove("u-over");
    this.viewer.point(null);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { scale } = this.viewer.state;
    const actions = {
      ArrowLeft: () => this.viewer.pan(event.shiftKey ? -0.8 : -0.15),
      ArrowRight: () => this.viewer.pan(event.shiftKey ? 0.8 : 0.15),
      ArrowUp: () => this.viewer.step(-1, { all: true }),
      ArrowDown: () => this.viewer.step(1, { all: true }),
      Home: () => this.viewer.look(() => scale.look(scale.extent[0], scale.extent[0] + scale.span)),
      End: () => this.viewer.look(() => scale.look(scale.extent[1] - scale.span, scale.extent[1])),
      "+": () => this.viewer.zoom(1.6),
      "=": () => this.viewer.zoom(1.6),
      "-": () => this.viewer.zoom(1 / 1.6),
      0: () => this.viewer.look(() => scale.whole()),
      n: () => this.viewer.step(1),
      p: () => this.viewer.step(-1),
      w: () => this.viewer.jumpToWorst(),
      c: () => this.viewer.toggleCompact(),
      Enter: () => this.viewer.zoomToSelected(),
      Escape: () => this.viewer.select(-1),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    action();
    event.preventDefault();
  }
}
