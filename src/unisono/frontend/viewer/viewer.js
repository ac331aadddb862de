// SPDX-License-Identifier: MIT
// The viewer of one document: mountViewer(element, viewData, options) puts it into an element of any page.
// It draws the data of unisono.report.view and computes no measure itself.
import { element, listenerGroup, oncePerFrame } from "../dom.js";
import { countText } from "../numbers.js";
import { huesOf, themeOf, watchTheme } from "./colours.js";
import { makeControls } from "./controls.js";
import { Explanation } from "./explain.js";
import { Gestures } from "./gestures.js";
import { drawLanes, Labels } from "./lanes.js";
import { layoutOf, MANY_ANNOTATORS, NARROW } from "./layout.js";
import { Filter, KINDS, orderByAgreement, readView } from "./model.js";
import { Overview } from "./overview.js";
import { Scale } from "./scale.js";
import { AlignmentTable } from "./table.js";
import { TextPane } from "./text.js";
import { fillIn, summary, TEXTS, viewerName } from "./words.js";

let mounted = 0;

const shortNumber = (value) => String(Number(value.toFixed(2)));

/**
 * Shows a document. `texts` replaces words of the interface; `categories` are those of the whole corpus, the most frequent
 * first, so that a category has the same colour in every document; `below` is an element to show under the explanation,
 * `tools` are further buttons.
 * Returns {show, select, look, window, state, restore, destroy}: another document, of which only some unitary alignments
 * (`only`, numbers) may be shown; the unitary alignment of this number (-1: none); a stretch of the continuum; the stretch
 * in sight; what is selected and filtered, as plain data, and back; removal. Selecting fires "unisono-select" on the
 * element, with detail {group, disorder, from, to} (group -1: nothing selected), a change of what `state` returns
 * "unisono-state".
 */
export function mountViewer(host, viewData, options = {}) {
  const viewer = new Viewer(host, options);
  viewer.show(viewData);
  return {
    show: (data, only = null) => viewer.show(data, only),
    select: (group) => viewer.select(group, { look: true }),
    look: (from, to) => viewer.look(() => viewer.state.scale.look(from, to)),
    window: () => [viewer.state.scale.from, viewer.state.scale.to],
    state: () => viewer.plainState(),
    restore: (state) => viewer.restore(state),
    redraw: () => viewer.restyle(),
    destroy: () => viewer.destroy(),
  };
}

class Viewer {
  constructor(host, { texts = {}, categories = null, below = null, tools = [] }) {
    this.host = host;
    this.texts = { ...TEXTS, ...texts };
    this.categories = categories;
    this.below = below;
    this.orderedBy = "name";
    this.wantsCompact = null; // as the user chose; null: by the number of annotators
    this.listeners = listenerGroup();
    this.labels = new Labels();
    this.build();
    this.controls.bar.append(...tools);
    this.redraw = oncePerFrame(() => this.draw());
    this.unwatch = watchTheme(this.root, () => this.restyle());
    this.resized = new ResizeObserver(() => this.resize());
    this.resized.observe(this.plot);
  }

