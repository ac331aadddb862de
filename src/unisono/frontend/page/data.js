// SPDX-License-Identifier: MIT
// The data panel: how the files were read, what is wrong with them, and how else they could be read.
import { actionButton, byId, cut, debounce, element, nameElement } from "../dom.js";
import { countText, groupDigits } from "../numbers.js";
import { plainTable, scrollRegion } from "../tables.js";
import { connectOtherFields, isUnfinished, keysOf, offer, readForm, writeForm } from "./forms.js";
import { problemList } from "./problems.js";

const ROLES = ["document", "annotator", "start", "end", "duration", "category"];
/** What a menu offers beside values: the program works the value out from the files. */
const AUTOMATIC = "automatic";
/** Settings that problems name and that have another name on this page. */
const SAME = {
  tier: "layer",
  map: "labels",
  category_map: "labels",
  ignore: "labels",
  start_column: "columns",
  end_column: "columns",
};
/** Elements of settings whose control is more than one field. */
const PLACES = { layer: "layers", columns: "columns", labels: "labels", extent: "extent-start" };
/** Settings that a click can change, if the problem says the value. */
const CLICKABLE = new Set(
  (
    "layer format encoding decimal tier_pattern skip_invalid curation versions sentences " +
    "thousands time_unit no_category one_document inclusive_ends one_based"
  ).split(" "),
);
/** How problems name a setting: “its label”, --layer, [[layer]], `layer` or layer=, with a value behind it perhaps. */
const MENTION =
  /(?:“([^”]+)”|--([a-z-]+)|\[\[([a-z_]+)\]\]|`([a-z_]+)`|\b([a-z_]+)=(?=[\s.,;)]|$))(?: ('[^']*'|[^\s,;]*[^\s,;.]|,))?/g;
const MOST_LABELS = 200;
const MOST_NAMES = 12;

/** Calls `changed(reading)` when the user wants the files read in another way. */
export class DataPanel {
  constructor({ changed }) {
    this.form = byId("reading-form");
    this.changed = debounce(() => changed(this.reading), 350);
    this.upload = null;
    connectOtherFields(this.form);
    this.form.addEventListener("input", (event) => {
      const { fault } = this.readExtent();
      byId("extent-hint").textContent = fault || this.extentHint;
      if (!fault && !isUnfinished(event.target)) this.changed();
    });
    this.form.addEventListener("submit", (event) => event.preventDefault());
    byId("layers").addEventListener("input", () => (this.layersGiven = true));
    byId("reading-reset").addEventListener("click", () => {
      this.write({});
      changed({});
    });
  }

  /** Formats to choose from. */
  offerFormats(formats) {
    offer(this.form.querySelector("[data-key=format]"), [
      ["", AUTOMATIC],
      ...formats.map(({ name, description }) => [name, `${name}: ${description}`]),
    ]);
  }

  /** How to read the files: the settings that are not automatic. */
  get reading() {
    const reading = readForm(this.form);
    const layers = [...byId("layers").querySelectorAll("input")];
    const wanted = layers.filter((box) => box.checked).map((box) => box.value);
    if (this.layersGiven && wanted.length) reading.layer = wanted;
    const columns = {};
    for (const select of byId("columns").querySelectorAll("select"))
      if (select.value) columns[select.dataset.role] = select.value;
    if (Object.keys(columns).length) reading.columns = columns;
    const { extent, fault } = this.readExtent();
    if (extent && !fault) reading.extent = extent;
    if (Object.keys(this.renamed).length) reading.category_map = { ...this.renamed };
    if (this.ignored.size) reading.ignore = [...this.ignored];
    return reading;
  }

  /** The extent as typed, null if it is empty; `fault` says what is wrong with it. */
  readExtent() {
    const [start, end] = ["extent-start", "extent-end"].map((id) => byId(id).value);
    if (start === "" && end === "") return { extent: null, fault: "" };
    if (start === "" || end === "") return { extent: null, fault: "Give both ends." };
    const extent = [Number(start), Number(end)];
    return { extent, fault: extent[0] < extent[1] ? "" : "The end must be greater than the start." };
  }

  extentHint = "";
  renamed = {};
  ignored = new Set();
  layersGiven = false;

  write(reading) {
    this.layersGiven = Boolean(reading.layer?.length);
    this.renamed = { ...reading.category_map };
    this.ignored = new Set(reading.ignore);
    writeForm(this.form, plain(reading));
    [byId("extent-start").value, byId("extent-end").value] = reading.extent ?? ["", ""];
  }

  clear() {
    this.upload = null;
    for (const id of ["understood", "problems", "reading"]) byId(id).hidden = true;
  }

  /** Shows how the service read an upload. */
  show(upload, { remove, skip }) {
    const isNew = this.upload?.id !== upload.id;
    this.upload = upload;
    this.showFacts(upload, remove);
    this.showProblems(upload, skip);
    this.offerChoices(upload);
    byId("reading").hidden = false;
    if (!upload.readable) byId("reading").open = true;
    else if (isNew) byId("reading").open = false;
  }

  showFacts(upload, remove) {
    const { data } = upload;
    const texts = upload.documents.filter((document) => document.has_text).length;
    const withText = !texts ? "" : texts === data?.documents ? ", with text" : `, ${groupDigits(texts)} with text`;
    const facts = data
      ? [
          ["Documents", [groupDigits(data.documents), withText]],
          ["Annotators", names(upload.annotators)],
          ["Units", groupDigits(data.units)],
          ["Categories", upload.categories.length ? names(upload.categories) : "none"],
        ]
      : [];
    byId("understood").replaceChildren(
      element(
        "p",
        { class: upload.readable ? "ok" : "not-ok" },
        element("strong", {}, upload.readable ? "Read. " : "Cannot be measured yet. "),
        ...files(upload.files),
      ),
      element(
        "dl",
        { class: "facts" },
        ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, ...[value].flat())]),
      ),
      element("p", { class: "quiet" }, upload.understood),
      taskDetails(upload),
      upload.documents.length > 1 || data ? documentsDetails(upload) : "",
      element("p", { class: "buttons" }, actionButton("Delete these data", remove)),
    );
    byId("understood").hidden = false;
    this.extentHint = extentHint(upload.documents);
    byId("extent-hint").textContent = this.extentHint;
  }

  showProblems(upload, skip) {
    const box = byId("problems");
    const kinds = ["error", "warning", "note"].map((kind) => [
      kind,
      upload.problems.filter((problem) => problem.severity === kind),
    ]);
    const shown = kinds.flatMap(([kind, problems]) => {
      if (!problems.length) return [];
      // Errors come first: the problems that are not listed are errors.
      const unlisted = kind === "error" ? upload.n_problems - upload.problems.length : 0;
      const total = problems.length + unlisted;
      const list = problemList(problems, (text) => this.linkSettings(text), total);
      if (kind === "error") return [element("h3", {}, countText(total, "problem")), ...list];
      const title = element("summary", {}, countText(problems.length, kind));
      return [element("details", { open: kind === "warning" }, title, ...list)];
    });
    if (!upload.readable && upload.skippable) {
      shown.push(
        element("p", { class: "buttons" }, actionButton("Go on without these rows", skip, { class: "primary" })),
      );
    }
    box.replaceChildren(...shown);
    box.hidden = !shown.length;
  }

  /** A text in which the settings it names are buttons that lead to the control, or change the setting at once. */
  linkSettings(text) {
    const parts = [];
    let rest = 0;
    for (const match of text.matchAll(MENTION)) {
      const [whole, label, option, ...others] = match;
      const given = others.pop();
      const name = option?.replaceAll("-", "_") ?? others.find(Boolean);
      const key = label ? this.settingLabelled(label) : (SAME[name] ?? name);
      const control = key && this.controlOf(key);
      if (!control) continue;
      const value = given?.replace(/^'|'$/g, "");
      const isSwitch = control.type === "checkbox";
      const hasValue = value !== undefined && (option || isOffered(control, value));
      const canChange = CLICKABLE.has(key) && (isSwitch || hasValue);
      const mention = given === undefined || (canChange && !isSwitch) ? whole : whole.slice(0, -given.length - 1);
      const words = label || option ? mention : labelOf(control, key);
      const action = () => (canChange ? this.changeSetting(key, isSwitch || value) : this.goTo(control));
      const title = canChange ? "Change this setting" : "Go to this setting";
      parts.push(text.slice(rest, match.index), actionButton(words, action, { class: "link", title }));
      rest = match.index + mention.length;
    }
    parts.push(text.slice(rest));
    return parts;
  }

  /** The setting whose control has this label; undefined if there is none. */
  settingLabelled(label) {
    const keys = [...Object.keys(PLACES), ...keysOf(this.form)];
    return keys.find((key) => labelOf(this.controlOf(key), key).toLowerCase() === label.toLowerCase());
  }

  /** The control of a setting; null if this page has none. */
  controlOf(key) {
    return byId(PLACES[key] ?? "") ?? this.form.querySelector(`[data-key="${key}"]`);
  }

  goTo(target) {
    for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    target.scrollIntoView({ block: "center" });
    (target.matches("input, select, textarea, summary")
      ? target
      : target.querySelector("input, select, summary")
    )?.focus();
  }

  changeSetting(key, value) {
    if (key === "layer") {
      for (const box of byId("layers").querySelectorAll("input")) box.checked = box.value === value;
      this.layersGiven = true;
    } else writeForm(this.form, { ...plain(readForm(this.form)), [key]: value });
    this.changed();
  }

  offerChoices(upload) {
    const { contents, reading } = upload;
    const rules = [
      ["parent", "the folder"],
      ["stem", "the file's name"],
      ["tier", "the tier"],
      ...contents.fields.map((field) => [`field:${field}`, `the field ${field}`]),
    ];
    const features = contents.features.map((feature) => [feature, feature]);
    for (const [source, choices] of [
      ["annotator", rules],
      ["document", rules],
      ["category", features],
    ]) {
      const current = contents.sources[source];
      offer(byId(`${source}-from`), [["", current ? `${AUTOMATIC}: ${current}` : AUTOMATIC], ...choices]);
    }
    for (const select of this.form.querySelectorAll("[data-files]"))
      offer(select, [["", "none"], ...upload.files.map((name) => [name, name])]);
    this.offerLayers(contents);
    this.offerColumns(contents.columns, reading.columns);
    this.write(withoutDefaults(reading));
    this.offerLabels(upload);
  }

  offerLayers({ layers, read_layers }) {
    const box = byId("layers");
    const counts = Object.entries(layers);
    box.hidden = counts.length < 2;
    const choices = counts.map(([name, units]) => {
      const input = element("input", { type: "checkbox", value: name });
      input.checked = read_layers.includes(name);
      return element(
        "label",
        { class: "check" },
        input,
        " ",
        nameElement(name, 60),
        " ",
        element("span", { class: "quiet" }, countText(units, "unit")),
      );
    });
    box.querySelector(".choices").replaceChildren(...choices);
    box.querySelector(".hint").textContent = read_layers.length ? "" : "Everything is read unless you choose.";
  }

  offerColumns(columns, chosen) {
    const box = byId("columns");
    box.hidden = !columns.length;
    const fields = ROLES.map((role) => {
      const select = element("select", { "data-role": role });
      offer(select, [["", AUTOMATIC], ...columns.map((name) => [name, name])]);
      const value = chosen[role];
      if (value && !columns.includes(value)) select.append(element("option", { value }, `column ${cut(value, 60)}`));
      select.value = value ?? "";
      return element("label", { class: "field" }, element("span", {}, role), select);
    });
    box.querySelector(".grid").replaceChildren(...fields);
  }

  /** A row for each category: its new name, or none at all. */
  offerLabels(upload) {
    const before = [
      ...new Set([
        ...Object.keys(this.renamed),
        ...this.ignored,
        ...upload.categories.filter((name) => !Object.values(this.renamed).includes(name)),
      ]),
    ].sort();
    byId("labels").hidden = !before.length;
    const rows = before.slice(0, MOST_LABELS).map((name) => {
      const renamed = element("input", {
        type: "text",
        value: this.renamed[name] ?? "",
        placeholder: cut(name, 40),
        "aria-label": `New name of ${cut(name, 40)}`,
        spellcheck: "false",
      });
      renamed.addEventListener("input", () => {
        const wanted = renamed.value.trim();
        if (wanted && wanted !== name) this.renamed[name] = wanted;
        else delete this.renamed[name];
      });
      const left = element("input", { type: "checkbox", "aria-label": `Leave out ${cut(name, 40)}` });
      left.checked = this.ignored.has(name);
      left.addEventListener("input", () => this.ignored[left.checked ? "add" : "delete"](name));
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, nameElement(name, 40)),
        element("td", {}, renamed),
        element("td", {}, left),
      );
    });
    const more = before.length > MOST_LABELS ? `The first ${MOST_LABELS} of ${groupDigits(before.length)}.` : "";
    const table = plainTable(["category", "new name", "leave out"], rows);
    byId("labels").querySelector(".scroll").replaceChildren(table, more);
  }
}

