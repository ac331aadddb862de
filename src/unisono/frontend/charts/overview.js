// SPDX-License-Identifier: MIT
// The charts of a result, made from the object of unisono.report.chart_numbers: the same in the report and on the page.
import { countText, groupDigits, numberText } from "../numbers.js";
import { alongChart, distributionChart, randomChart } from "./bars.js";
import { dotChart, valueText } from "./dots.js";
import { heatMap } from "./heat.js";

export const NO_CATEGORY = "(no category)";
const categoryName = (category) => category ?? NO_CATEGORY;
/** The columns of rows with a value and its interval. */
const VALUE_COLUMNS = ["value", "low", "high"];
const valueCells = ({ value, interval }) => [value, interval?.[0] ?? null, interval?.[1] ?? null];

/** Documents with a value: none for fewer than three. `documents`: [{id, value}]. */
export function documentsChart(overview, documents, open) {
  const known = documents.filter(({ value }) => value !== null);
  if (known.length < 3) return null;
  return distributionChart({ documents: known, overall: overview.value, symbol: overview.symbol, open });
}

/** Where along the continuum they differ; none where there is no alignment. */
export function continuumChart({ along }, open) {
  if (along === null || !along.some(({ disorder }) => disorder > 0)) return null;
  return alongChart({ along, axisName: "position in the document", open });
}

/** Where most rows have an interval, those without one rest on too little: they come later, in grey. */
const areMostKnown = (rows) => rows.filter(({ interval }) => interval).length >= rows.length / 4;

/** γk of every category, the lowest first, those known least last; none where it was not measured. */
export function categoriesChart({ categories, few_units: few }, open) {
  const measured = categories.filter(({ value, reason }) => value !== null || reason !== null);
  if (measured.length < 2 || !measured.some(({ value }) => value !== null)) return null;
  const isKnown = areMostKnown(measured);
  const isSmall = ({ units, interval }) => units < few || (isKnown && !interval);
  const part = (row) => (row.value === null ? 2 : isSmall(row) ? 1 : 0);
  const rows = [...measured].sort((a, b) => part(a) - part(b) || a.value - b.value);
  return dotChart({
    name: "categories",
    title: "γk of each category",
    note: "How reliably each category is recognised, the lowest first; grey: too few units, or an unknown uncertainty.",
    axis: "γk: 0 is chance level, 1 full agreement",
    open,
    rows: rows.map((row) => ({
      ...row,
      name: categoryName(row.category),
      isSmall: isSmall(row),
      beside: countText(row.units, "unit"),
      label: `${categoryName(row.category)}: γk ${valueText(row)}, ${countText(row.units, "unit")}`,
      selection: { category: row.category },
    })),
    table: () => ({
      columns: ["category", ...VALUE_COLUMNS, "units"],
      rows: rows.map((row) => [categoryName(row.category), ...valueCells(row), row.units]),
    }),
  });
}

/** Which categories are taken for which. */
export function confusionChart({ confusion }, open) {
  if (confusion === null) return null;
  const { categories, pairs, missing, n_rare: rare } = confusion;
  const names = [
    ...categories.map(categoryName),
    ...(rare ? [`(${countText(rare, "rarer category", "rarer categories")})`] : []),
  ];
  if (names.length < 2) return null;
  const inRow = pairs.map((row) => row.reduce((sum, n) => sum + n, 0));
  const canOpen = (i) => i < categories.length;
  const cell = (i, j) => {
    if (j === names.length) {
      const n = missing[i];
      return {
        share: n / (inRow[i] + n || 1),
        colour: "none",
        text: n ? groupDigits(n) : "",
        label: `${names[i]}, the other annotator nothing: ${countText(n, "time")}`,
        selection: n && canOpen(i) ? { category: categories[i], isMissing: true } : null,
      };
    }
    const n = pairs[i][j];
    return {
      share: n / (inRow[i] || 1),
      colour: i === j ? "shade" : "other",
      text: n ? groupDigits(n) : "",
      label: `${names[i]} with ${names[j]}: ${countText(n, "pair")}`,
      selection: n && canOpen(i) && canOpen(j) ? { categories: [categories[i], categories[j]] } : null,
    };
  };
  return heatMap({
    name: "confusions",
    title: "Confusions",
    note: "Pairs of units that the best alignment puts together, by their categories. The colour is the share of the row.",
    rows: names,
    columns: [...names, "nothing"],
    cell,
    open,
    keys: [
      { colour: "shade", from: "same category 0 ", to: " all" },
      { colour: "other", from: "another category 0 ", to: " all" },
      { colour: "none", from: "nothing 0 ", to: " all" },
    ],
    table: () => ({
      columns: ["category", ...names, "nothing"],
      rows: names.map((name, i) => [name, ...pairs[i], missing[i]]),
    }),
  });
}

