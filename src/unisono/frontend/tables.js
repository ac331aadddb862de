// SPDX-License-Identifier: MIT
// Tables: plain ones, and sortable ones, which a click on a heading sorts.
import { confirmOn, copyText } from "./clipboard.js";
import { actionButton, element, nameElement } from "./dom.js";
import { csvText, saveFile, tableContent } from "./files.js";
import { countText, groupDigits, numberText } from "./numbers.js";

/** Rows shown at first, and how many more at each click. */
const ROWS = 15;
const MORE = 200;
const collator = new Intl.Collator(undefined, { numeric: true });

/** A table with these headings (a text, "" for an empty cell, or {title, className}) and rows (tr elements). */
export function plainTable(heads, rows, { caption = null, className = null } = {}) {
  return element(
    "table",
    { class: className },
    caption === null ? null : element("caption", { class: "hidden" }, caption),
    element("thead", {}, element("tr", {}, ...heads.map(headCell))),
    element("tbody", {}, ...rows),
  );
}

function headCell(column) {
  if (column === "") return element("td");
  if (typeof column !== "object") return element("th", { scope: "col" }, column);
  return element("th", { scope: "col", class: column.className }, column.title);
}

/** A table in a region of its own that scrolls sideways and can be reached by keyboard. */
export function scrollRegion(label, table) {
  return element("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, table);
}

/** Adds buttons that save and copy the table of a region; `content()` returns it whole where not all of it is shown. */
export function addTableTools(region, name, content = () => tableContent(region.querySelector("table"))) {
  const copy = actionButton("Copy", async () => {
    await copyText(csvText(content(), "\t"));
    confirmOn(copy, "Copied");
  });
  const save = () => saveFile(`${name}.csv`, csvText(content()), "text/csv");
  const title = { title: "Save this table as a CSV file" };
  region.before(element("div", { class: "table-tools" }, actionButton("CSV", save, title), copy));
}

/**
 * A row of headings for a sorted table. Columns: {title, className, hint, isFixed}; a click on one that is not fixed
 * calls `sort(number)`. Returns the row and `mark(number, isDescending)`, which shows by what the table is sorted.
 */
export function headRow(columns, sort) {
  const heads = columns.map((column, number) => {
    if (column.isFixed) return headCell(column);
    const button = actionButton(column.title, () => sort(number), { title: column.hint });
    return element("th", { scope: "col", class: column.className }, button);
  });
  return { row: element("tr", {}, ...heads), mark: (sorted, isDescending) => markSorted(heads, sorted, isDescending) };
}

function markSorted(heads, sorted, isDescending) {
  heads.forEach((head, number) => {
    head.ariaSort = number !== sorted ? null : isDescending ? "descending" : "ascending";
  });
}

/** Orders two values, numbers or texts; missing ones (null) come last in both directions. */
function compare(x, y, isDescending) {
  if (x === null || y === null) return (x === null) - (y === null);
  return (isDescending ? -1 : 1) * (typeof x === "string" ? collator.compare(x, y) : x - y);
}

/**
 * A table of items. A column has a `title`, `value(item)`: what it sorts by, `cell(item)`: what is shown; `isText`: it
 * heads the row; `isWords`: it is set as words, not as a number; `total`: what stands in the last row, where a column has
 * one. `attributesOf(item)` are those of its row; `memory` keeps by what the reader sorted it. Returns the table element,
 * `show(items)`, `order()`: the items as sorted, and `content()`: all items as {columns, rows}, without the totals.
 */
export function sortableTable(caption, columns, items, sortedBy = 0, { attributesOf = () => ({}), memory = null } = {}) {
  const body = element("tbody");
  const foot = element("tfoot");
  const chosen = memory?.load() ?? {};
  const remembered = columns.findIndex(({ title }) => title === chosen.sortedBy);
  let [shown, sorted, isDescending, limit] =
    remembered < 0 ? [items, sortedBy, false, ROWS] : [items, remembered, chosen.isDescending === true, ROWS];
  const classed = columns.map((column) => ({ ...column, className: column.isText ? null : column.isWords ? "reason" : "n" }));
  const head = headRow(classed, (number) => {
    isDescending = sorted === number && !isDescending;
    sorted = number;
    memory?.save({ sortedBy: columns[number].title, isDescending });
    draw();
  });
  const totals = columns.some(({ total }) => total !== undefined)
    ? element(
        "tr",
        { class: "total" },
        ...classed.map(({ total = "", isText, className }) =>
          isText ? element("th", { scope: "row" }, total) : element("td", { class: className }, total),
        ),
      )
    : null;
  const order = () =>
    [...shown].sort((a, b) => compare(columns[sorted].value(a), columns[sorted].value(b), isDescending));
  const row = (item) =>
    element(
      "tr",
      attributesOf(item),
      ...classed.map(({ cell, isText, className }) =>
        isText ? element("th", { scope: "row" }, cell(item)) : element("td", { class: className }, cell(item)),
      ),
    );
  const showMore = () => {
    const first = limit;
    limit += MORE;
    draw();
    (foot.querySelector(".more") ?? body.rows[first]?.querySelector("button"))?.focus(); // draw() removed the button
  };
  const draw = () => {
    const rows = order();
    body.replaceChildren(...rows.slice(0, limit).map(row));
    foot.replaceChildren();
    if (rows.length > limit) {
      const words = `Show more (${groupDigits(limit)} of ${groupDigits(rows.length)})`;
      const cell = element("td", { colspan: String(columns.length) }, actionButton(words, showMore, { class: "more" }));
      foot.append(element("tr", {}, cell));
    }
    if (totals) foot.append(totals);
    head.mark(sorted, isDescending);
  };
  draw();
  return {
    table: element(
      "table",
      {},
      element("caption", { class: "hidden" }, caption),
      element("thead", {}, head.row),
      body,
      foot,
    ),
    order,
    content: () => ({
      columns: columns.map(({ title }) => title),
      rows: order().map((item) => columns.map(({ value, exact = value }) => exact(item))),
    }),
    show(others) {
      [shown, limit] = [others, ROWS];
      draw();
    },
  };
}

/** Lets a click on a heading sort a table that stands in the page; headings of class n are those of numbers. */
export function makeSortable(table) {
  /** The first number of a cell (0.25 of "0.250 to 0.500", 0.002 of "±0.002"); null where there is none. */
  const number = (text) => {
    const value = parseFloat(text.replace(/^±/, "").replaceAll(",", "").replace("−", "-"));
    return Number.isNaN(value) ? null : value;
  };
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const key = (row) => {
      const text = row.cells[column].textContent.trim();
      if (text === "–") return null;
      return head.classList.contains("n") ? number(text) : text;
    };
    const sort = () => {
      const isDescending = head.ariaSort === "ascending";
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(key(a), key(b), isDescending));
      table.tBodies[0].append(...rows);
      markSorted(heads, column, isDescending);
    };
    const button = actionButton("", sort);
    button.append(...head.childNodes);
    head.append(button);
  });
}

