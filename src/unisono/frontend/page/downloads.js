// SPDX-License-Identifier: MIT
// The files that can be downloaded for a result.
import { confirmOn } from "../clipboard.js";
import { actionButton, byId, element } from "../dom.js";
import { saveFile } from "../files.js";
import { fetchWhenReady, NoAnswer } from "./api.js";
import { announce } from "./problems.js";

/** Kinds of files: [name of the file, path, words, hint]. */
const FILES = [
  ["report.html", "report", "Report", "One page that needs nothing else: values, viewer, tables, what to cite"],
  ["result.json", "result", "Result (JSON)", "What unisono measure --json prints"],
  [
    "alignment.csv",
    "alignment?format=csv&every=true",
    "Alignment (CSV)",
    "A row for each unitary alignment of every document",
  ],
  ["gold.json", "gold", "Gold standard (JSON)", "A consensus of the annotators, by vote over the alignment"],
  [
    "adjudication.csv",
    "gold?format=adjudication",
    "To adjudicate (CSV)",
    "Where a person should decide, the worst first",
  ],
  ["result.unisono", "save", "Saved result", "Everything in one file, for unisono report"],
];

export class Downloads {
  /** `onError(error)` is called when a file cannot be made. */
  constructor(formats, onError) {
    this.onError = onError;
    const written = formats.filter(({ is_written: isWritten }) => isWritten);
    const options = written.map(({ name }) => element("option", { value: name }, name));
    const select = element("select", { id: "gold-format", "aria-label": "Format of the gold standard" }, ...options);
    const button = (words, hint, file) => {
      const node = actionButton(words, () => this.download(node, ...file()), { title: hint });
      return node;
    };
    this.buttons = FILES.map(([name, path, words, hint]) => {
      const node = button(words, hint, () => [name, path]);
      node.dataset.download = name;
      return node;
    });
    const gold = button("Gold standard (files)", "In the format of an annotation tool, as a zip archive", () => [
      `gold-${select.value}.zip`,
      `gold?format=${encodeURIComponent(select.value)}`,
    ]);
    byId("downloads").replaceChildren(
      ...this.buttons,
      element("span", { class: "together" }, gold, element("label", {}, "as ", select)),
    );
    this.buttons.push(gold);
  }

  /** Offers the files of this job, or of none (null); downloads for another job are aborted. */
  useJob(job) {
    this.loading?.abort();
    this.loading = new AbortController();
    this.job = job;
    for (const button of [...this.buttons, byId("compare-with")]) button.disabled = job === null;
  }

  async download(button, name, path) {
    button.setAttribute("aria-busy", "true");
    button.disabled = true;
    try {
      const answer = await fetchWhenReady(`/jobs/${this.job}/${path}`, { signal: this.loading.signal });
      saveFile(name, await answer.blob());
      button.disabled = false;
      confirmOn(button, "Saved");
      announce("Saved");
    } catch (error) {
      this.onError(error instanceof TypeError ? new NoAnswer(error.message) : error);
    } finally {
      button.disabled = this.job === null;
      button.removeAttribute("aria-busy");
    }
  }
}