  build() {
    const { texts, listeners } = this;
    const keys = `unisono-keys-${++mounted}`;
    this.controls = makeControls(listeners, texts, {
      worst: () => this.jumpToWorst(),
      previous: () => this.step(-1),
      next: () => this.step(1),
      zoomIn: () => this.zoom(1.6),
      zoomOut: () => this.zoom(1 / 1.6),
      whole: () => this.look(() => this.state.scale.whole()),
      kind: (kind) => {
        this.state.filter.kind = kind;
        this.refilter();
      },
      filter: () => this.refilter(),
      reset: () => this.resetFilter(),
      compact: () => this.toggleCompact(),
      order: (by) => {
        this.orderedBy = by;
        this.arrangeLanes();
      },
    });
    this.summary = element("p", { class: "u-summary" });
    this.canvas = element("canvas", { class: "u-canvas" });
    this.stage = element(
      "div",
      { class: "u-stage", tabindex: "0", role: "application", "aria-describedby": keys },
      this.canvas,
    );
    this.names = element("div", { class: "u-names", "aria-hidden": "true" });
    this.tip = element("div", { class: "u-tip", "aria-hidden": "true", hidden: true });
    this.plot = element("div", { class: "u-plot" }, this.names, this.stage, this.tip);
    this.overview = new Overview(listeners, { look: (from, to) => this.look(() => this.state.scale.look(from, to)) });
    this.legend = element(
      "div",
      { class: "u-legend" },
      element(
        "span",
        { class: "u-key" },
        `${texts.disorderScale}  0`,
        element("span", { class: "u-gradient" }),
        (this.legendEnd = element("span")),
      ),
      (this.legendAlone = element("span")),
      element("span", { class: "u-key" }, element("span", { class: "u-swatch u-ghost" }), texts.emptyUnit),
    );
    this.explanation = new Explanation(texts, (group) => {
      this.select(group, { look: true });
      this.stage.focus({ preventScroll: true }); // the button was removed; restore focus
    });
    this.text = new TextPane({ point: (unit) => this.pointAtUnit(unit), select: (unit) => this.selectUnit(unit) });
    this.text.listen(listeners);
    this.text.body.setAttribute("aria-label", texts.text);
    this.textHint = element("p", { class: "u-hint" });
    this.textBox = element("div", { class: "u-textbox" }, this.textHint, this.text.body);
    this.table = new AlignmentTable(listeners, {
      select: (group) => this.select(group, { look: true }),
      point: (group) => this.point(group < 0 ? null : { unit: -1, group }),
      texts,
    });
    this.root = element(
      "section",
      { class: "unisono-viewer" },
      this.summary,
      this.controls.bar,
      this.controls.chips,
      element("div", { class: "u-board" }, this.plot, this.overview.canvas, this.legend),
      element("div", { class: "u-stay" }, this.explanation.panel, this.below),
      this.textBox,
      this.table.details,
      this.explanation.live,
      element(
        "details",
        { class: "u-help" },
        element("summary", {}, texts.keysTitle),
        element("p", { id: keys }, texts.keys),
      ),
    );
    this.host.append(this.root);
    new Gestures(this).listen();
  }

  /** Another document in the same place. */
  show(data, only = null) {
    const model = readView(data);
    const { groups } = model;
    const most = groups ? Math.max(groups.deltaEmpty ?? 0, groups.worst) || 1 : 1;
    this.state = {
      model,
      filter: new Filter(model),
      orderedBy: this.orderedBy,
      isCompact: this.wantsCompact ?? model.annotators.length >= MANY_ANNOTATORS,
      scale: new Scale(model.extent, model.axis),
      theme: themeOf(this.root),
      share: (disorder) => disorder / most,
      selected: -1,
      hovered: -1,
      pointed: -1,
    };
    if (only !== null && groups) {
      this.state.filter.only = new Set(only);
      this.state.filter.apply();
    }
    this.state.hues = huesOf(model, this.categories, this.state.filter);
    this.order();
    this.summary.textContent = summary(model, this.texts);
    this.stage.setAttribute("aria-label", `${this.texts.lanes}: ${summary(model, this.texts)}`);
    this.legend.hidden = !groups;
    this.legendEnd.textContent = shortNumber(most);
    this.legendAlone.textContent = groups?.deltaEmpty
      ? fillIn(this.texts.alone, { value: shortNumber(groups.deltaEmpty) })
      : "";
    this.textBox.hidden = model.text === null;
    this.tip.hidden = true;
    this.explanation.show(this.state);
    this.controls.show(this.state);
    this.table.show(this.state);
    this.arrange();
    this.text.show(this.state);
    this.hintText();
  }

  /** Puts the annotators into the order that was chosen. */
  order() {
    const { state } = this;
    state.orderedBy = this.orderedBy;
    state.order = this.orderedBy === "agreement" ? orderByAgreement(state.model) : state.model.byName;
  }

  arrangeLanes() {
    this.order();
    this.controls.refilter(this.state);
    this.arrange();
    this.text.refilter(this.state);
    this.hintText();
    this.tellState();
  }

  toggleCompact() {
    this.wantsCompact = !this.state.isCompact;
    this.state.isCompact = this.wantsCompact;
    this.arrangeLanes();
  }