/** Default values of settings, besides null, false and empty ones. */
const DEFAULTS = { discontinuous: "hull", decimal: ".", split_symbol: "|", merge_symbol: "#" };

/** A reading without defaults. */
export function withoutDefaults(reading) {
  const isEmpty = (value) =>
    value === null ||
    value === false ||
    (typeof value === "object" && Object.values(value).every((each) => each === null));
  const kept = Object.entries(reading).filter(([key, value]) => !isEmpty(value) && value !== DEFAULTS[key]);
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      key === "columns" ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value,
    ]),
  );
}

/** A reading without its tables of documents and participation if they are not among the given files. */
export const restrictReading = (reading, given) =>
  Object.fromEntries(
    Object.entries(reading).filter(
      ([key, value]) => !["documents", "participation"].includes(key) || given.includes(value),
    ),
  );

/** The keys of a reading that are not held by a single control. */
const COMPOUND = ["layer", "columns", "extent", "category_map", "ignore"];

const plain = (reading) => Object.fromEntries(Object.entries(reading).filter(([key]) => !COMPOUND.includes(key)));

/** Whether a control offers this value. */
const isOffered = (control, value) =>
  [...control.querySelectorAll("option, input")].some((choice) => choice.value === value);

/** The label of a control as the page shows it. */
function labelOf(control, key) {
  const field = control.closest(".field, .check, fieldset") ?? control;
  return field.querySelector("legend, label, span, summary")?.textContent.trim() ?? key;
}