/**
 * The documents with their values. `documents`: {id, name, values: {measure: value}, observed, expected, contribution,
 * annotators, units, isSmall, reason, canOpen}; `measures`: [[name, symbol]]; those that contribute most to the disorder
 * of `main` come first. A click on a name calls `open(id)`; `markOpen(id)` shows which one is open. Columns without any
 * value are left out. `total`: {values, observed, expected, annotators, units} of all together; `memory`: see sortableTable.
 * `ranked` are all documents, the worst first, however the table is sorted.
 */
export function documentsTable(documents, measures, main, open, { total = null, memory = null } = {}) {
  let opened = null;
  const ranks = ranksOf(documents, main);
  const nameCell = ({ id, name, canOpen = true }) =>
    canOpen ? actionButton(nameElement(name, 120), () => open(id), { class: "open" }) : nameElement(name, 120);
  const valueCell = (value, reason) =>
    value === null && reason ? element("span", { title: reason }, numberText(value)) : numberText(value);
  const columns = [
    {
      title: "document",
      isText: true,
      value: ({ name }) => name,
      cell: nameCell,
      total: total && `all ${countText(documents.length, "document")}`,
    },
    ...measures.map(([measure, symbol]) => ({
      title: symbol,
      measure,
      total: total && numberText(total.values[measure] ?? null),
      value: ({ values }) => values[measure] ?? null,
      cell: ({ values, reason }) => valueCell(values[measure] ?? null, measure === main ? reason : ""),
    })),
    ...["observed", "expected"].map((key) => ({
      title: key,
      total: total && numberText(total[key] ?? null),
      value: (document) => document[key] ?? null,
      cell: (document) => numberText(document[key]),
    })),
    {
      title: "excess",
      isRank: true,
      value: ({ id, contribution }) => (contribution === null ? null : ranks.get(id)),
      exact: ({ contribution }) => contribution,
      cell: ({ contribution }) => numberText(contribution, 2),
    },
    ...["annotators", "units"].map((key) => ({
      title: key,
      total: total && groupDigits(total[key]),
      value: (document) => document[key],
      cell: (document) => groupDigits(document[key]),
    })),
  ].filter(({ isText, value }) => isText || documents.some((document) => value(document) !== null));
  const places = [({ isRank }) => isRank, ({ measure }) => measure === main].map((test) => columns.findIndex(test));
  const sortedBy = places.find((place) => place >= 0) ?? 0;
  const classOf = ({ id, isSmall }) => [id === opened && "opened", isSmall && "few"].filter(Boolean).join(" ") || null;
  const attributesOf = (document) => ({ "data-document": document.id, class: classOf(document) });
  const sorted = sortableTable("Documents with their values", columns, documents, sortedBy, { attributesOf, memory });
  return {
    ...sorted,
    ranked: [...documents].sort((a, b) => ranks.get(a.id) - ranks.get(b.id)),
    markOpen(id) {
      opened = id;
      for (const row of sorted.table.tBodies[0].rows)
        row.classList.toggle("opened", row.dataset.document === String(id));
    },
  };
}

/** The place of each document by id: by what it contributes, those of few units later, those without a value last. */
function ranksOf(documents, main) {
  const cost = ({ contribution, values }) => (contribution === null ? (values[main] ?? 0) : -contribution);
  const part = ({ values, isSmall }) => ((values[main] ?? null) === null ? 2 : isSmall ? 1 : 0);
  const order = [...documents].sort((a, b) => part(a) - part(b) || cost(a) - cost(b));
  return new Map(order.map(({ id }, place) => [id, place]));
}

/** The documents whose names contain a text, whatever the case. */
export function findDocuments(documents, text) {
  const wanted = text.trim().toLowerCase();
  return documents.filter(({ name }) => name.toLowerCase().includes(wanted));
}
