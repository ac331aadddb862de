// SPDX-License-Identifier: MIT
// The first screen's list: what stands out, in a sentence each, with its evidence one click away.
import { NO_CATEGORY } from "./charts/overview.js";
import { element, unbroken } from "./dom.js";
import { placeParameters } from "./links.js";
import { called, differenceText, groupDigits, numberText } from "./numbers.js";
import { plainTable } from "./tables.js";

/** Findings listed at first; the others are behind a fold. */
const SHOWN = 4;

/** The place that shows the evidence of a finding: its places, or else the cases of what it is about. */
function evidenceOf({ sentence, subject = {}, places = [] }) {
  if (places.length) return { case: { places, words: firstSentence(sentence) } };
  if (subject.annotator !== undefined) return { case: { annotator: subject.annotator } };
  if (subject.category !== undefined && subject.other_category !== undefined)
    return { case: { categories: [subject.category, subject.other_category] } };
  if (subject.category !== undefined) return { case: { category: subject.category } };
  if (subject.document !== undefined) return { document: subject.document };
  return null;
}

/** "emil misses 42 % of the units (35-48 %)": a finding without what it would gain, and without its full stop. */
const firstSentence = (text) => text.split(/\. (?=[A-Z])/)[0].replace(/\.$/, "");

const pointerPlace = ({ document: name, case: selection }) => (name === undefined ? { case: selection } : { document: name });

/** A sentence, what to do next, and a link to the place; `href(place)` is its address. */
function entry({ sentence, next = null }, place, href) {
  const link = place && element("a", { href: href(place), class: "evidence" }, "Show");
  return element(
    "li",
    {},
    element("span", { class: "finding" }, ...unbroken(sentence)),
    next ? element("span", { class: "next" }, ` ${next}`) : null,
    link ? " " : null,
    link,
  );
}

/**
 * Fills the list from an overview: the findings where they were looked for, otherwise where to look first; with an
 * explanation, the error equivalents as one sentence and what settling single things would change. Hidden where there is
 * nothing to say.
 */
export function showFindings(host, overview, href) {
  const { findings, n_findings: total, pointers, symbol, value } = overview;
  const parts = [...equivalentsOf(overview)];
  if (findings?.length || (findings && !pointers.length)) {
    parts.push(element("h3", {}, "What stands out"));
    const rows = findings.map((finding) => entry(finding, evidenceOf(finding), href));
    parts.push(
      rows.length
        ? element("ol", {}, ...rows.slice(0, SHOWN))
        : element("p", {}, "Nothing stands out: annotators, categories and short units differ no more than by chance."),
    );
    if (rows.length > SHOWN) {
      const cut = total > rows.length ? `, of ${groupDigits(total)}` : "";
      const rest = element("ol", { start: String(SHOWN + 1) }, ...rows.slice(SHOWN));
      parts.push(foldOf(`${groupDigits(rows.length - SHOWN)} more${cut}`, rest));
    }
  }
  if (pointers.length) {
    const rows = pointers.map((pointer) => entry(pointer, pointerPlace(pointer), href));
    const list = element("ol", {}, ...rows);
    const title = "Where to look first";
    parts.push(...(findings?.length ? [foldOf(title, list)] : [element("h3", {}, title), list]));
  }
  const settled = (overview.what_if ?? []).filter(({ gain }) => gain !== null);
  if (settled.length) parts.push(foldOf("What if one kind of disagreement were resolved?", settledTable(settled, symbol, value)));
  host.replaceChildren(...parts);
  host.hidden = !parts.length;
}

/** Whether error equivalents and what-if could be computed, and were not. */
export const lacksExplanation = ({ can_be_explained: canBe, equivalents }) => canBe && equivalents === null;

const foldOf = (title, content) => element("details", {}, element("summary", {}, title), content);

/** "γ = 0.70 is what one would expect if each annotator missed 19 % of the units, or ...": one sentence. */
function equivalentsOf({ equivalents, symbol, value }) {
  const known = (equivalents ?? []).filter(({ quantity }) => quantity !== null);
  if (!known.length) return [];
  // The intervals are in the table of `unisono explain`: here they would bury the quantities.
  const phrases = known.map(({ sentence }) => sentence.replace(/^as if /i, "").replace(/ \([^)]*\)\.?$/, ""));
  const title = known.map(({ sentence }) => sentence).join("; ");
  const text = `${symbol} = ${numberText(value, 2)} is what one would expect if ${phrases.join(", or ")}.`;
  return [element("p", { class: "equivalents", title }, ...unbroken(text))];
}

/** The value after each single change, the largest gain first; with the present value if some rows start from another. */
function settledTable(rows, symbol, value) {
  const sorted = [...rows].sort((a, b) => b.gain - a.gain);
  const hasOthers = rows.some(({ now }) => numberText(now ?? value) !== numberText(value));
  const body = sorted.map(({ settled, subject, sentence, now, gamma, gain }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", title: sentence }, settledText(settled, subject)),
      hasOthers ? element("td", { class: "n" }, numberText(now ?? value)) : null,
      element("td", { class: "n" }, numberText(gamma)),
      element("td", { class: "n" }, differenceText(gain)),
    ),
  );
  const now = hasOthers ? [{ title: `${symbol} now`, className: "n" }] : [];
  const heads = ["if", ...now, { title: symbol, className: "n" }, { title: "gain", className: "n" }];
  return element(
    "div",
    {},
    plainTable(heads, body, { caption: `What ${symbol}, now ${numberText(value)}, would be` }),
    element("p", { class: "quiet" }, "The gains overlap, so they cannot be added."),
  );
}

const SETTLED = {
  categories: "aligned units had the category of their majority",
  boundaries: "aligned units had their median boundaries",
  missed: "everybody had marked what a majority marked",
  added: "units that only one annotator marked were left out",
  splits: "units that most others have in one piece were joined",
};

function settledText(settled, subject) {
  if (settled === "annotator") return `${called("annotator", subject.annotator)} were left out`;
  if (settled === "categories-merged") {
    const [first, second] = [subject.category, subject.other_category].map((name) => called("category", name ?? NO_CATEGORY));
    return `${first} and ${second} were one category`;
  }
  return SETTLED[settled] ?? settled;
}

/** The address of a place in this page. */
export const placeHref = (place) => `#${new URLSearchParams(placeParameters({ ...place, section: "differences" }))}`;
