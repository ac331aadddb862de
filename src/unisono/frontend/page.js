// SPDX-License-Identifier: MIT
// The page of the service: files are read, settings change, results follow.
import { activateCopyButtons, confirmOn, copyText } from "./clipboard.js";
import { actionButton, byId } from "./dom.js";
import { saveFile } from "./files.js";
import { placeOf, placeParameters } from "./links.js";
import { countText, groupDigits, sizeText, timeLeft } from "./numbers.js";
import { call, get, NoAnswer, problemOf, Refusal, sendFiles } from "./page/api.js";
import { Comparing } from "./page/comparing.js";
import { DataPanel, withoutDefaults } from "./page/data.js";
import { beginAdjudication } from "./page/deciding.js";
import { Documents } from "./page/documents.js";
import { Downloads } from "./page/downloads.js";
import { chosenFiles, limitProblem, listenToDrops } from "./page/files.js";
import { Measuring } from "./page/measuring.js";
import { clearOverview, explainLater, showOverview } from "./page/overview.js";
import { offerPairs } from "./page/pairs.js";
import { announce, clearNotices, messageOf, notify, problemList } from "./page/problems.js";
import { endProgress, showProgress } from "./page/progress.js";
import {
  basisOf,
  Headline,
  mainMeasure,
  measuresTable,
  showCategories,
  showCautions,
  showSensitivity,
} from "./page/results.js";
import { asFile, asFragment, fromFile, fromFragment, isSettingsFile, keptSession, keepSession } from "./page/session.js";
import { SettingsPanel } from "./page/settings.js";
import { WORDS } from "./page/transport.js";

/** Seconds that the service keeps the data of a page that was left: long enough for a reload. */
const LEFT_FOR = 10;
/** Larger files cannot be settings. */
const SETTINGS_SIZE = 1_000_000;

class Page {
  constructor() {
    this.upload = null;
    this.files = null; // kept to be sent again if the service has deleted them
    this.sample = null;
    this.pendingReading = {};
    this.sending = null;
    this.documents = new Documents({ moved: (isNew) => this.keepInAddress({ isNew }) });
    this.adjudication = null;
    this.comparing = new Comparing((upload) => this.upload?.id !== upload.id);
    this.headline = new Headline();
    this.data = new DataPanel({ changed: (reading) => this.readAgain(reading) });
    this.settings = new SettingsPanel({ changed: () => this.settingsChanged() });
    this.measuring = new Measuring((name, given) => this[`on${name[0].toUpperCase()}${name.slice(1)}`](given));
  }

  async begin() {
    this.listen();
    const [measures, presets, formats, limits, samples, health] = await Promise.all(
      ["/measures", "/presets", "/formats", "/limits", "/samples", "/health"].map((path) => get(path)),
    );
    this.limits = limits;
    this.samples = samples;
    this.settings.offer(measures, presets);
    this.data.offerFormats(formats);
    this.downloads = new Downloads(formats, (error) => this.fail(error));
    this.downloads.useJob(null);
    this.symbols = new Map(measures.map(({ name, symbol }) => [name, symbol]));
    for (const box of [byId("samples"), byId("empty-samples")]) {
      for (const { name, title, description } of samples) {
        const words = box.id === "samples" ? title : `Try: ${title.toLowerCase()}`;
        box.append(
          " ",
          actionButton(words, () => this.takeSample(name), { title: description, "data-sample": name }),
        );
      }
    }
    byId("privacy").textContent = WORDS.privacy;
    byId("version").textContent = health.unisono;
    const minutes = Math.round(limits.keep / 60);
    const time = minutes >= 60 ? countText(Math.round(minutes / 60), "hour") : countText(minutes, "minute");
    byId("kept").textContent = WORDS.kept(time);
    if (matchMedia("(max-width: 60rem)").matches) byId("settings-fold").open = false;
    this.place = placeOf(location.hash);
    if (!(await this.resume())) await this.restoreFragment();
  }

  /** Takes up what this tab had before it was reloaded, if the service still has it. */
  async resume() {
    const kept = keptSession();
    if (!kept) return false;
    try {
      const upload = await get(`/uploads/${kept.upload}`);
      const session = fromFragment(location.hash);
      if (session) this.settings.write(this.knownSettings(session.settings));
      this.sample = kept.sample;
      const job = kept.job && (await get(`/jobs/${kept.job}`).catch(() => null));
      this.showUpload(upload, job && job.status !== "cancelled" ? job : null);
      return true;
    } catch {
      keepSession(null); // the service has deleted it
      return false;
    }
  }

