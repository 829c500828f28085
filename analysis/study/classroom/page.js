// SPDX-License-Identifier: GPL-2.0-only
// The units: sliders, and what follows them. It looks numbers up and never computes one between two simulated points.

import { unpackedJson } from "../engine/packing.js";
import { TITLES } from "../front/film.js";
import { drawLadder } from "../front/ladder.js";
import { playerIn } from "../front/player.js";
import { drawShares, namedShares, number, onWidth, partsOf, percent } from "../front/small.js";
import { limitsSaid, say } from "../front/words.js";
import { openAsk, showProgress } from "./asks.js";
import { openClass } from "./class.js";
import { drawCurve } from "./curve.js";
import { openShare } from "./guesses.js";
import { askFirst, judge } from "./predict.js";
import { forget, keep, keptOf } from "./progress.js";
import { translate } from "./translated.js";
import { along, index, runs, startOf, views } from "./unit-runs.js";

export const onDrawn = []; // each is called after a unit is drawn

/** What is asked for before must wait for this. */
export async function openUnits() {
  const main = document.querySelector("main");
  main.inert = true; // until there is something that hears
  Object.assign(runs, await unpackedJson(document.getElementById("runs").textContent));
  runs.words = limitsSaid(Object.keys(runs.looks));
  runs.units.forEach(translate);
  for (const unit of runs.units) start(unit);
  showProgress();
  document.querySelector(".forget").addEventListener("click", forget);
  openClass();
  main.inert = false;
}

function start(unit) {
  const section = document.getElementById(unit.id);
  const own = keptOf(unit);
  const view = { unit, section, at: startOf(unit), drawn: null, visited: new Set(own.visited), whole: own.whole, shown: false };
  views.set(unit.id, view);
  view.move = openControls(view, () => draw(view));
  askFirst(view, (guess) => {
    Object.assign(own, { done: true, guess, drawn: view.drawn });
    reveal(view, guess);
    section.querySelector(".verdict").focus();
    section.querySelector("div.player").player?.play();
    keep();
    showProgress();
  });
  section.querySelector(".reset").addEventListener("click", () => setState({ [unit.id]: {} }));
  section.querySelector(".whole").addEventListener("click", () => {
    own.whole = view.whole = true;
    keep();
    draw(view);
  });
  if (!own.done) return;
  view.drawn = view.drawn.map((_, place) => own.drawn[place] ?? null);
  reveal(view, own.guess);
}

function reveal(view, guess) {
  const { section, unit } = view;
  const [form, told, results, verdict] = partsOf(section, ".predict", ".told", ".results", ".verdict");
  view.shown = form.hidden = true;
  told.hidden = results.hidden = false;
  verdict.textContent = judge(unit, guess, view.drawn);
  for (const ask of unit.asks) openAsk(view, ask);
  openShare(view);
  draw(view);
  onWidth(results, () => draw(view));
}

// Where every unit's sliders stand, and which are shown, for a link; what is not said of a unit stands as it begins.
export function stateOf() {
  const moved = ({ unit, at }) => unit.controls.flatMap(({ id, start }, n) => (at[n] === start ? [] : [[id, at[n]]]));
  return Object.fromEntries([...views].map(([id, view]) => [id, Object.fromEntries(moved(view))]));
}

export function setState(state) {
  for (const [id, places] of Object.entries(state)) {
    const view = views.get(id);
    if (!view) continue;
    view.unit.controls.forEach(({ id: name, start, steps }, n) => {
      view.move(n, places[name] in steps ? places[name] : start);
    });
    if (view.shown) draw(view);
  }
}

function draw(view) {
  const { unit, section, at } = view;
  const here = index(unit, at);
  view.visited.add(here);
  keptOf(unit).visited = [...view.visited];
  section.querySelector(".number").textContent = number(unit.values[here]);
  drawLimits(view, here);
  drawCurve(view, section.querySelector(".curve .plot"));
  drawLadder(playUnit(unit, section.querySelector("div.player"), here), section.querySelector(".ladder .plot"), runs.words);
  section.querySelector(".whole").hidden = view.whole;
  keep();
  for (const each of onDrawn) each();
}

// A unit's controls, each with a place from 0: a slider, a switch or a choice of names. What comes back moves one without telling.
function openControls({ unit, section, at }, moved) {
  const fieldOf = ({ id }) => section.querySelector(`[data-control="${id}"]`);
  const move = (n, place) => {
    const { id, kind, steps } = unit.controls[n];
    const field = fieldOf(unit.controls[n]);
    const [label] = steps[place];
    at[n] = place;
    section.querySelector(`[data-output="${id}"]`).textContent = label;
    if (kind === "switch") field.setAttribute("aria-checked", String(place === 1));
    else if (kind === "choice") field.querySelectorAll("input")[place].checked = true;
    else Object.assign(field, { value: place }).setAttribute("aria-valuetext", label);
  };
  unit.controls.forEach((control, n) => {
    const isSwitch = control.kind === "switch";
    fieldOf(control).addEventListener(isSwitch ? "click" : "input", ({ target }) => {
      move(n, isSwitch ? 1 - at[n] : Number(target.value));
      moved();
    });
    move(n, at[n]);
  });
  return move;
}

// What the time went to, as a sentence, a bar and its legend.
function drawLimits({ unit, section, at }, here) {
  const shares = namedShares(Object.entries(unit.limits).map(([name, thousandths]) => [name, thousandths[here] / 1000]));
  const [[first, share]] = shares;
  const most = share > 0.5 ? say("limit.most") : say("limit.largest");
  const [limit, bar, legend] = partsOf(section, ".limit", ".bar", ".legend");
  limit.textContent = `${most}, ${percent(share)}: ${runs.words[first]}. ${advice(unit, first, at)}`;
  const said = shares.map(([name, share]) => [name, share, `${runs.words[name]}, ${percent(share)}`]);
  drawShares(bar, legend, said, runs.looks);
}

// What more there is to say of a limit; the runs know where moving the sliders it names would not help.
function advice(unit, limit, at) {
  const sliders = unit.controls.filter((control) => unit.promises[limit]?.includes(control.id));
  const reached = sliders.flatMap((control) => along(unit, at, unit.controls.indexOf(control)));
  if (!sliders.length || Math.max(...reached) >= 1.1 * unit.values[index(unit, at)]) return unit.parts[limit] ?? "";
  return say("limit.little", sliders.map((control) => say("limit.quoted", control.label)).join(say("limit.or")));
}

// The film of what is set now; above it, by the same clock, the system as it is, or of that the source's own trace.
function playUnit(unit, stage, here) {
  stage.player ??= playerIn(stage, runs.words, runs.looks);
  const named = (film, title) => ({ ...film, names: unit.ends, title });
  const start = index(unit, startOf(unit));
  const now = named(unit.films[here], TITLES.now);
  if (start !== here) stage.player.show([named(unit.films[start], TITLES.before), now]);
  else if (unit.trace) stage.player.show(unit.trace.map((film, n) => named(film, n ? TITLES.alone : TITLES.measured)));
  else stage.player.show([{ ...now, title: TITLES.alone }]);
  return now;
}