  hintText() {
    const { model, filter } = this.state;
    const shown = this.state.order.filter((i) => filter.annotators[i] && model.lanes[i].units.length);
    this.textHint.replaceChildren(`${this.texts.textHint} `);
    shown.forEach((who, i) => this.textHint.append(i ? ", " : "", viewerName(model.annotators[who], 30)));
  }

  /** Lays out lanes, names and strip for the available width. */
  arrange() {
    const { state } = this;
    const width = this.plot.clientWidth;
    state.narrow = width < NARROW;
    this.root.classList.toggle("u-narrow", state.narrow);
    this.root.classList.toggle("u-compact", state.isCompact);
    state.layout = layoutOf(state.model, state.filter, state);
    state.scale.width = Math.max(1, this.stage.clientWidth);
    this.names.replaceChildren(
      ...state.layout.lanes.map((row) => {
        const count = countText(row.lane.units.length, ...this.texts.nUnits);
        const shown = viewerName(state.model.annotators[row.annotator], 60);
        const name = element("div", { class: "u-lane", title: state.isCompact ? count : null }, shown);
        if (!state.isCompact) name.append(element("span", { class: "u-count" }, count));
        name.style.top = `${row.name}px`;
        if (state.isCompact) name.style.height = `${row.bottom - row.top}px`;
        else name.style.height = state.narrow ? "" : `${Math.max(30, row.bottom - row.top)}px`;
        return name;
      }),
    );
    if (state.layout.disorder) {
      const label = element("div", { class: "u-lane u-disorder" }, this.texts.disorder);
      label.style.top = `${state.layout.disorder.top}px`;
      label.style.height = `${state.layout.disorder.height}px`;
      if (!state.narrow || state.isCompact) this.names.append(label);
    }
    this.overview.prepare(state);
    this.draw();
  }

  draw() {
    this.redraw.cancel();
    drawLanes(this.canvas, this.labels, this.state);
    this.overview.draw(this.state);
  }

  resize() {
    if (this.stage.clientWidth !== this.state.scale.width) this.arrange();
  }

  restyle() {
    this.state.theme = themeOf(this.root);
    this.overview.prepare(this.state);
    this.draw();
  }

  refilter() {
    const { state } = this;
    state.filter.apply();
    state.hues = huesOf(state.model, this.categories, state.filter);
    if (state.selected >= 0 && !state.filter.groups[state.selected]) this.select(-1);
    this.controls.refilter(state);
    this.table.refilter(state);
    this.arrange();
    this.text.refilter(state);
    this.hintText();
    this.tellState();
  }

  /** What is selected and filtered, as plain data, without what has its initial value. */
  plainState() {
    const { model, filter, selected } = this.state;
    const off = (names, switches) => names.filter((_, i) => !switches[i]);
    const state = {};
    if (selected >= 0) state.unit = selected + 1;
    if (filter.kind !== "all") state.kind = filter.kind;
    const [annotators, categories] = [
      off(model.annotators, filter.annotators),
      off(model.categories, filter.categories),
    ];
    if (annotators.length) state.without = annotators;
    if (categories.length) state.withoutCategories = categories;
    if (!filter.categories[model.categories.length]) state.withoutNone = true;
    if (this.orderedBy !== "name") state.order = this.orderedBy;
    if (this.wantsCompact !== null) state.compact = this.wantsCompact;
    return state;
  }

  restore(state) {
    const { model, filter } = this.state;
    const switchOff = (names, switches, off) => names.forEach((name, i) => (switches[i] = off.includes(name) ? 0 : 1));
    filter.kind = KINDS.includes(state.kind) ? state.kind : "all";
    switchOff(model.annotators, filter.annotators, state.without ?? []);
    switchOff(model.categories, filter.categories, state.withoutCategories ?? []);
    filter.categories[model.categories.length] = state.withoutNone ? 0 : 1;
    this.orderedBy = state.order === "agreement" ? "agreement" : "name";
    this.wantsCompact = state.compact ?? null;
    this.state.isCompact = this.wantsCompact ?? model.annotators.length >= MANY_ANNOTATORS;
    this.order();
    this.refilter();
    const group = (state.unit ?? 0) - 1;
    if (model.groups && group < model.groups.count) this.select(group, { look: true });
  }

