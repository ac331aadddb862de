// SPDX-License-Identifier: MIT
// Messages at the top of the page, one at a time: what went wrong, and a button that mends it where there is one.
import { element } from "./viewer/dom.js";
import { byId, problemList } from "./words.js";

/** Shows problems; `action` is [words, what to do]. */
export function notify(problems, action = null) {
  const close = element("button", { type: "button", "aria-label": "Close this message" }, "×");
  close.addEventListener("click", clearNotices);
  const buttons = action ? [actionButton(...action), close] : [close];
  byId("notices").replaceChildren(element("div", { class: "notice" }, ...problemList(problems), element("p", { class: "buttons" }, ...buttons)));
}

export function clearNotices() {
  byId("notices").replaceChildren();
}

function actionButton(words, action) {
  const button = element("button", { type: "button", class: "primary" }, words);
  button.addEventListener("click", () => {
    clearNotices();
    action();
  });
  return button;
}