  listen() {
    for (const id of ["files", "folder"]) {
      byId(id).addEventListener("change", ({ target }) => {
        this.take(chosenFiles(target));
        target.value = "";
      });
    }
    listenToDrops((files) => this.take(files));
    byId("sending-stop").addEventListener("click", () => this.sending?.abort());
    byId("cancel").addEventListener("click", () => {
      this.abortRequests();
      this.measuring.cancel();
    });
    byId("again").addEventListener("click", () => this.measure());
    byId("compare-with").addEventListener("click", () => {
      this.comparing.begin(this.upload, this.measuring.job);
      byId("comparing").scrollIntoView({ block: "center" });
    });
    byId("copy-link").addEventListener("click", async ({ target }) => {
      await copyText(this.link);
      confirmOn(target, "Copied");
      announce("Copied");
    });
    byId("save-settings").addEventListener("click", () =>
      saveFile("unisono-settings.json", asFile(this.session), "application/json"),
    );
    byId("restore-settings").addEventListener("change", async ({ target }) => {
      const [file] = target.files;
      target.value = "";
      if (file) this.restoreText(await file.text());
    });
    activateCopyButtons(announce);
    addEventListener("click", (event) => this.followLink(event));
    addEventListener("popstate", () => this.restoreAddress());
    addEventListener("beforeunload", (event) => {
      if (this.adjudication?.isUnsaved) event.preventDefault(); // decisions that are in no file yet
    });
    addEventListener("pagehide", (event) => {
      // A reload takes the data up again; a page that was left does not.
      if (this.upload && !event.persisted)
        call("DELETE", `/uploads/${this.upload.id}?after=${LEFT_FOR}`, undefined, { keepalive: true }).catch(() => {});
    });
  }

