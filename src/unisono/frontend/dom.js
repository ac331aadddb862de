// SPDX-License-Identifier: MIT
// Elements without HTML strings: whatever comes from a file is text, never markup.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; strings among the children become text. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for a part of an SVG drawing. */
export function svgElement(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** A button that calls `action` with the click event. */
export function actionButton(words, action, attributes = {}) {
  const button = element("button", { type: "button", ...attributes }, words);
  button.addEventListener("click", action);
  return button;
}

/** A name from a file, isolated so that its writing direction does not affect the words around it; cut when long. */
export function nameElement(name, most = 80, className = "name") {
  const node = element("bdi", { class: className }, cut(name, most));
  if (name.length > 20) node.title = cut(name, 1000); // a stylesheet may cut shorter than `most`
  return node;
}

/** A text as parts for `element`: a number and its percent sign stay on one line. */
export const unbroken = (text) =>
  text.split(/(\([^)\s]* %\)|[\d.]+ %)/).map((part, i) => (i % 2 ? element("span", { class: "nowrap" }, part) : part));

/** At most `most` characters (code points), with an ellipsis where some are left out. */
export function cut(text, most) {
  if (text.length <= most) return text;
  const characters = Array.from(text.slice(0, 2 * most));
  return characters.length <= most && text.length <= 2 * most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

/** Listeners that are all removed by one call of `stop`. */
export function listenerGroup() {
  const controller = new AbortController();
  return {
    on(target, type, handler, options = {}) {
      target.addEventListener(type, handler, { ...options, signal: controller.signal });
    },
    stop: () => controller.abort(),
  };
}

/** Calls `work` at most once a frame, however often it is requested. */
export function oncePerFrame(work) {
  let frame = 0;
  const request = () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      work();
    });
  };
  request.cancel = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };
  return request;
}

/** Calls `work` when it was not requested again for so many milliseconds. */
export function debounce(work, milliseconds) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...given), milliseconds);
  };
}
