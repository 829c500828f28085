// SPDX-License-Identifier: GPL-2.0-only
// A unit in the page's language: the words of units.de.toml, with the runs' numbers in them; what it does not say stays English.

import { language, markedUp, numberSaid, words } from "../front/words.js";

const UNITS_SAY = words("units");

export function translate(unit) {
  const said = unit.said[language];
  if (!said) return;
  for (const control of unit.controls) {
    translateControl(control, said.control?.[control.id] ?? {});
    const stops = document.querySelectorAll(`#${unit.id}-${control.id} [data-stop]`);
    for (const stop of stops) stop.textContent = control.steps[Number(stop.dataset.stop)][0];
  }
  const own = Object.fromEntries(unit.controls.map(({ id, start, steps }) => [id, steps[start][0]]));
  const valueOf = (known, name) => (name in known ? numberSaid(known[name]) : own[name]).replaceAll(" ", "\u00a0");
  const fill = (text, known) => text.replaceAll(/\{(\w[\w-]*)\}/g, (_, name) => valueOf(known, name));
  for (const each of document.querySelectorAll(`[data-of^="${unit.id}."]`)) {
    const [, ...keys] = each.dataset.of.split(".");
    const text = keys.reduce((part, key) => part?.[key], said);
    if (typeof text === "string") each.replaceChildren(...markedUp(fill(text, unit.facts)));
  }
  translateFixed(unit, said.fixed ?? {});
  if (said.y) unit.y.name = said.y.name;
  if (said.names) unit.ends = said.names;
  Object.assign(unit.parts, said.parts);
  unit.measured.forEach((measured, n) => (measured.name = said.measured?.[n] ?? measured.name));
  unit.asks.forEach((ask, n) => translateAsk(ask, said.ask?.[n] ?? {}, fill));
}

function translateControl(control, { label, names = {}, unit }) {
  control.label = label ?? control.label;
  for (const step of control.steps) {
    const numbered = unit ? step[0].replace(/\S+$/, unit) : step[0];
    step[0] = names[step[0]] ?? (/^\d/.test(step[0]) ? numberSaid(numbered) : numbered);
  }
}

// What the page sets otherwise than the system's file.
function translateFixed(unit, names) {
  const parts = unit.fixed.map(([key, here, there]) => UNITS_SAY.fixedOne(names[key] ?? key.replaceAll("_", " "), numberSaid(here), numberSaid(there)));
  if (parts.length) document.querySelector(`[data-of="${unit.id}.fixed"]`).textContent = UNITS_SAY.fixed(parts.join("; "));
}

function translateAsk(ask, said, fill) {
  for (const key of ["question", "why", "hint", "unit"]) if (said[key]) ask[key] = fill(said[key], ask.known);
  said.choices?.forEach(({ says, why }, n) => {
    if (says && why) ask.choices[n] = [says, why].map((text) => fill(text, ask.known));
  });
}
