// SPDX-License-Identifier: MIT
// The data panel: how the files were understood, what is wrong with them, and how else they could be read.
import { cut, element } from "./viewer/dom.js";
import { isUnfinished, offer, readForm, writeForm } from "./forms.js";
import { byId, counted, grouped, named, problemList, settled } from "./words.js";

const ROLES = ["document", "annotator", "start", "end", "duration", "category"];
/** Options of the command line that problems name, where the control has another name. */
const SAME = { tier: "layer", map: "labels", "start-column": "columns", "end-column": "columns" };
/** Options whose control is more than one field. */
const PLACES = { layer: "layers", columns: "columns", labels: "labels", extent: "extent-start" };
/** Options that can be followed at a click, since the problem says the value. */
const FOLLOWED = new Set(["layer", "tier", "format", "encoding", "decimal", "tier-pattern", "skip-invalid", "curation"]);
const MOST_LABELS = 200;
const MOST_NAMES = 12;

/** Fires `changed(reading)` when the reader wants the files read in another way. */
export class DataPanel {
  constructor({ changed }) {
    this.form = byId("reading-form");
    this.changed = settled(() => changed(this.reading), 350);
    this.upload = null;
    this.form.addEventListener("input", (event) => {
      if (!isUnfinished(event.target) && this.extent.isFine) this.changed();
    });
    this.form.addEventListener("submit", (event) => event.preventDefault());
    byId("reading-reset").addEventListener("click", () => {
      this.write({});
      changed({});
    });
  }

  /** Formats to choose from. */
  offerFormats(formats) {
    offer(this.form.querySelector("[data-key=format]"), [
      ["", "found out"],
      ...formats.map(({ name, description }) => [name, `${name}: ${description}`]),
    ]);
  }

  /** How the files shall be read: only what is not left to be found out. */
  get reading() {
    const reading = readForm(this.form);
    const layers = [...byId("layers").querySelectorAll("input")];
    const wanted = layers.filter((box) => box.checked).map((box) => box.value);
    if (this.layersGiven && wanted.length) reading.layer = wanted;
    const columns = {};
    for (const select of byId("columns").querySelectorAll("select")) if (select.value) columns[select.dataset.role] = select.value;
    if (Object.keys(columns).length) reading.columns = columns;
    const { start, end, isFine } = this.extent;
    if (isFine && start !== "") reading.extent = [Number(start), Number(end)];
    if (Object.keys(this.renamed).length) reading.category_map = { ...this.renamed };
    if (this.ignored.size) reading.ignore = [...this.ignored];
    return reading;
  }

