// SPDX-License-Identifier: MIT
// Cases: the unitary alignments behind a mark of a chart or a finding, in all documents, and the bar that walks through
// them. A selection is plain data, so that it fits into an address:
//   {categories: [a, b]}       units of these categories aligned with each other (null: without category)
//   {category, isMissing}      units of the category that an annotator did not mark
//   {category}                 disagreements in which a unit has the category
//   {annotators: [a, b]}       the two differ
//   {annotator, document}      the annotator differs from the others, in all documents or in the one of this name
//   {along: [from, to]}        disagreements in that part of the continuum, as shares of it
//   {values: [from, to], symbol}   documents with such a value, one by one
//   {places: [{document, start, end}]}   places, one by one
import { actionButton, element } from "./dom.js";
import { called, countText, groupDigits, numberText } from "./numbers.js";
import { NO_CATEGORY } from "./charts/overview.js";

/** Disorders below this are rounding errors. */
const NEGLIGIBLE = 1e-14;

/** The members of each unitary alignment of a view, as numbers of units. */
function membersOf(view) {
  const members = view.alignment.disorders.map(() => []);
  view.alignment.group.forEach((group, unit) => members[group].push(unit));
  return members;
}

/** The unitary alignments of a document that a selection means, as numbers from 0. */
export function matchingGroups(view, selection) {
  if (!view.alignment) return [];
  const holds = predicateOf(view, selection);
  if (holds === null) return [];
  return membersOf(view).flatMap((members, group) => (holds(members, group) ? [group] : []));
}

function predicateOf(view, selection) {
  const { units, annotators, categories, alignment } = view;
  const code = (category) => (category === null ? -1 : categories.indexOf(category));
  const isKnown = (category) => category === null || categories.includes(category);
  const isDisagreement = (group) => alignment.disorders[group] > NEGLIGIBLE;
  if (selection.categories) {
    if (!selection.categories.every(isKnown)) return null;
    const [first, second] = selection.categories.map(code);
    return (members) => {
      const count = (wanted) => members.filter((unit) => units.category[unit] === wanted).length;
      return first === second ? count(first) > 1 : count(first) > 0 && count(second) > 0;
    };
  }
  if ("category" in selection) {
    if (!isKnown(selection.category)) return null;
    const wanted = code(selection.category);
    const has = (members) => members.some((unit) => units.category[unit] === wanted);
    if (selection.isMissing) return (members) => members.length < annotators.length && has(members);
    return (members, group) => isDisagreement(group) && has(members);
  }
  if (selection.annotators) {
    const [first, second] = selection.annotators.map((name) => annotators.indexOf(name));
    if (first < 0 || second < 0) return null;
    return (members) => {
      const [one, other] = [first, second].map((who) => members.find((unit) => units.annotator[unit] === who));
      if (one === undefined || other === undefined) return one !== other;
      return ["start", "end", "category"].some((column) => units[column][one] !== units[column][other]);
    };
  }
  if ("annotator" in selection) {
    const who = annotators.indexOf(selection.annotator);
    return who < 0 ? null : (members) => standsOut(view, members, who);
  }
  if (selection.along) {
    const [from, to] = selection.along;
    const [start, end] = view.extent;
    return (members, group) => {
      const first = Math.min(...members.map((unit) => units.start[unit]));
      const last = Math.max(...members.map((unit) => units.end[unit]));
      const share = Math.max(0, ((first + last) / 2 - start) / (end - start || 1));
      return isDisagreement(group) && share >= from && (share < to || to >= 1);
    };
  }
  return null;
}

/** Whether an annotator differs from most of the others: in marking something, in the category, in both boundaries. */
function standsOut({ units, annotators }, members, who) {
  const own = members.find((unit) => units.annotator[unit] === who);
  const others = members.filter((unit) => units.annotator[unit] !== who);
  const half = (annotators.length - 1) / 2;
  if (own === undefined) return others.length >= half && others.length > 0;
  if (others.length < half || !others.length) return true;
  const counts = new Map();
  for (const unit of others) counts.set(units.category[unit], (counts.get(units.category[unit]) ?? 0) + 1);
  const most = Math.max(...counts.values());
  if ((counts.get(units.category[own]) ?? 0) < most) return true;
  return !others.some((unit) => units.start[unit] === units.start[own] && units.end[unit] === units.end[own]);
}

/** The unitary alignment at a place: the one that overlaps it most, the worst of several; -1 if there is none. */
export function groupAt(view, { start, end }) {
  if (!view.alignment) return -1;
  let [best, shared] = [-1, -Infinity];
  membersOf(view).forEach((members, group) => {
    const first = Math.min(...members.map((unit) => view.units.start[unit]));
    const last = Math.max(...members.map((unit) => view.units.end[unit]));
    const overlap = Math.min(last, end) - Math.max(first, start) - (Math.abs(first - start) + Math.abs(last - end)) * 1e-6;
    if (overlap > shared) [best, shared] = [group, overlap];
  });
  return best;
}