/** Each annotator against the rest, the lowest first; always, however many. */
export function annotatorsChart({ annotators, symbol, value }, open) {
  const { rows, is_measured: isMeasured } = annotators;
  if (rows.length < 3) return null;
  const values = rows.map((row) => {
    const shown = isMeasured ? row : { ...row, value: row.matches.share, interval: row.matches.interval, others: null };
    return { ...shown, reason: shown.value === null ? (row.reason ?? "no unit to compare") : null };
  });
  const isKnown = areMostKnown(values);
  const part = ({ value: own, interval }) => (own === null ? 2 : isKnown && !interval ? 1 : 0);
  values.sort((a, b) => part(a) - part(b) || a.value - b.value);
  if (!values.some((row) => row.value !== null)) return null;
  const measure = isMeasured ? symbol : "share of matches";
  return dotChart({
    name: "annotators",
    title: "Each annotator against the rest",
    note: isMeasured
      ? `${symbol} of each annotator with every other one, the lowest first.`
      : "How often another annotator marked the same unit with the same category, in the alignment of all; the lowest first. Not corrected for chance.",
    axis: isMeasured ? `${symbol} with the others` : "share of matches with the others",
    otherText: "the others among themselves",
    mark: isMeasured ? { value, text: "all annotators" } : null,
    open,
    rows: values.map((row) => ({
      ...row,
      name: row.annotator,
      other: row.others,
      isSmall: part(row) === 1,
      beside: countText(row.units, "unit"),
      label: `${row.annotator}: ${measure} ${valueText(row)}${row.others === null || row.others === undefined ? "" : `, the others among themselves ${numberText(row.others)}`}, ${countText(row.units, "unit")}`,
      selection: { annotator: row.annotator },
    })),
    table: () => ({
      columns: ["annotator", ...VALUE_COLUMNS, "others", "matched", "asked", "documents", "units"],
      rows: values.map((row) => [row.annotator, ...valueCells(row), row.others ?? null, row.matches.matched, row.matches.asked, row.documents, row.units]),
    }),
  });
}

/** Every two annotators, similar ones side by side, on a scale from -1 to 1. */
export function pairsChart({ pairs }, open) {
  if (pairs === null) return null;
  const { annotators, values, documents, symbol, reasons } = pairs;
  const why = new Map(reasons.map(({ annotators: [a, b], reason }) => [JSON.stringify([a, b].sort()), reason]));
  const cell = (i, j) => {
    if (i === j) return null;
    const names = [annotators[i], annotators[j]];
    const value = values[i][j];
    const reason = why.get(JSON.stringify([...names].sort())) ?? "no document in common";
    const words = value === null ? reason : `${numberText(value)}, ${countText(documents[i][j], "document")}`;
    return {
      share: value === null ? null : value < 0 ? Math.min(1, -value) : value,
      colour: value < 0 ? "other" : "shade",
      text: value === null ? "–" : numberText(value, 2),
      label: `${names.join(" and ")}: ${symbol} ${words}`,
      selection: value === null ? null : { annotators: names },
    };
  };
  return heatMap({
    name: "pairs",
    title: "Every two annotators",
    note: `${symbol} of each pair by itself; annotators who agree stand side by side.`,
    rows: annotators,
    columns: annotators,
    cell,
    open,
    keys: [
      { colour: "other", from: "below chance −1 ", to: " 0", strengths: [1, 0.75, 0.5, 0.25] },
      { colour: "shade", from: "", to: " 1 full agreement" },
    ],
    table: () => ({ columns: [symbol, ...annotators], rows: annotators.map((name, i) => [name, ...values[i]]) }),
  });
}

/** Documents by annotators: who differs where. */
export function gridChart({ grid }, open) {
  if (grid === null) return null;
  const { names, annotators, cells, n_documents: nDocuments, n_annotators: nAnnotators } = grid;
  const cell = (i, j) => {
    const found = cells[i][j];
    if (found === null) return {
      share: null,
      colour: "shade",
      text: "",
      label: `${names[i]}, ${annotators[j]}: not annotated, or nothing to compare`,
      selection: null,
    };
    const [matched, asked] = found;
    const share = matched / asked;
    return {
      share: 1 - share,
      colour: "other",
      text: numberText(share, 2),
      label: `${names[i]}, ${annotators[j]}: ${groupDigits(matched)} of ${groupDigits(asked)} match`,
      selection: { document: names[i], annotator: annotators[j] },
    };
  };
  const isPart = names.length < nDocuments || annotators.length < nAnnotators;
  const part = `The ${groupDigits(names.length)} worst of ${countText(nDocuments, "document")}, ${groupDigits(annotators.length)} of ${countText(nAnnotators, "annotator")}.`;
  return heatMap({
    name: "documents-by-annotators",
    title: "Documents by annotators",
    note: `The share of an annotator's comparisons with the others in which both marked a unit of the same category; the darker, the fewer.${isPart ? ` ${part}` : ""}`,
    rows: names,
    columns: annotators,
    cell,
    open,
    keys: [{ colour: "other", from: "all match ", to: " none" }],
    table: () => ({
      columns: ["document", ...annotators],
      rows: names.map((name, i) => [name, ...cells[i].map((found) => (found === null ? null : found[0] / found[1]))]),
    }),
  });
}

/** The observed disorder compared with random ones; null where none were drawn. */
export function chanceChart({ chance }) {
  return chance === null ? null : randomChart(chance);
}

/** Puts charts into an element and draws them; those that are null are left out. */
export function placeCharts(host, charts) {
  const shown = charts.filter((chart) => chart !== null);
  host.replaceChildren(...shown.map(({ figure }) => figure));
  host.hidden = !shown.length;
  for (const chart of shown) chart.show();
}