  /** Links within the page: sections, and places in the data; the rest of the address holds the settings. */
  followLink(event) {
    const link = event.target.closest?.('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    const target = byId(link.hash.slice(1));
    if (target) {
      target.scrollIntoView();
      target.focus({ preventScroll: true });
    } else this.openPlace(placeOf(link.hash), { isNew: true });
  }

  async openPlace(place, { isNew = false } = {}) {
    const isOpened = await this.documents.explorer.restore(place);
    if (isOpened) byId(place.section ?? "differences")?.scrollIntoView({ block: "start" });
    if (isOpened && isNew) this.keepInAddress({ isNew });
    return isOpened;
  }

  /** Back and forward: another place in the same data, or other settings. */
  async restoreAddress() {
    const place = placeOf(location.hash);
    const isPlace = place.document !== undefined || place.case;
    if (this.upload && isPlace && this.hasSettingsOf(location.hash)) await this.openPlace(place);
    else await this.restoreFragment();
  }

  /** Whether an address has the settings that are in force. */
  hasSettingsOf(fragment) {
    try {
      const session = fromFragment(fragment);
      return JSON.stringify(session?.settings ?? {}) === JSON.stringify(this.settings.settings);
    } catch {
      return false; // it cannot be read, which is said when it is restored
    }
  }

  // --- data ---

  async take(files) {
    if (!files.length) return;
    if (files.length === 1 && /\.json$/i.test(files[0].path) && files[0].file.size < SETTINGS_SIZE) {
      const text = await files[0].file.text();
      if (isSettingsFile(text)) {
        this.restoreText(text);
        return;
      }
    }
    const problem = limitProblem(files, this.limits);
    if (problem) {
      notify([problem]);
      return;
    }
    const wanted = this.isSame(files) ? withoutDefaults(this.upload.reading) : this.pendingReading;
    const reading = restrictReading(
      wanted,
      files.map(({ path }) => path),
    );
    await this.send(files, null, (options) => sendFiles(files, reading, options));
  }

  /** Whether these have the names of the current files: then they are a corrected version, read in the same way. */
  isSame(files) {
    const names = (all) => JSON.stringify(all.map(({ path }) => path).sort());
    return this.upload !== null && this.files !== null && names(files) === names(this.files);
  }

  async takeSample(name) {
    await this.send(null, name, ({ signal }) =>
      call("POST", `/samples/${encodeURIComponent(name)}`, undefined, { signal }),
    );
  }

  /** Sends files or requests a sample; shows the progress, then how the service read them. */
  async send(files, sample, request) {
    this.sending?.abort();
    const sending = new AbortController();
    this.sending = sending;
    clearNotices();
    const size = files?.reduce((sum, { file }) => sum + file.size, 0) ?? 0;
    const text = files ? `${countText(files.length, "file")}, ${sizeText(size)}` : "Sample data";
    const progress = (share) => {
      byId("sending-bar").value = share;
      byId("sending-text").textContent = share < 1 ? `Sending ${text} …` : `Reading ${text} …`;
    };
    progress(files ? 0 : 1);
    byId("sending").hidden = false;
    try {
      const upload = await request({ progress, signal: sending.signal });
      if (sending !== this.sending) return;
      this.deleteData();
      this.pendingReading = {};
      [this.files, this.sample] = [files, sample];
      this.showUpload(upload);
      this.keepInAddress();
    } catch (error) {
      if (sending !== this.sending) return;
      this.pendingReading = {}; // it may be the cause: try without it next time
      this.fail(error, files ? () => this.take(files) : () => this.takeSample(sample));
    } finally {
      if (sending === this.sending) byId("sending").hidden = true;
    }
  }

  /** Shows how data were read, and measures them, or takes up the job that did. */
  showUpload(upload, job = null) {
    const isNew = this.upload?.id !== upload.id;
    this.upload = upload;
    document.body.classList.add("has-data");
    this.data.show(upload, {
      remove: () => this.remove(),
      skip: () => this.readAgain({ ...this.data.reading, skip_invalid: true }),
    });
    if (!upload.readable) {
      this.abortRequests();
      this.measuring.drop();
      this.emptyResults();
      const problems = countText(upload.problems.filter(({ severity }) => severity === "error").length, "problem");
      byId("empty").hidden = true;
      byId("blocked").hidden = false;
      byId("blocked").textContent =
        `These data cannot be measured yet: ${problems}, listed under Data. Correct the files or read them differently.`;
      announce(byId("blocked").textContent);
      return;
    }
    this.settings.useData(upload);
    const key = JSON.stringify([upload.id, upload.reading]);
    if (isNew || key !== this.readingKey) this.documents.prepare(upload);
    this.readingKey = key;
    if (job) {
      this.abortRequests();
      this.measuring.resume(job);
    } else this.measure();
    this.keep();
  }

  /** Keeps for a reload which data and which job these are. */
  keep() {
    keepSession(this.upload && { upload: this.upload.id, job: this.measuring.job, sample: this.sample });
  }

  async readAgain(reading) {
    if (!this.upload) return;
    this.rereading?.abort();
    const rereading = (this.rereading = new AbortController());
    clearNotices();
    byId("understood").setAttribute("aria-busy", "true");
    try {
      const upload = await call("POST", `/uploads/${this.upload.id}/reading`, reading, { signal: rereading.signal });
      if (rereading !== this.rereading) return;
      this.showUpload(upload);
      this.keepInAddress();
    } catch (error) {
      if (rereading === this.rereading) this.fail(error);
    } finally {
      if (rereading === this.rereading) byId("understood").removeAttribute("aria-busy");
    }
  }

  remove() {
    this.deleteData();
    this.data.clear();
    this.emptyResults();
    this.sample = this.files = null;
    keepSession(null);
    this.keepInAddress();
    announce("The data were deleted.");
    byId("files").focus();
  }

  /** Aborts the requests about the last measurement, which will be deleted. */
  abortRequests() {
    this.requests?.abort();
    this.requests = new AbortController();
    this.documents.stop();
  }

  /** Deletes the data, here and in the service. */
  deleteData() {
    this.abortRequests();
    const isKept = this.comparing.keeps(this.upload);
    if (isKept) this.measuring.leave();
    else this.measuring.drop({ isDeleted: this.upload !== null }); // the service deletes the jobs of an upload with it
    if (this.upload && !isKept) call("DELETE", `/uploads/${this.upload.id}`).catch(() => {});
    this.upload = null;
  }

  // --- measuring ---

  settingsChanged() {
    this.keepInAddress();
    this.measure();
  }

  measure() {
    if (!this.upload?.readable || !this.settings.isValid) return;
    this.abortRequests();
    if (this.comparing.first?.job === this.measuring.job) this.measuring.leave(); // it is the first side
    this.measuring.start(this.upload, this.settings.settings);
  }

  onBegan() {
    this.since = performance.now();
    this.result = null;
    delete document.documentElement.dataset.overview;
    delete document.documentElement.dataset.result;
    byId("empty").hidden = byId("blocked").hidden = true;
    byId("outcome").hidden = false;
    byId("now").classList.add("stale");
    byId("outcome").classList.add("stale");
    byId("failure").hidden = true;
    byId("cancel").hidden = false;
    byId("again").hidden = true;
    showProgress("Measuring …", null);
    this.downloads.useJob(null);
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
    this.keep();
    this.documents.useJob(id);
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
    byId("outcome").classList.remove("stale");
    const spoken = this.show(estimate.measures, estimate.words, basisOf(estimate), { isFinal: false });
    if (!this.hasAnnounced) announce(`First estimate: ${spoken}.`);
    this.hasAnnounced = true;
  }

  /** Requests the words of the result, then shows it. */
  async onResult(result) {
    const { job } = this.measuring;
    try {
      const words = await get(`/jobs/${job}/words`, { signal: this.requests.signal });
      if (job === this.measuring.job) this.showResult(result, words, job);
    } catch (error) {
      if (job === this.measuring.job) this.fail(error);
    }
  }

  showResult(result, words, job) {
    this.result = result;
    if (!this.measuring.attempt) this.showRest(result, job); // the job was done before its words were here
    const spoken = this.show(result.measures, words.measures, words.basis, { isFinal: true });
    announce(`Result: ${spoken}.`);
    document.documentElement.dataset.result = result.signature;
    byId("caution").textContent = words.caution;
    byId("caution").hidden = false;
    showCautions(words.cautions);
    showSensitivity(words.sensitivity);
    this.documents.showResult(result, words.measures, words.few_units);
    byId("categories").hidden = !this.upload.categories.length;
    byId("category-fold").open = this.upload.categories.length <= 12;
    showCategories(result, words, (name) => this.settings.add(name));
    byId("home").hidden = false;
    byId("signature").textContent = result.signature;
    byId("methods").textContent = words.methods.markdown;
    byId("methods-latex").textContent = words.methods.latex;
    byId("bibtex").textContent = words.bibtex;
    const symbol = this.symbols.get(mainMeasure(result.measures));
    offerPairs(result, job, symbol, this.upload.annotators.length, this.requests.signal);
    byId("result-links").hidden = false;
  }

  /** Charts, findings and decisions: what needs the saved result. */
  async showRest(result, job) {
    const { signal } = this.requests;
    const open = (selection) => {
      this.documents.explorer.section = "differences";
      byId("differences").scrollIntoView({ block: "start" });
      return this.documents.explorer.showCases(selection);
    };
    try {
      const overview = await showOverview(job, result.documents, { open, signal });
      if (overview === null || signal.aborted) return;
      const { explorer } = this.documents;
      const byFrequency = overview.categories.map(({ category }) => category).filter((name) => name !== null);
      if (byFrequency.length) explorer.viewerOptions.categories = byFrequency;
      this.adjudication = beginAdjudication(this.upload, this.documents, overview);
      explorer.remount();
      await this.documents.refresh();
      if (this.place && (this.place.document !== undefined || this.place.case)) await this.openPlace(this.place);
      this.place = null;
      document.documentElement.dataset.overview = job;
      explainLater(job, overview, signal);
      await this.comparing.show(this.upload, job, signal);
    } catch (error) {
      if (!signal.aborted) this.fail(error);
    }
  }

  show(measures, words, basis, options) {
    byId("headline").hidden = false;
    const several = this.upload.documents.length > 1;
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
    endProgress(`Done in ${((performance.now() - this.since) / 1000).toPrecision(2)} seconds`);
    this.downloads.useJob(this.measuring.job);
    this.showWarnings(problems);
    if (this.result) this.showRest(this.result, this.measuring.job);
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
    for (const id of ["headline", "measured", "caution", "cautions", "sensitivity", "documents", "categories", "annotators", "home", "result-links"])
      byId(id).hidden = true;
    clearOverview();
    byId("again").hidden = false;
    announce(`Not measured: ${problems.map(messageOf).join("; ")}`);
  }

  onCancelled() {
    endProgress(
      byId("headline").classList.contains("estimate") ? "Cancelled; the values shown are an estimate" : "Cancelled",
    );
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
      if (error instanceof Refusal) await get(`/uploads/${this.upload.id}`);
    } catch (uploadError) {
      this.fail(uploadError);
      return;
    }
    if (error instanceof Refusal) this.measure();
    else this.fail(error);
  }

