// SPDX-License-Identifier: MIT
// Documents: the table with their values, the one that is looked at, and the viewer of its alignment.
import { made } from "./api.js";
import { cut, element } from "./viewer/dom.js";
import { mountViewer } from "./viewer/viewer.js";
import { mainMeasure } from "./results.js";
import { sortable } from "./tables.js";
import { byId, grouped, named, numberText, settled } from "./words.js";

/** More documents than a list to choose from should have; the table finds them all. */
const MOST_CHOICES = 2_000;

export class Documents {
  constructor() {
    this.names = [];
    this.result = null;
    this.viewer = null;
    this.shown = null;
    this.loading = null;
    byId("document").addEventListener("change", (event) => this.open(event.target.value));
    byId("worse").addEventListener("click", () => this.step(-1));
    byId("better").addEventListener("click", () => this.step(1));
    byId("document-filter").addEventListener("input", settled(() => this.drawTable(), 150));
  }

  /** Other data: nothing is known of their documents yet. */
  know(upload) {
    this.stop();
    this.viewer?.destroy();
    this.viewer = this.shown = this.result = this.words = null;
    this.names = upload.documents.map(({ name }) => name);
    this.categories = upload.categories;
    const first = upload.documents.find(({ annotators, units }) => annotators.length > 1 && units > 0) ?? upload.documents[0];
    this.opened = first.name;
    const choices = this.names.length <= MOST_CHOICES ? this.names : [];
    byId("document").replaceChildren(...choices.map((name) => element("option", { value: name }, cut(name, 80))));
    byId("document").value = this.opened;
    byId("document").parentElement.hidden = !choices.length;
    byId("picker").hidden = this.names.length < 2;
    byId("document-filter").value = "";
    this.showValue();
    for (const id of ["differences", "documents"]) byId(id).hidden = true;
    byId("viewer").replaceChildren();
  }

  /** A measurement has begun: its alignments can be asked for. */
  measuring(job) {
    this.job = job;
    this.load();
  }

  /** No more of what was asked for. */
  stop() {
    this.loading?.abort();
  }

  measured(result, words) {
    this.result = result;
    this.words = words;
    this.main = mainMeasure(result.measures);
    this.values = new Map(result.documents.map((document) => [document.name, document.measures[this.main]]));
    byId("documents").hidden = result.documents.length < 2;
    this.drawTable();
    this.showValue();
  }

  open(name) {
    this.opened = name;
    byId("document").value = name;
    this.showValue();
    for (const row of byId("documents").querySelectorAll("tbody tr")) row.classList.toggle("opened", row.dataset.document === name);
    this.load();
  }

  /** The next document in the order of the table. */
  step(by) {
    const order = this.order ?? this.names;
    const at = order.indexOf(this.opened) + by;
    if (at >= 0 && at < order.length) this.open(order[at]);
  }

  get order() {
    return this.table?.order().map(({ name }) => name);
  }

  showValue() {
    const value = this.values?.get(this.opened);
    const symbol = this.words?.[this.main]?.symbol;
    const shown = value && this.result ? ` ${symbol} ${numberText(value.value)}` : "";
    const isChosenBelow = this.names.length > MOST_CHOICES; // the list cannot say which it is
    byId("document-value").replaceChildren(...(isChosenBelow ? [named(this.opened, 80)] : []), shown);
    const note = byId("document-note");
    note.textContent = value && value.value === null && value.reason && !value.per_category ? `Not measured: ${value.reason}.` : "";
    note.hidden = !note.textContent;
  }

  async load() {
    this.stop();
    const loading = new AbortController();
    this.loading = loading;
    byId("differences").setAttribute("aria-busy", "true");
    try {
      const answer = await made(`/jobs/${this.job}/alignment?document=${encodeURIComponent(this.opened)}`, { signal: loading.signal });
      const text = await answer.text();
      if (loading === this.loading) this.draw(text);
    } catch (error) {
      if (error.name === "AbortError" || loading !== this.loading) return;
      byId("document-note").textContent = error.isLost || error.status === 409 ? "Measure again to look at this document." : error.problems?.[0]?.expected ?? error.message;
      byId("document-note").hidden = false;
    } finally {
      if (loading === this.loading) byId("differences").removeAttribute("aria-busy");
    }
  }

  draw(text) {
    byId("differences").hidden = false;
    if (text === this.shown) return; // the same alignment: leave the reader where they are
    this.shown = text;
    const view = JSON.parse(text);
    if (this.viewer) this.viewer.show(view);
    else this.viewer = mountViewer(byId("viewer"), view, { categories: this.categories });
    byId("viewer").dataset.document = view.name;
  }

  drawTable() {
    if (!this.result || this.result.documents.length < 2) {
      this.table = null;
      return;
    }
    const wanted = byId("document-filter").value.trim().toLowerCase();
    const items = this.result.documents.filter(({ name }) => name.toLowerCase().includes(wanted));
    const measured = Object.keys(this.result.measures).filter((name) => this.result.documents.some((document) => (document.measures[name]?.value ?? null) !== null));
    const columns = [
      { title: "document", isText: true, of: ({ name }) => name, cell: ({ name }) => this.link(name) },
      ...measured.map((name) => {
        const of = (document) => document.measures[name]?.value ?? null;
        return { title: this.words[name].symbol, of, cell: (document) => numberText(of(document)) };
      }),
      ...["observed", "expected"].map((key) => {
        const of = (document) => document.measures[this.main]?.[key] ?? null;
        return { title: key, of, cell: (document) => numberText(of(document)) };
      }),
      { title: "annotators", of: ({ annotators }) => annotators.length, cell: ({ annotators }) => grouped(annotators.length) },
      { title: "units", of: ({ units }) => units, cell: ({ units }) => grouped(units) },
    ];
    const sortedBy = Math.max(0, 1 + measured.indexOf(this.main));
    const rowOf = ({ name }) => ({ "data-document": name, class: name === this.opened ? "opened" : null });
    this.table = sortable("Documents with their values", columns, items, sortedBy, { rowOf });
    byId("documents").querySelector(".scroll").replaceChildren(this.table);
  }

  link(name) {
    const button = element("button", { type: "button", class: "open" }, named(name, 80));
    button.addEventListener("click", () => {
      this.open(name);
      byId("differences").scrollIntoView({ block: "start" });
    });
    return button;
  }
}
