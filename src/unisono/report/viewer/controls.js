// SPDX-License-Identifier: MIT
// What can be pressed: jumps, zoom, the kind of disagreement, and chips that switch annotators and categories.
import { element, nameElement } from "./dom.js";
import { hueVariable } from "./colours.js";
import { isKind } from "./model.js";
import { grouped } from "./scale.js";

const KINDS = ["all", "disagreement", "position", "category", "missing", "agreement"];

export function makeControls(listeners, texts, actions) {
  const button = (name, hint, action, label) => {
    const made = element("button", { type: "button", title: hint, "aria-label": label ?? null }, name);
    listeners.on(made, "click", action);
    return made;
  };
  const select = element("select", { class: "u-kind" });
  listeners.on(select, "change", () => actions.kind(select.value));
  const jumps = element(
    "div",
    { class: "u-group u-jumps" },
    button(texts.worst, texts.worstHint, actions.worst),
    button(`‹ ${texts.previous}`, texts.previousHint, actions.previous, texts.previous),
    button(`${texts.next} ›`, texts.nextHint, actions.next, texts.next),
  );
  const zoom = element(
    "div",
    { class: "u-group" },
    button("−", `${texts.zoomOut} (−)`, actions.zoomOut, texts.zoomOut),
    button("+", `${texts.zoomIn} (+)`, actions.zoomIn, texts.zoomIn),
    button(texts.whole, texts.wholeHint, actions.whole),
  );
  const reset = button(texts.reset, null, actions.reset);
  reset.classList.add("u-reset");
  const kinds = element("label", { class: "u-kinds" }, `${texts.show} `, select);
  const chips = element("div", { class: "u-chips" });
  const bar = element("div", { class: "u-bar" }, jumps, zoom, kinds, reset);
  return {
    bar,
    chips,
    show(state) {
      const { groups } = state.model;
      kinds.hidden = jumps.hidden = !groups;
      if (groups) select.replaceChildren(...KINDS.map((kind) => kindOption(kind, groups, texts)));
      chips.replaceChildren(
        chipRow(listeners, texts.annotators, annotatorChips(state), state.filter.annotators, actions, texts),
        chipRow(listeners, texts.categories, categoryChips(state, texts), state.filter.categories, actions, texts),
      );
      this.refilter(state);
    },
    refilter({ filter }) {
      select.value = filter.kind;
      reset.hidden = filter.isOpen;
      for (const row of chips.children) row.refresh?.();
    },
  };
}

function kindOption(kind, groups, texts) {
  const count = groups.kinds.reduce((sum, kinds) => sum + (isKind(kinds, kind) ? 1 : 0), 0);
  return element("option", { value: kind }, `${texts[kind]} (${grouped(count)})`);
}

function annotatorChips({ model }) {
  return model.annotators.map((name, i) => ({ index: i, name, count: model.lanes[i].units.length, colour: null }));
}

function categoryChips({ model, hues }, texts) {
  const found = model.categories.map((name, i) => ({
    index: i,
    name,
    count: model.unitsPerCategory[i],
    colour: hueVariable(hues[i]),
  }));
  const without = model.unitsPerCategory[model.categories.length];
  if (without)
    found.push({ index: model.categories.length, name: texts.noCategory, count: without, colour: hueVariable(-1) });
  return found;
}

/** Chips that are pressed or not; a double click leaves one alone pressed. */
function chipRow(listeners, title, chips, switches, actions, texts) {
  const buttons = chips.map(({ index, name, count, colour }) => {
    const swatch = element("span", { class: colour ? "u-swatch" : "u-swatch u-plain" });
    if (colour) swatch.style.backgroundColor = colour;
    const made = element(
      "button",
      { type: "button", class: "u-chip", title: texts.onlyHint },
      swatch,
      nameElement(name),
      element("span", { class: "u-count" }, grouped(count)),
    );
    made.index = index;
    const alone = () => {
      switches.fill(0);
      switches[index] = 1;
      actions.filter();
    };
    listeners.on(made, "click", (event) => {
      if (event.shiftKey) return alone();
      switches[index] = switches[index] ? 0 : 1;
      return actions.filter();
    });
    listeners.on(made, "dblclick", alone);
    return made;
  });
  const row = element(
    "div",
    { class: "u-chiprow", role: "group", "aria-label": title },
    element("span", { class: "u-label" }, title),
    element("div", { class: "u-chiplist" }, ...buttons),
  );
  row.hidden = chips.length === 0;
  row.refresh = () =>
    buttons.forEach((made) => made.setAttribute("aria-pressed", String(Boolean(switches[made.index]))));
  return row;
}
