// SPDX-License-Identifier: MIT
// Adjudication: a person decides on the units that a vote leaves open, one by one, by keys; the decisions are kept, counted,
// taken back, and saved as a file that `unisono gold --decisions` reads.
import { NO_CATEGORY } from "./charts/overview.js";
import { actionButton, element, listenerGroup } from "./dom.js";
import { csvText, saveFile } from "./files.js";
import { groupDigits } from "./numbers.js";
import { stretchText } from "./viewer/scale.js";
import { viewerName } from "./viewer/words.js";

const SCHEMA = 1;
/** Annotators whose unit can be taken by a key. */
const KEYS = 9;
/** Characters of a unit's text in the table of decisions. */
const LONGEST_TEXT = 80;

/** Decisions in the browser's own store, by the data's sha256; `fault` says if the browser refuses. */
export function localStore(sha256) {
  const key = `unisono-decisions:${sha256}`;
  return {
    fault: "",
    async load() {
      try {
        return JSON.parse(localStorage.getItem(key) ?? "null");
      } catch {
        this.fault = "This browser keeps nothing for this page: save the file before you close it.";
        return null;
      }
    },
    async save(file) {
      try {
        localStorage.setItem(key, JSON.stringify(file));
        this.fault = "";
      } catch {
        this.fault = "This browser keeps nothing for this page: save the file before you close it.";
      }
    },
  };
}

const unitKey = (document, { start, end, category }) => JSON.stringify([document, start, end, category]);
const isSame = (a, b) => a.start === b.start && a.end === b.end && a.category === b.category;

/**
 * `explorer` opens documents, `views()` yields [id, view] of all; `total`: how many units are to be looked at; `store`: where
 * the decisions are kept ({load, save, fault}).
 */
export class Adjudication {
  constructor({ explorer, views, sha256, total, store }) {
    Object.assign(this, { explorer, views, sha256, total, store });
    this.decisions = [];
    this.past = []; // the decisions as they were before each one
    this.isOn = false;
    this.toggle = actionButton("Adjudicate", () => this.switch(), {
      "aria-pressed": "false",
      title: "Decide on the units of the gold standard that the vote leaves open",
    });
    this.status = element("p", { class: "adjudication-status", role: "status" });
    this.question = element("p", { class: "adjudication-unit" });
    this.choices = element("div", { class: "buttons" });
    this.editor = element("form", { class: "adjudication-editor", hidden: true });
    this.editor.addEventListener("submit", (event) => {
      event.preventDefault();
      this.applyEdit();
    });
    this.by = element(
      "input",
      { type: "text", "aria-label": "Your name", placeholder: "your name", size: "12", maxlength: "100" },
    );
    this.node = element(
      "section",
      { class: "adjudication", "aria-label": "Adjudication", hidden: true },
      element("div", { class: "adjudication-head" }, this.status, this.tools()),
      this.question,
      this.choices,
      this.editor,
    );
    this.listeners = listenerGroup();
  }

  tools() {
    return element(
      "div",
      { class: "buttons" },
      actionButton("Next undecided (J)", () => this.next()),
      (this.undoButton = actionButton("Undo (Z)", () => this.undo())),
      actionButton("Save decisions (JSON)", () => this.saveJson()),
      actionButton("CSV", () => this.saveTable(), { title: "All units to look at, with the decisions" }),
      this.by,
    );
  }

  /** Loads what was kept; listens to the viewer. */
  async begin() {
    const kept = await this.store.load();
    if (kept?.schema === SCHEMA && Array.isArray(kept.decisions)) {
      this.decisions = kept.decisions;
      this.by.value = kept.decisions.at(-1)?.by ?? "";
    }
    if (this.isOver) return;
    this.listeners.on(this.explorer.host, "unisono-select", () => this.refresh());
    this.listeners.on(this.explorer.host, "keydown", (event) => this.isOn && this.key(event)); // this.node is in it
    this.refresh();
  }

  /** Whether there are decisions that were not saved as a file since they were made. */
  get isUnsaved() {
    return this.decisions.length > 0 && JSON.stringify(this.decisions) !== this.saved;
  }

