// SPDX-License-Identifier: MIT
// The page of a comparison.
import { showComparison } from "./charts/comparison.js";
import { byId } from "./dom.js";

showComparison(byId("comparison"), JSON.parse(byId("comparison-data").textContent));
