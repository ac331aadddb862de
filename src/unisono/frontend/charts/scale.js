// SPDX-License-Identifier: MIT
// Scales of charts: numbers to pixels, round marks on an axis, shares to colours.
import { numberText, roundStep } from "../numbers.js";

/** Maps [low, high] to [first, last]. */
export const linear = (low, high, first, last) => (value) => first + ((value - low) / (high - low)) * (last - first);

/** Round numbers from low to high, about so many, each with its text. */
export function axisMarks(low, high, about = 6) {
  const step = roundStep((high - low) / about);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const marks = [];
  for (let i = Math.ceil(low / step - 1e-9) + 0; i * step <= high + 1e-9 * step; i++)
    marks.push({ value: i * step + 0, text: numberText(i * step, digits) });
  return marks;
}

const measuring = document.createElement("canvas").getContext("2d");
/** How wide a text is in the type of the charts' labels, in pixels. */
export function textWidth(text) {
  measuring.font = "12px system-ui, sans-serif";
  return measuring.measureText(text.slice(0, 200)).width * 1.04;
}

/** As much of a text as has room, with an ellipsis where some is left out. */
export function fitText(text, room) {
  if (textWidth(text) <= room) return text;
  const characters = Array.from(text.slice(0, 200));
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(`${characters.slice(0, middle).join("")}…`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join("")}…`;
}

const channels = (text) => text.trim().split(/\s+/).map(Number);
const fromHex = (hex) => [1, 3, 5].map((i) => parseInt(hex.trim().slice(i, i + 2), 16));

/**
 * The colours of a page's theme as numbers, for scales: `mix(name, share)` is the paper with so much of a colour of
 * shared.css in it, `ink(name, share)` a text colour that can be read on it.
 */
export function palette(node) {
  const style = getComputedStyle(node);
  const paper = fromHex(style.getPropertyValue("--paper"));
  const text = fromHex(style.getPropertyValue("--ink"));
  const mixed = (name, share) => {
    const colour = channels(style.getPropertyValue(`--${name}`));
    return paper.map((each, i) => Math.round(each + (colour[i] - each) * share));
  };
  const luminance = (colour) =>
    [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
      const c = colour[i] / 255;
      return sum + weight * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    }, 0);
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const rgb = (colour) => `rgb(${colour.join(",")})`;
  return {
    mix: (name, share) => rgb(mixed(name, share)),
    ink: (name, share) => {
      const ground = mixed(name, share);
      return rgb(contrast(text, ground) >= contrast(paper, ground) ? text : paper);
    },
  };
}
