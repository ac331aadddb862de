// SPDX-License-Identifier: MIT
// The controls: jumps, zoom, the kind of disagreement, and chips that switch annotators and categories on and off.
import { actionButton, element } from "../dom.js";
import { groupDigits } from "../numbers.js";
import { hueVariable } from "./colours.js";
import { isKind, KINDS } from "./model.js";
import { fillIn, viewerName } from "./words.js";

/** Chips shown of a long list; the others behind a button with their number. */
const CHIPS = 8;

export function makeControls(listeners, texts, actions) {
  const button = (name, hint, action, label) => actionButton(name, action, { title: hint, "aria-label": label });
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
  const compact = button(texts.compact, texts.compactHint, actions.compact);
  const order = element(
    "select",
    { class: "u-order" },
    element("option", { value: "name" }, texts.byName),
    element("option", { value: "agreement" }, texts.byAgreement),
  );
  listeners.on(order, "change", () => actions.order(order.value));
  const orders = element("label", { class: "u-kinds" }, `${texts.order} `, order);
  const chips = element("div", { class: "u-chips" });
  const bar = element("div", { class: "u-bar" }, jumps, zoom, kinds, orders, compact, reset);
  return {
    bar,
    chips,
    show(state) {
      const { groups } = state.model;
      kinds.hidden = jumps.hidden = !groups;
      orders.hidden = !groups || state.model.annotators.length < 3;
      compact.hidden = state.model.annotators.length < 2;
      if (groups) select.replaceChildren(...KINDS.map((kind) => kindOption(kind, groups, texts)));
      chips.replaceChildren(
        chipRow(listeners, texts.annotators, annotatorChips(state), state.filter.annotators, actions, texts),
        chipRow(listeners, texts.categories, categoryChips(state, texts), state.filter.categories, actions, texts),
      );
      this.refilter(state);
    },
    refilter({ filter, isCompact, orderedBy, hues }) {
      select.value = filter.kind;
      order.value = orderedBy;
      compact.setAttribute("aria-pressed", String(isCompact));
      reset.hidden = filter.isOpen;
      for (const row of chips.children) row.refresh?.(hues);
    },
  };
}

function kindOption(kind, groups, texts) {
  const count = groups.kinds.reduce((sum, kinds) => sum + (isKind(kinds, kind) ? 1 : 0), 0);
  return element("option", { value: kind }, `${texts[kind]} (${groupDigits(count)})`);
}

function annotatorChips({ model }) {
  return model.byName.map((i) => ({
    index: i,
    name: model.annotators[i],
    count: model.lanes[i].units.length,
    colour: null,
  }));
}

function categoryChips({ model, hues }, texts) {
  const chips = model.categories.map((name, i) => ({
    index: i,
    name,
    count: model.unitsPerCategory[i],
    colour: hueVariable(hues[i]),
  }));
  chips.sort((a, b) => b.count - a.count || a.index - b.index);
  const without = model.unitsPerCategory[model.categories.length];
  if (without)
    chips.push({ index: model.categories.length, name: texts.noCategory, count: without, colour: hueVariable(-1) });
  return chips;
}

/** Chips that are pressed or not; a double click, or a click with Shift, presses one alone. */
function chipRow(listeners, title, chips, switches, actions, texts) {
  const buttons = chips.map(({ index, name, count, colour }) => {
    const swatch = element("span", { class: colour ? "u-swatch" : "u-swatch u-plain" });
    if (colour) swatch.style.backgroundColor = colour;
    const chip = element(
      "button",
      { type: "button", class: "u-chip", title: texts.onlyHint },
      swatch,
      viewerName(name),
      element("span", { class: "u-count" }, groupDigits(count)),
    );
    chip.index = index;
    const pressAlone = () => {
      switches.fill(0);
      switches[index] = 1;
      actions.filter();
    };
    listeners.on(chip, "click", (event) => {
      if (event.shiftKey) return pressAlone();
      switches[index] = switches[index] ? 0 : 1;
      return actions.filter();
    });
    listeners.on(chip, "dblclick", pressAlone);
    return chip;
  });
  const list = element("div", { class: "u-chiplist" }, ...buttons);
  if (buttons.length > CHIPS + 2) {
    const rest = buttons.slice(CHIPS);
    const words = fillIn(texts.moreChips, { count: rest.length });
    const more = element("button", { type: "button", class: "u-chip u-more", "aria-expanded": "false" }, words);
    const fold = (isFolded) => {
      for (const chip of rest) chip.hidden = isFolded;
      more.textContent = isFolded ? words : texts.fewerChips;
      more.setAttribute("aria-expanded", String(!isFolded));
    };
    listeners.on(more, "click", () => fold(more.getAttribute("aria-expanded") === "true"));
    list.append(more);
    fold(true);
  }
  const row = element(
    "div",
    { class: "u-chiprow", role: "group", "aria-label": title },
    element("span", { class: "u-label" }, title),
    list,
  );
  row.hidden = chips.length === 0;
  row.refresh = (hues) => {
    for (const chip of buttons) {
      chip.setAttribute("aria-pressed", String(Boolean(switches[chip.index])));
      const swatch = chip.querySelector(".u-swatch:not(.u-plain)");
      if (swatch && chip.index < hues.length) swatch.style.backgroundColor = hueVariable(hues[chip.index]);
    }
  };
  return row;
}
