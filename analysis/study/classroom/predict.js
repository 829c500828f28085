// SPDX-License-Identifier: GPL-2.0-only
// The guess before the answer: a number, or a curve drawn over the slider's stops; and what is said of it.

import { add, leastBy, line, number, partsOf, scale } from "../front/small.js";
import { numberSaid, say, words } from "../front/words.js";
import { axesOf, axisOf, drawGuess } from "./curve.js";
import { keep, keptOf } from "./progress.js";
import { along, index, startOf } from "./unit-runs.js";

const PREDICT_SAY = words("predict");
export const NEAR = 1.25;
const KEY_STEP = 1.12; // of an arrow key, on a logarithmic axis

// What parts thousands for many who read this language.
const DECIMAL = say("number.sample").at(-2);
const THOUSANDS = DECIMAL === "," ? "." : ",";

// A number as somebody writes it: a decimal comma is as good as a point; what could also mean thousands is asked again.
export function numberIn(words) {
  const bare = words.trim().replaceAll(/[\s\u00a0]/g, "");
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(bare) && bare.includes(THOUSANDS)) return { value: NaN, ambiguous: bare };
  return { value: /^(\d+([.,]\d*)?|[.,]\d+)(e\d+)?$/i.test(bare) ? Number(bare.replace(",", ".")) : NaN };
}

export function ambiguousSaid(bare) {
  return PREDICT_SAY.ambiguous(bare, bare.replace(THOUSANDS, ""), bare.replace(THOUSANDS, DECIMAL));
}

// The form of a unit: it calls `reveal` with the guess, or null.
export function askFirst(view, reveal) {
  const { unit, section } = view;
  const [form, field, skip, pad, told] = partsOf(section, ".predict", ".guess", ".skip", ".pad .plot", ".told");
  const control = unit.controls[axisOf(unit)];
  view.drawn = control.steps.map(() => null);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { value, ambiguous } = numberIn(field.value);
    const isGood = value > 0;
    field.setAttribute("aria-invalid", String(!isGood));
    const missing = PREDICT_SAY.missing + (told.hidden ? "" : PREDICT_SAY.drawIt(control.steps[control.start][0]));
    form.querySelector(".wrong").textContent = isGood ? "" : ambiguous ? ambiguousSaid(ambiguous) : missing;
    if (!isGood) field.focus();
    else if (told.hidden) {
      keptOf(unit).first = field.value;
      keep();
      tellMore(form, field, told);
      field.select();
      field.focus({ preventScroll: true });
      told.scrollIntoView({ block: "start" });
    } else reveal(value);
  });
  skip.addEventListener("click", () => {
    view.drawn.fill(null);
    reveal(null);
  });
  field.addEventListener("input", () => {
    const { value } = numberIn(field.value);
    view.drawn[control.start] = value > 0 ? value : null;
    if (value > 0) form.querySelector(".wrong").textContent = ""; // aria-invalid is for the next try
    drawPad(view, pad);
  });
  const set = (place, value) => {
    view.drawn[place] = value;
    if (place === control.start) field.value = value === null ? "" : numberSaid(String(value));
    drawPad(view, pad);
  };
  pad.addEventListener("keydown", (event) => padKey(view, pad, event, set));
  padPointer(view, pad, set);
  view.focus = control.start;
  const { first } = keptOf(unit);
  if (first && told.hidden) {
    field.value = first;
    tellMore(form, field, told);
  }
  drawPad(view, pad);
  new ResizeObserver(() => drawPad(view, pad)).observe(pad);
}

// After the first guess what decides is told, and the guess may be changed.
function tellMore(form, field, told) {
  for (const part of [told, ...form.querySelectorAll(".clue, .pad")]) part.hidden = false;
  form.querySelector(".again").textContent = PREDICT_SAY.again(field.value, form.querySelector(".unit-of").textContent);
  form.querySelector("[type=submit]").textContent = say("unit.show");
}

