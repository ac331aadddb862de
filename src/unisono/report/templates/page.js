// The report page: documents that wait in compressed pieces, the tables that sort, the buttons that copy.
// Names and texts are other people's: they reach the page through textContent alone.
/*VIEWER*/

const documents = JSON.parse(document.getElementById("documents-data").textContent);
const ROWS = 25;
const byId = (id) => document.getElementById(id);
const shownNumber = (value) => (value === null || value === undefined ? "–" : value.toFixed(3).replace("-", "−"));

// --- documents, unpacked when they are asked for -----------------------------------------------------------------

const pieces = new Map();

async function unpacked(number) {
  const bytes = Uint8Array.from(atob(byId(`piece-${number}`).textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function piece(number) {
  if (!pieces.has(number)) pieces.set(number, unpacked(number));
  return pieces.get(number);
}

let viewer = null;
let opened = -1;

async function open(index) {
  opened = index;
  const [number, place] = documents.places[index];
  const main = documents.measures.find((measure) => measure.name === documents.main);
  byId("opened-name").textContent = documents.names[index];
  byId("opened-value").textContent = `${main.symbol} ${shownNumber(main.values[index])}`;
  const reason = documents.reasons[index];
  const note = [reason ? `Not measured: ${reason}.` : "", ...(documents.notes[index] ?? [])].filter(Boolean).join(" ");
  byId("opened-note").textContent = note;
  byId("opened-note").hidden = note === "";
  const at = documents.order.indexOf(index);
  byId("previous").disabled = at <= 0;
  byId("next").disabled = at >= documents.order.length - 1 || documents.places[documents.order[at + 1]][0] < 0;
  for (const row of document.querySelectorAll("#document-table tbody tr")) {
    row.classList.toggle("opened", Number(row.dataset.document) === index);
  }
  if (number < 0) return;
  const view = (await piece(number))[place];
  if (opened !== index) return; // somebody was faster
  if (viewer === null) viewer = unisonoViewer.mountViewer(byId("viewer"), view);
  else viewer.show(view);
  document.documentElement.dataset.opened = String(index);
}

function step(by) {
  const next = documents.order[documents.order.indexOf(opened) + by];
  if (next !== undefined) open(next);
}

byId("previous").addEventListener("click", () => step(-1));
byId("next").addEventListener("click", () => step(1));

// --- the table of documents --------------------------------------------------------------------------------------

const table = byId("document-table");

function documentTable() {
  const main = documents.main;
  const columns = [
    { title: "document", values: documents.names, isText: true },
    ...documents.measures.map((measure) => ({ title: measure.symbol, values: measure.values, name: measure.name })),
    { title: "observed", values: documents.observed },
    { title: "expected", values: documents.expected },
    { title: "annotators", values: documents.annotators, isCount: true },
    { title: "units", values: documents.units, isCount: true },
  ].filter((column) => column.isText || column.values.some((value) => value !== null));
  let sorted = columns.findIndex((column) => column.name === main);
  let isDescending = false;
  let limit = ROWS;
  let wanted = "";
  const lower = documents.names.map((name) => name.toLowerCase());
  const collator = new Intl.Collator(undefined, { numeric: true });

  const order = () => {
    const { values, isText } = columns[Math.max(0, sorted)];
    const chosen = documents.names.map((_, index) => index).filter((index) => lower[index].includes(wanted));
    const sign = isDescending ? -1 : 1;
    return chosen.sort((a, b) => {
      if (isText) return sign * collator.compare(values[a], values[b]) || a - b;
      if (values[a] === null || values[b] === null) return (values[a] === null) - (values[b] === null) || a - b;
      return sign * (values[a] - values[b]) || a - b;
    });
  };

  const cell = (column, index) => {
    const made = document.createElement(column.isText ? "th" : "td");
    if (column.isText) {
      made.scope = "row";
      const named = document.createElement("bdi");
      named.className = "name";
      named.textContent = column.values[index];
      if (documents.places[index][0] < 0) {
        made.append(named);
        return made;
      }
      const button = document.createElement("button");
      button.type = "button";
      button.className = "open";
      button.append(named);
      button.addEventListener("click", () => {
        open(index);
        byId("differences").scrollIntoView({ block: "start" });
      });
      made.append(button);
      return made;
    }
    made.className = "n";
    const value = column.values[index];
    made.textContent = column.isCount ? value.toLocaleString("en") : shownNumber(value);
    if (value === null && column.name === main && documents.reasons[index]) made.title = documents.reasons[index];
    return made;
  };

  const draw = () => {
    const rows = order();
    table.tBodies[0].replaceChildren(
      ...rows.slice(0, limit).map((index) => {
        const row = document.createElement("tr");
        row.dataset.document = String(index);
        row.classList.toggle("opened", index === opened);
        row.append(...columns.map((column) => cell(column, index)));
        return row;
      }),
    );
    byId("more").hidden = rows.length <= limit;
    byId("more").textContent = `Show more (${Math.min(limit, rows.length).toLocaleString("en")} of ${rows.length.toLocaleString("en")})`;
    byId("filtered").textContent = wanted ? `${rows.length.toLocaleString("en")} found` : "";
    [...table.tHead.rows[0].cells].forEach((head, number) => {
      head.ariaSort = number === sorted ? (isDescending ? "descending" : "ascending") : null;
    });
  };

  const heads = document.createElement("tr");
  columns.forEach((column, number) => {
    const head = document.createElement("th");
    head.scope = "col";
    if (!column.isText) head.className = "n";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = column.title;
    button.addEventListener("click", () => {
      isDescending = sorted === number ? !isDescending : false;
      sorted = number;
      draw();
    });
    head.append(button);
    heads.append(head);
  });
  table.tHead.append(heads);
  byId("more").addEventListener("click", () => {
    limit *= 5;
    draw();
  });
  byId("filter").addEventListener("input", (event) => {
    wanted = event.target.value.toLowerCase();
    limit = ROWS;
    draw();
  });
  draw();
}

if (table) documentTable();

// --- tables that are written in the page: a click on a heading sorts ----------------------------------------------

for (const sortable of document.querySelectorAll("table.sortable")) {
  const number = (text) => Number(text.replace(/,/g, "").replace("−", "-"));
  [...sortable.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const isDescending = head.ariaSort === "ascending";
      const rows = [...sortable.tBodies[0].rows];
      const key = (row) => row.cells[column].textContent.trim();
      const isNumeric = head.classList.contains("n");
      rows.sort((a, b) => {
        const [x, y] = [key(a), key(b)];
        if (x === "–" || y === "–") return (x === "–") - (y === "–");
        const found = isNumeric ? number(x) - number(y) : x.localeCompare(y, undefined, { numeric: true });
        return isDescending ? -found : found;
      });
      for (const other of sortable.tHead.rows[0].cells) other.ariaSort = null;
      head.ariaSort = isDescending ? "descending" : "ascending";
      sortable.tBodies[0].append(...rows);
    });
  });
}

// --- buttons that copy --------------------------------------------------------------------------------------------

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea"); // where a page from disk may not use the clipboard
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

for (const button of document.querySelectorAll("button[data-copy]")) {
  button.addEventListener("click", async () => {
    await copied(byId(button.dataset.copy).textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
}

if (documents.order.length) open(documents.order[0]);