const naturalOrder = new Intl.Collator(undefined, { numeric: true }); // human-2 before human-10

function names(all) {
  const sorted = [...all].sort(naturalOrder.compare);
  const shown = sorted.slice(0, MOST_NAMES).flatMap((name, i) => {
    const isLast = i + 1 === Math.min(all.length, MOST_NAMES);
    return [element("span", { class: "nowrap" }, nameElement(name, 40), isLast ? "" : ","), isLast ? "" : " "];
  });
  return [
    `${groupDigits(all.length)}: `,
    ...shown,
    all.length > MOST_NAMES ? ` and ${groupDigits(all.length - MOST_NAMES)} more` : "",
  ];
}

function files(all) {
  if (all.length === 1) return [nameElement(all[0], 60)];
  return [
    `${groupDigits(all.length)} files: `,
    nameElement(all[0], 40),
    all.length > 2 ? " and others" : " and ",
    ...(all.length === 2 ? [nameElement(all[1], 40)] : []),
  ];
}

/** Where the extent of the documents comes from. */
const EXTENT_SOURCES = {
  guessed: "from the first start to the last end",
  text: "the length of the text",
  media: "the length of the recording",
  given: "as given",
};

function extentHint(documents) {
  const extents = documents.map((document) => document.extent).filter(Boolean);
  if (!extents.length) return "";
  const sources = [...new Set(extents.map(({ source }) => EXTENT_SOURCES[source] ?? source))].join("; ");
  const [{ start, end }] = extents;
  return extents.length === 1 ? `Now ${start} to ${end}: ${sources}.` : `Now: ${sources}.`;
}

