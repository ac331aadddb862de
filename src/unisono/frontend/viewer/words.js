// SPDX-License-Identifier: MIT
// The words of the viewer, and the sentence that explains a unitary alignment with its numbers.
import { cut, element, nameElement } from "../dom.js";
import { countText, numberText } from "../numbers.js";
import { NEGLIGIBLE } from "./model.js";
import { stretchText } from "./scale.js";

/** Every word on the screen; `mountViewer(..., {texts})` replaces some or all. */
export const TEXTS = {
  nAnnotators: ["annotator", "annotators"],
  nUnits: ["unit", "units"],
  nUnitaryAlignments: ["unitary alignment", "unitary alignments"],
  proven: "proven best",
  notProven: "not proven to be the best (gap {gap} %)",
  annotators: "Annotators",
  categories: "Categories",
  noCategory: "(no category)",
  show: "Show",
  all: "everything",
  disagreement: "disagreements",
  position: "position differs",
  category: "category differs",
  missing: "unit missing",
  agreement: "full agreement",
  apart: "Some of these units do not overlap",
  worst: "Worst",
  worstHint: "Go to the worst disagreement; again: to the next worst (W)",
  previous: "Previous",
  previousHint: "Previous disagreement along the continuum (P)",
  next: "Next",
  nextHint: "Next disagreement along the continuum (N)",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  whole: "Whole",
  wholeHint: "The whole continuum (0)",
  reset: "Show all",
  compact: "Compact",
  compactHint: "Thin lanes without empty units (C)",
  order: "Order",
  byName: "by name",
  byAgreement: "by agreement",
  moreChips: "{count} more",
  fewerChips: "fewer",
  strayed: "does not overlap the others",
  disorder: "disorder",
  disorderScale: "Disorder",
  emptyUnit: "Empty unit: nothing marked",
  alone: "{value}: a unit that nobody else marked",
  annotator: "annotator",
  marks: "marks",
  oneOther: "the other one",
  others: "the other {count}",
  nothing: "nothing",
  partPosition: "position",
  partCategory: "category",
  partMissing: "missing",
  partDifference: "difference",
  agree: "full agreement",
  text: "Text",
  textHint: "Lines under the text, from the top:",
  table: "Unitary alignments as a table",
  number: "No.",
  where: "Where",
  units: "Units",
  sortHint: "Sort by this column",
  earlier: "Earlier rows",
  later: "Later rows",
  rows: "Rows {from} to {to} of {count}",
  noRows: "No unitary alignment matches the filter.",
  noUnits: "There are no units in this document.",
  onlyHint: "Click to switch on or off; Shift-click or double-click to show only this one.",
  hint: "Point at a unit to see how the annotators differ there. The worst disagreements:",
  hintTouch: "Tap a unit to see how the annotators differ there. The worst disagreements:",
  worstList: "The worst disagreements",
  hintPlain: "Point at a unit to see who marked what.",
  keysTitle: "Keys",
  keys:
    "Arrow keys left and right move, plus and minus zoom, 0 shows the whole, Home and End go to the ends, " +
    "N and P go to the next and previous disagreement, W to the worst, C makes the lanes compact, " +
    "up and down step through all unitary alignments, Enter zooms to the selected one, Escape clears the selection.",
  lanes: "Continuum",
  explanation: "Explanation",
};

/** Up to so many annotators are all named in a sentence, in their order. */
const MOST_NAMED = 4;

export function fillIn(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key]));
}

/** Three digits; a small value that is not 0 is not shown as 0. */
export function disorderText(value) {
  return value > NEGLIGIBLE && value < 0.0005 ? "<0.001" : numberText(value);
}

/** A name with a class of the viewer's own, which the page around it does not style. */
export const viewerName = (name, most) => nameElement(name, most, "u-name");

/** A unit in words: where, and what. */
export function unitText(model, unit, most = 80) {
  const { start, end, category } = model.units;
  const where = stretchText(start[unit], end[unit], model.axis);
  return category[unit] < 0 ? where : `${where} ${cut(model.categories[category[unit]], most)}`;
}

