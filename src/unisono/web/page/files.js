// SPDX-License-Identifier: MIT
// Files that were chosen or dropped, with their paths: [{path, file}]. Folders are walked through.

/** What file managers leave lying about; no tool reads it. */
const LITTER = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.*|\._[^/]*)$/i;

const named = (files) => files.filter(({ path }) => !LITTER.test(path));

/** The files of an input element, folders included. */
export function chosenFiles(input) {
  return named([...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

/** Takes files that are dropped anywhere on the page; while they hover over it, the body says so. */
export function listenToDrops(taken) {
  let depth = 0; // how many elements, one in the other, the files are over
  const over = (isOver) => document.body.classList.toggle("dropping", isOver);
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragenter", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth += 1;
    over(true);
  });
  addEventListener("dragover", (event) => holdsFiles(event) && event.preventDefault());
  addEventListener("dragleave", (event) => {
    if (!holdsFiles(event)) return;
    depth = Math.max(0, depth - 1);
    over(depth > 0);
  });
  addEventListener("drop", async (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth = 0;
    over(false);
    taken(await droppedFiles(event.dataTransfer));
  });
}

/** The files of a drop. Entries must be taken before the first wait: the browser forgets them. */
async function droppedFiles(transfer) {
  const entries = [...transfer.items].filter((item) => item.kind === "file").map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  const found = [];
  for (const entry of entries) {
    if (entry instanceof File) found.push({ path: entry.name, file: entry });
    else if (entry) await walk(entry, found);
  }
  return named(found);
}

async function walk(entry, found) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A folder comes in pieces of about a hundred entries.
    const piece = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!piece.length) return;
    for (const inner of piece) await walk(inner, found);
  }
}

/** What is too much of these files for the service, as a problem; null if nothing is. */
export function tooMuch(files, limits) {
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  const problem = (code, expected, found, remedy) => ({ code, severity: "error", where: "", expected, found, remedy });
  if (size > limits.upload) {
    return problem("upload-limit", `an upload of at most ${readableSize(limits.upload)}`, readableSize(size), "send fewer files, or serve with a higher --upload-limit");
  }
  if (files.length > limits.files) {
    const [most, count] = [limits.files, files.length].map((n) => n.toLocaleString("en"));
    return problem("file-limit", `at most ${most} files`, count, "drop a folder further down, or serve with a higher --files-limit");
  }
  return null;
}

/** Bytes as people say them: 200 MiB. */
export function readableSize(bytes) {
  let size = bytes;
  for (const unit of ["bytes", "KiB", "MiB"]) {
    if (size < 1024) return `${Number(size.toPrecision(3))} ${unit}`;
    size /= 1024;
  }
  return `${Number(size.toPrecision(3))} GiB`;
}

/** Saves something that was made here or fetched. */
export function saveAs(name, content, type = "application/octet-stream") {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
