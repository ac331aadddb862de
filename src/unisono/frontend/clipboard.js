// SPDX-License-Identifier: MIT
// Buttons that copy.
import { byId, element } from "./dom.js";

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk and pages without TLS may not use the clipboard interface.
    const area = element("textarea", { class: "hidden" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** The words of buttons that show something else for a moment. */
const usualWords = new WeakMap();

/** Shows on a button for a moment that it did its work. */
export function confirmOn(button, text) {
  if (usualWords.has(button)) return; // clicked again: the timer of the first click restores the words
  usualWords.set(button, button.textContent);
  button.textContent = text;
  setTimeout(() => {
    button.textContent = usualWords.get(button);
    usualWords.delete(button);
  }, 1500);
}

/** Every button with data-copy="ID" copies the text of that element; `done` is told the word shown on the button. */
export function activateCopyButtons(done = () => {}) {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", async () => {
      await copyText(byId(button.dataset.copy).textContent);
      confirmOn(button, "Copied");
      done("Copied");
    });
  }
}
