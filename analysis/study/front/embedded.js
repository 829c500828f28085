// SPDX-License-Identifier: GPL-2.0-only
//
// The front end in a page that has all of it inside: data, and the module that simulates, or where there is none, or a school forbids
// WebAssembly, runs that were made before.

import { bytesOf, unpackedJson } from "../engine/packing.js";
import { TableEngine } from "../engine/table.js";
import { openEngine } from "../engine/wasm.js";
import { openFront } from "./front.js";
import { saved } from "./saved.js";
import { say } from "./words.js";

/** The front end, when it can simulate; its sentence where it cannot. */
export function openEmbedded(root) {
  const opened = openInside(root);
  opened.catch((error) => (root.querySelector(".front-general").textContent = say("front.cannot", error.message)));
  return opened;
}

async function openInside(root) {
  const inside = JSON.parse(document.getElementById("bench-data").textContent);
  document.querySelector(".save-sources")?.addEventListener("click", () => saved(new Blob([bytesOf(inside.sources)]), "sources.tar.xz"));
  let why = "";
  if (inside.engine) {
    try {
      const engine = await openEngine(inside.engine);
      return openFront(root, await unpackedJson(inside.bench), engine);
    } catch (error) {
      why = say("front.forbidden", error.message);
    }
  }
  const data = await unpackedJson(inside.table);
  return openFront(root, data, new TableEngine(data.held, [why, say("front.held")].filter(Boolean).join(" ")));
}
