// SPDX-License-Identifier: MIT
// The explanation of a unitary alignment: a sentence with its numbers, and who marked what, side by side.
import { actionButton, cut, element } from "../dom.js";
import { hueVariable } from "./colours.js";
import { doNotOverlap } from "./model.js";
import { stretchText } from "./scale.js";
import { marksOf, sentence, unitText, viewerName } from "./words.js";

const N_WORST = 3;

export class Explanation {
  constructor(texts, select) {
    this.texts = texts;
    this.select = select;
    this.words = element("p", { class: "u-sentence" });
    this.rows = element("div", { class: "u-compare", "aria-hidden": "true" });
    this.worst = element("ol", { class: "u-worst", "aria-label": texts.worstList });
    const region = { class: "u-explain", role: "region", "aria-label": texts.explanation, tabindex: "0" };
    this.panel = element("div", region, this.words, this.rows, this.worst);
    this.live = element("p", { class: "u-hidden", role: "status", "aria-live": "polite" });
    this.shown = null;
  }

  show(state) {
    this.shown = null;
    this.rows.hidden = !state.model.groups;
    // Reserve room for the usual case: the page must not jump while the pointer moves about. Where there are many
    // annotators the panel stays at the lower edge of the window, and scrolls.
    const rows = Math.min(4, state.model.annotators.length);
    this.panel.style.setProperty("--u-rows", state.model.groups ? Math.max(N_WORST, rows) : 0);
    this.live.textContent = "";
    this.explain(state);
  }

  /** Explains what is pointed at, else what is selected, else what can be done. */
  explain(state) {
    const { model, hovered, selected, pointed } = state;
    const group = hovered >= 0 ? hovered : selected;
    const key = `${group} ${pointed}`;
    if (key === this.shown) return;
    this.shown = key;
    this.worst.replaceChildren();
    if (model.groups && group >= 0) {
      this.words.replaceChildren(sentence(model, group, this.texts));
      this.compare(state, group);
      return;
    }
    this.rows.replaceChildren();
    if (!model.nUnits) this.words.textContent = this.texts.noUnits;
    else if (pointed >= 0)
      this.words.replaceChildren(
        viewerName(model.annotators[model.units.annotator[pointed]], 40),
        ` ${this.texts.marks} ${unitText(model, pointed)}.`,
      );
    else if (!model.groups) this.words.textContent = this.texts.hintPlain;
    else if (!this.listWorst(state)) this.words.textContent = this.texts.hintPlain;
    else this.words.textContent = matchMedia("(hover: none)").matches ? this.texts.hintTouch : this.texts.hint;
  }

  /** Lists the worst disagreements as buttons; returns how many there are. */
  listWorst({ model, filter }) {
    const { byDisorder, kinds } = model.groups;
    const worst = [];
    for (let i = 0; i < byDisorder.length && worst.length < N_WORST; i++) {
      if (filter.groups[byDisorder[i]] && kinds[byDisorder[i]]) worst.push(byDisorder[i]);
    }
    const entries = worst.map((group) => {
      const words = sentence(model, group, this.texts);
      return element(
        "li",
        {},
        actionButton(words, () => this.select(group), { "data-group": group }),
      );
    });
    this.worst.replaceChildren(...entries);
    return entries.length;
  }

  /** Tells screen readers, once, what is selected. */
  announce({ model }, group) {
    this.live.replaceChildren(group >= 0 ? sentence(model, group, this.texts) : "");
  }

  /** Who marked what; annotators who marked the same share a row. */
  compare({ model, hues }, group) {
    const { start, end, category } = model.units;
    const marks = marksOf(model, group);
    const present = marks.filter(({ unit }) => unit >= 0);
    const same = new Map();
    for (const mark of present) {
      const key = [start, end, category].map((column) => column[mark.unit]).join(" ");
      if (!same.has(key)) same.set(key, []);
      same.get(key).push(mark);
    }
    const isStray = ({ unit }) =>
      present.length > 1 && present.every((other) => other.unit === unit || doNotOverlap(model.units, unit, other.unit));
    const rows = [...same.values()]
      .sort((a, b) => b.length - a.length)
      .map((together) => {
        const { unit } = together[0];
        const swatch = element("span", { class: "u-swatch" });
        swatch.style.backgroundColor = hueVariable(category[unit] < 0 ? -1 : hues[category[unit]]);
        const label =
          category[unit] < 0
            ? element("span", {}, this.texts.noCategory)
            : viewerName(model.categories[category[unit]], 60);
        const where = element("span", { class: "u-where" }, stretchText(start[unit], end[unit], model.axis));
        const words =
          model.text === null
            ? null
            : element("bdi", { class: "u-excerpt" }, excerpt(model.text, start[unit], end[unit]));
        const names = element("span", { class: "u-who" });
        together.forEach(({ name }, i) => names.append(i ? ", " : "", viewerName(name, 40)));
        const stray = isStray(together[0]) ? element("strong", { class: "u-stray" }, this.texts.strayed) : null;
        return element("div", { class: "u-row" }, swatch, names, where, label, stray ?? words);
      });
    const absent = marks.filter(({ unit }) => unit < 0);
    if (absent.length) {
      const names = element("span", { class: "u-absentees" }, `${this.texts.nothing}: `);
      absent.forEach(({ name }, i) => names.append(i ? ", " : "", viewerName(name, 40)));
      rows.push(element("div", { class: "u-row u-absent" }, element("span", { class: "u-swatch u-ghost" }), names));
    }
    this.rows.replaceChildren(...rows);
  }
}

/** The words of a unit, on one line. */
function excerpt(text, start, end) {
  return `“${cut(text.slice(start, Math.min(end, start + 500)).replace(/\s+/g, " "), 90)}”`;
}
