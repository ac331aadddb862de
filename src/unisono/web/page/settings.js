// SPDX-License-Identifier: MIT
// The settings panel: a form that is an object of the service's settings and can be made from one.
import { cut, element } from "./viewer/dom.js";
import { firstFault, keysOf, offer, readForm, writeForm } from "./forms.js";
import { byId, counted, named, settled } from "./words.js";

/** Measures that come first; the others are folded. */
const FIRST = ["gamma", "gamma-cat", "gamma-k"];
const AT_FIRST = ["gamma", "gamma-cat", "gamma-k"];
/** Measured on texts of several versions, which is not done here. */
const ELSEWHERE = new Set(["text-gamma"]);
/** More categories than anybody fills in by hand. */
const MOST_CATEGORIES = 60;
const DRAWN = 2 ** 32;

/** What a number in percent is as a share, without the noise of division. */
const share = (percent) => Number((percent / 100).toPrecision(12));

/** Fires `changed()` when a setting was changed by hand. */
export class SettingsPanel {
  constructor({ changed }) {
    this.form = byId("settings-form");
    this.presets = new Map();
    this.categories = [];
    this.nDocuments = 0;
    this.distances = {};
    this.chosen = new Set(AT_FIRST);
    this.changed = settled(changed, 350);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", (event) => {
      if (event.target.id === "measure-filter") return;
      this.follow(event.target);
      this.refresh();
      this.changed();
    });
    byId("seed-draw").addEventListener("click", () => {
      this.drawSeed();
      this.refresh();
      this.changed();
    });
    byId("settings-reset").addEventListener("click", () => {
      this.write({});
      this.changed();
    });
    byId("matrix-reset").addEventListener("click", () => {
      this.distances = {};
      this.drawMatrix();
      this.changed();
    });
    byId("measure-filter").addEventListener("input", (event) => this.filterMeasures(event.target.value));
    this.drawSeed();
  }

  /** What there is to choose from, as the service tells. */
  offer(measures, presets) {
    this.measures = measures.filter(({ name }) => !ELSEWHERE.has(name));
    this.presets = new Map(presets.map((preset) => [preset.name, preset]));
    offer(byId("preset"), presets.map(({ name }) => [name, name]));
    const [first, more] = byId("measures").querySelectorAll(".choices");
    const isFirst = ({ name }) => FIRST.includes(name);
    first.replaceChildren(...this.measures.filter(isFirst).map((measure) => this.measureChoice(measure)));
    more.replaceChildren(...this.measures.filter((measure) => !isFirst(measure)).map((measure) => this.measureChoice(measure)));
    this.lastPreset = byId("preset").value;
    byId("alpha").value = this.presetAlpha;
    this.refresh();
  }

  measureChoice({ name, symbol, explanation, needs }) {
    const box = element("input", { type: "checkbox", value: name, "aria-describedby": `about-${name}` });
    box.checked = this.chosen.has(name);
    box.addEventListener("input", () => {
      if (box.checked) this.chosen.add(name);
      else if (this.chosen.size > 1) this.chosen.delete(name);
      else box.checked = true; // one at least
    });
    const label = element("label", { class: "check" }, box, " ", element("strong", {}, symbol), " ", element("span", { class: "slug" }, name));
    return element("div", { class: "measure" }, label, element("p", { class: "hint", id: `about-${name}`, title: `${explanation} Needs: ${needs}.` }, `${explanation.split(/[.:;] /)[0].replace(/\.$/, "")}.`));
  }

  filterMeasures(text) {
    const wanted = text.trim().toLowerCase();
    for (const each of byId("measures").querySelectorAll(".more .measure")) each.hidden = !each.textContent.toLowerCase().includes(wanted);
  }

  /** Adds a measure, as if its box had been ticked. */
  add(name) {
    this.chosen.add(name);
    this.refresh();
    this.changed();
  }

  get presetAlpha() {
    return this.presets.get(byId("preset").value)?.alpha ?? 1;
  }

  drawSeed() {
    byId("seed").value = Math.floor(Math.random() * DRAWN);
  }

  /** What follows from one control in others. */
  follow(target) {
    const partner = target.dataset.for && byId(target.dataset.for);
    if (partner) partner.value = target.value;
    if (target.id === "preset") {
      const before = this.presets.get(this.lastPreset)?.alpha ?? 1;
      if (Number(byId("alpha").value) === before) byId("alpha").value = this.presetAlpha;
      this.lastPreset = target.value;
    }
  }

  /** Hints, sliders and parts that only some settings need. */
  refresh() {
    for (const slider of this.form.querySelectorAll("[data-for]")) slider.value = byId(slider.dataset.for).value || this.presetAlpha;
    for (const box of byId("measures").querySelectorAll("input[type=checkbox]")) box.checked = this.chosen.has(box.value);
    const preset = this.presets.get(byId("preset").value);
    byId("preset-hint").textContent = preset ? `${preset.explanation[0].toUpperCase()}${preset.explanation.slice(1)}.` : "";
    for (const id of ["categorial", "chance"]) byId(`${id}-hint`).textContent = byId(id).selectedOptions[0]?.dataset.hint ?? "";
    if (byId("chance").value === "" && preset) {
      byId("chance-hint").textContent = `Here: ${preset.chance}.${this.nDocuments > 1 ? " With several documents annotated for one purpose the paper recommends corpus." : ""}`;
    }
    const categorial = byId("categorial").value;
    byId("order-field").hidden = categorial !== "ordinal";
    byId("separator-field").hidden = !["jaccard", "masi", "tree"].includes(categorial);
    byId("separator-field").querySelector("input").placeholder = categorial === "tree" ? "/" : "|";
    byId("scale-field").hidden = byId("positional").value === "";
    if ((categorial === "matrix") === byId("matrix").hidden) this.drawMatrix();
    byId("matrix").hidden = categorial !== "matrix";
    const isFixed = byId("sampling").value === "samples";
    byId("precision").hidden = byId("precision-unit").hidden = isFixed;
    byId("samples-count").hidden = !isFixed;
    byId("settings-summary").textContent = this.summary();
    firstFault(this.form);
  }

  summary() {
    const symbols = (this.measures ?? []).filter(({ name }) => this.chosen.has(name)).map(({ symbol }) => symbol);
    return [symbols.length > 4 ? counted(symbols.length, "measure") : symbols.join(", "), byId("preset").value].filter(Boolean).join(" · ");
  }

  get isFine() {
    return firstFault(this.form) === null;
  }

  /** The settings, without those that are as at first (seed and measures are always there). */
  get settings() {
    const settings = readForm(this.form);
    settings.measures = (this.measures ?? []).filter(({ name }) => this.chosen.has(name)).map(({ name }) => name);
    if (settings.preset === "paper") delete settings.preset;
    if (settings.alpha === this.presetAlpha) delete settings.alpha;
    if (settings.categorial === "matrix") {
      delete settings.categorial;
      if (this.categories.length > 1) settings.category_distances = this.matrix();
    }
    if (byId("order-field").hidden) delete settings.category_order;
    if (byId("separator-field").hidden) delete settings.category_separator;
    if (byId("scale-field").hidden) delete settings.scale;
    if (byId("sampling").value === "samples") settings.samples = Number(byId("samples-count").value);
    else if (byId("precision").value !== byId("precision").defaultValue) settings.precision = share(Number(byId("precision").value));
    if (byId("level").value !== byId("level").defaultValue) settings.level = share(Number(byId("level").value));
    return settings;
  }

  /** Puts settings into the form; what they leave out is as at first. */
  write(settings) {
    const { measures, category_distances: distances, samples, precision, level, ...rest } = settings;
    const known = (measures ?? []).filter((name) => (this.measures ?? []).some((measure) => measure.name === name));
    this.chosen = new Set(known.length ? known : AT_FIRST);
    writeForm(this.form, { ...rest, preset: rest.preset ?? "paper", categorial: distances ? "matrix" : rest.categorial });
    if (rest.alpha === undefined) byId("alpha").value = this.presetAlpha;
    this.lastPreset = byId("preset").value;
    if (rest.seed === undefined) this.drawSeed();
    this.distances = {};
    for (const [a, row] of Object.entries(distances ?? {})) for (const [b, value] of Object.entries(row)) this.setDistance(a, b, value);
    byId("sampling").value = samples === undefined ? "precision" : "samples";
    byId("samples-count").value = samples ?? byId("samples-count").defaultValue;
    byId("precision").value = precision === undefined ? byId("precision").defaultValue : Number((100 * precision).toPrecision(12));
    byId("level").value = level === undefined ? byId("level").defaultValue : Number((100 * level).toPrecision(12));
    this.drawMatrix();
    this.refresh();
  }

  /** Which settings there are: others are refused. */
  get keys() {
    return new Set([...keysOf(this.form), "measures", "category_distances", "samples", "precision", "level"]);
  }

  /** The data have other categories and annotators now. */
  know({ categories, annotators, documents }) {
    this.categories = categories;
    this.nDocuments = documents.length;
    offer(byId("reference"), [["", "nobody"], ...annotators.map((name) => [name, name])]);
    this.drawMatrix();
    this.refresh();
  }

  // --- distances of categories ---

  distance(a, b) {
    return this.distances[key(a, b)] ?? 1;
  }

  setDistance(a, b, value) {
    this.distances[key(a, b)] = value;
  }

  matrix() {
    const rows = {};
    this.categories.forEach((a, i) => {
      const rest = this.categories.slice(i + 1);
      if (rest.length) rows[a] = Object.fromEntries(rest.map((b) => [b, this.distance(a, b)]));
    });
    return rows;
  }

  drawMatrix() {
    const box = byId("matrix").querySelector(".scroll");
    const { categories } = this;
    if (byId("categorial").value !== "matrix") return;
    if (categories.length < 2 || categories.length > MOST_CATEGORIES) {
      const few = "Distances can be given once there are data with two or more categories.";
      const many = `There are ${categories.length} categories: too many to fill in here. The command line takes a table: --category-distances.`;
      box.replaceChildren(element("p", { class: "hint" }, categories.length < 2 ? few : many));
      return;
    }
    const rows = categories.slice(1).map((a, i) =>
      element("tr", {}, element("th", { scope: "row" }, named(a, 30)), ...categories.slice(0, -1).map((b, j) => (j <= i ? this.cell(a, b) : element("td", {})))),
    );
    const heads = categories.slice(0, -1).map((b) => element("th", { scope: "col" }, named(b, 30)));
    box.replaceChildren(element("table", { class: "matrix" }, element("thead", {}, element("tr", {}, element("td", {}), ...heads)), element("tbody", {}, ...rows)));
  }

  cell(a, b) {
    const input = element("input", { type: "number", min: "0", max: "1", step: "any", value: String(this.distance(a, b)), "aria-label": `Distance of ${cut(a, 40)} and ${cut(b, 40)}` });
    input.addEventListener("input", () => {
      if (input.value !== "" && input.checkValidity()) this.setDistance(a, b, Number(input.value));
    });
    return element("td", {}, input);
  }
}

const key = (a, b) => JSON.stringify([a, b].sort());
