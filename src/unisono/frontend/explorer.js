// SPDX-License-Identifier: MIT
// The viewer of a corpus: which document is open, which cases are walked through, and the address of the place.
import { CaseBar } from "./cases.js";
import { mountViewer } from "./viewer/viewer.js";

/** The parts of a place that the viewer of a document knows. */
const VIEWER_PARTS = ["unit", "kind", "without", "withoutCategories", "withoutNone", "order", "compact"];

/**
 * `load(id)` returns the view of a document or throws; `views()` yields [id, view] of all; `withValues(from, to)` the ids of
 * documents with such a value; `nameOf(id)`, `idOf(name)` (undefined if it cannot be opened); `opened(id)` is called before a
 * document is shown, `shown(id, view)` after it; `moved(isNew)` when the place has changed (isNew: one to go back from).
 */
export class Explorer {
  constructor({ host, cases, load, views, withValues, nameOf, idOf, opened, shown, moved, viewerOptions = {} }) {
    Object.assign(this, { host, load, nameOf, idOf, opened, shown, moved, viewerOptions });
    this.viewer = null;
    this.id = null;
    this.section = null;
    this.cases = new CaseBar(cases, {
      views,
      idOf,
      withValues,
      open: (id, groupOf, only) => this.openCase(id, groupOf, only),
      changed: () => this.tell(true),
    });
    host.addEventListener("unisono-state", () => this.tell(false));
  }

  /** Reports that the place has changed; not while it is being drawn, nor when the change comes from the address. */
  tell(isNew) {
    if (!this.isDrawing && !this.isRestoring) this.moved(isNew);
  }

  /** Opens a document as a whole; `state`: what is selected and filtered in it. */
  async open(id, { state = {}, isNew = true } = {}) {
    this.cases.forget();
    this.isChosen ||= isNew;
    await this.draw(id, null, () => state);
    if (isNew) this.tell(true);
  }

  /** Opens a document with the unitary alignment `groupOf(view)` selected (-1: none) and only some of them shown. */
  async openCase(id, groupOf, only) {
    this.isChosen = true;
    await this.draw(id, only, (view) => {
      const group = groupOf(view);
      return group < 0 ? {} : { unit: group + 1 };
    });
    this.tell(false);
  }

  /** Shows the cases of a selection, the worst first. */
  showCases(selection, at = 0) {
    return this.cases.show(selection, at);
  }

  /** Draws a document; `stateOf(view)` is what is selected and filtered in it. */
  async draw(id, only, stateOf) {
    this.id = id;
    this.opened(id);
    const view = await this.load(id);
    if (this.id !== id || view === null) return; // another document was opened meanwhile
    const state = stateOf(view);
    this.isDrawing = true;
    try {
      if (this.isStale) this.unmount();
      if (this.viewer === null) this.viewer = mountViewer(this.host, view, this.viewerOptions);
      if (this.view !== view || this.only !== only || this.wasFiltered) this.viewer.show(view, only);
      [this.view, this.only] = [view, only];
      if (Object.keys(state).length) this.viewer.restore(state);
      this.wasFiltered = Object.keys(state).length > 0 || only !== null;
    } finally {
      this.isDrawing = false;
    }
    this.shown(id, view);
  }

  /** Whether the reader chose the document, or something in it; otherwise it was opened by itself. */
  get isVisited() {
    return Boolean(this.isChosen) || Object.keys(this.viewer?.state() ?? {}).length > 0;
  }

  /** Where the reader is, as plain data. */
  get place() {
    const place = { section: this.section ?? undefined };
    if (this.cases.selection) Object.assign(place, { case: this.cases.selection, at: this.cases.at });
    if (this.id === null || !this.isVisited) return place;
    return { document: this.nameOf(this.id), ...place, ...this.viewer?.state() };
  }

  /** Opens a place; false if it names nothing that can be opened. */
  async restore(place) {
    this.section = place.section ?? null;
    const id = place.document === undefined ? undefined : this.idOf(place.document);
    if (place.case) {
      this.isRestoring = true;
      try {
        await this.cases.show(place.case, place.at ?? 0);
      } finally {
        this.isRestoring = false;
      }
      return true;
    }
    if (id === undefined) return false;
    const state = Object.fromEntries(VIEWER_PARTS.filter((part) => part in place).map((part) => [part, place[part]]));
    await this.open(id, { state, isNew: false });
    return true;
  }

  /** What the viewer shows, to show it again in another: {state, sight, view}. */
  snapshot() {
    if (this.viewer === null) return { state: {}, sight: null, view: null };
    return { state: this.viewer.state(), sight: this.viewer.window(), view: this.view };
  }

  /** Replaces the viewer when the next document is drawn, for changed options; until then it stays. */
  remount() {
    this.isStale = true;
  }

  unmount() {
    this.viewer?.destroy();
    this.viewer = this.view = null;
    this.isStale = false;
  }

  destroy() {
    this.unmount();
    this.only = this.id = null;
    this.isChosen = false;
    this.cases.forget();
  }
}
