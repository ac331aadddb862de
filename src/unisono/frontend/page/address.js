// SPDX-License-Identifier: MIT
// The address of the page: settings, how the files are read, and the place in the data; written, followed and restored.
import { byId } from "../dom.js";
import { placeOf, placeParameters } from "../links.js";
import { problemOf } from "./api.js";
import { restrictReading, withoutDefaults } from "./data.js";
import { announce, clearNotices, notify } from "./problems.js";
import { asFragment, fromFile, fromFragment } from "./session.js";

export class Address {
  constructor(page) {
    this.page = page;
    this.pending = placeOf(location.hash); // to be opened once there is a result
  }

  /** Opens the place that the page was called with; only once, and only if it names one. */
  async openPending() {
    const place = this.pending;
    this.pending = null;
    if (place && isPlaced(place)) await this.openPlace(place);
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
    const isOpened = await this.page.documents.explorer.restore(place);
    if (isOpened) byId(place.section ?? "differences")?.scrollIntoView({ block: "start" });
    if (isOpened && isNew) this.keep({ isNew });
    return isOpened;
  }

  /** Back and forward: another place in the same data, or other settings. */
  async restoreAddress() {
    const place = placeOf(location.hash);
    if (this.page.upload && isPlaced(place) && this.hasSettingsOf(location.hash)) await this.openPlace(place);
    else await this.restoreFragment();
  }

  /** Whether an address has the settings that are in force. */
  hasSettingsOf(fragment) {
    try {
      const session = fromFragment(fragment);
      return JSON.stringify(session?.settings ?? {}) === JSON.stringify(this.page.settings.settings);
    } catch {
      return false; // it cannot be read; restoreFragment reports that
    }
  }

  get session() {
    const { upload, settings, sample, usualReading, pendingReading } = this.page;
    const reading = upload ? withoutDefaults(upload.reading) : pendingReading;
    const isUsual = JSON.stringify(reading) === usualReading; // that of the sample itself: need not be written down
    return { settings: settings.settings, reading: isUsual ? {} : reading, sample };
  }

  get link() {
    return new URL(asFragment(this.session), location.href).href;
  }

  /** Writes settings and place into the address; a new place becomes an entry of the browser's history. */
  keep({ isNew = false } = {}) {
    const place = this.page.upload ? placeParameters(this.page.documents.explorer.place) : [];
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
      await this.page.ready; // by then the known settings are loaded
      await this.restore(fromFile(text));
      announce("The settings were restored.");
    } catch (error) {
      notify([problemOf("session", `the settings were not restored: ${error.message}`)]);
    }
  }

  knownSettings(settings) {
    return Object.fromEntries(Object.entries(settings).filter(([key]) => this.page.settings.keys.has(key)));
  }

  async restore({ settings, reading, sample }) {
    const unknown = Object.keys(settings).filter((key) => !this.page.settings.keys.has(key));
    if (unknown.length) {
      const nouns = unknown.length === 1 ? "this setting is" : "these settings are";
      notify([problemOf("session", `${nouns} unknown to this version and ignored: ${unknown.join(", ")}`)]);
    }
    this.page.settings.write(this.knownSettings(settings));
    this.page.pendingReading = reading;
    const isOther = sample && sample !== this.page.sample && this.page.samples.some(({ name }) => name === sample);
    if (isOther) {
      if (!(await this.page.takeSample(sample, reading))) this.page.settingsChanged();
    } else if (this.page.upload && Object.keys(reading).length)
      await this.page.readAgain(restrictReading(reading, this.page.upload.files));
    else this.page.settingsChanged();
  }
}

/** Whether a place names something in the data. */
const isPlaced = (place) => place.document !== undefined || place.case !== undefined;
