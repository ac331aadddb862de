// SPDX-License-Identifier: MIT
// Decisions of a person on the page: the service keeps them with the data.
import { Adjudication } from "../adjudication.js";
import { call, get } from "./api.js";
import { sentenceOf } from "./problems.js";

/** Where decisions on an upload are kept: {load, save, fault}, as an adjudication needs it. */
function serviceStore(upload) {
  const path = `/uploads/${upload.id}/decisions`;
  let saved = Promise.resolve();
  return {
    fault: "",
    load: () => get(path),
    /** One after the other: the last file that was sent is the last that is kept. */
    save(file) {
      saved = saved.then(async () => {
        try {
          await call("PUT", path, file);
          this.fault = "";
        } catch (error) {
          this.fault = sentenceOf(`the service did not keep this decision: ${error.message}`);
        }
      });
      return saved;
    },
  };
}

/**
 * Lets a person decide on what the vote leaves open, with the decisions kept before; null where there is nothing to
 * decide, and where another measurement has begun meanwhile (`signal`).
 */
export async function beginAdjudication(upload, documents, overview, signal) {
  const { explorer } = documents;
  Object.assign(explorer.viewerOptions, { below: null, tools: [] });
  if (!overview.to_look_at) return null;
  const adjudication = new Adjudication({
    explorer,
    views: () => documents.views(),
    sha256: overview.sha256,
    total: overview.to_look_at,
    store: serviceStore(upload),
  });
  await adjudication.begin();
  if (signal.aborted) {
    adjudication.end();
    return null;
  }
  Object.assign(explorer.viewerOptions, { below: adjudication.node, tools: [adjudication.toggle] });
  return adjudication;
}