function drawPad(view, box) {
  const { unit } = view;
  const active = box.contains(document.activeElement);
  const axes = axesOf(unit, box, view.at);
  const { svg, control, xs, x, y, room, low, high, within, middle } = axes;
  view.axes = axes;
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", PREDICT_SAY.pad(unit.y.name, unit.y.unit, control.label));
  add(svg, "rect", { class: "pad-area", x: room.left, y: room.top, width: room.right - room.left, height: room.bottom - room.top });
  for (const value of xs) line(svg, "grid", [x(value), room.top], [x(value), room.bottom]);
  drawGuess(view, axes);
  view.drawn.forEach((value, place) => {
    const shown = within(value ?? middle);
    const handle = add(svg, "circle", {
      class: value === null ? "handle open" : "handle", cx: x(xs[place]), cy: y(shown), r: 7,
      role: "slider", tabindex: place === view.focus ? 0 : -1, "data-place": place,
      "aria-label": `${control.label} ${control.steps[place][0]}`, "aria-orientation": "vertical",
      "aria-valuemin": low, "aria-valuemax": high, "aria-valuenow": shown,
      "aria-valuetext": value === null ? PREDICT_SAY.open : `${number(value)} ${unit.y.unit}`,
    });
    if (active && place === view.focus) handle.focus();
  });
}

// Left and right go to another stop, up and down set its value.
function padKey(view, pad, event, set) {
  const { unit, drawn, focus: place, axes: { low, high, within, middle } } = view;
  const moves = { ArrowLeft: -1, ArrowRight: 1 };
  const turned = { ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
  if (event.key in moves) {
    view.focus = Math.max(0, Math.min(drawn.length - 1, place + moves[event.key]));
    drawPad(view, pad);
  } else if (event.key in turned) {
    const from = drawn[place] ?? middle;
    const next = unit.y.log ? from * KEY_STEP ** turned[event.key] : from + (turned[event.key] * (high - low)) / 40;
    set(place, rounded(within(Math.max(low || high / 1000, next))));
  } else if (event.key === "Delete" || event.key === "Backspace") set(place, null);
  else return;
  event.preventDefault();
}

// A drag over several stops sets each that it passes.
function padPointer(view, pad, set) {
  let before = null;
  const drawTo = (event) => {
    const frame = pad.querySelector("svg").getBoundingClientRect();
    const [across, down] = [event.clientX - frame.left, event.clientY - frame.top].map((at) => (at * view.axes.width) / frame.width);
    const { xs, x, room } = view.axes;
    const [from, level] = before ?? [across, down];
    const heightAt = scale(from, across, level, down);
    const near = (px) => leastBy([...xs.keys()], (place) => Math.abs(x(xs[place]) - px));
    const [first, last] = [near(from), near(across)];
    for (let place = first; ; place += Math.sign(last - first)) {
      const height = place === last ? down : heightAt(Math.min(Math.max(from, across), Math.max(Math.min(from, across), x(xs[place]))));
      view.focus = place;
      set(place, rounded(valueAt(view, Math.max(room.top, Math.min(room.bottom, height)))));
      if (place === last) break;
    }
    before = [across, down];
  };
  pad.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    pad.setPointerCapture(event.pointerId);
    before = null;
    drawTo(event);
    event.preventDefault();
  });
  pad.addEventListener("pointermove", (event) => {
    if (pad.hasPointerCapture(event.pointerId)) drawTo(event);
  });
}

function valueAt({ unit, axes: { room, low, high } }, height) {
  const part = (room.bottom - height) / (room.bottom - room.top);
  return unit.y.log ? low * (high / low) ** part : Math.max(high / 1000, low + (high - low) * part);
}

const rounded = (value) => Number(value.toPrecision(2));

export function judge(unit, guess, drawn) {
  const at = startOf(unit);
  const value = unit.values[index(unit, at)];
  const said = `${number(value)}\u00a0${unit.y.unit}`; // one number, in one line
  if (guess === null) return PREDICT_SAY.is(said);
  const times = apart(guess, value);
  const you = PREDICT_SAY.you(`${number(guess, 5)}\u00a0${unit.y.unit}`, said);
  const found = along(unit, at, axisOf(unit));
  const stops = drawn.flatMap((each, place) => (each === null ? [] : [apart(each, found[place])]));
  const curve = stops.length < 2 ? "" : PREDICT_SAY.curve(stops.filter((each) => each <= NEAR).length, stops.length);
  if (times < 1.1) return you + PREDICT_SAY.well + curve;
  const which = guess > value ? PREDICT_SAY.high : PREDICT_SAY.low;
  return you + (times < 2 ? PREDICT_SAY.close(which) : PREDICT_SAY.times(number(times), which)) + PREDICT_SAY.why + curve;
}

// So many times as large one is as the other.
export const apart = (one, other) => Math.max(one, other) / Math.min(one, other);
