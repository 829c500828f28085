// SPDX-License-Identifier: GPL-2.0-only
//
// What the time went to, as a sentence, a bar and its legend.

import { drawShares, percent } from "../front/small.js";
import { say } from "../front/words.js";
import { along, index, runs } from "./unit-runs.js";

export function drawLimits(unit, section, at, here) {
  const shares = Object.entries(unit.limits).map(([name, list]) => [name, list[here]]);
  shares.sort((a, b) => b[1] - a[1]);
  const [first, share] = shares[0];
  const most = share > 500 ? say("limit.most") : say("limit.largest");
  section.querySelector(".limit").textContent =
    say("limit.first", most, percent(share), runs.words[first]) + advice(unit, first, at);
  const named = shares.filter(([, share]) => share >= 5);
  const said = named.map(([name, share]) => [name, share, `${runs.words[name]}, ${percent(share)}`]);
  const bar = section.querySelector(".bar");
  bar.setAttribute("aria-label", said.map(([, , words]) => words).join("; "));
  drawShares(bar, section.querySelector(".legend"), said, runs.looks);
}

// What more there is to say of a limit; the runs know where moving the sliders it names would not help.
function advice(unit, limit, at) {
  const sliders = unit.controls.filter((control) => unit.promises[limit]?.includes(control.id));
  const reached = sliders.flatMap((control) => along(unit, at, unit.controls.indexOf(control)));
  if (!sliders.length || Math.max(...reached) >= 1.1 * unit.values[index(unit, at)]) return unit.parts[limit] ?? "";
  const labels = sliders.map((control) => `“${control.label}”`).join(say("limit.or"));
  return say("limit.little", labels);
}
