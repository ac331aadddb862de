// SPDX-License-Identifier: MIT
// Where the charts of an overview stand: the same places in the report and on the page.
import { byId } from "../dom.js";
import {
  annotatorsChart,
  categoriesChart,
  chanceChart,
  confusionChart,
  continuumChart,
  documentsChart,
  gridChart,
  pairsChart,
  placeCharts,
} from "./overview.js";

/** With more annotators the matrix of pairs is tall and waits behind a fold. */
const PAIRS_IN_SIGHT = 20;
/** Elements that hold charts, and folds around them. */
const HOSTS = ["document-charts", "grid-chart", "category-charts", "annotator-charts", "pairs-chart", "chance-chart"];
const FOLDS = ["grid-fold", "pairs-fold"];

/** Draws all charts of an overview. `documents`: [{id, value}]; `open(selection)` shows the cases of a mark. */
export function placeAllCharts(overview, documents, open) {
  fill("document-charts", [documentsChart(overview, documents, open), continuumChart(overview, open)]);
  fill("category-charts", [categoriesChart(overview, open), confusionChart(overview, open)]);
  const pairs = pairsChart(overview, open);
  const isFolded = pairs !== null && overview.pairs.annotators.length > PAIRS_IN_SIGHT;
  fill("annotator-charts", [annotatorsChart(overview, open), isFolded ? null : pairs]);
  fillFold("pairs", isFolded ? pairs : null);
  fillFold("grid", gridChart(overview, open));
  fill("chance-chart", [chanceChart(overview)]);
}

/** Hides what was drawn of the measurement before. */
export function hideCharts() {
  for (const id of [...HOSTS, ...FOLDS]) if (byId(id)) byId(id).hidden = true;
}

/** A report has only the places that its data need. */
function fill(id, charts) {
  if (byId(id)) placeCharts(byId(id), charts);
}

function fillFold(name, chart) {
  fill(`${name}-chart`, [chart]);
  if (byId(`${name}-fold`)) byId(`${name}-fold`).hidden = chart === null;
}