  // --- sessions ---

  get session() {
    const reading = this.upload ? withoutDefaults(this.upload.reading) : this.pendingReading;
    return { settings: this.settings.settings, reading, sample: this.sample };
  }

  get link() {
    return new URL(asFragment(this.session), location.href).href;
  }

  /** Writes settings and place into the address; a place that is new can be gone back from. */
  keepInAddress({ isNew = false } = {}) {
    const place = this.upload ? placeParameters(this.documents.explorer.place) : [];
    const fragment = asFragment(this.session, place);
    if (fragment === location.hash) return;
    if (isNew) history.pushState(null, "", fragment);
    else history.replaceState(null, "", fragment);
  }

  async restoreFragment() {
    try {
      const session = fromFragment(location.hash);
      if (session) await this.restore(session);
    } catch (error) {
      notify([problemOf("session", `the settings in the address cannot be read: ${error.message}`)]);
    }
  }

  async restoreText(text) {
    clearNotices();
    try {
      await this.restore(fromFile(text));
      announce("The settings were restored.");
    } catch (error) {
      notify([problemOf("session", `the settings were not restored: ${error.message}`)]);
    }
  }

  knownSettings(settings) {
    return Object.fromEntries(Object.entries(settings).filter(([key]) => this.settings.keys.has(key)));
  }

