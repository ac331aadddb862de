// SPDX-License-Identifier: MIT
// The report: documents that wait in compressed pieces until they are opened, tables that sort, buttons that copy.
import { activateCopyButtons } from "./clipboard.js";
import { byId } from "./dom.js";
import { countText, numberText } from "./numbers.js";
import { documentsTable, findDocuments, makeSortable } from "./tables.js";
import { mountViewer } from "./viewer/viewer.js";

const data = JSON.parse(byId("documents-data").textContent);
const main = data.measures.find(({ name }) => name === data.main);
const documents = data.names.map((name, id) => ({
  id,
  name,
  values: Object.fromEntries(data.measures.map((measure) => [measure.name, measure.values[id]])),
  observed: data.observed[id],
  expected: data.expected[id],
  contribution: data.contributions[id],
  isSmall: data.units[id] < data.few_units,
  annotators: data.annotators[id],
  units: data.units[id],
  reason: data.reasons[id],
  notes: data.notes[id] ?? [],
  canOpen: data.places[id][0] >= 0,
}));

const pieces = new Map();

async function unpack(number) {
  const bytes = Uint8Array.from(atob(byId(`piece-${number}`).textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** What the viewer shows of a document; each piece is unpacked once. */
async function viewOf(id) {
  const [number, place] = data.places[id];
  if (!pieces.has(number)) pieces.set(number, unpack(number));
  return (await pieces.get(number))[place];
}

let viewer = null;
let opened = -1;
let table = null;

async function open(id) {
  opened = id;
  const { name, values, reason, notes, canOpen } = documents[id];
  byId("opened-name").textContent = name;
  byId("opened-value").textContent = `${main.symbol} ${numberText(values[main.name])}`;
  const note = [reason ? `Not measured: ${reason}.` : "", ...notes].filter(Boolean).join(" ");
  byId("opened-note").textContent = note;
  byId("opened-note").hidden = note === "";
  byId("previous").disabled = !neighbour(-1);
  byId("next").disabled = !neighbour(1)?.canOpen;
  table?.markOpen(id);
  if (!canOpen) return;
  const view = await viewOf(id);
  if (opened !== id) return; // another document was opened meanwhile
  if (viewer === null) viewer = mountViewer(byId("viewer"), view);
  else viewer.show(view);
  document.documentElement.dataset.opened = String(id);
}

/** The document so many places on in the order of values, worst first. */
const neighbour = (by) => documents[data.order[data.order.indexOf(opened) + by]];

for (const [button, by] of [
  ["previous", -1],
  ["next", 1],
]) {
  byId(button).addEventListener("click", () => open(neighbour(by).id));
}

if (byId("document-table")) {
  const measures = data.measures.map(({ name, symbol }) => [name, symbol]);
  table = documentsTable(documents, measures, data.main, (id) => {
    open(id);
    byId("differences").scrollIntoView({ block: "start" });
  });
  byId("document-table").append(table.table);
  byId("filter").addEventListener("input", ({ target }) => {
    const matches = findDocuments(documents, target.value);
    table.show(matches);
    byId("filtered").textContent = target.value ? countText(matches.length, "document") : "";
  });
}

document.querySelectorAll("table.sortable").forEach(makeSortable);
activateCopyButtons();
if (data.order.length) open(data.order[0]);
