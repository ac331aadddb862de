// SPDX-License-Identifier: MIT
// The same as a table, a page of rows at a time: what screen readers read and keyboards walk through.
import { element } from "./dom.js";
import { stretchText, grouped } from "./scale.js";
import { filled, marksText, numberText } from "./words.js";

const PAGE = 50;

/** Where there is no room the place and the parts are left to the explanation. */
const classOf = (column) => (column === "where" ? "u-spare" : column === "disorder" ? "u-number" : "u-number u-spare");

export class AlignmentTable {
  constructor(listeners, { select, point, texts }) {
    this.texts = texts;
    this.column = "disorder";
    this.descending = true;
    this.page = 0;
    this.body = element("tbody");
    this.head = element("tr");
    this.status = element("p", { class: "u-rows", role: "status" });
    this.earlier = element("button", { type: "button" }, texts.earlier);
    this.later = element("button", { type: "button" }, texts.later);
    const table = element("table", { class: "u-table" }, element("thead", {}, this.head), this.body);
    this.label = element("summary", {}, texts.table);
    this.details = element(
      "details",
      { class: "u-details" },
      this.label,
      element("div", { class: "u-scroll", tabindex: "0", role: "region", "aria-label": texts.table }, table),
      element("div", { class: "u-pager" }, this.earlier, this.status, this.later),
    );
    listeners.on(this.earlier, "click", () => this.turn(-1));
    listeners.on(this.later, "click", () => this.turn(1));
    listeners.on(this.details, "toggle", () => this.fill());
    const groupOf = (event) => Number(event.target.closest("tr[data-group]")?.dataset.group ?? -1);
    listeners.on(this.body, "click", (event) => groupOf(event) >= 0 && select(groupOf(event)));
    for (const type of ["pointerover", "focusin"]) listeners.on(this.body, type, (event) => point(groupOf(event)));
    for (const type of ["pointerleave", "focusout"]) listeners.on(this.body, type, () => point(-1));
    listeners.on(this.head, "click", (event) => {
      const button = event.target.closest("button[data-column]");
      if (button) this.sort(button.dataset.column);
    });
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
    const value = this.values();
    if (value) order.sort((g, h) => value[h] - value[g]);
    if (value ? !this.descending : this.descending) order.reverse();
    this.order = order.filter((group) => state.filter.groups[group]);
    this.page = Math.min(this.page, Math.max(0, Math.ceil(this.order.length / PAGE) - 1));
    this.fill();
  }

  /** The numbers of the column that the rows are sorted by; null: by place. */
  values() {
    const { groups } = this.state.model;
    return this.column === "disorder" ? groups.disorder : this.column === "where" ? null : groups.parts[this.column];
  }

  columns() {
    const { texts } = this;
    const { parts } = this.state.model.groups;
    const found = [["where", texts.where]];
    found.push(["disorder", texts.disorder]);
    if (parts.position) found.push(["position", texts.partPosition]);
    if (parts.category) found.push(["category", texts.partCategory]);
    if (parts.missing) found.push(["missing", texts.partMissing]);
    return found;
  }

  drawHead() {
    if (!this.columns().some(([column]) => column === this.column)) this.column = "disorder";
    const sortable = this.columns().map(([column, name]) => {
      const button = element("button", { type: "button", "data-column": column, title: this.texts.sortHint }, name);
      const sorted = this.column !== column ? null : this.descending ? "descending" : "ascending";
      return element("th", { scope: "col", "aria-sort": sorted, class: classOf(column) }, button);
    });
    this.head.replaceChildren(
      element("th", { scope: "col" }, this.texts.number),
      ...sortable,
      element("th", { scope: "col" }, this.texts.units),
    );
  }

  sort(column) {
    this.descending = this.column === column ? !this.descending : column !== "where";
    this.column = column;
    this.page = 0;
    this.drawHead();
    this.refilter(this.state);
    this.head.querySelector(`[data-column="${column}"]`).focus();
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
    const values = { from: grouped(from + 1), to: grouped(from + shown.length), count: grouped(this.order.length) };
    this.status.textContent = shown.length ? filled(this.texts.rows, values) : this.texts.noRows;
    this.earlier.disabled = this.page === 0;
    this.later.disabled = from + PAGE >= this.order.length;
    this.choose(this.state);
  }

  row(group) {
    const { model } = this.state;
    const { groups } = model;
    const cells = this.columns().map(([column]) => {
      if (column === "where")
        return element("td", { class: classOf(column) }, stretchText(groups.from[group], groups.to[group], model.axis));
      const value = column === "disorder" ? groups.disorder[group] : groups.parts[column][group];
      return element("td", { class: classOf(column) }, numberText(value));
    });
    const number = element("button", { type: "button" }, grouped(group + 1));
    const marks = element("td", { class: "u-marks" }, marksText(model, group, this.texts));
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
