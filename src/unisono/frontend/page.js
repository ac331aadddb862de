// SPDX-License-Identifier: MIT
// The page of the service: files are read, settings change, results follow.
import { activateCopyButtons, confirmOn, copyText } from "./clipboard.js";
import { actionButton, byId } from "./dom.js";
import { saveFile } from "./files.js";
import { countText, sizeText } from "./numbers.js";
import { Address } from "./page/address.js";
import { call, get, NoAnswer, problemOf, Refusal, sendFiles } from "./page/api.js";
import { Comparing } from "./page/comparing.js";
import { DataPanel, restrictReading, withoutDefaults } from "./page/data.js";
import { Documents } from "./page/documents.js";
import { Downloads } from "./page/downloads.js";
import { chosenFiles, limitProblem, listenToDrops } from "./page/files.js";
import { Measuring } from "./page/measuring.js";
import { followSections } from "./page/navigation.js";
import { Outcome } from "./page/outcome.js";
import { announce, clearNotices, notify } from "./page/problems.js";
import { asFile, fromFragment, isSettingsFile, keepSession, keptSession } from "./page/session.js";
import { SettingsPanel } from "./page/settings.js";
import { WORDS } from "./page/transport.js";

/** Seconds that the service keeps the data of a page that was left: long enough for a reload on a busy machine. */
const LEFT_FOR = 60;
/** Larger files cannot be settings. */
const SETTINGS_SIZE = 1_000_000;

class Page {
  constructor() {
    this.upload = null;
    this.files = null; // kept to be sent again if the service has deleted them
    this.sample = null;
    this.usualReading = null; // how the sample is read by default, as JSON
    this.pendingReading = {};
    this.sending = null;
    this.documents = new Documents({ moved: (isNew) => this.address.keep({ isNew }) });
    this.comparing = new Comparing((upload) => this.upload?.id !== upload.id);
    this.data = new DataPanel({ changed: (reading) => this.readAgain(reading) });
    this.settings = new SettingsPanel({ changed: () => this.settingsChanged() });
    this.address = new Address(this);
    this.outcome = new Outcome(this);
    this.measuring = new Measuring((name, given) => this.outcome.receive(name, given));
  }

  begin() {
    this.listen();
    this.ready = this.load();
    return this.ready;
  }

  /** Requests what the page offers; then takes up what this tab had, or what the address says. */
  async load() {
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
    if (!(await this.resume())) await this.address.restoreFragment();
  }

