// SPDX-License-Identifier: MIT
// The line above the results that says how far the measurement is.
import { byId } from "../dom.js";

/** `share` of the work that is done; null if it is not known. */
export function showProgress(text, share) {
  byId("running").classList.remove("over");
  byId("running-text").textContent = text;
  if (share === null) byId("running-bar").removeAttribute("value");
  else byId("running-bar").value = share;
}

/** The measurement has ended. */
export function endProgress(text) {
  byId("running").classList.add("over");
  byId("running-text").textContent = text;
  byId("running-bar").value = 1;
  byId("cancel").hidden = true;
}
