// SPDX-License-Identifier: MIT
// The text with the units on it: one line under it for each annotator, more where units of one annotator overlap.
// Long texts are laid out as plain text at once, so that the browser can search in them; the lines under a piece of
// text are drawn when it comes into sight.
import { element } from "../dom.js";
import { hueVariable } from "./colours.js";
import { firstWhere } from "./model.js";

/** Characters of a piece of text. */
const PIECE = 1500;
/** Units of one annotator that lie deeper than this share its last line. */
const DEEPEST = 4;

export class TextPane {
  constructor({ point, select }) {
    this.body = element("div", { class: "u-text", tabindex: "0", role: "region" });
    this.point = point;
    this.select = select;
    this.units = new WeakMap(); // a stretch of text -> the units on it
  }

  listen(listeners) {
    const unitsOf = (event) => this.units.get(event.target.closest?.(".u-mark"));
    listeners.on(this.body, "pointerover", (event) => this.point(this.inner(unitsOf(event))));
    listeners.on(this.body, "pointerleave", () => this.point(-1));
    listeners.on(this.body, "click", (event) => {
      const unit = this.inner(unitsOf(event));
      if (unit >= 0) this.select(unit);
    });
  }

  /** The shortest of the units on a stretch of text: the others can be pointed at beside it. */
  inner(units) {
    if (!units?.length) return -1;
    const { start, end } = this.model.units;
    return units.reduce((best, unit) => (end[unit] - start[unit] < end[best] - start[best] ? unit : best));
  }

