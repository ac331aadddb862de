// SPDX-License-Identifier: MIT
// The explanation of a unitary alignment: a sentence with its numbers, and who marked what, side by side.
import { cut, element, nameElement } from "./dom.js";
import { hueVariable } from "./colours.js";
import { stretchText } from "./scale.js";
import { marksOf, sentence, unitText } from "./words.js";

const N_WORST = 3;

export class Explanation {
  constructor(texts, select) {
    this.texts = texts;
    this.select = select;
    this.words = element("p", { class: "u-sentence" });
    this.rows = element("div", { class: "u-compare", "aria-hidden": "true" });
    this.worst = element("ol", { class: "u-worst", "aria-label": texts.worstList });
    this.panel = element("div", { class: "u-explain" }, this.words, this.rows, this.worst);
    this.live = element("p", { class: "u-hidden", role: "status", "aria-live": "polite" });
    this.shown = null;
  }

  show(state) {
    this.shown = null;
    this.rows.hidden = !state.model.groups;
    // Room for the usual case from the start: the page must not jump while one points here and there.
    const rows = Math.min(6, state.model.annotators.length);
    this.panel.style.setProperty("--u-rows", state.model.groups ? Math.max(N_WORST, rows) : 0);
    this.live.textContent = "";
    this.tell(state);
  }

  /** Tells of what is pointed at, else of what is selected, else what can be done. */
  tell(state) {
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
        nameElement(model.annotators[model.units.annotator[pointed]], 40),
        ` ${this.texts.marks} ${unitText(model, pointed)}.`,
      );
    else if (!model.groups) this.words.textContent = this.texts.hintPlain;
    else if (!this.listWorst(state)) this.words.textContent = this.texts.hintPlain;
    else this.words.textContent = matchMedia("(hover: none)").matches ? this.texts.hintTouch : this.texts.hint;
  }

  /** Where to look first: the worst disagreements, each a press away; says how many there are. */
  listWorst({ model, filter }) {
    const { byDisorder, kinds } = model.groups;
    const found = [];
    for (let i = 0; i < byDisorder.length && found.length < N_WORST; i++) {
      if (filter.groups[byDisorder[i]] && kinds[byDisorder[i]]) found.push(byDisorder[i]);
    }
    const entries = found.map((group) => {
      const button = element("button", { type: "button", "data-group": group }, sentence(model, group, this.texts));
      button.addEventListener("click", () => this.select(group));
      return element("li", {}, button);
    });
    this.worst.replaceChildren(...entries);
    return entries.length;
  }

  /** For those who cannot see it: said once, when something is selected. */
  announce({ model }, group) {
    this.live.replaceChildren(group >= 0 ? sentence(model, group, this.texts) : "");
  }

  compare({ model, hues }, group) {
    const { start, end, category } = model.units;
    const marks = marksOf(model, group);
    const rows = marks
      .filter(({ unit }) => unit >= 0)
      .map(({ name, unit }) => {
        const swatch = element("span", { class: "u-swatch" });
        swatch.style.backgroundColor = hueVariable(category[unit] < 0 ? -1 : hues[category[unit]]);
        const label =
          category[unit] < 0
            ? element("span", {}, this.texts.noCategory)
            : nameElement(model.categories[category[unit]], 60);
        const where = element("span", { class: "u-where" }, stretchText(start[unit], end[unit], model.axis));
        const words =
          model.text === null
            ? null
            : element("bdi", { class: "u-excerpt" }, excerpt(model.text, start[unit], end[unit]));
        return element("div", { class: "u-row" }, swatch, nameElement(name, 40), where, label, words);
      });
    const absent = marks.filter(({ unit }) => unit < 0);
    if (absent.length) {
      const names = element("span", { class: "u-absentees" }, `${this.texts.nothing}: `);
      absent.forEach(({ name }, i) => names.append(i ? ", " : "", nameElement(name, 40)));
      rows.push(element("div", { class: "u-row u-absent" }, element("span", { class: "u-swatch u-ghost" }), names));
    }
    this.rows.replaceChildren(...rows);
  }
}

/** The words of a unit, on one line. */
function excerpt(text, start, end) {
  return `“${cut(text.slice(start, Math.min(end, start + 500)).replace(/\s+/g, " "), 90)}”`;
}