/** The kind of task that the data come from, and which measures and settings suit it. */
function taskDetails({ properties, advice }) {
  if (!properties.length) return "";
  const list = (items) => element("ul", {}, ...items.map((item) => element("li", {}, ...[item].flat())));
  const advised = advice.map(({ setting, choice, reason, source }) => [
    `${setting}: `,
    element("strong", {}, choice),
    `. ${reason[0].toUpperCase()}${reason.slice(1)} `,
    element("span", { class: "quiet" }, `(${source})`),
  ]);
  return element(
    "details",
    {},
    element("summary", {}, "The kind of task, and which settings suit it"),
    list(properties),
    list(advised),
  );
}

const MOST_DOCUMENTS = 200;

function documentsDetails(upload) {
  const rows = upload.documents.slice(0, MOST_DOCUMENTS).map(({ name, annotators, units, extent }) => {
    const numbers = [
      groupDigits(annotators.length),
      groupDigits(units),
      extent ? `${extent.start}–${extent.end}` : "–",
    ];
    const cells = numbers.map((text) => element("td", { class: "n" }, text));
    return element("tr", {}, element("th", { scope: "row" }, nameElement(name, 60)), ...cells);
  });
  const heads = ["document", ...["annotators", "units", "extent"].map((title) => ({ title, className: "n" }))];
  const rest = upload.documents.length - rows.length;
  return element(
    "details",
    {},
    element("summary", {}, countText(upload.documents.length, "document")),
    scrollRegion("Documents that were read", plainTable(heads, rows)),
    rest > 0 ? `… and ${groupDigits(rest)} more.` : "",
  );
}
