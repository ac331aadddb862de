// SPDX-License-Identifier: MIT
// The results: the headline that sharpens as samples come in, and the tables of measures and categories.
import { IntervalBar } from "../charts/interval_bar.js";
import { NO_CATEGORY } from "../charts/overview.js";
import { actionButton, byId, element, nameElement, unbroken } from "../dom.js";
import { countText, groupDigits, intervalText, numberText } from "../numbers.js";
import { plainTable, scrollRegion, sortableTable } from "../tables.js";

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
    this.clear();
  }

  /** A new measurement begins; what is shown stays until there is something newer. */
  reset() {
    this.bar.reset();
  }

  /** Shows nothing: there is no value, not even an estimate. */
  clear() {
    byId("headline").hidden = true;
  }

  /** Returns the value with its interval, in words. */
  show(measures, words, basis, { isFinal }) {
    const name = mainMeasure(measures);
    const value = measures[name];
    const { symbol, meaning, certainty, from_chance: fromChance, gap, alarming, interval } = words[name];
    byId("headline").classList.toggle("estimate", !isFinal);
    this.symbol.textContent = symbol;
    this.name.textContent = name;
    this.value.textContent = numberText(value.value);
    const isDefined = value.value !== null;
    this.interval.textContent = interval ? `${intervalText(interval)} ${interval.over}` : "";
    this.bar.node.hidden = !isDefined || !fromChance;
    if (isDefined) this.bar.show(value, words[name]);
    this.gap.textContent = gap;
    this.gap.hidden = !gap;
    this.gap.classList.toggle("warning", alarming);
    this.meaning.replaceChildren(...unbroken(meaning));
    const lines = interval ? certainty.slice(1) : certainty; // the interval stands beside the value
    this.certainty.replaceChildren(...lines.map((line) => element("li", {}, line)));
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
  const numbers = ["observed", "expected", "samples", ...(several ? ["documents", "mean over documents"] : [])];
  const heads = ["measure", "value", "uncertainty", ...numbers, "what it says"];
  const isNumber = (head) => head === "value" || numbers.includes(head);
  const rows = Object.entries(measures).map(([name, value]) => {
    const { symbol, meaning, interval } = words[name];
    const texts = [numberText(value.observed), numberText(value.expected), groupDigits(value.n_samples)];
    if (several) texts.push(groupDigits(value.documents_measured), numberText(value.mean_over_documents));
    return element(
      "tr",
      { "data-measure": name },
      element(
        "th",
        { scope: "row" },
        element("span", { class: "symbol" }, symbol),
        " ",
        element("span", { class: "slug" }, name),
      ),
      element("td", { class: "n strong" }, numberText(value.value)),
      element("td", {}, interval ? `${intervalText(interval)} ${interval.over}` : "–"),
      ...texts.map((text) => element("td", { class: "n" }, text)),
      element(
        "td",
        { class: "prose" },
        meaning,
        ...value.notes.map((note) => element("span", { class: "remark" }, note)),
      ),
    );
  });
  const columns = heads.map((title) => ({ title, className: isNumber(title) ? "n" : null }));
  return plainTable(columns, rows, { caption: "Every measure, over all documents" });
}

/**
 * Measures with a value for each category, side by side; values of few units are grey and never come first. `add(name)`
 * measures γk too where it was not measured.
 */
export function showCategories(result, { measures: words, category_units: counts, few_units: fewUnits }, add) {
  const units = new Map(counts);
  const isSmall = (category) => (units.get(category) ?? fewUnits) < fewUnits;
  const box = byId("category-values");
  const measures = Object.entries(result.measures).filter(([, value]) => value.per_category?.length);
  if (!measures.length) {
    const isMissing = result.measures["gamma-k"] === undefined;
    const text = isMissing
      ? "How reliably each category is recognised (γk) was not measured. "
      : "No category has a value of its own. ";
    box.replaceChildren(element("p", {}, text), isMissing ? actionButton("Measure γk too", () => add("gamma-k")) : "");
    return;
  }
  const columns = [
    {
      title: "category",
      isText: true,
      value: (category) => category ?? "",
      cell: (category) => (category === null ? NO_CATEGORY : nameElement(category, 60)),
    },
  ];
  for (const [name, { per_category: perCategory }] of measures) {
    const entries = new Map(
      perCategory.map((entry, i) => [entry.category, { ...entry, interval: words[name].categories[i] }]),
    );
    const value = (category) => entries.get(category)?.value ?? null;
    columns.push({ title: words[name].symbol, value, cell: (category) => numberText(value(category)) });
    const excess = (category) => entries.get(category)?.contribution ?? null;
    const ranked = [...entries.keys()].sort((a, b) => isSmall(a) - isSmall(b) || excess(b) - excess(a));
    if (perCategory.some(({ contribution }) => contribution !== null))
      columns.push({
        title: "excess",
        isRank: true,
        value: (category) => (excess(category) === null ? null : ranked.indexOf(category)),
        cell: (category) => numberText(excess(category), 2),
      });
    columns.push({
      title: "uncertainty",
      isWords: true,
      value,
      cell: (category) => {
        const entry = entries.get(category);
        if (!entry) return "–";
        if (entry.interval) return `${intervalText(entry.interval)} ${entry.interval.over}`;
        return element("span", { class: "quiet" }, entry.reason ?? entry.uncertainty_reason ?? "–");
      },
    });
  }
  if (units.size)
    columns.push({
      title: "units",
      value: (category) => units.get(category) ?? null,
      cell: (category) => groupDigits(units.get(category) ?? 0),
    });
  const categories = [...new Set(measures.flatMap(([, value]) => value.per_category.map(({ category }) => category)))];
  const sortedBy = Math.max(
    1,
    columns.findIndex(({ isRank }) => isRank),
  );
  const attributesOf = (category) => ({ class: isSmall(category) ? "few" : null });
  const { table } = sortableTable("Values of each category", columns, categories, sortedBy, { attributesOf });
  const order = `What contributes most to the disorder first; values of fewer than ${fewUnits} units are grey and come later. Click a heading to sort.`;
  box.replaceChildren(
    element("p", { class: "quiet" }, order),
    scrollRegion("Values of each category", table),
  );
}

/** What must be known before the values. */
export function showCautions(sentences) {
  byId("cautions").replaceChildren(...sentences.map((text) => element("p", { class: "warning" }, text)));
  byId("cautions").hidden = !sentences.length;
}

/** γ with single choices made differently; null where that was not asked for. */
export function showSensitivity(words) {
  byId("sensitivity").hidden = words === null;
  if (words === null) return;
  byId("sensitivity-meaning").textContent = words.meaning;
  const heads = ["choice", ...["γ", "computation error", "difference", "documents"].map(numberHead)];
  const rows = words.rows.map(({ choice, reason, value, error, difference, documents }) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, choice, reason ? element("span", { class: "quiet" }, ` ${reason}`) : ""),
      ...[value, error, difference, groupDigits(documents)].map((text) => element("td", { class: "n" }, text)),
    ),
  );
  const table = plainTable(heads, rows, { caption: "γ with single choices made differently" });
  byId("sensitivity").querySelector(".scroll").replaceChildren(table);
}

const numberHead = (title) => ({ title, className: "n" });

/** How many random continua an estimate rests on. */
export function basisOf({ samples, required }) {
  const drawn = `Estimate from ${countText(samples, "random continuum", "random continua")}`;
  return required && required > samples ? `${drawn}, of about ${groupDigits(required)}` : drawn;
}