  /** The extent as it was typed, with what is wrong with it said beside it. */
  get extent() {
    const [start, end] = ["extent-start", "extent-end"].map((id) => byId(id).value);
    const fault = (start === "") !== (end === "") ? "Give both ends." : start !== "" && Number(start) >= Number(end) ? "It must end after it begins." : "";
    byId("extent-hint").textContent = fault || this.extentHint;
    return { start, end, isFine: !fault };
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

  /** An upload as the service understood it. */
  show(upload, { remove, skip }) {
    const isNew = this.upload?.id !== upload.id;
    this.upload = upload;
    this.showUnderstood(upload, remove);
    this.showProblems(upload, skip);
    this.offerChoices(upload);
    byId("reading").hidden = false;
    if (!upload.readable) byId("reading").open = true;
    else if (isNew) byId("reading").open = false;
  }

  showUnderstood(upload, remove) {
    const { data } = upload;
    const button = element("button", { type: "button" }, "Delete these data");
    button.addEventListener("click", remove);
    const texts = upload.documents.filter((document) => document.has_text).length;
    const facts = data
      ? [
          ["Documents", grouped(data.documents) + (texts ? `, ${texts === data.documents ? "with text" : `${grouped(texts)} with text`}` : "")],
          ["Annotators", names(upload.annotators)],
          ["Units", grouped(data.units)],
          ["Categories", upload.categories.length ? names(upload.categories) : "none"],
        ]
      : [];
    byId("understood").replaceChildren(
      element("p", { class: upload.readable ? "ok" : "not-ok" }, element("strong", {}, upload.readable ? "Understood. " : "Not yet to be measured. "), ...files(upload.files)),
      element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, ...[value].flat())])),
      element("p", { class: "quiet" }, upload.understood),
      upload.documents.length > 1 || data ? documentsDetails(upload) : "",
      element("p", { class: "buttons" }, button),
    );
    byId("understood").hidden = false;
    this.extentHint = extentHint(upload.documents);
    byId("extent-hint").textContent = this.extentHint;
  }

  showProblems(upload, skip) {
    const box = byId("problems");
    const kinds = ["error", "warning", "note"].map((kind) => [kind, upload.problems.filter((problem) => problem.severity === kind)]);
    const shown = kinds.flatMap(([kind, problems]) => {
      if (!problems.length) return [];
      const unlisted = kind === "error" ? upload.n_problems - upload.problems.length : 0; // errors come first in the list
      const total = problems.length + unlisted;
      const list = problemList(problems, (text) => this.remedy(text), total);
      if (kind === "error") return [element("h3", {}, counted(total, "problem")), ...list];
      const title = kind === "warning" ? counted(problems.length, "warning") : counted(problems.length, "remark");
      return [element("details", { open: kind === "warning" }, element("summary", {}, title), ...list)];
    });
    if (!upload.readable && upload.skippable) {
      const button = element("button", { type: "button", class: "primary" }, "Go on without these rows");
      button.addEventListener("click", skip);
      shown.push(element("p", { class: "buttons" }, button));
    }
    box.replaceChildren(...shown);
    box.hidden = !shown.length;
  }

  /** A remedy whose options, such as --layer ents, are buttons that lead to the control, or do it at once. */
  remedy(text) {
    const parts = [];
    let rest = 0;
    for (const match of text.matchAll(/--([a-z-]+)(?: ('[^']*'|[^\s,;]+|,))?/g)) {
      const [whole, option, given] = match;
      const target = this.controlOf(option);
      if (!target) continue;
      const value = given?.replace(/^'|'$/g, "");
      const isSwitch = target.type === "checkbox";
      const canFollow = FOLLOWED.has(option) && (isSwitch || value !== undefined);
      const shown = canFollow && !isSwitch ? whole : `--${option}`;
      const button = element("button", { type: "button", class: "link", title: canFollow ? "Do this" : "Go to this setting" }, shown);
      button.addEventListener("click", () => (canFollow ? this.followRemedy(option, isSwitch || value) : this.goTo(target)));
      parts.push(text.slice(rest, match.index), button);
      rest = match.index + shown.length;
    }
    parts.push(text.slice(rest));
    return parts;
  }

  /** The control that does what an option of the command line does; null if there is none. */
  controlOf(option) {
    const key = SAME[option] ?? option;
    return byId(PLACES[key] ?? "") ?? this.form.querySelector(`[data-key="${key.replaceAll("-", "_")}"]`);
  }

  goTo(target) {
    for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
    target.scrollIntoView({ block: "center" });
    (target.matches("input, select, textarea, summary") ? target : target.querySelector("input, select, summary"))?.focus();
  }

  followRemedy(option, value) {
    const key = SAME[option] ?? option.replaceAll("-", "_");
    if (key === "layer") {
      for (const box of byId("layers").querySelectorAll("input")) box.checked = box.value === value;
      this.layersGiven = true;
    } else writeForm(this.form, { ...plain(readForm(this.form)), [key]: value });
    this.changed();
  }

  offerChoices(upload) {
    const { contents, reading } = upload;
    const rules = [
      ["", "found out"],
      ["parent", "the folder"],
      ["stem", "the file's name"],
      ["tier", "the tier"],
      ...contents.fields.map((field) => [`field:${field}`, `the field ${field}`]),
    ];
    for (const [id, source] of [["annotator-from", "annotator"], ["document-from", "document"]]) {
      const found = contents.sources[source];
      offer(byId(id), [["", found ? `found out: ${found}` : "found out"], ...rules.slice(1)]);
    }
    const { category } = contents.sources;
    offer(byId("category-from"), [["", category ? `found out: ${category}` : "found out"], ...contents.features.map((feature) => [feature, feature])]);
    for (const select of this.form.querySelectorAll("[data-files]")) offer(select, [["", "none"], ...upload.files.map((name) => [name, name])]);
    this.offerLayers(contents);
    this.offerColumns(contents.columns, reading.columns);
    this.write(withoutNull(reading));
    this.offerLabels(upload);
  }

  offerLayers({ layers, read_layers }) {
    const box = byId("layers");
    const found = Object.entries(layers);
    box.hidden = found.length < 2;
    const choices = found.map(([name, units]) => {
      const input = element("input", { type: "checkbox", value: name });
      input.checked = read_layers.includes(name);
      return element("label", { class: "check" }, input, " ", named(name, 60), " ", element("span", { class: "quiet" }, counted(units, "unit")));
    });
    box.querySelector(".choices").replaceChildren(...choices);
    box.querySelector(".hint").textContent = read_layers.length ? "" : "Everything is read unless you choose.";
    box.oninput = () => (this.layersGiven = true);
  }

  offerColumns(columns, chosen) {
    const box = byId("columns");
    box.hidden = !columns.length;
    const fields = ROLES.map((role) => {
      const select = element("select", { "data-role": role });
      offer(select, [["", "found out"], ...columns.map((name) => [name, name])]);
      const value = chosen[role];
      if (value && !columns.includes(value)) select.append(element("option", { value }, `column ${cut(value, 60)}`));
      select.value = value ?? "";
      return element("label", { class: "field" }, element("span", {}, role), select);
    });
    box.querySelector(".grid").replaceChildren(...fields);
  }

  /** A row for each category: its new name, or none at all. */
  offerLabels(upload) {
    const before = [...new Set([...Object.keys(this.renamed), ...this.ignored, ...upload.categories.filter((name) => !Object.values(this.renamed).includes(name))])].sort();
    byId("labels").hidden = !before.length;
    const rows = before.slice(0, MOST_LABELS).map((name) => {
      const renamed = element("input", { type: "text", value: this.renamed[name] ?? "", placeholder: cut(name, 40), "aria-label": `New name of ${cut(name, 40)}`, spellcheck: "false" });
      renamed.addEventListener("input", () => {
        const wanted = renamed.value.trim();
        if (wanted && wanted !== name) this.renamed[name] = wanted;
        else delete this.renamed[name];
      });
      const left = element("input", { type: "checkbox", "aria-label": `Leave out ${cut(name, 40)}` });
      left.checked = this.ignored.has(name);
      left.addEventListener("input", () => this.ignored[left.checked ? "add" : "delete"](name));
      return element("tr", {}, element("th", { scope: "row" }, named(name, 40)), element("td", {}, renamed), element("td", {}, left));
    });
    const heads = ["category", "new name", "leave out"].map((text) => element("th", { scope: "col" }, text));
    const more = before.length > MOST_LABELS ? `The first ${MOST_LABELS} of ${grouped(before.length)}.` : "";
    byId("labels")
      .querySelector(".scroll")
      .replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)), more);
  }
}

