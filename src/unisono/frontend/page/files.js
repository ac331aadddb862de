// SPDX-License-Identifier: MIT
// Files that were chosen or dropped, with their paths: [{path, file}]; those of folders are listed one by one.
import { countText, groupDigits, sizeText } from "../numbers.js";
import { problemOf } from "./api.js";

/** Files of the operating system that are never data. */
const LITTER = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|__MACOSX\/.*|\._[^/]*)$/i;

const withoutLitter = (files) => files.filter(({ path }) => !LITTER.test(path));

/** The files of an input element, folders included. */
export function chosenFiles(input) {
  return withoutLitter([...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

/** Calls `take` with files that are dropped anywhere on the page; the body has the class "dropping" meanwhile. */
export function listenToDrops(take) {
  let depth = 0; // number of nested elements that the pointer has entered
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
    take(await droppedFiles(event.dataTransfer));
  });
}

/** The files of a drop. The entries are read before the first await: after it the browser has emptied them. */
async function droppedFiles(transfer) {
  const entries = [...transfer.items]
    .filter((item) => item.kind === "file")
    .map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  const files = [];
  for (const entry of entries) {
    if (entry instanceof File) files.push({ path: entry.name, file: entry });
    else if (entry) await walk(entry, files);
  }
  return withoutLitter(files);
}

/** Adds the file, or all files of a folder, to `files`. */
async function walk(entry, files) {
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
    files.push({ path: entry.fullPath.replace(/^\//, ""), file });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // The browser lists a folder in batches of about a hundred entries.
    const piece = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!piece.length) return;
    for (const inner of piece) await walk(inner, files);
  }
}

/** The problem with these files if they exceed a limit of the service; null if they do not. */
export function limitProblem(files, limits) {
  const size = files.reduce((sum, { file }) => sum + file.size, 0);
  if (size > limits.upload) {
    const message = `the files have ${sizeText(size)}; the service takes at most ${sizeText(limits.upload)}`;
    return problemOf("upload-limit", message, "Send fewer files, or start the service with a higher --upload-limit.");
  }
  if (files.length > limits.files) {
    const most = countText(limits.files, "file");
    const message = `there are ${groupDigits(files.length)} files; the service takes at most ${most}`;
    return problemOf(
      "file-limit",
      message,
      "Drop a folder further down, or start the service with a higher --files-limit.",
    );
  }
  return null;
}
