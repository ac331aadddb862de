// SPDX-License-Identifier: MIT
// Elements without HTML strings: whatever comes from a file is text, never markup.

/** An element with attributes and children; strings among the children become text. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** A name from a file: set apart, so that its reading direction cannot turn the words around it; cut when long. */
export function nameElement(name, most = 80) {
  const shown = element("bdi", { class: "u-name" }, cut(name, most));
  if (shown.textContent !== name) shown.title = cut(name, 1000);
  return shown;
}

/** At most so many characters (whole ones), with an ellipsis where something is missing. */
export function cut(text, most) {
  if (text.length <= most) return text;
  const characters = Array.from(text.slice(0, 2 * most));
  return characters.length <= most && text.length <= 2 * most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Listeners that can all be taken off again. */
export function listening() {
  const controller = new AbortController();
  return {
    on(target, type, handler, options = {}) {
      target.addEventListener(type, handler, { ...options, signal: controller.signal });
    },
    stop: () => controller.abort(),
  };
}

/** Calls `work` at most once a frame, however often it is asked for. */
export function oncePerFrame(work) {
  let asked = 0;
  const ask = () => {
    asked ||= requestAnimationFrame(() => {
      asked = 0;
      work();
    });
  };
  ask.cancel = () => {
    cancelAnimationFrame(asked);
    asked = 0;
  };
  return ask;
}
