// SPDX-License-Identifier: MIT
// The results: the headline that sharpens as samples come in, and the tables of measures, categories and annotators.
import { element } from "./viewer/dom.js";
import { byId, counted, grouped, intervalText, named, numberText, widestInterval } from "./words.js";
import { sortable } from "./tables.js";

/** Where the scale begins: a little below chance, or as far below as the value needs. */
const lowest = (values) => {
  const low = Math.min(0, ...values.filter((value) => value !== null && value !== undefined));
  return low < -0.5 ? -1 : low < -0.05 ? -0.5 : -0.05;
};

/** A value on its scale with what is uncertain about it; moves when it is shown again. */
export class IntervalBar {
  constructor() {
    this.parts = Object.fromEntries(["first", "wide", "range", "dot", "chance"].map((name) => [name, element("span", { class: `bar-${name}` })]));
    const { first, wide, range, dot, chance } = this.parts;
    this.low = element("span", { class: "bar-low" });
    this.node = element(
      "div",
      { class: "interval-bar", role: "img" },
      element("div", { class: "bar-track" }, chance, first, wide, range, dot),
      element("div", { class: "bar-words", "aria-hidden": "true" }, this.low, element("span", { class: "bar-zero" }, "chance"), element("span", { class: "bar-one" }, "full agreement")),
    );
    this.firstInterval = null;
  }

  forget() {
    this.firstInterval = null;
  }

  show(symbol, value) {
    const chance = value.intervals.find(({ kind }) => kind === "chance") ?? null;
    const widest = widestInterval(value);
    const wide = widest === chance ? null : widest;
    this.firstInterval ??= chance;
    const low = lowest([value.value, chance?.low, wide?.low, this.firstInterval?.low]);
    const at = (x) => (100 * (Math.max(low, Math.min(1, x)) - low)) / (1 - low);
    const place = (part, interval) => {
      part.hidden = interval === null;
      if (interval === null) return;
      part.style.left = `${at(interval.low)}%`;
      part.style.width = `${at(interval.high) - at(interval.low)}%`;
    };
    const { first, range, dot } = this.parts;
    place(first, this.firstInterval === chance ? null : this.firstInterval);
    place(range, chance);
    place(this.parts.wide, wide);
    dot.style.left = `${at(value.value)}%`;
    this.parts.chance.style.left = `${at(0)}%`;
    this.node.querySelector(".bar-zero").style.left = `${at(0)}%`;
    this.low.textContent = low < -0.1 ? numberText(low, 1) : "";
    this.node.setAttribute("aria-label", `${symbol} ${numberText(value.value)}${widest ? `, interval ${intervalText(widest)}` : ""}; 0 is chance level, 1 full agreement`);
  }
}

/** What an interval is over, in a word or two. */
const OVER = { chance: "by the samples", documents: "over documents", stretches: "over stretches" };

/** The headline: the first measure that has a value. */
export class Headline {
  constructor() {
    this.bar = new IntervalBar();
    this.symbol = element("span", { class: "symbol" });
    this.name = element("span", { class: "slug" });
    this.value = element("p", { class: "value", id: "headline-value" });
    this.interval = element("p", { class: "interval" });
    this.meaning = element("p", { class: "meaning" });
    this.certainty = element("ul", { class: "plain" });
    this.gap = element("p", { class: "warning" });
    this.basis = element("p", { class: "quiet basis" });
    byId("headline").replaceChildren(
      element("h3", {}, this.symbol, " ", this.name),
      element("div", { class: "value-line" }, this.value, this.interval),
      this.bar.node,
      this.meaning,
      this.certainty,
      this.gap,
      this.basis,
    );
  }

  /** A new measurement: the shrinking begins anew. */
  begin() {
    this.bar.forget();
  }

  show(measures, words, basis, { isFinal }) {
    const name = mainMeasure(measures);
    const value = measures[name];
    const { symbol, meaning, certainty, from_chance: fromChance, gap } = words[name];
    byId("headline").classList.toggle("estimate", !isFinal);
    this.symbol.textContent = symbol;
    this.name.textContent = name;
    this.value.textContent = numberText(value.value);
    const hasValue = value.value !== null;
    const interval = hasValue ? widestInterval(value) : null;
    this.interval.textContent = interval ? `${intervalText(interval)} ${isFinal ? OVER[interval.kind] : "so far"}` : "";
    this.bar.node.hidden = !hasValue || !fromChance;
    this.gap.textContent = gap;
    this.gap.hidden = !gap;
    if (hasValue) this.bar.show(symbol, value);
    this.meaning.textContent = meaning;
    this.certainty.replaceChildren(...certainty.map((line) => element("li", {}, line)));
    this.basis.textContent = basis;
    return `${symbol} ${numberText(value.value)}${interval ? `, ${intervalText(interval)}` : ""}`;
  }
}

export function mainMeasure(measures) {
  const names = Object.keys(measures);
  return names.find((name) => measures[name].value !== null) ?? names[0];
}

