// SPDX-License-Identifier: MIT
// Problems as lists, messages at the top of the page, and what screen readers are told.
import { actionButton, byId, element } from "../dom.js";
import { groupDigits } from "../numbers.js";

const SHOWN = 8;

/** A text as a sentence: a capital at its start, unless it starts with a symbol such as γ; a full stop at its end. */
export function sentenceOf(text) {
  if (!text) return "";
  const start = /^[a-z]/.test(text) ? text[0].toUpperCase() : text[0];
  return `${start}${text.slice(1)}${/[.?!]$/.test(text) ? "" : "."}`;
}

/** What is wrong, in one sentence; problems of files saved by earlier versions have no message. */
export const messageOf = ({ message, expected, found }) =>
  message || (found ? `${expected}; found ${found}` : expected);

/** Problems as a list: where, what is wrong, what to do; `link(text)` may turn parts of a text into buttons. */
export function problemList(problems, link = (text) => [text], total = problems.length) {
  const item = (problem) =>
    element(
      "li",
      { class: "problem" },
      element("span", { class: `severity ${problem.severity}` }, problem.severity),
      " ",
      problem.where ? element("bdi", { class: "where" }, problem.where) : null,
      problem.where ? " " : null,
      element("bdi", {}, ...link(sentenceOf(messageOf(problem)))),
      problem.remedy ? element("span", { class: "remedy" }, ...link(sentenceOf(problem.remedy))) : null,
    );
  const list = element("ul", { class: "problems" }, ...problems.slice(0, SHOWN).map(item));
  if (problems.length <= SHOWN) return [list];
  const more = actionButton(`Show all ${groupDigits(total)}`, () => {
    list.append(...problems.slice(SHOWN).map(item));
    if (total > problems.length) list.append(element("li", {}, `… and ${groupDigits(total - problems.length)} more.`));
    more.remove();
  });
  return [list, more];
}

/** Shows problems at the top of the page, in place of those before; `action`: [words, function], a button. */
export function notify(problems, action = null) {
  const buttons = [actionButton("×", clearNotices, { "aria-label": "Close this message" })];
  if (action) {
    const [words, run] = action;
    const runAndClose = () => {
      clearNotices();
      run();
    };
    buttons.unshift(actionButton(words, runAndClose, { class: "primary" }));
  }
  const notice = element(
    "div",
    { class: "notice" },
    ...problemList(problems),
    element("p", { class: "buttons" }, ...buttons),
  );
  byId("notices").replaceChildren(notice);
}

export function clearNotices() {
  byId("notices").replaceChildren();
}

/** Tells something to those who hear the page instead of seeing it. */
export function announce(text) {
  byId("spoken").textContent = text;
}
