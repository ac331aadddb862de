// SPDX-License-Identifier: MIT
// Small words of the page: numbers, times, counts, names, problems.
import { cut, element } from "./viewer/dom.js";

export const byId = (id) => document.getElementById(id);

/** A value for people, with a true minus sign; a dash where there is none. */
export function numberText(value, digits = 3) {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

export const grouped = (count) => count.toLocaleString("en");

export const counted = (count, noun, nouns = `${noun}s`) => `${grouped(count)} ${count === 1 ? noun : nouns}`;

/** Seconds that are left, not more exact than they are known. */
export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined) return "";
  if (seconds < 1.5) return "about a second left";
  if (seconds < 90) return `about ${Math.round(seconds)} seconds left`;
  return `about ${Math.round(seconds / 60)} minutes left`;
}

/** A name that others gave: text and nothing else, set apart from the words around it, cut when long. */
export function named(name, most = 120) {
  const shown = element("bdi", { class: "name" }, cut(name, most));
  if (name.length > 20) shown.title = cut(name, 1000);
  return shown;
}

/** The widest uncertainty that is known of a value. */
export function widestInterval(value) {
  for (const kind of ["documents", "stretches", "chance"]) {
    const found = value.intervals.find((interval) => interval.kind === kind);
    if (found) return found;
  }
  return null;
}

export const intervalText = (interval) => (interval ? `${numberText(interval.low)} to ${numberText(interval.high)}` : "–");

const SHOWN = 8;

/** Problems as a list: where, what was expected, what was found, what to do; `remedy` may make buttons of options. */
export function problemList(problems, remedy = (text) => [text], total = problems.length) {
  const item = (problem) =>
    element(
      "li",
      { class: "problem" },
      element("span", { class: `severity ${problem.severity}` }, problem.severity),
      " ",
      problem.where ? element("bdi", { class: "where" }, problem.where) : null,
      problem.where ? " " : null,
      element("span", {}, sentence(problem.expected)),
      problem.found ? element("span", { class: "found" }, element("em", {}, "Found: "), element("bdi", {}, problem.found)) : null,
      problem.remedy ? element("span", { class: "remedy" }, element("em", {}, "To do: "), ...remedy(problem.remedy)) : null,
    );
  const list = element("ul", { class: "problems" }, ...problems.slice(0, SHOWN).map(item));
  if (problems.length <= SHOWN) return [list];
  const more = element("button", { type: "button" }, `Show all ${grouped(total)}`);
  more.addEventListener("click", () => {
    list.append(...problems.slice(SHOWN).map(item));
    if (total > problems.length) list.append(element("li", {}, `… and ${grouped(total - problems.length)} more.`));
    more.remove();
  });
  return [list, more];
}

const sentence = (text) => (text ? `${text[0].toUpperCase()}${text.slice(1)}` : "");

/** Says something to those who hear the page instead of seeing it. */
export function say(text) {
  byId("spoken").textContent = text;
}

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { class: "hidden" }); // pages without TLS may not use the clipboard
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** A button that tells for a moment that it did what it should. */
export function confirmOn(button, text) {
  const before = button.textContent;
  button.textContent = text;
  say(text);
  setTimeout(() => (button.textContent = before), 1500);
}

/** Calls `work` when nothing happened for a while. */
export function settled(work, milliseconds) {
  let timer = 0;
  const later = (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
  later.cancel = () => clearTimeout(timer);
  return later;
}
