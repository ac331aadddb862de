// SPDX-License-Identifier: MIT
// The page of a benchmark: a chart for each curve, and boxes that switch measures on and off.
import { LineChart } from "./charts/lines.js";
import { byId } from "./dom.js";
import { addTableTools } from "./tables.js";

const data = JSON.parse(byId("data").textContent);
const charts = data.curves.map(
  (curve) => new LineChart(data, curve, { caption: data.curves.length > 1 ? curve.name : "" }),
);
byId("charts").append(...charts.map(({ figure }) => figure));

byId("measures").addEventListener("change", () => {
  const boxes = byId("measures").querySelectorAll("input");
  for (const chart of charts) chart.show((measure) => boxes[measure].checked);
});

for (const region of document.querySelectorAll(".scroll[data-table]")) addTableTools(region, region.dataset.table);
