// SPDX-License-Identifier: MIT
// The unitary alignments as a table, a page of rows at a time: for screen readers and keyboards.
import { actionButton, element } from "../dom.js";
import { groupDigits } from "../numbers.js";
import { headRow } from "../tables.js";
import { stretchText } from "./scale.js";
import { disorderText, fillIn, marksText } from "./words.js";

const PAGE = 50;

export class AlignmentTable {
  constructor(listeners, { select, point, texts }) {
    this.texts = texts;
    this.column = "disorder";
    this.isDescending = true;
    this.page = 0;
    this.body = element("tbody");
    this.head = element("thead");
    this.status = element("p", { class: "u-rows", role: "status" });
    this.earlier = actionButton(texts.earlier, () => this.turn(-1));
    this.later = actionButton(texts.later, () => this.turn(1));
    const table = element("table", { class: "u-table" }, this.head, this.body);
    this.details = element(
      "details",
      { class: "u-details" },
      element("summary", {}, texts.table),
      element("div", { class: "u-scroll", tabindex: "0", role: "region", "aria-label": texts.table }, table),
      element("div", { class: "u-pager" }, this.earlier, this.status, this.later),
    );
    listeners.on(this.details, "toggle", () => this.fill());
    const groupOf = (event) => Number(event.target.closest("tr[data-group]")?.dataset.group ?? -1);
    listeners.on(this.body, "click", (event) => groupOf(event) >= 0 && select(groupOf(event)));
    for (const type of ["pointerover", "focusin"]) listeners.on(this.body, type, (event) => point(groupOf(event)));
    for (const type of ["pointerleave", "focusout"]) listeners.on(this.body, type, () => point(-1));
  }

  show(state) {
    this.state = state;
    this.page = 0;
    this.details.hidden = !state.model.groups;
    if (state.model.groups) this.drawHead();
    this.refilter(state);
  }

  refilter(state) {
    this.state = state;
    const { groups } = state.model;
    if (!groups) return;
    const order = Array.from(groups.byPlace);
    const values = this.values(this.column);
    if (values) order.sort((g, h) => values[h] - values[g]);
    if (values ? !this.isDescending : this.isDescending) order.reverse();
    this.order = order.filter((group) => state.filter.groups[group]);
    this.page = Math.min(this.page, Math.max(0, Math.ceil(this.order.length / PAGE) - 1));
    this.fill();
  }

  /** The numbers of a column; null for the place, which has none. */
  values(column) {
    const { groups } = this.state.model;
    return column === "disorder" ? groups.disorder : column === "where" ? null : groups.parts[column];
  }

  /** On narrow screens the place and the parts (u-spare) are left to the explanation. */
  drawHead() {
    const { texts } = this;
    const { parts } = this.state.model.groups;
    this.columns = [
      { name: "where", title: texts.where, className: "u-spare" },
      { name: "disorder", title: texts.disorder, className: "u-number" },
      { name: "position", title: texts.partPosition, className: "u-number u-spare" },
      { name: "category", title: texts.partCategory, className: "u-number u-spare" },
      { name: "missing", title: texts.partMissing, className: "u-number u-spare" },
    ].filter(({ name }) => name === "where" || name === "disorder" || parts[name]);
    if (!this.columns.some(({ name }) => name === this.column)) this.column = "disorder";
    const number = { title: texts.number, isFixed: true };
    const units = { title: texts.units, isFixed: true };
    const sortable = this.columns.map((column) => ({ ...column, hint: texts.sortHint }));
    this.heads = headRow([number, ...sortable, units], (place) => this.sort(this.columns[place - 1].name));
    this.head.replaceChildren(this.heads.row);
    this.markSorted();
  }

  markSorted() {
    this.heads.mark(1 + this.columns.findIndex(({ name }) => name === this.column), this.isDescending);
  }

  sort(column) {
    this.isDescending = this.column === column ? !this.isDescending : column !== "where";
    this.column = column;
    this.page = 0;
    this.markSorted();
    this.refilter(this.state);
  }

  turn(by) {
    this.page += by;
    this.fill();
  }

  fill() {
    if (!this.state?.model.groups || !this.details.open) return;
    const from = this.page * PAGE;
    const shown = this.order.slice(from, from + PAGE);
    this.body.replaceChildren(...shown.map((group) => this.row(group)));
    const values = { from: from + 1, to: from + shown.length, count: this.order.length };
    const texts = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, groupDigits(value)]));
    this.status.textContent = shown.length ? fillIn(this.texts.rows, texts) : this.texts.noRows;
    this.earlier.disabled = this.page === 0;
    this.later.disabled = from + PAGE >= this.order.length;
    this.choose(this.state);
  }

  row(group) {
    const { model } = this.state;
    const { from, to } = model.groups;
    const cells = this.columns.map(({ name, className }) => {
      const text =
        name === "where" ? stretchText(from[group], to[group], model.axis) : disorderText(this.values(name)[group]);
      return element("td", { class: className }, text);
    });
    const number = element("button", { type: "button" }, groupDigits(group + 1));
    const mark = model.groups.areApart[group] ? element("strong", {}, ` ${this.texts.apart}.`) : null;
    const marks = element("td", { class: "u-marks" }, marksText(model, group, this.texts), mark);
    return element("tr", { "data-group": group }, element("th", { scope: "row" }, number), ...cells, marks);
  }

  choose(state) {
    this.state = state;
    for (const row of this.body.children) {
      const isSelected = Number(row.dataset.group) === state.selected;
      row.classList.toggle("u-selected", isSelected);
      if (isSelected) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }
}
