// SPDX-License-Identifier: MIT
// Files that a page gives away: anything under a name, tables as CSV.
import { element } from "./dom.js";

/** Saves a file: a text or a blob. */
export function saveFile(name, content, type = "application/octet-stream") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element("a", { href: url, download: name, class: "hidden" });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** {columns, rows} as CSV, or as TSV for a spreadsheet; an empty cell where there is no value. */
export function csvText({ columns, rows }, delimiter = ",") {
  const cell = (value) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /["\n\r\t,;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => `${row.map(cell).join(delimiter)}\n`).join("");
}

/** A table element as {columns, rows}: what its cells show, numbers as a program writes them. */
export function tableContent(table) {
  const textOf = (node) => {
    const text = node.innerText.trim().replace(/ [▲▼]$/, "");
    if (text === "–" || text === "·") return "";
    const isNumber = node.matches(".n") && /^[−\d.,]+$/.test(text); // a name may look like one
    return isNumber ? text.replace("−", "-").replaceAll(",", "") : text.replace(/\s+/g, " ");
  };
  const [head, ...rest] = [...table.rows].filter((row) => !row.closest("tfoot")); // totals are no data
  return { columns: [...head.cells].map(textOf), rows: rest.map((row) => [...row.cells].map(textOf)) };
}
