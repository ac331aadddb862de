// SPDX-License-Identifier: MIT
// The links at the top: only those to sections that are shown.
import { byId } from "../dom.js";

/** Hides the links to sections that are hidden, now and whenever that changes. */
export function followSections() {
  const links = [...document.querySelectorAll("#result-links a")];
  const sections = links.map((link) => byId(link.hash.slice(1)));
  const update = () => links.forEach((link, i) => (link.hidden = sections[i].hidden));
  const observer = new MutationObserver(update);
  for (const section of sections) observer.observe(section, { attributes: true, attributeFilter: ["hidden"] });
  update();
}