  tellState() {
    this.host.dispatchEvent(new CustomEvent("unisono-state", { bubbles: true }));
  }

  resetFilter() {
    const { filter } = this.state;
    filter.kind = "all";
    filter.annotators.fill(1);
    filter.categories.fill(1);
    this.refilter();
    this.stage.focus({ preventScroll: true });
  }

  // ---- moving

  look(change) {
    change();
    this.redraw();
  }

  zoom(factor, x) {
    this.look(() => this.state.scale.zoom(factor, x));
  }

  pan(share) {
    this.look(() => this.state.scale.pan(share * this.state.scale.span));
  }

  // ---- choosing

  select(group, { look = false } = {}) {
    const { state } = this;
    if (!state.model.groups) return;
    state.selected = group;
    this.showSelection();
    this.explanation.announce(state, group);
    if (group >= 0 && look) {
      const { from, to } = state.model.groups;
      this.look(() => state.scale.show(from[group], to[group]));
      this.text.scrollTo(from[group]);
    }
    const { disorder, from, to } = state.model.groups;
    const detail = group < 0 ? { group } : { group, disorder: disorder[group], from: from[group], to: to[group] };
    this.host.dispatchEvent(new CustomEvent("unisono-select", { detail, bubbles: true }));
    this.tellState();
  }

  selectUnit(unit) {
    const { groups, units } = this.state.model;
    if (groups) this.select(groups.of[unit]);
    const [from, to] = [units.start[unit], units.end[unit]];
    if (to < this.state.scale.from || from > this.state.scale.to) this.look(() => this.state.scale.show(from, to));
  }

  pointAtUnit(unit) {
    const { groups } = this.state.model;
    this.point(unit < 0 ? null : { unit, group: groups ? groups.of[unit] : -1 });
  }

  point(hit) {
    const { state } = this;
    const [group, unit] = hit ? [hit.group, hit.unit] : [-1, -1];
    if (group === state.hovered && unit === state.pointed) return;
    state.hovered = group;
    state.pointed = unit;
    this.showSelection();
  }

  /** Redraws everything that shows the selection. */
  showSelection() {
    this.explanation.explain(this.state);
    this.text.choose(this.state);
    this.table.choose(this.state);
    this.redraw();
  }

  disagreements(order) {
    const { filter, model } = this.state;
    return Array.from(order).filter((group) => filter.groups[group] && model.groups.kinds[group] !== 0);
  }

  jumpToWorst() {
    const { model, selected } = this.state;
    if (!model.groups) return;
    const ranked = this.disagreements(model.groups.byDisorder);
    const next = this.lastWorst === selected && selected >= 0 ? ranked.indexOf(selected) + 1 : 0;
    if (!ranked.length) return;
    this.lastWorst = ranked[next % ranked.length];
    this.select(this.lastWorst, { look: true });
  }

  /** To the next (or previous) disagreement along the continuum, from the selected one or from what is in sight. */
  step(by, { all = false } = {}) {
    const { model, filter, selected, scale } = this.state;
    if (!model.groups) return;
    const { byPlace, from } = model.groups;
    const groups = all ? Array.from(byPlace).filter((group) => filter.groups[group]) : this.disagreements(byPlace);
    if (!groups.length) return;
    const rank = new Map(Array.from(byPlace, (group, i) => [group, i]));
    const here = selected >= 0 ? rank.get(selected) : -1;
    const isAfter = (group) => (here >= 0 ? rank.get(group) > here : from[group] >= scale.from);
    const isBefore = (group) => (here >= 0 ? rank.get(group) < here : from[group] <= scale.to);
    const next = by > 0 ? (groups.find(isAfter) ?? groups[0]) : (groups.findLast(isBefore) ?? groups.at(-1));
    this.select(next, { look: true });
  }

  zoomToSelected() {
    const { model, selected, scale } = this.state;
    if (selected < 0) return;
    const { from, to } = model.groups;
    const room = Math.max((to[selected] - from[selected]) * 0.5, scale.least / 2);
    this.look(() => scale.look(from[selected] - room, to[selected] + room));
  }

  destroy() {
    this.listeners.stop();
    this.resized.disconnect();
    this.unwatch();
    this.text.stop();
    this.redraw.cancel();
    this.root.remove();
  }
}
