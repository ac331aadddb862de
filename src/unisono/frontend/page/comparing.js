// SPDX-License-Identifier: MIT
// Compare two: a result is kept as the first side, and the data that come next are the second.
import { showComparison } from "../charts/comparison.js";
import { actionButton, byId, element, nameElement } from "../dom.js";
import { countText } from "../numbers.js";
import { call, fetchWhenReady } from "./api.js";
import { announce, problemList } from "./problems.js";

export class Comparing {
  /** `isOther(upload)`: whether these data are not the ones that the page shows. */
  constructor(isOther) {
    this.isOther = isOther;
    this.first = null; // {upload, job, name}
  }

  /** Keeps a result as the first side; the page must not delete its data. */
  begin(upload, job) {
    this.end();
    this.first = { upload, job, name: nameOf(upload) };
    this.showHint();
    announce("This result is the first side. Choose the data of the second.");
  }

  /** Whether these data are those of the first side. */
  keeps(upload) {
    return this.first !== null && this.first.upload.id === upload?.id;
  }

  showHint() {
    byId("comparing").replaceChildren(
      element(
        "p",
        { class: "caution" },
        "The first side is ",
        nameElement(this.first.name, 60),
        ". For the second side, drop or choose other data, or change a setting. ",
        actionButton("Stop comparing", () => this.end()),
      ),
    );
    byId("comparing").hidden = false;
  }

  /** The second side was measured: shows both. */
  async show(upload, job, signal) {
    if (this.first === null || job === this.first.job) return;
    const names = [this.first.name, nameOf(upload)];
    if (names[0] === names[1]) [names[0], names[1]] = [`${names[0]} (before)`, `${names[1]} (now)`];
    const query = new URLSearchParams({ with: this.first.job, first: names[0], second: names[1] });
    const body = element("section", { "aria-label": "Comparison", class: "comparison" });
    this.showHint();
    byId("comparing").append(body);
    try {
      const answer = await fetchWhenReady(`/jobs/${job}/comparison?${query}`, { signal });
      const comparison = await answer.json();
      if (!signal.aborted) showComparison(body, comparison);
    } catch (error) {
      if (!signal.aborted) body.replaceChildren(...problemList(error.problems ?? [{ message: error.message }]));
    }
  }

  /** Gives the first side up and deletes its data. */
  end() {
    if (this.first === null) return;
    const { upload } = this.first;
    this.first = null;
    byId("comparing").hidden = true;
    byId("comparing").replaceChildren();
    if (this.isOther(upload)) call("DELETE", `/uploads/${upload.id}`).catch(() => {});
  }
}

const nameOf = ({ files, data }) =>
  files.length === 1 ? files[0] : `${files[0]} and others (${countText(data.units, "unit")})`;
