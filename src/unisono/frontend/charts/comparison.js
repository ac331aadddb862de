// SPDX-License-Identifier: MIT
// Two results side by side: the difference with its interval, and what got better and worse.
import { element, nameElement } from "../dom.js";
import { countText, differenceText, numberText } from "../numbers.js";
import { dotChart } from "./dots.js";
import { NO_CATEGORY, placeCharts } from "./overview.js";

/** Fills an element with a comparison, the object of unisono.report.comparison_page. */
export function showComparison(host, comparison) {
  const charts = element("div", { class: "charts" });
  host.replaceChildren(headOf(comparison), charts);
  placeCharts(charts, [
    changesChart(comparison, "categories", "γk of each category", "γk: 0 is chance level, 1 full agreement"),
    changesChart(
      comparison,
      "annotators",
      "Each annotator against the rest",
      comparison.annotators_measured ? `${comparison.symbol} with the others` : "share of matches with the others",
    ),
    changesChart(comparison, "documents", "Documents", comparison.symbol),
  ]);
}

function headOf({ symbol, names, sides, difference, interval, p, reason }) {
  const card = (side, i) =>
    element(
      "article",
      { class: "card" },
      element("h3", {}, nameElement(names[i], 60)),
      element("p", { class: "value" }, numberText(side.value, 2)),
      element(
        "p",
        { class: "quiet" },
        side.interval ? `${symbol}, interval ${numberText(side.interval[0])} to ${numberText(side.interval[1])}. ` : `${symbol}. `,
        `${countText(side.documents, "document")}, ${countText(side.annotators, "annotator")}, ${countText(side.units, "unit")}.`,
      ),
      side.shares && splitOf(side.shares),
    );
  const verdict =
    difference === null
      ? `The difference is undefined: ${reason}.`
      : interval === null
        ? `There is no interval${p === null ? ": whether the two sides differ is unknown" : ""}.`
        : interval[0] > 0
          ? "The second side agrees better."
          : interval[1] < 0
            ? "The second side agrees less."
            : "The interval includes 0: the two sides may agree equally well.";
  const test = p === null ? (reason ? `No test: ${reason}.` : "") : `p = ${p.toPrecision(2)}, two-sided permutation test.`;
  const middle = element(
    "article",
    { class: "card", id: "difference" },
    element("h3", {}, "Difference, second − first"),
    element("p", { class: "value" }, differenceText(difference)),
    interval ? element("p", {}, `Interval ${differenceText(interval[0])} to ${differenceText(interval[1])} over documents.`) : null,
    element("p", {}, verdict),
    test ? element("p", { class: "quiet" }, test) : null,
  );
  return element("div", { class: "cards" }, card(sides[0], 0), middle, card(sides[1], 1));
}

/** Positions, categories and missing units as shares of the disorder. */
function splitOf(shares) {
  const percent = (share) => `${Math.round(100 * share)} %`;
  const [position, category, missing] = shares.map(percent);
  return element("p", { class: "quiet" }, `Disorder: ${position} position, ${category} category, ${missing} missing.`);
}

/** Both values of each name, the largest loss first: a ring for the first, a dot for the second. */
function changesChart(comparison, key, title, axis) {
  const { names } = comparison;
  const rows = comparison[key].filter(({ a, b }) => a !== null || b !== null);
  if (!rows.some(({ change }) => change !== null)) return null;
  const nameOf = (name) => name ?? NO_CATEGORY;
  return dotChart({
    name: `changes-${key}`,
    title,
    note: "The largest losses first; what only one side has comes last.",
    axis,
    otherText: `ring: ${names[0]}, dot: ${names[1]}`,
    rows: rows.map(({ name, a, b, change }) => ({
      name: nameOf(name),
      value: b,
      interval: null,
      other: a,
      reason: b === null ? `only in ${names[0]}: ${numberText(a)}` : null,
      beside: change === null ? "" : differenceText(change),
      label: `${nameOf(name)}: ${numberText(a)} and ${numberText(b)}${change === null ? "" : `, ${differenceText(change)}`}`,
      selection: null,
    })),
    table: () => ({
      columns: [key, names[0], names[1], "change"],
      rows: rows.map(({ name, a, b, change }) => [nameOf(name), a, b, change]),
    }),
  });
}
