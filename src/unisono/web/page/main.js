// SPDX-License-Identifier: MIT
// The page: files come in, settings change, results follow.
import { call, get, made, Refusal, sendFiles, Silence } from "./api.js";
import { DataPanel, withoutNull } from "./data.js";
import { Documents } from "./documents.js";
import { Downloads } from "./downloads.js";
import { chosenFiles, listenToDrops, readableSize, saveAs, tooMuch } from "./files.js";
import { Measuring } from "./measuring.js";
import { clearNotices, notify } from "./notices.js";
import { basisOf, Headline, mainMeasure, measuresTable, showCategories, showPairs } from "./results.js";
import { asFile, asFragment, fromFile, fromFragment, isSettingsFile } from "./session.js";
import { SettingsPanel } from "./settings.js";
import { element } from "./viewer/dom.js";
import { byId, confirmOn, copyText, counted, grouped, problemList, say, timeLeft } from "./words.js";

/** Comparisons of annotators that are made without being asked for. */
const PAIRS_AT_ONCE = 45;
const UNITS_AT_ONCE = 5_000;
/** Largest file that is looked at for settings. */
const SETTINGS_SIZE = 1_000_000;

class Page {
  constructor() {
    this.upload = null;
    this.files = null; // kept, to be sent again should the service forget them
    this.sample = null;
    this.pendingReading = {};
    this.sending = null;
    this.documents = new Documents();
    this.headline = new Headline();
    this.data = new DataPanel({ changed: (reading) => this.readAgain(reading) });
    this.settings = new SettingsPanel({ changed: () => this.settingsChanged() });
    this.measuring = new Measuring((name, given) => (name === "result" ? this.arrived(given) : this[name](given)));
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
    this.downloads.of(null);
    this.symbols = new Map(measures.map(({ name, symbol }) => [name, symbol]));
    for (const box of [byId("samples"), byId("empty-samples")]) {
      for (const { name, title, description } of samples) {
        const button = element("button", { type: "button", title: description, "data-sample": name }, box.id === "samples" ? title : `Try: ${title.toLowerCase()}`);
        button.addEventListener("click", () => this.takeSample(name));
        box.append(" ", button);
      }
    }
    const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    byId("privacy").textContent = isHere ? "Nothing leaves this computer." : "Files go to this service and nowhere else.";
    byId("version").textContent = health.unisono;
    const hours = limits.keep / 3600;
    byId("kept").textContent = `data are deleted ${hours >= 1 ? counted(Math.round(hours), "hour") : counted(Math.round(limits.keep / 60), "minute")} after you last used them, and when you leave`;
    if (matchMedia("(max-width: 60rem)").matches) byId("settings-fold").open = false;
    await this.restoreFragment();
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
      this.ask();
      this.measuring.cancel();
    });
    byId("again").addEventListener("click", () => this.measure());
    byId("copy-link").addEventListener("click", async ({ target }) => {
      await copyText(this.link);
      confirmOn(target, "Copied");
    });
    byId("save-settings").addEventListener("click", () => saveAs("unisono-settings.json", asFile(this.session), "application/json"));
    byId("restore-settings").addEventListener("change", async ({ target }) => {
      const [file] = target.files;
      target.value = "";
      if (file) this.restoreText(await file.text());
    });
    for (const button of document.querySelectorAll("button[data-copy]")) {
      button.addEventListener("click", async () => {
        await copyText(byId(button.dataset.copy).textContent);
        confirmOn(button, "Copied");
      });
    }
    for (const link of document.querySelectorAll('a[href^="#"]')) {
      link.addEventListener("click", (event) => {
        event.preventDefault(); // what comes after # in the address are the settings
        const target = byId(link.hash.slice(1));
        target.scrollIntoView();
        target.focus({ preventScroll: true });
      });
    }
    addEventListener("hashchange", () => this.restoreFragment());
    addEventListener("pagehide", (event) => {
      if (this.upload && !event.persisted) call("DELETE", `/uploads/${this.upload.id}`, undefined, { keepalive: true }).catch(() => {});
    });
  }

  // --- data come in ---

  async take(files) {
    if (!files.length) return;
    if (files.length === 1 && /\.json$/i.test(files[0].path) && files[0].file.size < SETTINGS_SIZE) {
      const text = await files[0].file.text();
      if (isSettingsFile(text)) {
        this.restoreText(text);
        return;
      }
    }
    const problem = tooMuch(files, this.limits);
    if (problem) {
      notify([problem]);
      return;
    }
    const wanted = this.isSame(files) ? withoutNull(this.upload.reading) : this.pendingReading;
    const reading = fitting(wanted, files.map(({ path }) => path));
    await this.send(files, null, (options) => sendFiles(files, reading, options));
  }

  /** Whether these are the files at hand, perhaps corrected: then they are read in the same way. */
  isSame(files) {
    const names = (all) => JSON.stringify(all.map(({ path }) => path).sort());
    return this.upload !== null && this.files !== null && names(files) === names(this.files);
  }

  async takeSample(name) {
    await this.send(null, name, ({ signal }) => call("POST", `/samples/${encodeURIComponent(name)}`, undefined, { signal }));
  }

  /** Sends files or asks for a sample, shows how far it is, and what the service made of it. */
  async send(files, sample, request) {
    this.sending?.abort();
    const sending = new AbortController();
    this.sending = sending;
    clearNotices();
    const size = files?.reduce((sum, { file }) => sum + file.size, 0) ?? 0;
    const text = files ? `${counted(files.length, "file")}, ${readableSize(size)}` : "Sample data";
    const progress = (share) => {
      byId("sending-bar").value = share;
      byId("sending-text").textContent = share < 1 ? `Sending ${text} …` : `Reading ${text} …`;
    };
    progress(files ? 0 : 1);
    byId("sending").hidden = false;
    try {
      const upload = await request({ progress, signal: sending.signal });
      if (sending !== this.sending) return;
      this.forget();
      this.pendingReading = {};
      [this.files, this.sample] = [files, sample];
      this.understood(upload);
      this.keepInAddress();
    } catch (error) {
      if (sending !== this.sending) return;
      this.pendingReading = {}; // should that be what was wrong, it is not so again
      this.fail(error, files ? () => this.take(files) : () => this.takeSample(sample));
    } finally {
      if (sending === this.sending) byId("sending").hidden = true;
    }
  }

  understood(upload) {
    const isNew = this.upload?.id !== upload.id;
    this.upload = upload;
    document.body.classList.add("has-data");
    this.data.show(upload, { remove: () => this.remove(), skip: () => this.readAgain({ ...this.data.reading, skip_invalid: true }) });
    if (!upload.readable) {
      this.ask();
      this.measuring.drop();
      this.emptyResults();
      const problems = counted(upload.problems.filter(({ severity }) => severity === "error").length, "problem");
      byId("empty").hidden = true;
      byId("blocked").hidden = false;
      byId("blocked").textContent = `These data cannot be measured yet: ${problems}, listed with the data. Correct the files, or read them in another way there.`;
      say(byId("blocked").textContent);
      return;
    }
    this.settings.know(upload);
    const key = JSON.stringify([upload.id, upload.reading]);
    if (isNew || key !== this.knownAs) this.documents.know(upload);
    this.knownAs = key;
    this.measure();
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
      this.understood(upload);
      this.keepInAddress();
    } catch (error) {
      if (rereading === this.rereading) this.fail(error);
    } finally {
      if (rereading === this.rereading) byId("understood").removeAttribute("aria-busy");
    }
  }

  remove() {
    this.forget();
    this.data.clear();
    this.emptyResults();
    this.sample = this.files = null;
    this.keepInAddress();
    say("The data were deleted.");
    byId("files").focus();
  }

  /** Asks no more about the last measurement, which will be gone. */
  ask() {
    this.asking?.abort();
    this.asking = new AbortController();
    this.documents.stop();
  }

  /** Lets go of the data at hand, here and in the service. */
  forget() {
    this.ask();
    this.measuring.drop({ isSeenTo: this.upload !== null }); // with the upload goes all that was made of it
    if (this.upload) call("DELETE", `/uploads/${this.upload.id}`).catch(() => {});
    this.upload = null;
  }

  // --- measuring ---

  settingsChanged() {
    this.keepInAddress();
    this.measure();
  }

  measure() {
    if (!this.upload?.readable || !this.settings.isFine) return;
    this.ask();
    this.measuring.start(this.upload, this.settings.settings);
  }

  began() {
    this.since = performance.now();
    delete document.documentElement.dataset.result;
    byId("empty").hidden = byId("blocked").hidden = true;
    byId("outcome").hidden = false;
    byId("now").classList.add("stale");
    byId("outcome").classList.add("stale");
    byId("failure").hidden = true;
    byId("cancel").hidden = false;
    byId("again").hidden = true;
    this.running("Measuring …", null);
    this.downloads.of(null);
    this.headline.begin();
    this.hasSpoken = false;
  }

  running(text, share) {
    byId("running").classList.remove("over");
    byId("running-text").textContent = text;
    if (share === null) byId("running-bar").removeAttribute("value");
    else byId("running-bar").value = share;
  }

  /** Nothing is under way any more. */
  over(text) {
    byId("running").classList.add("over");
    byId("running-text").textContent = text;
    byId("running-bar").value = 1;
    byId("cancel").hidden = true;
    byId("outcome").classList.remove("stale");
  }

  queued(place) {
    this.running(`Waiting: ${counted(place, "other measurement")} first.`, null);
  }

  busy(seconds) {
    this.running(`The service is busy with others; trying again in ${counted(seconds, "second")}.`, null);
  }

  job(id) {
    this.documents.measuring(id);
  }

  progress({ elapsed, time_left: left, done, documents, document: name }) {
    const share = left === null ? null : elapsed / (elapsed + left || 1);
    const at = documents > 1 && name ? `document ${grouped(Math.min(done + 1, documents))} of ${grouped(documents)}` : "";
    this.running(["Refining", at, timeLeft(left)].filter(Boolean).join(" · "), share);
  }

  estimate(estimate) {
    byId("outcome").classList.remove("stale");
    const spoken = this.show(estimate.measures, estimate.words, basisOf(estimate), { isFinal: false });
    if (!this.hasSpoken) say(`First estimate: ${spoken}.`);
    this.hasSpoken = true;
  }

  /** The result is there; its words are asked for, and then it is shown. */
  async arrived(result) {
    const { job } = this.measuring;
    try {
      const words = await get(`/jobs/${job}/words`, { signal: this.asking.signal });
      if (job === this.measuring.job) this.showResult(result, words, job);
    } catch (error) {
      if (job === this.measuring.job) this.fail(error);
    }
  }

  showResult(result, words, job) {
    const spoken = this.show(result.measures, words.measures, words.basis, { isFinal: true });
    say(`Result: ${spoken}.`);
    document.documentElement.dataset.result = result.signature;
    byId("caution").textContent = words.caution;
    byId("caution").hidden = false;
    this.documents.measured(result, words.measures);
    byId("categories").hidden = !this.upload.categories.length;
    showCategories(result, words.measures, (name) => this.settings.add(name));
    byId("home").hidden = false;
    byId("signature").textContent = result.signature;
    byId("methods").textContent = words.methods.markdown;
    byId("methods-latex").textContent = words.methods.latex;
    byId("bibtex").textContent = words.bibtex;
    this.preparePairs(result, job);
  }

  show(measures, words, basis, options) {
    byId("headline").hidden = false;
    const several = this.upload.documents.length > 1;
    byId("measured").querySelector(".scroll").replaceChildren(measuresTable(measures, words, { several }));
    byId("measured").hidden = false;
    const spoken = this.headline.show(measures, words, basis, options);
    byId("now").textContent = spoken;
    byId("now").classList.toggle("stale", !options.isFinal);
    return spoken;
  }

  done({ problems }) {
    this.over(`Done in ${((performance.now() - this.since) / 1000).toPrecision(2)} seconds`);
    this.downloads.of(this.measuring.job);
    this.showWarnings(problems);
  }

  showWarnings(problems) {
    byId("warnings").replaceChildren(...(problems.length ? problemList(problems) : []));
  }

  failed({ problems }) {
    this.over("Not measured");
    this.showWarnings([]);
    byId("failure").replaceChildren(...problemList(problems));
    byId("failure").hidden = false;
    byId("now").textContent = "";
    for (const id of ["headline", "measured", "caution", "documents", "categories", "annotators", "home"]) byId(id).hidden = true;
    byId("again").hidden = false;
    say(`Not measured: ${problems.map(({ expected }) => expected).join("; ")}`);
  }

  cancelled() {
    this.over(byId("headline").classList.contains("estimate") ? "Cancelled; what you see is an estimate" : "Cancelled");
    byId("again").hidden = false;
    say("Cancelled.");
  }

  interrupted() {
    this.running("The service does not answer; waiting for it …", null);
  }

  /** Nothing more will come; if only the job is gone and not the data, they are measured again. */
  async lost(error) {
    this.over("Not measured");
    byId("again").hidden = false;
    try {
      if (error instanceof Refusal) await get(`/uploads/${this.upload.id}`);
    } catch (worse) {
      this.fail(worse);
      return;
    }
    if (error instanceof Refusal) this.measure();
    else this.fail(error);
  }

  // --- who agrees with whom ---

  preparePairs(result, job) {
    const n = this.upload.annotators.length;
    byId("annotators").hidden = n < 3;
    if (n < 3) return;
    const pairs = (n * (n - 1)) / 2;
    const button = element("button", { type: "button" }, "Compare the annotators");
    button.addEventListener("click", () => this.pair(result, job));
    byId("pairs").replaceChildren(element("p", {}, `${counted(pairs, "pair")} of annotators to measure. `), button);
    if (pairs <= PAIRS_AT_ONCE && result.data.units <= UNITS_AT_ONCE) this.pair(result, job);
  }

  async pair(result, job) {
    const { signal } = this.asking;
    const measure = mainMeasure(result.measures);
    byId("pairs").replaceChildren(element("p", { class: "quiet" }, "Comparing the annotators …"));
    try {
      const answer = await made(`/jobs/${job}/pairwise?measure=${encodeURIComponent(measure)}`, { signal });
      const found = await answer.json();
      if (!signal.aborted) showPairs(found, this.symbols.get(measure));
    } catch (error) {
      if (signal.aborted) return;
      byId("pairs").replaceChildren(...problemList(error.problems ?? new Silence().problems));
    }
  }

  // --- sessions ---

  get session() {
    const reading = this.upload ? withoutNull(this.upload.reading) : this.pendingReading;
    return { settings: this.settings.settings, reading, sample: this.sample };
  }

  get link() {
    return new URL(asFragment(this.session), location.href).href;
  }

  keepInAddress() {
    history.replaceState(null, "", asFragment(this.session));
  }

  async restoreFragment() {
    try {
      const session = fromFragment(location.hash);
      if (session) await this.restore(session);
    } catch (error) {
      notify([unclear("the settings in the address", error.message)]);
    }
  }

  async restoreText(text) {
    clearNotices();
    try {
      await this.restore(fromFile(text));
      say("The settings were restored.");
    } catch (error) {
      notify([unclear("a file of settings", error.message)]);
    }
  }

  async restore({ settings, reading, sample }) {
    const strange = Object.keys(settings).filter((key) => !this.settings.keys.has(key));
    if (strange.length) notify([unclear("settings that this version knows", strange.join(", "))]);
    this.settings.write(Object.fromEntries(Object.entries(settings).filter(([key]) => this.settings.keys.has(key))));
    this.pendingReading = reading;
    if (sample && sample !== this.sample && this.samples.some(({ name }) => name === sample)) await this.takeSample(sample);
    else if (this.upload && Object.keys(reading).length) await this.readAgain(fitting(reading, this.upload.files));
    else this.settingsChanged();
  }

  // --- what goes wrong ---

  fail(error, again = null) {
    if (error.name === "AbortError") return;
    if (error instanceof Refusal && error.isLost && this.upload) {
      this.lostData();
      return;
    }
    const measureAgain = error instanceof Silence && this.upload ? () => this.measure() : null;
    const action = again ?? measureAgain;
    notify(error.problems ?? [unclear("a page that works", String(error.message))], action && ["Try again", action]);
    if (!error.problems) throw error; // a fault of ours
  }

  /** The service no longer has the data; whoever still has them here can send them again. */
  lostData() {
    const { files, sample } = this;
    this.pendingReading = withoutNull(this.upload.reading);
    this.upload = null;
    const found = "nothing, or no longer: data are deleted after a while, and when the service is stopped";
    notify([unclear("your data in the service", found)], files ? ["Send them again", () => this.take(files)] : ["Take the sample again", () => this.takeSample(sample)]);
  }

  emptyResults() {
    byId("empty").hidden = false;
    document.body.classList.toggle("has-data", this.upload !== null);
    for (const id of ["blocked", "outcome", "differences", "documents", "categories", "annotators", "home"]) byId(id).hidden = true;
    byId("now").textContent = "";
    delete document.documentElement.dataset.result;
  }
}

const unclear = (expected, found) => ({ code: "session", severity: "error", where: "", expected, found, remedy: "" });

/** A reading without the tables beside the units that are not among these files: others need not have them. */
const fitting = (reading, names) =>
  Object.fromEntries(Object.entries(reading).filter(([key, value]) => !["documents", "participation"].includes(key) || names.includes(value)));

const page = new Page();
page.begin().catch((error) => page.fail(error, () => location.reload()));
