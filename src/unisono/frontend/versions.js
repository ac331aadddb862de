// SPDX-License-Identifier: MIT
// The annotators' versions of a text side by side (text-γ): what differs in each document.
import { element, nameElement } from "./dom.js";
import { countText, groupDigits } from "./numbers.js";
import { addTableTools, plainTable, scrollRegion } from "./tables.js";

/** Documents whose tables are open at first. */
const OPEN = 3;

/** Fills an element with the tables of unisono.report.version_table.version_tables; hidden where there are none. */
export function showVersions(host, versions) {
  host.replaceChildren(...versions.map((document, i) => tableOf(document, versions.length <= OPEN || i === 0)));
  host.hidden = !versions.length;
  for (const region of host.querySelectorAll(".scroll")) addTableTools(region, "versions");
}

function tableOf({ name, annotators, counts, total, rows, n_more: more }, isOpen) {
  const countOf = ([what, n]) =>
    what === "nothing"
      ? `${n} ${n === "1" ? "is" : "are"} the same in all versions`
      : `${n} ${n === "1" ? "differs" : "differ"} in ${what}`;
  const differing = counts.map(countOf).join("; ");
  const heads = [
    { title: "number", className: "n" },
    { title: "disorder", className: "n" },
    ...annotators.map((each) => ({ title: nameElement(each, 60) })),
    "differs in",
  ];
  const body = rows.map(([number, disorder, ...cells]) => {
    const differences = cells.pop();
    return element(
      "tr",
      {},
      element("td", { class: "n" }, number),
      element("td", { class: "n" }, disorder),
      ...cells.map((text) => element("td", {}, nameElement(text, 120))),
      element("td", {}, differences),
    );
  });
  const caption = `What differs between the annotators' versions of ${name}`;
  return element(
    "details",
    { class: "block", open: isOpen },
    element("summary", {}, element("h3", {}, nameElement(name, 60), ": versions side by side")),
    element("p", {}, `${differing}, of ${countText(total, "unitary alignment")}; one may differ in several respects.`),
    scrollRegion(caption, plainTable(heads, body, { caption })),
    more
      ? element("p", { class: "quiet" }, `${groupDigits(more)} more that differ are not shown; unisono text --csv lists all.`)
      : null,
  );
}
