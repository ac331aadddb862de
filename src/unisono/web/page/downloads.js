// SPDX-License-Identifier: MIT
// What can be taken home from a result.
import { made, Silence } from "./api.js";
import { element } from "./viewer/dom.js";
import { saveAs } from "./files.js";
import { byId, confirmOn } from "./words.js";

/** Kinds of files: [name of the file, path, words, hint]; a path of the document that is looked at has {document}. */
const FILES = [
  ["report.html", "report", "Report", "One page that needs nothing else: values, viewer, tables, what to cite"],
  ["result.json", "result", "Result (JSON)", "What unisono measure --json prints"],
  ["alignment.csv", "alignment?format=csv&every=true", "Alignment (CSV)", "A row for each unitary alignment of every document"],
  ["gold.json", "gold", "Gold standard (JSON)", "A consensus of the annotators, by vote over the alignment"],
  ["adjudication.csv", "gold?format=adjudication", "To adjudicate (CSV)", "Where a person should decide, the worst first"],
  ["result.unisono", "save", "Saved result", "Everything in one file, for unisono report"],
];

export class Downloads {
  /** `failed(error)` hears what could not be had. */
  constructor(formats, failed) {
    this.failed = failed;
    const select = element("select", { id: "gold-format", "aria-label": "Format of the gold standard" }, ...formats.filter(({ is_written: isWritten }) => isWritten).map(({ name }) => element("option", { value: name }, name)));
    const gold = this.button("Gold standard (files)", "In the format of an annotation tool, as a zip archive");
    gold.addEventListener("click", () => this.fetch(gold, `gold-${select.value}.zip`, `gold?format=${encodeURIComponent(select.value)}`));
    this.buttons = FILES.map(([name, path, words, hint]) => {
      const button = this.button(words, hint);
      button.dataset.download = name;
      button.addEventListener("click", () => this.fetch(button, name, path));
      return button;
    });
    this.buttons.push(gold);
    byId("downloads").replaceChildren(...this.buttons.slice(0, -1), element("span", { class: "together" }, gold, element("label", {}, "as ", select)));
  }

  button(words, hint) {
    return element("button", { type: "button", title: hint }, words);
  }

  of(job) {
    this.job = job;
    for (const button of this.buttons) button.disabled = job === null;
  }

  async fetch(button, name, path) {
    const words = button.textContent;
    button.setAttribute("aria-busy", "true");
    button.disabled = true;
    try {
      const answer = await made(`/jobs/${this.job}/${path}`);
      saveAs(name, await answer.blob());
      button.disabled = false;
      confirmOn(button, "Saved");
    } catch (error) {
      button.textContent = words;
      this.failed(error instanceof TypeError ? new Silence(error.message) : error);
    } finally {
      button.disabled = this.job === null;
      button.removeAttribute("aria-busy");
    }
  }
}
