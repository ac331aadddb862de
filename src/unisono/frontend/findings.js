// SPDX-License-Identifier: MIT
// The first screen's list: what stands out, in a sentence each, with its evidence one click away.
import { element } from "./dom.js";
import { placeParameters } from "./links.js";

/** Findings listed at first; the others are behind a fold. */
const SHOWN = 5;

/** The place that shows the evidence of a finding: its places, or else the cases of what it is about. */
function evidenceOf({ sentence, subject = {}, places = [] }) {
  if (places.length) return { case: { places, words: sentence } };
  if (subject.annotator !== undefined) return { case: { annotator: subject.annotator } };
  if (subject.category !== undefined && subject.other_category !== undefined)
    return { case: { categories: [subject.category, subject.other_category] } };
  if (subject.category !== undefined) return { case: { category: subject.category } };
  if (subject.document !== undefined) return { document: subject.document };
  return null;
}

const pointerPlace = ({ document: name, case: selection }) => (name === undefined ? { case: selection } : { document: name });

/** A sentence, what to do next, and a link to the place; `href(place)` is its address. */
function entry({ sentence, next = null }, place, href) {
  const link = place && element("a", { href: href(place), class: "evidence" }, "Show");
  return element(
    "li",
    {},
    element("span", { class: "finding" }, sentence),
    next ? element("span", { class: "next" }, ` ${next}`) : null,
    link ? " " : null,
    link,
  );
}

/**
 * Fills the list from an overview: the findings where they were looked for, otherwise where to look first; and the error
 * equivalents as a sentence. Hidden where there is nothing to say.
 */
export function showFindings(host, overview, href) {
  const { findings, equivalents, pointers } = overview;
  const parts = [];
  const sentences = (equivalents ?? []).filter(({ quantity }) => quantity !== null).map(({ sentence }) => sentence);
  if (sentences.length)
    parts.push(element("h3", {}, "As if"), element("ul", { class: "equivalents" }, ...sentences.map((text) => element("li", {}, text))));
  if (findings) {
    parts.push(element("h3", {}, "What stands out"));
    const rows = findings.map((finding) => entry(finding, evidenceOf(finding), href));
    parts.push(rows.length ? element("ol", {}, ...rows.slice(0, SHOWN)) : element("p", {}, "Nothing stands out."));
    if (rows.length > SHOWN)
      parts.push(
        element(
          "details",
          {},
          element("summary", {}, `${rows.length - SHOWN} more`),
          element("ol", { start: String(SHOWN + 1) }, ...rows.slice(SHOWN)),
        ),
      );
  } else if (pointers.length) {
    parts.push(
      element("h3", {}, "Where to look first"),
      element("ol", {}, ...pointers.map((pointer) => entry(pointer, pointerPlace(pointer), href))),
    );
  }
  host.replaceChildren(...parts);
  host.hidden = !parts.length;
}

/** The address of a place in this page. */
export const placeHref = (place) => `#${new URLSearchParams(placeParameters({ ...place, section: "differences" }))}`;
