// SPDX-License-Identifier: MIT
// Colours, read from the stylesheet, which defines both themes. Categories: hues that colour-blind people can tell
// apart (after Okabe and Ito), eight of them, always beside a label. Disorder: a scale that can be read by its lightness alone.

export const N_HUES = 8;
/** The colour of units without a category, and of categories that are not among the most frequent. */
export const GREY = -1;
const N_STEPS = 5;
const DARK = "(prefers-color-scheme: dark)";

/**
 * The number of each category's colour, GREY where the colours are used up. The most frequent categories come first:
 * those of `order`, which documents of a corpus share, or else those of this document. Categories that are switched off
 * need no colour: their colours go to rarer categories that are shown.
 */
export function huesOf(model, order, filter) {
  const { categories, unitsPerCategory } = model;
  const place = new Map((order ?? []).map((category, i) => [category, i]));
  const rank = (i) => place.get(categories[i]) ?? place.size;
  const byRank = categories.map((_, i) => i);
  byRank.sort((i, j) => rank(i) - rank(j) || unitsPerCategory[j] - unitsPerCategory[i] || i - j);
  const fixed = new Map();
  byRank.forEach((i, number) => {
    const hue = order ? rank(i) : number;
    if (hue < N_HUES) fixed.set(i, hue);
  });
  const isOn = (i) => filter.categories[i] === 1;
  const taken = new Set([...fixed].filter(([i]) => isOn(i)).map(([, hue]) => hue));
  const free = Array.from({ length: N_HUES }, (_, hue) => hue).filter((hue) => !taken.has(hue));
  const hues = categories.map((_, i) => fixed.get(i) ?? GREY);
  const isFiltered = filter.categories.some((on) => !on);
  if (isFiltered) for (const i of byRank) if (!fixed.has(i) && isOn(i) && free.length) hues[i] = free.shift();
  return hues;
}

/** A stylesheet's name for the colour of a category; GREY also for units without one. */
export function hueVariable(hue) {
  return hue < 0 ? "var(--u-none)" : `var(--u-hue-${hue})`;
}

/** The colours of the theme that is in force, for drawing on a canvas. */
export function themeOf(root) {
  const style = getComputedStyle(root);
  const isDark = style.colorScheme === "dark" || (style.colorScheme !== "light" && matchMedia(DARK).matches);
  // getPropertyValue returns a custom property as it is written: light-dark(#..., #...).
  const read = (name) => style.getPropertyValue(`--u-${name}`).match(/#[0-9a-f]{6}/g)[isDark ? 1 : 0];
  const steps = Array.from({ length: N_STEPS }, (_, i) => rgb(read(`disorder-${i}`)));
  return {
    hues: Array.from({ length: N_HUES }, (_, i) => read(`hue-${i}`)),
    none: read("none"),
    ink: read("ink"),
    soft: read("soft"),
    line: read("line"),
    band: read("band"),
    ground: read("ground"),
    accent: read("accent"),
    font: style.fontFamily,
    hue(index) {
      return index < 0 ? this.none : this.hues[index];
    },
    /** The colour of a disorder, as a share of what the empty unit costs. */
    disorder(share) {
      const at = Math.min(1, Math.max(0, share)) * (N_STEPS - 1);
      const low = Math.min(N_STEPS - 2, Math.floor(at));
      const mixed = steps[low].map((c, i) => Math.round(c + (steps[low + 1][i] - c) * (at - low)));
      return `rgb(${mixed.join(",")})`;
    },
  };
}

function rgb(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/** Calls back when the theme changes: by the system's preference or by a data-theme attribute above the element. */
export function watchTheme(root, changed) {
  const preference = matchMedia(DARK);
  preference.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  for (let node = root; node; node = node.parentElement) {
    observer.observe(node, { attributes: true, attributeFilter: ["data-theme"] });
  }
  return () => {
    preference.removeEventListener("change", changed);
    observer.disconnect();
  };
}
