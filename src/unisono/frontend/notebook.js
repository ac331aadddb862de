// SPDX-License-Identifier: MIT
// The viewer in a cell of a notebook, with a choice among several documents.
import { byId, element } from "./dom.js";
import { mountViewer } from "./viewer/viewer.js";

const documents = JSON.parse(byId("documents").textContent);
const host = byId("viewer");
const categories = [...new Set(documents.flatMap((document) => document.categories))].sort();
byId("text").remove(); // shown where scripts do not run
const viewer = mountViewer(host, documents[0], { categories });
if (documents.length > 1) {
  const options = documents.map(({ name }, i) => element("option", { value: i }, name || `document ${i + 1}`));
  const choice = element("select", {}, ...options);
  choice.addEventListener("change", () => viewer.show(documents[choice.value]));
  host.before(element("label", {}, document.body.dataset.label, " ", choice));
}
