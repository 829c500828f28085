// SPDX-License-Identifier: GPL-2.0-only
//
// The front end in a page that has all of it inside: data, and the module that simulates. engine.js, packing.js and front.js go
// before.

async function openEmbedded(root) {
  const inside = JSON.parse(document.getElementById("bench-data").textContent);
  document.querySelector(".save-sources").addEventListener("click", () => save(bytesOf(inside.sources), "sources.tar.xz"));
  const data = await unpackedJson(inside.bench);
  openFront(root, data, await openEngine(inside.engine));
}

function save(bytes, name) {
  const address = URL.createObjectURL(new Blob([bytes]));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

openEmbedded(document.getElementById("front")).catch((error) => {
  const place = document.querySelector("#front .front-general");
  place.textContent = `This browser cannot simulate here (${error.message}); the units above need no simulation.`;
});
