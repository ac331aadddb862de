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

/** Shows on a button for a moment that it did its work. */
export function confirmOn(button, text) {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => (button.textContent = before), 1500);
}

/** Every button with data-copy="ID" copies the text of that element; `done` is told the word shown on the button. */
export function activateCopyButtons(done = () => {}) {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", async () => {
      await copyText(byId(button.dataset.copy).textContent);
      if (button.textContent !== "Copied") confirmOn(button, "Copied");
      done("Copied");
    });
  }
}