  show(state) {
    this.model = state.model;
    this.state = state;
    this.observer?.disconnect();
    this.body.replaceChildren();
    this.body.scrollTop = 0;
    if (this.model.text === null) return;
    // Units on the text in the order in which they begin, and the furthest end up to each.
    const { units, nUnits } = this.model;
    this.order = Int32Array.from({ length: nUnits }, (_, i) => i);
    this.order.sort((i, j) => units.start[i] - units.start[j] || units.end[j] - units.end[i] || i - j);
    let furthest = -Infinity;
    this.reach = Float64Array.from(this.order, (unit) => (furthest = Math.max(furthest, units.end[unit])));
    this.pieces = piecesOf(this.model.text).map(({ from, to, text }) => {
      const body = element("span", { class: "u-piece" }, text);
      this.body.append(body);
      return { from, to, body, drawn: false };
    });
    const pieceOf = new Map(this.pieces.map((piece) => [piece.body, piece]));
    this.observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const piece = pieceOf.get(target);
          piece.inSight = isIntersecting;
          if (isIntersecting && !piece.drawn) this.draw(piece);
        }
      },
      { root: this.body, rootMargin: "400px 0px" },
    );
    this.refilter(state);
    for (const { body } of this.pieces) this.observer.observe(body);
  }

  /** Lays the lines out again for other annotators or categories. */
  refilter(state) {
    if (this.model.text === null) return;
    this.state = state;
    this.lines = [];
    let count = 0;
    for (const annotator of state.order) {
      this.lines[annotator] = count;
      if (state.filter.annotators[annotator]) count += Math.min(DEEPEST, this.model.lanes[annotator].tracks.length);
    }
    this.pitch = count <= 6 ? 5 : count <= 12 ? 4 : 3;
    this.body.style.setProperty("--u-lines", `${count * this.pitch}px`);
    for (const piece of this.pieces) {
      piece.drawn = false;
      if (piece.inSight) this.draw(piece);
    }
  }

  /** Marks the units of the selected and of the pointed-at unitary alignment. */
  choose(state) {
    this.state = state;
    if (this.model.text === null) return;
    for (const { body, drawn } of this.pieces) {
      if (drawn) for (const mark of body.querySelectorAll(".u-mark")) this.styleMark(mark);
    }
  }

  styleMark(mark) {
    const { groups } = this.model;
    const { selected, hovered } = this.state;
    const has = (group) => group >= 0 && this.units.get(mark).some((unit) => groups.of[unit] === group);
    mark.classList.toggle("u-selected", Boolean(groups) && has(selected));
    mark.classList.toggle("u-hovered", Boolean(groups) && has(hovered));
  }

  scrollTo(position) {
    if (this.model.text === null || !this.pieces.length) return;
    const at = Math.max(0, firstWhere(this.pieces.length, (i) => this.pieces[i].from > position) - 1);
    const piece = this.pieces[at];
    if (!piece.drawn) this.draw(piece);
    const marks = [...piece.body.children];
    const mark = marks.find((child) => Number(child.dataset.from) >= position) ?? piece.body;
    const [box, frame] = [mark.getBoundingClientRect(), this.body.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.body.scrollTop += box.top - frame.top - frame.height / 3;
  }

  /** The text of a piece, cut at every boundary of a unit, with lines under each stretch. */
  draw(piece) {
    piece.drawn = true;
    const { units, text } = this.model;
    const present = [];
    const begin = firstWhere(this.order.length, (i) => this.reach[i] >= piece.from);
    const isLast = piece === this.pieces[this.pieces.length - 1];
    for (let i = begin; i < this.order.length; i++) {
      const unit = this.order[i];
      if (isLast ? units.start[unit] > piece.to : units.start[unit] >= piece.to) break;
      if (this.state.filter.units[unit] && units.end[unit] >= piece.from) present.push(unit);
    }
    const isPointAt = (unit, at) => units.start[unit] === units.end[unit] && Math.floor(units.start[unit]) === at;
    const cuts = new Set([piece.from, piece.to]);
    for (const unit of present) {
      for (const at of [units.start[unit], units.end[unit]]) {
        if (at > piece.from && at < piece.to) cuts.add(Math.floor(at));
      }
    }
    const sorted = [...cuts].sort((a, b) => a - b);
    const parts = [];
    let active = [];
    let next = 0;
    for (let c = 0; c + 1 < sorted.length; c++) {
      const [from, to] = [sorted[c], sorted[c + 1]];
      while (next < present.length && Math.floor(units.start[present[next]]) <= from) active.push(present[next++]);
      for (const unit of active) if (isPointAt(unit, from)) parts.push(this.pointMark(unit));
      active = active.filter((unit) => units.end[unit] > from);
      const words = text.slice(from, to);
      parts.push(active.length ? this.mark(words, from, to, active) : words);
    }
    if (isLast) for (const unit of present) if (isPointAt(unit, piece.to)) parts.push(this.pointMark(unit));
    piece.body.replaceChildren(...parts);
  }

  mark(words, from, to, active) {
    const { units, lanes } = this.model;
    const mark = element("span", { class: "u-mark", "data-from": from }, words);
    const [images, positions, sizes] = [[], [], []];
    for (const unit of active) {
      const annotator = units.annotator[unit];
      const depth = Math.min(DEEPEST - 1, lanes[annotator].trackOf.get(unit));
      const colour = this.colour(unit);
      images.push(`linear-gradient(${colour}, ${colour})`);
      positions.push(
        `0 calc(100% - var(--u-lines) + ${(this.lines[annotator] + depth) * this.pitch + this.pitch - 1}px)`,
      );
      sizes.push(`${Math.floor(units.end[unit]) === to ? "calc(100% - 2px)" : "100%"} ${this.pitch - 2}px`);
    }
    mark.style.backgroundImage = images.join(", ");
    mark.style.backgroundPosition = positions.join(", ");
    mark.style.backgroundSize = sizes.join(", ");
    this.units.set(mark, [...active]);
    this.styleMark(mark);
    return mark;
  }

  /** A unit of no length: an upright stroke between two characters. */
  pointMark(unit) {
    const mark = element("span", { class: "u-mark u-point", "data-from": this.model.units.start[unit] });
    mark.style.borderLeftColor = this.colour(unit);
    this.units.set(mark, [unit]);
    this.styleMark(mark);
    return mark;
  }

  colour(unit) {
    const category = this.model.units.category[unit];
    return hueVariable(category < 0 ? -1 : this.state.hues[category]);
  }

  stop() {
    this.observer?.disconnect();
  }
}

/** The text in pieces, cut at the end of a line where there is one, at a blank otherwise. */
function piecesOf(text) {
  const pieces = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + PIECE);
    if (to < text.length) {
      const characters = Array.from(text.slice(from, to));
      const line = characters.lastIndexOf("\n");
      const end = line > characters.length / 2 ? line : characters.lastIndexOf(" ");
      if (end > 0) to = from + end + 1;
    }
    pieces.push({ from, to, text: text.slice(from, to) });
    from = to;
  }
  return pieces;
}
