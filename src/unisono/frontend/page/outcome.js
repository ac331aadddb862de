// SPDX-License-Identifier: MIT
// The outcome of a measurement on the page: what is shown while it runs, when it is done, and when it fails.
import { byId } from "../dom.js";
import { countText, durationText, groupDigits, timeLeft } from "../numbers.js";
import { get, Refusal } from "./api.js";
import { beginAdjudication } from "./deciding.js";
import { clearOverview, explainLater, showOverview } from "./overview.js";
import { offerPairs } from "./pairs.js";
import { announce, messageOf, problemList } from "./problems.js";
import { endProgress, showProgress } from "./progress.js";
import {
  basisOf,
  Headline,
  mainMeasure,
  measuresTable,
  showCategories,
  showCautions,
  showSensitivity,
} from "./results.js";

/** Each method `onNAME` answers a report of `Measuring`; `page` has the data, the settings and the documents. */
export class Outcome {
  constructor(page) {
    this.page = page;
    this.headline = new Headline();
    this.adjudication = null;
    this.result = null;
  }

  /** A report of the measurement under way: its name and what comes with it. */
  receive(name, given) {
    this[`on${name[0].toUpperCase()}${name.slice(1)}`](given);
  }

  onBegan() {
    this.since = performance.now();
    this.result = null;
    unsettle();
    byId("empty").hidden = byId("blocked").hidden = true;
    byId("outcome").hidden = false;
    byId("now").classList.add("stale");
    byId("outcome").classList.add("stale");
    byId("failure").hidden = true;
    byId("cancel").hidden = false;
    byId("again").hidden = true;
    showProgress("Measuring …", null);
    this.page.downloads.useJob(null);
    this.headline.reset();
    this.hasAnnounced = false;
    this.adjudication?.end();
    this.adjudication = null;
    clearOverview();
  }

  onQueued(place) {
    showProgress(`Waiting: ${countText(place, "other measurement")} first.`, null);
  }

  onBusy(seconds) {
    showProgress(`The service is busy; trying again in ${countText(seconds, "second")}.`, null);
  }

  onJob(id) {
    this.page.keep();
    this.page.documents.useJob(id);
  }

  onProgress({ elapsed, time_left: left, done, documents, document: name }) {
    const share = left === null ? null : elapsed / (elapsed + left || 1);
    const at =
      documents > 1 && name
        ? `document ${groupDigits(Math.min(done + 1, documents))} of ${groupDigits(documents)}`
        : "";
    showProgress(["Refining", at, timeLeft(left)].filter(Boolean).join(" · "), share);
  }

  onEstimate(estimate) {
    const spoken = this.show(estimate.measures, estimate.words, basisOf(estimate), { isFinal: false });
    if (!this.hasAnnounced) announce(`First estimate: ${spoken}.`);
    this.hasAnnounced = true;
  }

  /** Requests the words of the result, then shows it. */
  async onResult(result) {
    const { job } = this.page.measuring;
    try {
      const words = await get(`/jobs/${job}/words`, { signal: this.page.requests.signal });
      if (job === this.page.measuring.job) this.showResult(result, words, job);
    } catch (error) {
      if (job === this.page.measuring.job) this.page.fail(error);
    }
  }

  showResult(result, words, job) {
    this.result = result;
    if (!this.page.measuring.attempt) this.showRest(result, job); // the job was done before its words were here
    const spoken = this.show(result.measures, words.measures, words.basis, { isFinal: true });
    announce(`Result: ${spoken}.`);
    document.documentElement.dataset.result = result.signature;
    byId("caution").textContent = words.caution;
    byId("caution").hidden = false;
    showCautions(words.cautions);
    showSensitivity(words.sensitivity);
    this.page.documents.showResult(result, words.measures, words.few_units);
    byId("categories").hidden = !this.page.upload.categories.length;
    byId("category-fold").open = this.page.upload.categories.length <= 12;
    showCategories(result, words, (name) => this.page.settings.add(name));
    byId("home").hidden = false;
    byId("signature").textContent = result.signature;
    byId("methods").textContent = words.methods.markdown;
    byId("methods-latex").textContent = words.methods.latex;
    byId("bibtex").textContent = words.bibtex;
    const symbol = this.page.symbols.get(mainMeasure(result.measures));
    this.pairs = offerPairs(result, job, symbol, this.page.upload.annotators.length, this.page.requests.signal);
  }

