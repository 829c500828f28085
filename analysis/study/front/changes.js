// SPDX-License-Identifier: GPL-2.0-only
// What would change it, found by simulating: reliefs of the job's limits, of `study explain`'s table, and moves of the other controls.

import { amountOf, NO_LIMIT, textOf, valueSaid } from "./controls.js";
import { button, fixed, make, number } from "./small.js";
import { words } from "./words.js";

const CHANGES_SAY = words("front");
const SLOW_MS = 150; // of a run: from here on only what relieves a limit, and what stands first, is tried
const NOTHING = 0.01; // print shops and clocks vary by more
const LEAST_SHARE = 0.01; // of the time: a limit with less is not relieved
const UNSCALED_B = 65535; // a larger window needs a scale, offered by both ends (RFC 7323, 2.2)
const IN_TURN = ["=", "*", "/", ">="]; // a window may be as large as the scaling beside it allows
const SHOWN = 12;

/** Try them all, one after the other, until `isOld()`; `front` has the setting, and simulates. */
export async function findChanges(front, isOld) {
  const found = [];
  const begun = performance.now();
  let runs = 0;
  for (const { values, isFirst } of proposals(front)) {
    if (!isFirst && runs && (performance.now() - begun) / runs > SLOW_MS) break;
    const becomes = await front.figureOf(values);
    if (isOld()) return;
    runs++;
    if (becomes !== null) found.push({ values, times: front.asFast(becomes, front.value) }); // else refused, or it ends nowhere
    drawChanges(front, found);
  }
}

/** @param {any} front @param {any[]} found */
export function drawChanges(front, found) {
  const controls = front.controls.byKey;
  // What helps first, the most of it; then what harms, the most of that.
  const rank = ({ times }) => (times > 1 ? -Math.log(times) : 1e3 + Math.log(times));
  const moved = found.filter((row) => Math.abs(row.times - 1) >= NOTHING).sort((a, b) => rank(a) - rank(b));
  const rows = moved.slice(0, SHOWN).map(({ values, times }) => {
    const shown = Object.entries(values).map(([key, text]) => said(controls[key], front.valueOf(key), text));
    const choose = button(shown.join(", "), { class: "quiet" }, () => front.change(values));
    return make("tr", { class: times > 1 ? "better" : "worse" }, make("td", {}, choose), make("td", {}, factor(times)));
  });
  const labels = (some) => some.map(({ values }) => controls[Object.keys(values)[0]].label);
  const names = [...new Set(labels(found))].filter((label) => !labels(moved).includes(label));
  if (names.length) rows.push(make("tr", { class: "still" }, make("td", { colspan: 2 }, CHANGES_SAY.still(names.join(", ")))));
  if (!rows.length && front.engine.isTable) rows.push(make("tr", { class: "still" }, make("td", { colspan: 2 }, CHANGES_SAY.notHeld)));
  front.at("#front-changes tbody").replaceChildren(...rows);
}

/** What relieves the limits, those with most of the time first; then the controls that stand first, then all others, moved alone. */
function* proposals(front) {
  const { controls: { byKey: controls }, form: { leading }, gone, result: { limits_s }, scenario: { reliefs } } = front;
  const valueOf = (key) => front.valueOf(key);
  const total_s = Object.values(limits_s).reduce((sum, each) => sum + each, 0);
  const known = new Set();
  const ranked = Object.entries(limits_s).sort(([, a], [, b]) => b - a);
  for (const text of ranked.filter(([, time_s]) => time_s >= LEAST_SHARE * total_s).flatMap(([limit]) => reliefs[limit] ?? [])) {
    const values = relieved(text, controls, gone, valueOf);
    const [key] = Object.keys(values);
    if (key && !known.has(JSON.stringify(values))) yield { values, isFirst: true };
    known.add(JSON.stringify(values)).add(key);
  }
  for (const key of new Set([...leading, ...Object.keys(controls)])) {
    if (gone.has(key) || known.has(key)) continue;
    for (const text of others(controls[key], valueOf(key))) yield { values: { [key]: text }, isFirst: leading.includes(key) };
  }
}

/**
 * The values that a relief of the table comes to ("receive_window*4 device_window_scale=auto send_buffer>=receive_window"), of the
 * controls that there are: several changed together, what it is about first. None if that stays as it is.
 */
export function relieved(relief, controls, gone, valueOf) {
  const parts = [...relief.matchAll(/(\w+)(\*|\/|>=|=)(\S*)/g)].map(([, key, sign, operand]) => ({ key, sign, operand }));
  const values = {};
  const inTurn = [...parts].sort((a, b) => IN_TURN.indexOf(a.sign) - IN_TURN.indexOf(b.sign));
  for (const { key, sign, operand } of inTurn.filter((part) => controls[part.key] && !gone.has(part.key))) {
    const text = relievedTo(controls[key], sign, operand, (other) => values[other] ?? valueOf(other), valueOf);
    if (text !== valueOf(key)) values[key] = text;
  }
  const ordered = parts.map(({ key }) => key).filter((key) => key in values);
  const needsScale = ordered.some((key) => key.endsWith("_window") && amountOf(values[key]) > UNSCALED_B);
  const kept = ordered.filter((key) => needsScale || !key.endsWith("_window_scale"));
  return kept[0] === parts[0].key ? Object.fromEntries(kept.map((key) => [key, values[key]])) : {};
}

/** The new value of one of its parts; `beside` says what the others have by then. */
function relievedTo(control, sign, operand, beside, valueOf) {
  const { key } = control;
  const own = valueOf(key);
  if (control.kind !== "number") return control.kind === "switch" || control.choices.includes(operand) ? operand : own;
  const amount = amountOf(own);
  if (sign === "=") return operand === "0" && amount === 0 ? own : operand;
  if (sign === ">=") return amountOf(beside(operand)) > amount ? beside(operand) : own;
  const by = Number(operand) || amountOf(valueOf(operand) ?? "1");
  if (sign === "/") return textOf(control, amount / by);
  const scales = ["device", "host"].map((end) => beside(`${end}_window_scale`) ?? "none");
  const most = key.endsWith("_window") && scales.includes("none") ? Math.max(amount, UNSCALED_B) : Infinity;
  return textOf(control, Math.min(amount * by, most));
}

/** Moved alone: another choice, or twice and half of a number. */
function others(control, own) {
  if (control.kind !== "number") {
    const choices = control.kind === "switch" ? ["true", "false"] : control.choices;
    return choices.filter((each) => each !== own);
  }
  const amount = amountOf(own);
  if (!(amount > 0) || own === NO_LIMIT.text) return [];
  return [textOf(control, 2 * amount), textOf(control, amount / 2)].filter((each) => each !== own);
}

/** A change in words: twice the window: 5840 B. */
function said({ label, unit, kind }, own, text) {
  const times = kind === "number" ? amountOf(text) / amountOf(own) : 0;
  const named = times === 2 ? CHANGES_SAY.twice(label) : times === 0.5 ? CHANGES_SAY.half(label) : label;
  return `${named}: ${kind === "switch" ? { true: CHANGES_SAY.on, false: CHANGES_SAY.off }[text] : valueSaid(text, unit)}`;
}

/** So many times: 2.0, 0.51, 41. */
export function factor(times) {
  return times >= 100 ? number(times) : times >= 10 ? fixed(times, 0) : times >= 1.1 ? fixed(times, 1) : fixed(times, 2);
}