/** Every measure, overall. */
export function measuresTable(measures, words, { several }) {
  const heads = ["measure", "value", "interval", "observed", "expected", "samples", ...(several ? ["documents", "mean over documents"] : []), "what it says"];
  const isNumber = (head) => !["measure", "interval", "what it says"].includes(head);
  const rows = Object.entries(measures).map(([name, value]) => {
    const { symbol, meaning } = words[name];
    const numbers = [numberText(value.observed), numberText(value.expected), value.n_samples === null ? "–" : grouped(value.n_samples)];
    if (several) numbers.push(value.documents_measured === null ? "–" : grouped(value.documents_measured), numberText(value.mean_over_documents));
    return element(
      "tr",
      { "data-measure": name },
      element("th", { scope: "row" }, element("span", { class: "symbol" }, symbol), " ", element("span", { class: "slug" }, name)),
      element("td", { class: "n strong" }, numberText(value.value)),
      element("td", {}, intervalText(widestInterval(value))),
      ...numbers.map((text) => element("td", { class: "n" }, text)),
      element("td", { class: "prose" }, meaning, ...value.notes.map((note) => element("span", { class: "remark" }, note))),
    );
  });
  return element(
    "table",
    {},
    element("caption", { class: "hidden" }, "Every measure, over all documents"),
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col", class: isNumber(head) ? "n" : null }, head)))),
    element("tbody", {}, ...rows),
  );
}

/** Measures with a value for each category, side by side; `add` measures γk too where it was not. */
export function showCategories(result, words, add) {
  const found = Object.entries(result.measures).filter(([, value]) => value.per_category?.length);
  const box = byId("category-values");
  const all = [...new Set(found.flatMap(([, value]) => value.per_category.map(({ category }) => category)))];
  if (!all.length) {
    const hasUnits = result.measures["gamma-k"] === undefined;
    const button = element("button", { type: "button" }, "Measure γk too");
    button.addEventListener("click", () => add("gamma-k"));
    box.replaceChildren(element("p", {}, hasUnits ? "How reliably each category is recognised (γk) was not measured. " : "No category has a value of its own. "), ...(hasUnits ? [button] : []));
    return;
  }
  const valueOf = new Map(found.map(([name, value]) => [name, new Map(value.per_category.map((each) => [each.category, each]))]));
  const columns = [{ title: "category", isText: true, of: (category) => category ?? "", cell: (category) => (category === null ? "(no category)" : named(category, 60)) }];
  for (const [name] of found) {
    const of = (category) => valueOf.get(name).get(category)?.value ?? null;
    columns.push({ title: words[name].symbol, of, cell: (category) => numberText(of(category)) });
    columns.push({
      title: "interval",
      of: (category) => of(category),
      isWords: true,
      cell: (category) => {
        const value = valueOf.get(name).get(category);
        if (!value) return "–";
        return value.value === null ? element("span", { class: "quiet" }, value.reason) : intervalText(widestInterval(value));
      },
    });
  }
  box.replaceChildren(
    element("p", { class: "quiet" }, "The least reliable first; a click on a heading sorts."),
    element("div", { class: "scroll", role: "region", "aria-label": "Values of each category", tabindex: "0" }, sortable("Values of each category", columns, all, 1)),
  );
}

/** Who agrees with whom, as a matrix that is darker where two agree more, and how each stands to the others. */
export function showPairs(found, symbol) {
  const { annotators } = found;
  const values = new Map(found.pairs.map((pair) => [pair.annotators.join("\u0000"), pair]));
  const pairOf = (a, b) => values.get(`${a}\u0000${b}`) ?? values.get(`${b}\u0000${a}`);
  const cell = (a, b) => {
    if (a === b) return element("td", { class: "self" });
    const pair = pairOf(a, b);
    if (!pair || pair.value === null) return element("td", { title: pair?.reason ?? "no document in common" }, "–");
    const level = Math.max(0, Math.min(9, Math.round(9 * pair.value)));
    return element("td", { class: `n pair h${level}`, title: intervalText(widestInterval(pair)) }, numberText(pair.value, 2));
  };
  const matrix = element(
    "table",
    { class: "matrix" },
    element("caption", { class: "hidden" }, `${symbol} of every two annotators`),
    element("thead", {}, element("tr", {}, element("td", {}), ...annotators.map((name) => element("th", { scope: "col" }, named(name, 40))))),
    element("tbody", {}, ...annotators.map((a) => element("tr", {}, element("th", { scope: "row" }, named(a, 40)), ...annotators.map((b) => cell(a, b))))),
  );
  const columns = [
    { title: "annotator", isText: true, of: (row) => row.annotator, cell: (row) => named(row.annotator, 60) },
    { title: "with each of the others", of: (row) => row.value, cell: (row) => numberText(row.value) },
    { title: "the others among themselves", of: (row) => row.others, cell: (row) => numberText(row.others) },
  ];
  byId("pairs").replaceChildren(
    element("p", {}, `${symbol} of every two annotators, measured by themselves; the darker, the better they agree.`),
    element("div", { class: "scroll", role: "region", "aria-label": "Agreement of every two annotators", tabindex: "0" }, matrix),
    ...(found.outlier ? [element("p", {}, named(found.outlier, 60), " agrees with the others least, and they agree better without.")] : []),
    element("div", { class: "scroll", role: "region", "aria-label": "Each annotator and the others", tabindex: "0" }, sortable("Each annotator and the others", columns, found.against_rest, 1)),
  );
}

/** How much was drawn, and how precise it is. */
export function basisOf(estimate) {
  const n = counted(estimate.samples, "random continuum", "random continua");
  return estimate.required && estimate.required > estimate.samples ? `Estimate from ${n}, of about ${grouped(estimate.required)}` : `Estimate from ${n}`;
}