/** One line on the document as a whole. */
export function summary(model, texts) {
  const { groups } = model;
  const words = [countText(model.annotators.length, ...texts.nAnnotators), countText(model.nUnits, ...texts.nUnits)];
  if (groups) {
    words.push(countText(groups.count, ...texts.nUnitaryAlignments), `${texts.disorder} ${disorderText(groups.total)}`);
    const gap = (100 * groups.gap).toPrecision(2);
    words.push(groups.gap > 0 ? fillIn(texts.notProven, { gap }) : texts.proven);
  }
  return words.join(" · ");
}

/** The parts of a disorder that are known, by name: [["position", 0.12], ...]; empty when only the whole is. */
export function partsOf(groups, group, texts) {
  const { position, category, missing } = groups.parts;
  const parts = [];
  if (position) parts.push(["position", texts.partPosition, position[group]]);
  if (category) parts.push(["category", texts.partCategory, category[group]]);
  if (missing) {
    if (!position && !category)
      parts.push(["difference", texts.partDifference, groups.disorder[group] - missing[group]]);
    parts.push(["missing", texts.partMissing, missing[group]]);
  }
  return parts;
}

/** "= position 0.120 + category 0.333 + missing 0.417": the parts that are not 0. */
export function sumText(groups, group, texts) {
  const parts = partsOf(groups, group, texts).filter(([, , value]) => disorderText(value) !== disorderText(0));
  if (groups.kinds[group] === 0) return ` (${texts.agree})`;
  return parts.length ? ` = ${parts.map(([, name, value]) => `${name} ${disorderText(value)}`).join(" + ")}` : "";
}

/** Who marked what: one entry for each annotator, the empty units too (unit -1). */
export function marksOf(model, group) {
  const unitOf = new Map();
  for (const unit of model.groups.unitsOf(group)) unitOf.set(model.units.annotator[unit], unit);
  return model.byName.map((annotator) => ({ name: model.annotators[annotator], annotator, unit: unitOf.get(annotator) ?? -1 }));
}

/** A name in a sentence; a name that is a number could be taken for a position, so it is called an annotator. */
function nameInSentence(name, texts) {
  return /^[\d.,\s]+$/.test(name) ? [`${texts.annotator} `, viewerName(name, 40)] : [viewerName(name, 40)];
}

/** Who marked what, in words; of many annotators only those who marked something, and the number of the others. */
export function marksText(model, group, texts, verb = "") {
  const words = document.createDocumentFragment();
  const marks = marksOf(model, group);
  const named = marks.length > MOST_NAMED ? marks.filter(({ unit }) => unit >= 0) : marks;
  named.forEach(({ name, unit }, i) => {
    const mark = element(
      "span",
      { class: unit < 0 ? "u-absent" : null },
      ...nameInSentence(name, texts),
      i ? "" : verb,
      " ",
    );
    if (unit < 0) mark.append(texts.nothing);
    else appendUnit(mark, model, unit);
    words.append(i ? ", " : "", mark);
  });
  const others = marks.length - named.length;
  if (others) {
    const count = fillIn(others === 1 ? texts.oneOther : texts.others, { count: others });
    words.append(", ", element("span", { class: "u-absent" }, `${count} ${texts.nothing}`));
  }
  return words;
}

/** A unitary alignment as a sentence: "ada marks 31–36 City, ben 31–40 Region, chi nothing: disorder 0.870 = ...". */
export function sentence(model, group, texts) {
  const words = marksText(model, group, texts, ` ${texts.marks}`);
  words.append(
    `: ${texts.disorder} ${disorderText(model.groups.disorder[group])}${sumText(model.groups, group, texts)}.`,
  );
  if (model.groups.areApart[group]) words.append(" ", element("strong", {}, `${texts.apart}.`));
  return words;
}

function appendUnit(words, model, unit) {
  const { start, end, category } = model.units;
  words.append(stretchText(start[unit], end[unit], model.axis));
  if (category[unit] >= 0) words.append(" ", viewerName(model.categories[category[unit]], 60));
}
