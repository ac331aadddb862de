// SPDX-License-Identifier: MIT
// Colours, read from the stylesheet, which defines both themes. Categories: hues that colour-blind people can tell
// apart (after Okabe and Ito), always beside a label. Disorder: a scale that can be read by its lightness alone.

export const N_HUES = 12;
const N_STEPS = 5;
const DARK = "(prefers-color-scheme: dark)";

/** The number of a category's colour: its place among all categories, so that documents of a corpus share colours. */
export function huesOf(categories, order) {
  const place = order ? new Map(order.map((category, i) => [category, i])) : null;
  return categories.map((category, i) => (place?.get(category) ?? i) % N_HUES);
}

/** A stylesheet's name for the colour of a category; -1 is for units without one. */
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
