// SPDX-License-Identifier: MIT
// Documents: the table with their values, the one that is shown, the viewer of its alignment, and cases in all of them.
import { isBetween } from "../charts/bars.js";
import { byId, cut, debounce, element, nameElement } from "../dom.js";
import { Explorer } from "../explorer.js";
import { memoryOf } from "../memory.js";
import { numberText } from "../numbers.js";
import { addTableTools, documentsTable, findDocuments } from "../tables.js";
import { fetchWhenReady } from "./api.js";
import { messageOf, sentenceOf } from "./problems.js";
import { mainMeasure } from "./results.js";

/** With more documents there is no list to choose from; the table finds them all. */
const MOST_CHOICES = 2_000;

export class Documents {
  /** `moved(isNew)` is called when the place in the data has changed. */
  constructor({ moved }) {
    this.names = [];
    this.result = null;
    this.table = null;
    this.loading = null;
    this.explorer = new Explorer({
      host: byId("viewer"),
      cases: byId("cases"),
      load: (name) => this.viewOf(name),
      views: () => this.views(),
      withValues: (from, to) => this.withValues(from, to),
      nameOf: (name) => name,
      idOf: (name) => (this.names.includes(name) ? name : undefined),
      opened: (name) => this.showOpened(name),
      shown: (_, view) => (byId("viewer").dataset.document = view.name),
      moved,
    });
    byId("document").addEventListener("change", (event) => this.open(event.target.value));
    byId("worse").addEventListener("click", () => this.step(-1));
    byId("better").addEventListener("click", () => this.step(1));
    byId("document-filter").addEventListener(
      "input",
      debounce(() => this.filter(), 150),
    );
  }

  get opened() {
    return this.explorer.id;
  }

  /** Prepares for other data, of which no values are known yet. */
  prepare(upload) {
    this.stop();
    this.explorer.destroy();
    this.result = this.words = this.table = this.values = this.text = this.view = this.all = null;
    this.names = upload.documents.map(({ name }) => name);
    this.explorer.viewerOptions.categories = upload.categories;
    const first =
      upload.documents.find(({ annotators, units }) => annotators.length > 1 && units > 0) ?? upload.documents[0];
    this.explorer.id = first.name;
    const choices = this.names.length <= MOST_CHOICES ? this.names : [];
    byId("document").replaceChildren(...choices.map((name) => element("option", { value: name }, cut(name, 80))));
    byId("document").parentElement.hidden = !choices.length;
    byId("picker").hidden = this.names.length < 2;
    this.memory = memoryOf(upload.data.sha256);
    byId("document-filter").value = this.memory.load().filter ?? "";
    this.showOpened(first.name);
    for (const id of ["differences", "documents"]) byId(id).hidden = true;
  }

  /** Uses the alignments of this job, which may still be running; unitary alignments may have other numbers in them. */
  useJob(job) {
    this.job = job;
    this.all = null;
    if (this.explorer.cases.selection) {
      this.explorer.cases.forget();
      this.explorer.tell(false);
    }
    this.refresh(null);
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
    const worst = this.table?.ranked.find(({ values }) => (values[this.main] ?? null) !== null);
    if (worst && !this.explorer.isVisited) {
      this.explorer.id = worst.name; // drawn by the next refresh
      this.showOpened(worst.name);
    } else this.showValue();
  }

  /**
   * Shows the open document again, or `only` some of its unitary alignments: it may be aligned in another way, and it has
   * a vote once the job is done. Selection and zoom are kept if the alignment is the same.
   */
  async refresh(only = this.explorer.only ?? null) {
    const { explorer } = this;
    let sight = null;
    await explorer.draw(explorer.id, only, (view) => {
      const before = explorer.snapshot(); // taken now, when the new alignment has arrived
      const { unit: _, ...rest } = before.state;
      if (!before.view || !haveSameAlignment(before.view, view)) return rest;
      sight = before.sight;
      return before.state;
    });
    if (sight && explorer.viewer) explorer.viewer.look(...sight);
  }

  open(name) {
    return this.explorer.open(name);
  }

  showOpened(name) {
    byId("document").value = name;
    this.showValue();
    this.table?.markOpen(name);
  }

  /** Opens the document `by` places after the open one: the worst first, or in the data's order until values are known. */
  step(by) {
    const order = this.table?.ranked.map(({ name }) => name) ?? this.names;
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

  /** The view of a document; null if it is no longer needed, or if it cannot be loaded: then a note says why. */
  async viewOf(name) {
    this.stop();
    const loading = new AbortController();
    this.loading = loading;
    byId("differences").setAttribute("aria-busy", "true");
    try {
      const path = `/jobs/${this.job}/alignment?document=${encodeURIComponent(name)}`;
      const answer = await fetchWhenReady(path, { signal: loading.signal });
      const text = await answer.text();
      if (loading !== this.loading) return null;
      byId("differences").hidden = false;
      if (text !== this.text) [this.text, this.view] = [text, JSON.parse(text)]; // the same: keep zoom and selection
      return this.view;
    } catch (error) {
      if (error.name === "AbortError" || loading !== this.loading) return null;
      const isGone = error.isLost || error.status === 409;
      const [problem] = error.problems ?? [{ message: error.message }];
      this.showNote(isGone ? "Measure again to see this document." : sentenceOf(messageOf(problem)));
      return null;
    } finally {
      if (loading === this.loading) byId("differences").removeAttribute("aria-busy");
    }
  }

  /** All documents, the worst first: requested once for each measurement. */
  async *views() {
    const { job } = this;
    this.all ??= fetchWhenReady(`/jobs/${job}/alignment?every=true`).then((answer) => answer.json());
    const { all } = this;
    try {
      for (const view of await all) yield [view.name, view];
    } catch (error) {
      if (this.all === all) this.all = null; // to be requested again
      throw error;
    }
  }

  withValues(from, to) {
    const chosen = (this.table?.ranked ?? []).filter(({ values }) => isBetween(values[this.main] ?? null, from, to));
    return chosen.map(({ name }) => name);
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
    }, { total: this.total(), memory: this.memory });
    this.filter();
    this.table.markOpen(this.opened);
    const region = byId("documents").querySelector(".scroll");
    region.replaceChildren(this.table.table);
    if (!region.previousElementSibling.matches(".table-tools"))
      addTableTools(region, "documents", () => this.table.content());
  }

  /** The last row of the table: all documents together. */
  total() {
    const { measures, data } = this.result;
    const { observed, expected } = measures[this.main];
    const values = Object.fromEntries(Object.entries(measures).map(([name, { value }]) => [name, value]));
    return { values, observed, expected, annotators: data.annotators, units: data.units };
  }

  filter() {
    const { value } = byId("document-filter");
    this.table?.show(findDocuments(this.items, value));
    this.memory.save({ filter: value });
  }
}

const haveSameAlignment = (a, b) => [a, b].map(({ units, alignment, name }) => JSON.stringify([name, units, alignment?.group])).reduce((x, y) => x === y);