  /** Stops listening: other data or another measurement come. */
  end() {
    this.isOn = false;
    this.isOver = true;
    this.listeners.stop();
    this.node.remove();
  }

  switch() {
    this.isOn = !this.isOn;
    this.toggle.setAttribute("aria-pressed", String(this.isOn));
    this.node.hidden = !this.isOn;
    this.refresh();
    if (this.isOn && this.current === null) this.next();
  }

  get file() {
    return { schema: SCHEMA, data: this.sha256, decisions: this.decisions };
  }

  /** The open question: the voted unit of the selected unitary alignment; null if there is nothing to decide there. */
  get current() {
    const { view, viewer } = this.explorer;
    if (!view?.gold || !viewer) return null;
    const group = (viewer.state().unit ?? 0) - 1;
    return questionsOf(view).find((question) => question.group === group) ?? null;
  }

  /**
   * Of several equal units, a decision is about the one of its unitary alignment; those that name none of them, made on
   * another alignment or by an earlier version, are about the others in their order.
   */
  decisionOn({ document: name, unit, group, equals }) {
    const key = unitKey(name, unit);
    const same = this.decisions.filter((each) => each.unit && unitKey(each.document, each.unit) === key);
    const named = same.find((each) => each.unitary_alignment - 1 === group);
    if (named) return named;
    const made = new Set(same.map((each) => each.unitary_alignment - 1));
    const others = same.filter((each) => !equals.includes(each.unitary_alignment - 1));
    return others[equals.filter((each) => !made.has(each)).indexOf(group)] ?? null;
  }

  /** Decisions on units that were voted; added units are not among those to look at. */
  get nDecided() {
    return this.decisions.filter(({ decision }) => decision !== "add").length;
  }

  showStatus() {
    const added = this.decisions.length - this.nDecided;
    this.status.replaceChildren(
      `${groupDigits(this.nDecided)} of ${groupDigits(this.total)} decided${added ? `, ${groupDigits(added)} added` : ""}.`,
      this.store.fault ? element("strong", { class: "warning" }, ` ${this.store.fault}`) : "",
    );
    this.undoButton.disabled = !this.decisions.length;
  }

  refresh() {
    if (this.isOver) return;
    this.showStatus();
    if (!this.isOn) return;
    const question = this.current;
    this.editor.hidden = true;
    if (question === null) {
      this.question.textContent = this.explorer.view?.gold
        ? "Nothing to decide on what is selected: the vote is clear there."
        : "There is no vote on this document.";
      this.choices.replaceChildren();
      return;
    }
    this.ask(question);
  }

  ask(question) {
    const { unit, kept, look, support, nAnnotators, marks, axis } = question;
    const made = this.decisionOn(question);
    this.question.replaceChildren(
      "By vote: ",
      element("strong", {}, unitText(unit, axis)),
      `, ${kept ? "in" : "not in"} the gold standard (${support} of ${nAnnotators}; ${look}). `,
      made ? element("strong", { class: "made" }, `Decided: ${decisionText(made, axis)}.`) : "",
    );
    const takes = marks.slice(0, KEYS).map(({ name, span }, i) => {
      const button = actionButton(`${i + 1} `, () => this.take(span));
      button.append(viewerName(name, 24), `: ${unitText(span, axis)}`);
      return button;
    });
    this.choices.replaceChildren(
      ...takes,
      actionButton("K keep as voted", () => this.decide("keep")),
      actionButton("X neither", () => this.decide("drop")),
      actionButton("B edit boundaries", () => this.edit("boundaries")),
      actionButton("G category", () => this.edit("category")),
      actionButton("A add a unit", () => this.edit("add")),
    );
  }