  /** Charts, findings and decisions: what needs the saved result. */
  async showRest(result, job) {
    const { signal } = this.page.requests;
    const open = (selection) => {
      this.page.documents.explorer.section = "differences";
      byId("differences").scrollIntoView({ block: "start" });
      return this.page.documents.explorer.showCases(selection);
    };
    try {
      const overview = await showOverview(job, result.documents, { open, signal });
      if (overview === null || signal.aborted) return;
      const { explorer } = this.page.documents;
      const byFrequency = overview.categories.map(({ category }) => category).filter((name) => name !== null);
      if (byFrequency.length) explorer.viewerOptions.categories = byFrequency;
      this.adjudication = await beginAdjudication(this.page.upload, this.page.documents, overview, signal);
      if (signal.aborted) return;
      explorer.remount();
      await this.page.documents.refresh();
      await this.page.address.openPending();
      document.documentElement.dataset.overview = job;
      explainLater(job, overview, signal);
      await Promise.all([this.page.comparing.show(this.page.upload, job, signal), this.pairs]);
    } catch (error) {
      if (!signal.aborted) this.page.fail(error);
    } finally {
      if (!signal.aborted) document.documentElement.dataset.settled = job;
    }
  }

  show(measures, words, basis, options) {
    byId("outcome").classList.remove("stale");
    byId("headline").hidden = false;
    const several = this.page.upload.documents.length > 1;
    byId("measured")
      .querySelector(".scroll")
      .replaceChildren(measuresTable(measures, words, { several }));
    byId("measured").hidden = false;
    const spoken = this.headline.show(measures, words, basis, options);
    byId("now").textContent = spoken;
    byId("now").classList.toggle("stale", !options.isFinal);
    return spoken;
  }

  onDone({ problems }) {
    endProgress(`Done in ${durationText((performance.now() - this.since) / 1000)}`);
    this.page.downloads.useJob(this.page.measuring.job);
    this.showWarnings(problems);
    if (this.result) this.showRest(this.result, this.page.measuring.job);
  }

  showWarnings(problems) {
    byId("warnings").replaceChildren(...(problems.length ? problemList(problems) : []));
  }

  onFailed({ problems }) {
    endProgress("Not measured");
    this.showWarnings([]);
    byId("failure").replaceChildren(...problemList(problems));
    byId("failure").hidden = false;
    byId("now").textContent = "";
    for (const id of ["headline", "measured", "caution", "cautions", "sensitivity", "documents", "categories", "annotators", "home"])
      byId(id).hidden = true;
    clearOverview();
    byId("again").hidden = false;
    announce(`Not measured: ${problems.map(messageOf).join("; ")}`);
  }

  onCancelled() {
    const { hidden, classList } = byId("headline");
    const isOld = byId("outcome").classList.contains("stale"); // there was no estimate yet
    if (hidden) endProgress("Cancelled");
    else if (isOld) endProgress("Cancelled; the values shown are those of the former settings");
    else endProgress(classList.contains("estimate") ? "Cancelled; the values shown are an estimate" : "Cancelled");
    byId("again").hidden = false;
    announce("Cancelled.");
  }

  onInterrupted() {
    showProgress("The service does not answer; waiting for it …", null);
  }

  /** The job is lost; if the service still has the data, they are measured again. */
  async onLost(error) {
    endProgress("Not measured");
    byId("again").hidden = false;
    try {
      if (error instanceof Refusal) await get(`/uploads/${this.page.upload.id}`);
    } catch (uploadError) {
      this.page.fail(uploadError);
      return;
    }
    if (error instanceof Refusal) this.page.measure();
    else this.page.fail(error);
  }

  /** Shows nothing: there are no data, or none that can be measured. */
  clear() {
    byId("empty").hidden = false;
    document.body.classList.toggle("has-data", this.page.upload !== null);
    for (const id of ["blocked", "outcome", "differences", "documents", "categories", "annotators", "sensitivity", "home"])
      byId(id).hidden = true;
    clearOverview();
    this.headline.clear();
    byId("now").textContent = "";
    unsettle();
  }
}

/**
 * Removes the marks in the document: data-result is the signature whose values are shown, data-overview the job whose
 * charts are drawn, data-settled the job of which everything is shown but the explanation, which takes longest (while it
 * is computed, the findings are aria-busy; then they are data-explained).
 */
function unsettle() {
  for (const mark of ["result", "overview", "settled"]) delete document.documentElement.dataset[mark];
}