/** A selection in words. */
export function selectionText(selection) {
  const name = (category, noun = "category") => ((category ?? null) === null ? NO_CATEGORY : called(noun, category));
  if (selection.words) return selection.words;
  if (selection.values) {
    const [from, to] = selection.values;
    return `${selection.symbol} ${from === null ? "below" : `${numberText(from, 2)} to`} ${numberText(to, 2)}`;
  }
  if (selection.categories) {
    const [first, second] = selection.categories.map((each, i) => name(each, i ? "category" : "Category"));
    return first === second ? `${first} with ${second}` : `${first} and ${second} aligned with each other`;
  }
  if ("category" in selection) {
    if (selection.isMissing) return `${name(selection.category, "Category")}, missed by at least one annotator`;
    return `Disagreements on ${name(selection.category)}`;
  }
  if (selection.annotators)
    return `${selection.annotators.map((each, i) => called(i ? "annotator" : "Annotator", each)).join(" and ")} differ`;
  if ("annotator" in selection) {
    const where = selection.document ? ` in ${called("document", selection.document)}` : "";
    return `${called("Annotator", selection.annotator)} differs from most of the others${where}`;
  }
  return "Cases";
}

/**
 * Walks through the cases of a selection. `views()` yields [id, view] of every document, the worst first; `idOf(name)` is
 * that of a document (undefined if it cannot be opened); `withValues(from, to)` are the ids of documents with such a value
 * (from null: any below); `open(id, groupOf, only)` shows a case: the unitary alignment `groupOf(view)` (-1: none selected)
 * among `only` (null: all); `changed()` is called before. data-case of the host is the number of the case that is shown,
 * from 1; 0: there is none.
 */
export class CaseBar {
  constructor(host, { views, idOf, withValues, open, changed }) {
    Object.assign(this, { host, views, idOf, withValues, open, changed });
    this.words = element("p", { class: "case-words", "aria-live": "polite" });
    this.previous = actionButton("‹ Previous case", () => this.step(-1));
    this.next = actionButton("Next case ›", () => this.step(1));
    this.end = actionButton("Show everything", () => this.close());
    host.replaceChildren(this.words, element("div", { class: "buttons" }, this.previous, this.next, this.end));
    host.hidden = true;
    this.selection = null;
    this.cases = [];
  }

  /** Finds the cases and opens the first, or the one of this number. */
  async show(selection, at = 0) {
    this.selection = selection;
    this.cases = [];
    this.host.hidden = false;
    delete this.host.dataset.case;
    this.previous.disabled = this.next.disabled = true;
    this.words.textContent = `${selectionText(selection)}: searching …`;
    let fault = "there is no such case in the documents that can be opened";
    const cases = await this.find(selection).catch((error) => {
      fault = error.message;
      return [];
    });
    if (this.selection !== selection) return;
    this.cases = cases;
    if (cases.length) {
      await this.go(Math.min(at, cases.length - 1));
      return;
    }
    this.words.textContent = `${selectionText(selection)}: ${fault}.`;
    this.host.dataset.case = "0";
  }

  async find(selection) {
    if (selection.values)
      return this.withValues(...selection.values).map((id) => ({ id, groupOf: () => -1, only: null }));
    if (selection.places)
      return selection.places.flatMap((place) => {
        const id = this.idOf(place.document);
        return id === undefined ? [] : [{ id, groupOf: (view) => groupAt(view, place), only: null }];
      });
    const cases = [];
    for await (const [id, view] of this.views()) {
      if (selection.document !== undefined && selection.document !== view.name) continue;
      const only = matchingGroups(view, selection);
      for (const group of only)
        cases.push({ id, groupOf: () => group, only, disorder: view.alignment.disorders[group] });
    }
    return cases.sort((a, b) => b.disorder - a.disorder);
  }

  step(by) {
    return this.go(this.at + by);
  }

  async go(at) {
    const { selection } = this;
    this.at = at;
    delete this.host.dataset.case;
    const { id, groupOf, only } = this.cases[at];
    const documents = new Set(this.cases.map((each) => each.id)).size;
    const total = this.selection.values
      ? countText(this.cases.length, "document")
      : `${countText(this.cases.length, "unitary alignment")} in ${countText(documents, "document")}`;
    this.words.replaceChildren(
      element("strong", {}, selectionText(this.selection)),
      `: ${total}; this is ${groupDigits(at + 1)}.`,
    );
    this.previous.disabled = at === 0;
    this.next.disabled = at + 1 >= this.cases.length;
    this.changed();
    await this.open(id, groupOf, only);
    if (this.selection === selection && this.at === at) this.host.dataset.case = String(at + 1);
  }

  /** Ends the walk; the document stays open, whole. */
  close() {
    const last = this.cases[this.at];
    this.forget();
    if (last) this.open(last.id, () => -1, null);
    this.changed();
  }

  /** Ends the walk without opening anything. */
  forget() {
    this.selection = null;
    this.cases = [];
    this.host.hidden = true;
    delete this.host.dataset.case;
  }
}
