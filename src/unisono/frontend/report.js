// SPDX-License-Identifier: MIT
// The report: documents that wait in compressed pieces until they are opened, charts, tables that sort and can be saved.
import { isBetween } from "./charts/bars.js";
import { placeAllCharts } from "./charts/placing.js";
import { Adjudication, localStore } from "./adjudication.js";
import { activateCopyButtons } from "./clipboard.js";
import { byId, element } from "./dom.js";
import { Explorer } from "./explorer.js";
import { lacksExplanation, placeHref, showFindings } from "./findings.js";
import { placeOf, placeParameters } from "./links.js";
import { memoryOf } from "./memory.js";
import { countText, numberText } from "./numbers.js";
import { addTableTools, documentsTable, findDocuments, makeSortable } from "./tables.js";
import { showVersions } from "./versions.js";

const data = JSON.parse(byId("documents-data").textContent);
const overview = JSON.parse(byId("overview-data").textContent);
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
/** The name that addresses and findings use; the one that is shown may be cut. */
const fullName = (id) => data.full_names[id] ?? data.names[id];
const numberOf = new Map(documents.filter(({ canOpen }) => canOpen).map(({ id }) => [fullName(id), id]));

const pieces = new Map();

async function unpack(number) {
  const bytes = Uint8Array.from(atob(byId(`piece-${number}`).textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** What the viewer shows of a document; each piece is unpacked once. Null for a document that cannot be opened. */
async function viewOf(id) {
  const [number, place] = data.places[id];
  if (number < 0) return null;
  if (!pieces.has(number)) pieces.set(number, unpack(number));
  return (await pieces.get(number))[place];
}

async function* views() {
  for (const id of data.order) if (documents[id].canOpen) yield [id, await viewOf(id)];
}

const withValues = (from, to) =>
  data.order.filter((id) => documents[id].canOpen && isBetween(documents[id].values[main.name], from, to));

let table = null;

const explorer = new Explorer({
  host: byId("viewer"),
  cases: byId("cases"),
  load: viewOf,
  views,
  withValues,
  nameOf: fullName,
  idOf: (name) => numberOf.get(name),
  opened: showName,
  shown: (id) => (document.documentElement.dataset.opened = String(id)),
  moved: (isNew) => keepPlace(isNew),
  viewerOptions: { categories: overview.categories.map(({ category }) => category).filter((name) => name !== null) },
});

const adjudication = new Adjudication({
  explorer,
  views,
  sha256: overview.sha256,
  total: overview.to_look_at,
  store: localStore(overview.sha256),
});
if (overview.to_look_at)
  Object.assign(explorer.viewerOptions, { below: adjudication.node, tools: [adjudication.toggle] });
adjudication.begin();

function showName(id) {
  const { name, values, reason, notes } = documents[id];
  byId("opened-name").textContent = name;
  byId("opened-value").textContent = `${main.symbol} ${numberText(values[main.name])}`;
  byId("opened-note").textContent = reason ? `Not measured: ${reason}.` : "";
  byId("opened-note").hidden = !reason;
  const list = byId("opened-notes");
  list.hidden = !notes.length;
  list.querySelector("summary").textContent = countText(notes.length, "note");
  list.querySelector("ul").replaceChildren(...notes.map((note) => element("li", {}, note)));
  byId("previous").disabled = !neighbour(-1);
  byId("next").disabled = !neighbour(1)?.canOpen;
  table?.markOpen(id);
}

/** The document `by` places after the open one, the worst first. */
const neighbour = (by) => documents[data.order[data.order.indexOf(explorer.id) + by]];

for (const [button, by] of [
  ["previous", -1],
  ["next", 1],
]) {
  byId(button).addEventListener("click", () => explorer.open(neighbour(by).id));
}

// ---- the address

/** Writes the place into the address; a new one becomes an entry of the browser's history. */
function keepPlace(isNew) {
  const fragment = `#${new URLSearchParams(placeParameters(explorer.place))}`;
  if (fragment === location.hash) return;
  if (isNew) history.pushState(null, "", fragment);
  else history.replaceState(null, "", fragment);
}

function goTo(section, { isNew = true } = {}) {
  explorer.section = section;
  byId(section)?.scrollIntoView({ block: "start" });
  if (isNew) keepPlace(true);
}

async function restorePlace() {
  const section = byId(location.hash.slice(1));
  const place = section ? { section: section.id } : placeOf(location.hash);
  const isOpened = await explorer.restore(place);
  if (!isOpened && explorer.id === null && data.order.length) await explorer.open(data.order[0], { isNew: false });
  const target = place.section ?? (isOpened ? "differences" : null);
  if (target) byId(target)?.scrollIntoView({ block: "start" });
}

addEventListener("popstate", restorePlace);
for (const link of document.querySelectorAll("nav a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(link.hash.slice(1));
  });
}

/** Shows the cases behind a mark of a chart or a finding. */
function openCases(selection) {
  explorer.section = "differences";
  byId("differences").scrollIntoView({ block: "start" });
  return explorer.showCases(selection);
}

// ---- tables and charts

if (byId("document-table")) {
  const measures = data.measures.map(({ name, symbol }) => [name, symbol]);
  const memory = memoryOf(overview.sha256);
  table = documentsTable(documents, measures, data.main, (id) => {
    explorer.section = "differences";
    explorer.open(id);
    byId("differences").scrollIntoView({ block: "start" });
  }, { total: data.total, memory });
  byId("document-table").append(table.table);
  addTableTools(byId("document-table"), "documents", table.content);
  const filter = () => {
    const { value } = byId("filter");
    const matches = findDocuments(documents, value);
    table.show(matches);
    byId("filtered").textContent = value ? countText(matches.length, "document") : "";
    memory.save({ filter: value });
  };
  byId("filter").value = memory.load().filter ?? "";
  byId("filter").addEventListener("input", filter);
  if (byId("filter").value) filter();
}

placeAllCharts(
  overview,
  documents.map(({ id, values }) => ({ id, value: values[main.name] ?? null })),
  openCases,
);
showVersions(byId("versions"), overview.versions);
showFindings(byId("findings"), overview, placeHref);
if (lacksExplanation(overview))
  byId("findings").prepend(
    element(
      "p",
      { class: "unexplained" },
      "This report does not say which errors would give this value. To add that, run ",
      element("code", {}, "unisono report result.unisono --explain"),
      ", which measures again.",
    ),
  );

document.querySelectorAll("table.sortable").forEach(makeSortable);
for (const region of document.querySelectorAll(".scroll[data-table]")) addTableTools(region, region.dataset.table);
activateCopyButtons();
restorePlace();