/** A reading without what is as at first: nulls, empty lists and objects. */
export function withoutNull(reading) {
  const isEmpty = (value) => value === null || value === false || (typeof value === "object" && Object.values(value).every((each) => each === null));
  const kept = Object.entries(reading).filter(([key, value]) => !isEmpty(value) && !(key === "discontinuous" && value === "hull") && !(key === "decimal" && value === "."));
  return Object.fromEntries(kept.map(([key, value]) => [key, key === "columns" ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value]));
}

/** Those keys of a reading that single controls hold. */
const plain = ({ layer, columns, extent, category_map, ignore, ...rest }) => rest;

function names(all) {
  const shown = all.slice(0, MOST_NAMES).flatMap((name, i) => [i ? ", " : "", named(name, 40)]);
  return [`${grouped(all.length)}: `, ...shown, all.length > MOST_NAMES ? ` and ${grouped(all.length - MOST_NAMES)} more` : ""];
}

function files(all) {
  if (all.length === 1) return [named(all[0], 60)];
  return [`${grouped(all.length)} files: `, named(all[0], 40), all.length > 2 ? " and others" : " and ", ...(all.length === 2 ? [named(all[1], 40)] : [])];
}

function extentHint(documents) {
  const found = documents.map((document) => document.extent).filter(Boolean);
  if (!found.length) return "";
  const [{ start, end, source }] = found;
  const words = { guessed: "guessed from the first start to the last end", text: "the length of the text", media: "the length of the recording", given: "as given" };
  const why = words[source] ?? source;
  return found.length === 1 ? `Now ${start} to ${end}: ${why}.` : `Now: ${[...new Set(found.map((extent) => words[extent.source] ?? extent.source))].join("; ")}.`;
}

const MOST_DOCUMENTS = 200;

function documentsDetails(upload) {
  const rows = upload.documents.slice(0, MOST_DOCUMENTS).map(({ name, annotators, units, extent }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, named(name, 60)),
      element("td", { class: "n" }, grouped(annotators.length)),
      element("td", { class: "n" }, grouped(units)),
      element("td", { class: "n" }, extent ? `${extent.start}–${extent.end}` : "–"),
    ),
  );
  const heads = ["document", "annotators", "units", "extent"].map((text, i) => element("th", { scope: "col", class: i ? "n" : null }, text));
  const rest = upload.documents.length - rows.length;
  return element(
    "details",
    {},
    element("summary", {}, counted(upload.documents.length, "document")),
    element(
      "div",
      { class: "scroll", role: "region", "aria-label": "Documents that were read", tabindex: "0" },
      element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)),
    ),
    rest > 0 ? `… and ${grouped(rest)} more.` : "",
  );
}
