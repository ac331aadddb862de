// SPDX-License-Identifier: MIT
// Documents: the table with their values, the one that is shown, and the viewer of its alignment.
import { byId, cut, debounce, element, nameElement } from "../dom.js";
import { numberText } from "../numbers.js";
import { documentsTable, findDocuments } from "../tables.js";
import { mountViewer } from "../viewer/viewer.js";
import { fetchWhenReady } from "./api.js";
import { messageOf, sentenceOf } from "./problems.js";
import { mainMeasure } from "./results.js";

/** With more documents there is no list to choose from; the table finds them all. */
const MOST_CHOICES = 2_000;

export class Documents {
  constructor() {
    this.names = [];
    this.result = null;
    this.table = null;
    this.viewer = null;
    this.shown = null;
    this.loading = null;
    byId("document").addEventListener("change", (event) => this.open(event.target.value));
    byId("worse").addEventListener("click", () => this.step(-1));
    byId("better").addEventListener("click", () => this.step(1));
    byId("document-filter").addEventListener(
      "input",
      debounce(() => this.filter(), 150),
    );
  }

  /** Prepares for other data, of which no values are known yet. */
  prepare(upload) {
    this.stop();
    this.viewer?.destroy();
    this.viewer = this.shown = this.result = this.words = this.table = this.values = null;
    this.names = upload.documents.map(({ name }) => name);
    this.categories = upload.categories;
    const first =
      upload.documents.find(({ annotators, units }) => annotators.length > 1 && units > 0) ?? upload.documents[0];
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

  /** Uses the alignments of this job, which may still be running. */
  useJob(job) {
    this.job = job;
    this.load();
  }

  /** Aborts the request for an alignment. */
  stop() {
    this.loading?.abort();
  }

  showResult(result, words, fewUnits) {
    this.result = result;
    this.words = words;
    this.fewUnits = fewUnits;
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
    this.table?.markOpen(name);
    this.load();
  }

  /** The next document in the order of the table. */
  step(by) {
    const order = this.table?.order().map(({ name }) => name) ?? this.names;
    const at = order.indexOf(this.opened) + by;
    if (at >= 0 && at < order.length) this.open(order[at]);
  }

  showValue() {
    const value = this.values?.get(this.opened);
    const shown = value ? ` ${this.words[this.main].symbol} ${numberText(value.value)}` : "";
    const isNamed = this.names.length > MOST_CHOICES; // there is no list that shows its name
    byId("document-value").replaceChildren(...(isNamed ? [nameElement(this.opened)] : []), shown);
    const isUndefined = value && value.value === null && value.reason && !value.per_category;
    this.showNote(isUndefined ? `Not measured: ${value.reason}.` : "");
  }

  showNote(text) {
    byId("document-note").textContent = text;
    byId("document-note").hidden = !text;
  }

  async load() {
    this.stop();
    const loading = new AbortController();
    this.loading = loading;
    byId("differences").setAttribute("aria-busy", "true");
    try {
      const path = `/jobs/${this.job}/alignment?document=${encodeURIComponent(this.opened)}`;
      const answer = await fetchWhenReady(path, { signal: loading.signal });
      const text = await answer.text();
      if (loading === this.loading) this.draw(text);
    } catch (error) {
      if (error.name === "AbortError" || loading !== this.loading) return;
      const isGone = error.isLost || error.status === 409;
      const [problem] = error.problems ?? [{ message: error.message }];
      this.showNote(isGone ? "Measure again to see this document." : sentenceOf(messageOf(problem)));
    } finally {
      if (loading === this.loading) byId("differences").removeAttribute("aria-busy");
    }
  }

  draw(text) {
    byId("differences").hidden = false;
    if (text === this.shown) return; // the same alignment: keep zoom and selection
    this.shown = text;
    const view = JSON.parse(text);
    if (this.viewer) this.viewer.show(view);
    else this.viewer = mountViewer(byId("viewer"), view, { categories: this.categories });
    byId("viewer").dataset.document = view.name;
  }

  drawTable() {
    const { result, words, main } = this;
    this.table = null;
    if (result.documents.length < 2) return;
    this.items = result.documents.map(({ name, measures, annotators, units }) => ({
      id: name,
      name,
      values: Object.fromEntries(Object.entries(measures).map(([measure, { value }]) => [measure, value])),
      observed: measures[main]?.observed,
      expected: measures[main]?.expected,
      contribution: measures[main]?.contribution ?? null,
      isSmall: units < this.fewUnits,
      reason: measures[main]?.reason,
      annotators: annotators.length,
      units,
    }));
    const measures = Object.keys(result.measures).map((name) => [name, words[name].symbol]);
    this.table = documentsTable(this.items, measures, main, (name) => {
      this.open(name);
      byId("differences").scrollIntoView({ block: "start" });
    });
    this.filter();
    this.table.markOpen(this.opened);
    byId("documents").querySelector(".scroll").replaceChildren(this.table.table);
  }

  filter() {
    this.table?.show(findDocuments(this.items, byId("document-filter").value));
  }
}