  /** Takes up what this tab had before it was reloaded, if the service still has it. */
  async resume() {
    const kept = keptSession();
    if (!kept) return false;
    try {
      const upload = await get(`/uploads/${kept.upload}`);
      const session = fromFragment(location.hash);
      if (session) this.settings.write(this.address.knownSettings(session.settings));
      [this.sample, this.usualReading] = [kept.sample, kept.usualReading];
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
      await copyText(this.address.link);
      confirmOn(target, "Copied");
      announce("Copied");
    });
    byId("save-settings").addEventListener("click", () =>
      saveFile("unisono-settings.json", asFile(this.address.session), "application/json"),
    );
    byId("restore-settings").addEventListener("change", async ({ target }) => {
      const [file] = target.files;
      target.value = "";
      if (file) this.address.restoreText(await file.text());
    });
    activateCopyButtons(announce);
    followSections();
    addEventListener("click", (event) => this.address.followLink(event));
    addEventListener("popstate", () => this.address.restoreAddress());
    addEventListener("beforeunload", (event) => {
      if (this.outcome.adjudication?.isUnsaved) event.preventDefault(); // decisions that are in no file yet
    });
    addEventListener("pagehide", ({ persisted }) => !persisted && this.deleteLater());
  }

  // --- data ---

  async take(files) {
    if (!files.length) return;
    try {
      await this.ready; // the limits, and how the files are read
    } catch {
      return; // the failure was reported when the page began
    }
    if (files.length === 1 && /\.json$/i.test(files[0].path) && files[0].file.size < SETTINGS_SIZE) {
      const text = await files[0].file.text();
      if (isSettingsFile(text)) {
        this.address.restoreText(text);
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
    await this.send(files, null, (options) => sendFiles(files, reading, options), () => this.take(files));
  }

  /** Whether these have the names of the current files: then they are a corrected version, read in the same way. */
  isSame(files) {
    const names = (all) => JSON.stringify(all.map(({ path }) => path).sort());
    return this.upload !== null && this.files !== null && names(files) === names(this.files);
  }

  /** Measures a sample, with this reading if one is given. Returns whether that succeeded. */
  async takeSample(name, reading = {}) {
    const isTaken = await this.send(
      null,
      name,
      ({ signal }) => call("POST", `/samples/${encodeURIComponent(name)}`, undefined, { signal }),
      () => this.takeSample(name, reading),
    );
    if (isTaken && Object.keys(reading).length) await this.readAgain(restrictReading(reading, this.upload.files));
    return isTaken;
  }

  /** Sends files or requests a sample; shows the progress, then how the service read them. Returns whether that succeeded. */
  async send(files, sample, request, again) {
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
      if (sending !== this.sending) return false;
      this.deleteData();
      this.pendingReading = {};
      [this.files, this.sample] = [files, sample];
      this.usualReading = sample ? JSON.stringify(withoutDefaults(upload.reading)) : null;
      this.showUpload(upload);
      this.address.keep();
      return true;
    } catch (error) {
      if (sending !== this.sending) return false;
      this.pendingReading = {}; // it may be the cause: try without it next time
      this.fail(error, again);
      return false;
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
      this.outcome.clear();
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
    const { upload, sample, usualReading } = this;
    keepSession(upload && { upload: upload.id, job: this.measuring.job, sample, usualReading });
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
      this.address.keep();
    } catch (error) {
      if (rereading === this.rereading) this.fail(error);
    } finally {
      if (rereading === this.rereading) byId("understood").removeAttribute("aria-busy");
    }
  }

  remove() {
    if (this.comparing.keeps(this.upload)) this.comparing.end();
    this.deleteData();
    this.data.clear();
    this.outcome.clear();
    this.sample = this.usualReading = this.files = null;
    keepSession(null);
    this.address.keep();
    announce("The data were deleted.");
    byId("files").focus();
  }

  /** Aborts the requests about the last measurement, which will be deleted. */
  abortRequests() {
    this.requests?.abort();
    this.requests = new AbortController();
    this.documents.stop();
  }

  /** Lets the service delete the data after a pause, in which a reload takes them up again. */
  deleteLater() {
    const ids = new Set([this.upload, this.comparing.first?.upload].filter(Boolean).map(({ id }) => id));
    for (const id of ids)
      call("DELETE", `/uploads/${id}?after=${LEFT_FOR}`, undefined, { keepalive: true }).catch(() => {});
  }

  /** Deletes the data, here and in the service. */
  deleteData() {
    this.abortRequests();
    this.rereading?.abort(); // its answer would show these data again
    byId("understood").removeAttribute("aria-busy");
    const isKept = this.comparing.keeps(this.upload);
    if (isKept) this.measuring.leave();
    else this.measuring.drop({ isDeleted: this.upload !== null }); // the service deletes the jobs of an upload with it
    if (this.upload && !isKept) call("DELETE", `/uploads/${this.upload.id}`).catch(() => {});
    this.upload = null;
  }

  // --- measuring ---

  settingsChanged() {
    this.address.keep();
    this.measure();
  }

  measure() {
    if (!this.upload?.readable || !this.settings.isValid) return;
    this.abortRequests();
    if (this.comparing.first?.job === this.measuring.job) this.measuring.leave(); // it is the first side
    this.measuring.start(this.upload, this.settings.settings);
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
    const reading = withoutDefaults(this.upload.reading);
    this.pendingReading = reading;
    this.upload = null;
    const message = "the service no longer has your data: it deletes them after a while, and when it is stopped";
    const resend = files && ["Send them again", () => this.take(files)];
    const again = resend ?? (sample && ["Load the sample again", () => this.takeSample(sample, reading)]);
    keepSession(null);
    notify([problemOf("session", message)], again);
  }
}

const page = new Page();
page.begin().catch((error) => page.fail(error, () => location.reload()));
