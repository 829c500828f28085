// SPDX-License-Identifier: GPL-2.0-only
// The class page: units, projector, front end and link. Without a module that simulates the front end has finished runs.

import { bytesOf, unpackedJson } from "../engine/packing.js";
import { TableEngine } from "../engine/table.js";
import { openEngine } from "../engine/wasm.js";
import { openFront } from "../front/front.js";
import { openLink } from "../front/link.js";
import { saved } from "../front/saved.js";
import { say } from "../front/words.js";
import { onDrawn, openUnits, setState, stateOf } from "./page.js";

const opened = openUnits();
const frontOpened = openInside(document.getElementById("front")).catch((error) => {
  document.querySelector(".front-general").textContent = say("front.cannot", error.message);
});
export const units = { stateOf, setState, onState: (hear) => onDrawn.push(hear) };

openProjector();
opened.then(async () => {
  const link = openLink(document.querySelector(".page-link"), units);
  const front = await frontOpened;
  if (front) link.attach(front);
});

// The front end of the data that the page has inside, when it can simulate.
async function openInside(root) {
  const inside = JSON.parse(document.getElementById("bench-data").textContent);
  document.querySelector(".save-sources")?.addEventListener("click", () => saved(new Blob([bytesOf(inside.sources)]), "sources.tar.xz"));
  let why = "";
  const engine = await (inside.engine && openEngine(inside.engine).catch((error) => {
    why = say("front.forbidden", error.message);
  }));
  if (engine) return openFront(root, await unpackedJson(inside.bench), engine);
  const data = await unpackedJson(inside.table);
  return openFront(root, data, new TableEngine(data.held, [why, say("front.held")].filter(Boolean).join(" ")));
}

// For a projector: one unit at a time, half as large again. The unit is the one that was in view, or that the list on top names.
function openProjector() {
  const root = document.documentElement;
  const key = document.querySelector(".projector-key");
  const isProjected = () => root.classList.contains("projector");
  const toProjector = (isOn, hash = location.hash) => {
    const units = [...document.querySelectorAll("main > .unit")];
    const inView = units.find((unit) => unit.getBoundingClientRect().bottom > innerHeight / 2); // before all is larger
    const chosen = isOn && isProjected() ? units.find((unit) => `#${unit.id}` === hash) : null;
    root.classList.toggle("projector", isOn);
    key.setAttribute("aria-pressed", String(isOn));
    for (const unit of units) unit.classList.toggle("projected", unit === (chosen ?? inView ?? units[0]));
    (chosen ?? inView)?.scrollIntoView({ behavior: "instant" });
  };
  key.addEventListener("click", () => toProjector(!isProjected()));
  addEventListener("hashchange", () => isProjected() && toProjector(true));
  // Before link.js, which goes to the place itself and scrolls there: no address changes that would be heard.
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.('a[href^="#"]');
    if (link && isProjected()) toProjector(true, link.hash);
  }, true);
  addEventListener("keydown", ({ key: pressed, target, ctrlKey, metaKey, altKey }) => {
    if (pressed === "Escape" && isProjected()) toProjector(false);
    if (pressed === "p" && !ctrlKey && !metaKey && !altKey && !target.matches("input, textarea, select")) key.click();
  });
}