  async restore({ settings, reading, sample }) {
    const unknown = Object.keys(settings).filter((key) => !this.settings.keys.has(key));
    if (unknown.length) {
      const nouns = unknown.length === 1 ? "this setting is" : "these settings are";
      notify([problemOf("session", `${nouns} unknown to this version and ignored: ${unknown.join(", ")}`)]);
    }
    this.settings.write(this.knownSettings(settings));
    this.pendingReading = reading;
    if (sample && sample !== this.sample && this.samples.some(({ name }) => name === sample))
      await this.takeSample(sample);
    else if (this.upload && Object.keys(reading).length)
      await this.readAgain(restrictReading(reading, this.upload.files));
    else this.settingsChanged();
  }

  // --- errors ---

  fail(error, again = null) {
    if (error.name === "AbortError") return;
    if (error instanceof Refusal && error.isLost && this.upload) {
      this.offerResend();
      return;
    }
    const measureAgain = error instanceof NoAnswer && this.upload ? () => this.measure() : null;
    const action = again ?? measureAgain;
    notify(
      error.problems ?? [problemOf("unexpected", `the page has a fault: ${error.message}`, "Please report it.")],
      action && ["Try again", action],
    );
    if (!error.problems) throw error; // a bug: show it in the console too
  }

  /** The service has deleted the data: offers to send them again. */
  offerResend() {
    const { files, sample } = this;
    this.pendingReading = withoutDefaults(this.upload.reading);
    this.upload = null;
    const message = "the service no longer has your data: it deletes them after a while, and when it is stopped";
    const resend = files && ["Send them again", () => this.take(files)];
    const again = resend ?? (sample && ["Load the sample again", () => this.takeSample(sample)]);
    keepSession(null);
    notify([problemOf("session", message)], again);
  }

  emptyResults() {
    byId("empty").hidden = false;
    document.body.classList.toggle("has-data", this.upload !== null);
    for (const id of ["blocked", "outcome", "differences", "documents", "categories", "annotators", "home", "result-links"])
      byId(id).hidden = true;
    clearOverview();
    this.headline.clear();
    byId("now").textContent = "";
    delete document.documentElement.dataset.result;
  }
}

/** A reading without its tables of documents and participation if they are not among these files. */
const restrictReading = (reading, names) =>
  Object.fromEntries(
    Object.entries(reading).filter(
      ([key, value]) => !["documents", "participation"].includes(key) || names.includes(value),
    ),
  );

const page = new Page();
page.begin().catch((error) => page.fail(error, () => location.reload()));
