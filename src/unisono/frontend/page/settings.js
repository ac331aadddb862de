// SPDX-License-Identifier: MIT
// The settings panel: a form that is read as an object of the service's settings and can be set from one.
import { byId, cut, debounce, element, nameElement } from "../dom.js";
import { countText } from "../numbers.js";
import { plainTable } from "../tables.js";
import { firstFault, keysOf, offer, readForm, writeForm } from "./forms.js";
import { sentenceOf } from "./problems.js";

/** Measures that are listed first and measured by default. */
const FIRST = ["gamma", "gamma-cat", "gamma-k"];
/** Distances of more categories cannot be typed in. */
const MOST_CATEGORIES = 60;
const RECOMMENDATION = "For several documents annotated for one purpose the paper recommends corpus.";
/** Seeds drawn here are below this. */
const SEEDS = 2 ** 32;

/** Shares as percentages and back, without rounding errors. */
const shareOf = (percent) => Number((percent / 100).toPrecision(12));
const percentOf = (share) => Number((100 * share).toPrecision(12));

/** Calls `changed()` when the user has changed a setting. */
export class SettingsPanel {
  constructor({ changed }) {
    this.form = byId("settings-form");
    this.presets = new Map();
    this.categories = [];
    this.nDocuments = 0;
    this.distances = {};
    this.chosen = new Set(FIRST);
    this.changed = debounce(changed, 350);
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", (event) => {
      if (event.target.id === "measure-filter") return;
      this.updateDependents(event.target);
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

  /** Offers the measures and presets of the service. */
  offer(measures, presets) {
    this.measures = measures;
    this.presets = new Map(presets.map((preset) => [preset.name, preset]));
    offer(
      byId("preset"),
      presets.map(({ name }) => [name, name]),
    );
    const [first, more] = byId("measures").querySelectorAll(".choices");
    const isFirst = ({ name }) => FIRST.includes(name);
    first.replaceChildren(...this.measures.filter(isFirst).map((measure) => this.measureChoice(measure)));
    more.replaceChildren(
      ...this.measures.filter((measure) => !isFirst(measure)).map((measure) => this.measureChoice(measure)),
    );
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
      else box.checked = true; // at least one stays
    });
    const label = element(
      "label",
      { class: "check" },
      box,
      " ",
      element("strong", {}, symbol),
      " ",
      element("span", { class: "slug" }, name),
    );
    return element(
      "div",
      { class: "measure" },
      label,
      element(
        "p",
        { class: "hint", id: `about-${name}`, title: `${explanation} Needs: ${needs}.` },
        sentenceOf(explanation.split(/[.:;] /)[0]),
      ),
    );
  }

  filterMeasures(text) {
    const wanted = text.trim().toLowerCase();
    for (const each of byId("measures").querySelectorAll(".more .measure"))
      each.hidden = !each.textContent.toLowerCase().includes(wanted);
  }

  /** Adds a measure, as if the user had ticked its box. */
  add(name) {
    this.chosen.add(name);
    this.refresh();
    this.changed();
  }

  get presetAlpha() {
    return this.presets.get(byId("preset").value)?.alpha ?? 1;
  }

  drawSeed() {
    byId("seed").value = Math.floor(Math.random() * SEEDS);
  }

  /** Updates the controls that depend on this one. */
  updateDependents(target) {
    const partner = target.dataset.for && byId(target.dataset.for);
    if (partner) partner.value = target.value;
    if (target.id === "preset") {
      const before = this.presets.get(this.lastPreset)?.alpha ?? 1;
      if (Number(byId("alpha").value) === before) byId("alpha").value = this.presetAlpha;
      this.lastPreset = target.value;
    }
  }

  /** Updates hints, sliders and the fields that only some settings need. */
  refresh() {
    for (const slider of this.form.querySelectorAll("[data-for]"))
      slider.value = byId(slider.dataset.for).value || this.presetAlpha;
    for (const box of byId("measures").querySelectorAll("input[type=checkbox]"))
      box.checked = this.chosen.has(box.value);
    const preset = this.presets.get(byId("preset").value);
    byId("preset-hint").textContent = sentenceOf(preset?.explanation);
    for (const id of ["categorial", "chance"])
      byId(`${id}-hint`).textContent = byId(id).selectedOptions[0]?.dataset.hint ?? "";
    if (byId("chance").value === "" && preset) {
      byId("chance-hint").textContent =
        `The preset uses ${preset.chance}.` + (this.nDocuments > 1 ? ` ${RECOMMENDATION}` : "");
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
    return [symbols.length > 4 ? countText(symbols.length, "measure") : symbols.join(", "), byId("preset").value]
      .filter(Boolean)
      .join(" · ");
  }

  get isValid() {
    return firstFault(this.form) === null;
  }

  /** The settings that differ from their defaults, and always the seed and the measures. */
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
    else if (byId("precision").value !== byId("precision").defaultValue)
      settings.precision = shareOf(Number(byId("precision").value));
    if (byId("level").value !== byId("level").defaultValue) settings.level = shareOf(Number(byId("level").value));
    return settings;
  }

  /** Puts settings into the form; those that are left out get their defaults. */
  write(settings) {
    const { measures, category_distances: distances, samples, precision, level, ...rest } = settings;
    const known = (measures ?? []).filter((name) => (this.measures ?? []).some((measure) => measure.name === name));
    this.chosen = new Set(known.length ? known : FIRST);
    writeForm(this.form, {
      ...rest,
      preset: rest.preset ?? "paper",
      categorial: distances ? "matrix" : rest.categorial,
    });
    if (rest.alpha === undefined) byId("alpha").value = this.presetAlpha;
    this.lastPreset = byId("preset").value;
    if (rest.seed === undefined) this.drawSeed();
    this.distances = {};
    for (const [a, row] of Object.entries(distances ?? {}))
      for (const [b, value] of Object.entries(row)) this.setDistance(a, b, value);
    byId("sampling").value = samples === undefined ? "precision" : "samples";
    byId("samples-count").value = samples ?? byId("samples-count").defaultValue;
    byId("precision").value = precision === undefined ? byId("precision").defaultValue : percentOf(precision);
    byId("level").value = level === undefined ? byId("level").defaultValue : percentOf(level);
    this.drawMatrix();
    this.refresh();
  }

  /** The names of all settings of this page. */
  get keys() {
    return new Set([...keysOf(this.form), "measures", "category_distances", "samples", "precision", "level"]);
  }

  /** Offers the categories and annotators of an upload. */
  useData({ categories, annotators, documents }) {
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
      const many = `${categories.length} categories are too many to type in; the command line takes a table of distances.`;
      box.replaceChildren(element("p", { class: "hint" }, categories.length < 2 ? few : many));
      return;
    }
    const rows = categories.slice(1).map((a, i) => {
      const cells = categories.slice(0, -1).map((b, j) => (j <= i ? this.cell(a, b) : element("td")));
      return element("tr", {}, element("th", { scope: "row" }, nameElement(a, 30)), ...cells);
    });
    const heads = categories.slice(0, -1).map((b) => ({ title: nameElement(b, 30) }));
    box.replaceChildren(plainTable(["", ...heads], rows, { className: "matrix" }));
  }

  cell(a, b) {
    const input = element("input", {
      type: "number",
      min: "0",
      max: "1",
      step: "any",
      value: String(this.distance(a, b)),
      "aria-label": `Distance of ${cut(a, 40)} and ${cut(b, 40)}`,
    });
    input.addEventListener("input", () => {
      if (input.value !== "" && input.checkValidity()) this.setDistance(a, b, Number(input.value));
    });
    return element("td", {}, input);
  }
}

const key = (a, b) => JSON.stringify([a, b].sort());
