// SPDX-License-Identifier: MIT
// A table that a click on a heading sorts; long ones show their first rows.
import { element } from "./viewer/dom.js";
import { grouped } from "./words.js";

const ROWS = 30;
const MORE = 200;
const collator = new Intl.Collator(undefined, { numeric: true });

/**
 * A table of `items`. A column has a `title`, `of(item)`: what it sorts by (null comes last), `cell(item)`: what is
 * shown; `isText` ones are headings of rows and sort as words. `isWords`: shown as words, not as a number.
 */
export function sortable(caption, columns, items, sortedBy = 0, { rowOf = () => ({}) } = {}) {
  const body = element("tbody");
  let [sorted, isDescending, limit] = [sortedBy, false, ROWS];
  const heads = columns.map((column, number) => {
    const button = element("button", { type: "button" }, column.title);
    button.addEventListener("click", () => {
      isDescending = sorted === number && !isDescending;
      sorted = number;
      draw();
    });
    return element("th", { scope: "col", class: column.isText || column.isWords ? null : "n" }, button);
  });
  const compare = (a, b) => {
    const { of, isText } = columns[sorted];
    const [x, y] = [of(a), of(b)];
    if (x === null || y === null) return (x === null) - (y === null);
    return (isDescending ? -1 : 1) * (isText ? collator.compare(x, y) : x - y);
  };
  const row = (item) =>
    element(
      "tr",
      rowOf(item),
      ...columns.map(({ cell, isText, isWords }) => element(isText ? "th" : "td", isText ? { scope: "row" } : { class: isWords ? null : "n" }, cell(item))),
    );
  const draw = () => {
    const rows = [...items].sort(compare);
    body.replaceChildren(...rows.slice(0, limit).map(row));
    if (rows.length > limit) {
      const more = element("button", { type: "button" }, `Show more (${grouped(limit)} of ${grouped(rows.length)})`);
      more.addEventListener("click", () => {
        limit += MORE;
        draw();
      });
      body.append(element("tr", {}, element("td", { colspan: String(columns.length) }, more)));
    }
    heads.forEach((head, number) => (head.ariaSort = number === sorted ? (isDescending ? "descending" : "ascending") : null));
  };
  const table = element("table", {}, element("caption", { class: "hidden" }, caption), element("thead", {}, element("tr", {}, ...heads)), body);
  draw();
  table.order = () => [...items].sort(compare);
  return table;
}