  /** A key that decides; others are left to the viewer, and what is typed into a field is text. */
  key(event) {
    if (event.target.matches("input, select, textarea")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const question = this.current;
    const { key } = event;
    const mark = /^[1-9]$/.test(key) ? question?.marks[Number(key) - 1] : null;
    const actions = {
      j: () => this.next(),
      z: () => this.undo(),
      ...(question && {
        k: () => this.decide("keep"),
        x: () => this.decide("drop"),
        b: () => this.edit("boundaries"),
        g: () => this.edit("category"),
        a: () => this.edit("add"),
      }),
    };
    const action = mark ? () => this.take(mark.span) : actions[key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  take(span) {
    this.decide(isSame(span, this.current.unit) ? "keep" : "replace", span);
  }

  decide(decision, span = null) {
    const question = this.current;
    if (question === null) return;
    const before = this.decisionOn(question);
    const entry = {
      document: question.document,
      unit: decision === "add" ? null : question.unit,
      unitary_alignment: decision === "add" ? null : question.group + 1,
      decision,
      result: decision === "replace" || decision === "add" ? span : null,
      by: this.by.value.trim() || null,
    };
    this.past.push(this.decisions);
    const isReplaced = (other) => other === before && decision !== "add";
    this.decisions = [...this.decisions.filter((other) => !isReplaced(other)), entry];
    this.keep();
    if (decision !== "add") this.next();
  }

  /** Takes back the last decision; what it had replaced counts again. */
  undo() {
    this.decisions = this.past.pop() ?? this.decisions.slice(0, -1); // after a reload there is no past: drop the last decision
    this.keep();
  }

  async keep() {
    this.refresh();
    await this.store.save(this.file);
    this.showStatus(); // not refresh(): the reader may be editing the next unit
  }

  /** A form for other boundaries, another category, or another unit. */
  edit(what) {
    const question = this.current;
    const { start, end, category } = this.decisionOn(question)?.result ?? question.unit;
    const number = (label, value) => {
      const input = element(
        "input",
        { type: "number", step: "any", value, required: true, "aria-label": label, name: label },
      );
      return element("label", {}, `${label} `, input);
    };
    const names = [NO_CATEGORY, ...this.explorer.view.categories];
    const select = element(
      "select",
      { name: "category" },
      ...names.map((name) => element("option", { value: name }, name)),
    );
    select.value = category ?? NO_CATEGORY;
    this.editing = what;
    this.editor.replaceChildren(
      ...(what === "category" ? [] : [number("start", start), number("end", end)]),
      ...(what === "boundaries" ? [] : [element("label", {}, "category ", select)]),
      element("button", { type: "submit" }, what === "add" ? "Add" : "Use"),
      actionButton("Cancel", () => (this.editor.hidden = true)),
    );
    this.span = { start, end, category };
    this.editor.hidden = false;
    this.editor.querySelector("input, select").focus();
  }

  applyEdit() {
    const values = new FormData(this.editor);
    const span = { ...this.span };
    for (const name of ["start", "end"]) if (values.has(name)) span[name] = Number(values.get(name));
    if (values.has("category")) span.category = values.get("category") === NO_CATEGORY ? null : values.get("category");
    const [low, high] = this.explorer.view.extent;
    if (!(span.start <= span.end && span.start >= low && span.end <= high)) {
      const field = this.editor.querySelector("input");
      field.setCustomValidity(`Give a start before the end, both from ${low} to ${high}.`);
      field.reportValidity();
      this.editor.addEventListener("input", () => field.setCustomValidity(""), { once: true });
      return;
    }
    this.editor.hidden = true;
    if (this.editing === "add") this.decide("add", span);
    else this.take(span);
    this.explorer.host.querySelector(".u-stage")?.focus({ preventScroll: true });
  }

  /** Goes to the next unit without a decision: in this document, the worst first, then in the others. */
  async next() {
    const openIn = (view) => {
      const open = questionsOf(view).filter((question) => this.decisionOn(question) === null);
      return open.reduce((worst, each) => (worst && worst.disorder >= each.disorder ? worst : each), null)?.group ?? -1;
    };
    const here = this.explorer.view ? openIn(this.explorer.view) : -1;
    if (here >= 0) {
      this.explorer.viewer.select(here);
      return;
    }
    for await (const [id, view] of this.views()) {
      const group = openIn(view);
      if (group < 0) continue;
      await this.explorer.open(id, { state: { unit: group + 1 } });
      this.refresh();
      return;
    }
    this.question.textContent = "Everything is decided.";
    this.choices.replaceChildren();
  }

  saveJson() {
    this.saved = JSON.stringify(this.decisions);
    saveFile("decisions.json", `${JSON.stringify(this.file, null, 2)}\n`, "application/json");
  }

  /** The table of `gold --adjudication` with the decisions in further columns. */
  async saveTable() {
    const questions = [];
    const names = new Set();
    for await (const [, view] of this.views()) {
      for (const name of view.annotators) names.add(name);
      questions.push(...questionsOf(view));
    }
    questions.sort((p, q) => q.disorder - p.disorder);
    const annotators = [...names].sort();
    const fixed = [
      "document",
      "unitary_alignment",
      "disorder",
      "look",
      "kept",
      "start",
      "end",
      "category",
      "support",
      "votes",
      "text",
    ];
    const made = ["decision", "new_start", "new_end", "new_category", "by"];
    const row = (question) => {
      const { unit, support, nAnnotators, marks } = question;
      const theirs = new Map(marks.map(({ name, span }) => [name, plainText(span)]));
      const decided = this.decisionOn(question);
      return [
        question.document, question.group + 1, question.disorder, question.look, question.kept ? "yes" : "no",
        unit.start, unit.end, unit.category, `${support}/${nAnnotators}`, question.votes, question.text,
        ...annotators.map((name) => theirs.get(name) ?? (question.annotators.includes(name) ? "-" : null)),
        decided?.decision, decided?.result?.start, decided?.result?.end, decided?.result?.category, decided?.by,
      ];
    };
    const added = this.decisions.filter(({ decision }) => decision === "add");
    const addedRow = ({ document: name, result, by }) => [
      name, ...fixed.slice(1).map(() => null), ...annotators.map(() => null),
      "add", result.start, result.end, result.category, by,
    ];
    const columns = [
      ...fixed,
      ...annotators.map((name) => (fixed.includes(name) ? `annotator:${name}` : name)),
      ...made,
    ];
    saveFile("decisions.csv", csvText({ columns, rows: [...questions.map(row), ...added.map(addedRow)] }), "text/csv");
  }
}

const questionsByView = new WeakMap();

/** The units of a document to look at, with what each annotator marked; found once for each view. */
function questionsOf(view) {
  if (!view.gold) return [];
  if (!questionsByView.has(view)) questionsByView.set(view, findQuestions(view));
  return questionsByView.get(view);
}

function findQuestions(view) {
  const { gold, units, alignment } = view;
  const marksOf = new Map(gold.group.map((group) => [group, []]));
  alignment.group.forEach((group, i) => {
    const category = units.category[i] < 0 ? null : view.categories[units.category[i]];
    const span = { start: units.start[i], end: units.end[i], category };
    marksOf.get(group)?.push({ name: view.annotators[units.annotator[i]], span });
  });
  const characters = view.text === null ? null : [...view.text];
  const groupsOf = new Map(); // the unitary alignments of equal units
  return gold.group.map((group, place) => {
    const unit = { start: gold.start[place], end: gold.end[place], category: gold.category[place] };
    const key = unitKey(view.name, unit);
    const equals = groupsOf.get(key) ?? [];
    groupsOf.set(key, equals);
    equals.push(group);
    return {
      document: view.name,
      group,
      unit,
      equals,
      kept: gold.kept[place],
      look: gold.look[place],
      support: gold.support[place],
      votes: gold.votes[place],
      disorder: alignment.disorders[group],
      nAnnotators: view.annotators.length,
      annotators: view.annotators,
      text: characters && characters.slice(unit.start, Math.min(unit.end, unit.start + LONGEST_TEXT)).join(""),
      marks: marksOf.get(group),
      axis: view.axis,
    };
  });
}

const unitText = ({ start, end, category }, axis) => `${stretchText(start, end, axis)}${category === null ? "" : ` ${category}`}`;
const plainText = ({ start, end, category }) => `${start}-${end}${category === null ? "" : ` ${category}`}`;

function decisionText({ decision, result }, axis) {
  return decision === "keep" ? "kept as voted" : decision === "drop" ? "neither" : unitText(result, axis);
}
