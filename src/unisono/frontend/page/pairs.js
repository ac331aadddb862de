// SPDX-License-Identifier: MIT
// Who agrees with whom.
import { actionButton, byId, element, nameElement } from "../dom.js";
import { countText, intervalText, numberText } from "../numbers.js";
import { plainTable, scrollRegion, sortableTable } from "../tables.js";
import { fetchWhenReady, NoAnswer } from "./api.js";
import { problemList } from "./problems.js";
import { mainMeasure } from "./results.js";

/** Up to so many pairs and units the annotators are compared without a click. */
const PAIRS_AT_ONCE = 45;
const UNITS_AT_ONCE = 5_000;
/** With more pairs, a table is unreadable, and measuring them takes longer than a request may wait. */
const MOST_PAIRS = 5_000;

/** Compares every two annotators of a result, at once or at a click; hidden where there are only two. Returns when done. */
export async function offerPairs(result, job, symbol, nAnnotators, signal) {
  byId("annotators").hidden = nAnnotators < 3;
  if (nAnnotators < 3) return;
  const count = (nAnnotators * (nAnnotators - 1)) / 2;
  if (count > MOST_PAIRS) {
    const words = `${countText(count, "pair")} of annotators are too many for this page; `;
    byId("pairs").replaceChildren(
      element("p", { class: "quiet" }, words, element("code", {}, "unisono annotators --json"), " measures them."),
    );
    return;
  }
  const compare = () => comparePairs(result, job, symbol, signal);
  byId("pairs").replaceChildren(
    element("p", {}, `${countText(count, "pair")} of annotators to measure. `),
    actionButton("Compare the annotators", compare),
  );
  if (count <= PAIRS_AT_ONCE && result.data.units <= UNITS_AT_ONCE) await compare();
}

async function comparePairs(result, job, symbol, signal) {
  byId("pairs").replaceChildren(element("p", { class: "quiet" }, "Comparing the annotators …"));
  try {
    const measure = encodeURIComponent(mainMeasure(result.measures));
    const answer = await fetchWhenReady(`/jobs/${job}/pairwise?measure=${measure}`, { signal });
    const pairwise = await answer.json();
    if (!signal.aborted) showPairs(pairwise, symbol);
  } catch (error) {
    if (!signal.aborted) byId("pairs").replaceChildren(...problemList(error.problems ?? new NoAnswer().problems));
  }
}

/** Who agrees with whom: a matrix that is darker where two agree more, and each annotator against the others. */
function showPairs(pairwise, symbol) {
  const { annotators, pairs, outlier } = pairwise;
  const byNames = new Map(pairs.map((pair) => [pair.annotators.join("\u0000"), pair]));
  const pairOf = (a, b) => byNames.get(`${a}\u0000${b}`) ?? byNames.get(`${b}\u0000${a}`);
  const cell = (a, b) => {
    if (a === b) return element("td", { class: "self" });
    const pair = pairOf(a, b);
    if (!pair || pair.value === null) return element("td", { title: pair?.reason ?? "no document in common" }, "–");
    const level = Math.max(0, Math.min(9, Math.round(9 * pair.value)));
    const known = pair.intervals.filter(({ kind }) => kind !== "chance"); // that one is the computation error
    const title = known.map((interval) => `${intervalText(interval)} over ${interval.kind}`).join("; ");
    return element("td", { class: `n pair h${level}`, title }, numberText(pair.value, 2));
  };
  const rows = annotators.map((a) =>
    element("tr", {}, element("th", { scope: "row" }, nameElement(a, 40)), ...annotators.map((b) => cell(a, b))),
  );
  const heads = ["", ...annotators.map((name) => ({ title: nameElement(name, 40) }))];
  const matrix = plainTable(heads, rows, { caption: `${symbol} of every two annotators`, className: "matrix" });
  const columns = [
    { title: "annotator", isText: true, value: (row) => row.annotator, cell: (row) => nameElement(row.annotator, 60) },
    { title: "with each of the others", value: (row) => row.value, cell: (row) => numberText(row.value) },
    { title: "the others among themselves", value: (row) => row.others, cell: (row) => numberText(row.others) },
  ];
  const { table } = sortableTable("Each annotator and the others", columns, pairwise.against_rest, 1);
  byId("pairs").replaceChildren(
    element("p", {}, `${symbol} of every two annotators, measured by themselves; the darker, the better they agree.`),
    scrollRegion("Agreement of every two annotators", matrix),
    outlier
      ? element(
          "p",
          {},
          nameElement(outlier, 60),
          " agrees with the others least, and the others agree better without this annotator.",
        )
      : "",
    scrollRegion("Each annotator and the others", table),
  );
}
