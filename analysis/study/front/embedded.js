// SPDX-License-Identifier: GPL-2.0-only
//
// The front end in a page that has all of it inside: data, and the module that simulates, or where there is none, or a school forbids
// WebAssembly, runs that were made before. engine.js, table.js, packing.js and front.js go before.

async function openEmbedded(root) {
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

const frontOpened = openEmbedded(document.getElementById("front"));
frontOpened.catch((error) => (document.querySelector("#front .front-general").textContent = say("front.cannot", error.message)));
