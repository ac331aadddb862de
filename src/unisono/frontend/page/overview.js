// SPDX-License-Identifier: MIT
// What the report shows besides the values: the split of the disorder, what stands out, charts, and chance.
import { hideCharts, placeAllCharts } from "../charts/placing.js";
import { actionButton, byId, element } from "../dom.js";
import { lacksExplanation, placeHref, showFindings } from "../findings.js";
import { showVersions } from "../versions.js";
import { fetchWhenReady } from "./api.js";
import { sentenceOf } from "./problems.js";

const PARTS = [
  ["position", "aligned units begin or end at different positions"],
  ["category", "aligned units have different categories"],
  ["missing", "an annotator did not mark the unit"],
];

/** Requests the overview of a job and shows it; returns it, or null where there is none. */
export async function showOverview(job, documents, { open, signal }) {
  const answer = await fetchWhenReady(`/jobs/${job}/overview`, { signal });
  const overview = await answer.json();
  if (signal.aborted) return null;
  showShares(overview.shares);
  showFindings(byId("findings"), overview, placeHref);
  const values = documents.map(({ name, measures }) => ({ id: name, value: measures[overview.measure]?.value ?? null }));
  placeAllCharts(overview, values, open);
  showVersions(byId("versions"), overview.versions);
  byId("pairs-tables").open = overview.pairs === null;
  byId("chance-section").hidden = byId("chance-chart").hidden;
  byId("continuum").hidden = byId("document-charts").hidden;
  return overview;
}

/**
 * Adds what takes longer to the first screen: what the findings would gain, error equivalents, what-if. For large data
 * that is done at a click.
 */
export function explainLater(job, overview, signal) {
  const host = byId("findings");
  const explain = async () => {
    host.setAttribute("aria-busy", "true");
    try {
      const answer = await fetchWhenReady(`/jobs/${job}/explanation`, { signal });
      const { findings, equivalents, what_if: whatIf } = await answer.json();
      if (signal.aborted) return;
      showFindings(
        host,
        { ...overview, findings, n_findings: findings.length, equivalents, what_if: whatIf },
        placeHref,
      );
      host.dataset.explained = job;
    } catch (error) {
      if (!signal.aborted) {
        host.querySelector(".unexplained")?.remove();
        host.append(element("p", { class: "quiet" }, sentenceOf(`this could not be worked out: ${error.message}`)));
      }
    } finally {
      if (!signal.aborted) host.removeAttribute("aria-busy"); // otherwise another explanation may be under way
    }
  };
  delete host.dataset.explained;
  if (!lacksExplanation(overview)) return;
  if (overview.is_quick_to_explain) {
    explain();
    return;
  }
  const offer = element(
    "p",
    { class: "unexplained" },
    "Which errors would give this value? With data of this size, the answer takes a while. ",
    actionButton("Work it out", () => {
      offer.replaceChildren("Measuring again with simulated errors, and with single disagreements resolved …");
      explain();
    }),
  );
  host.prepend(offer);
  host.hidden = false;
}

/** Empties what was shown of the measurement before. */
export function clearOverview() {
  hideCharts();
  byId("findings").removeAttribute("aria-busy");
  for (const id of ["findings", "split", "versions", "continuum", "chance-section"]) byId(id).hidden = true;
}

/** What the disorder is made of, as a bar and in words. */
function showShares(shares) {
  byId("split").hidden = shares === null;
  if (shares === null) return;
  const percent = (share) => `${Math.round(100 * share)} %`;
  const bar = element("div", { class: "split-bar", "aria-hidden": "true" });
  shares.forEach((share, i) => {
    const part = element("span", { class: `part${i}` });
    part.style.flexGrow = String(share);
    bar.append(part);
  });
  const rows = PARTS.map(([name, words], i) =>
    element("li", { class: `part${i}` }, element("strong", {}, percent(shares[i])), ` ${name}: ${words}`),
  );
  byId("split").replaceChildren(
    element("h3", {}, "What the disorder is made of"),
    bar,
    element("ul", { class: "plain shares" }, ...rows),
  );
}
