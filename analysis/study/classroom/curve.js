// SPDX-License-Identifier: GPL-2.0-only
// The curve along one control, the others as they stand: what was visited of it, and what the student drew before.

import { add, canvas, curveLine, drawFrame, leastBy, line, number, scale, STAR, tableOf, text, ticks } from "../front/small.js";
import { words } from "../front/words.js";
import { along, index } from "./unit-runs.js";

const CURVE_SAY = words("curve");

// Which control the curve is along.
export const axisOf = (unit) => unit.controls.findIndex((each) => each.id === unit.x);

// The axes, which are those of the guess before: nothing of them moves with the sliders.
export function axesOf(unit, box, at) {
  const n = axisOf(unit);
  const control = unit.controls[n];
  const width = box.clientWidth || 320;
  const height = Math.max(190, Math.min(360, Math.max(250, width * 0.6), innerHeight * 0.42));
  const [low, high] = rangeOf(unit);
  const marks = ticks(low, high, unit.y.log, 5);
  const wide = Math.max(...marks.map((tick) => number(tick).length));
  const [last, unitOf] = control.steps.at(-1)[0].split(" ");
  const room = { left: 14 + wide * 7, right: width - Math.max(24, last.length * 3.8), top: 24, bottom: height - 46 };
  const xs = control.steps.map((step) => step[1]);
  const x = scale(xs[0], xs.at(-1), room.left, room.right, control.log);
  const y = scale(low, high, room.bottom, room.top, unit.y.log);
  const svg = canvas(box, width, height, "");
  // Where the slider stands, the measured system's own value and the ends first; of the others what there is room for.
  const places = new Set([at[n], control.start, 0, xs.length - 1, ...xs.keys()]);
  const words = [...places].map((place) => [x(xs[place]), control.steps[place][0].split(" ")[0]]);
  const label = control.label + (unitOf ? ` (${unitOf})` : "");
  drawFrame(svg, room, { marks, y, stops: xs.map(x), words, label, unit: unit.y.unit });
  if (control.apart) drawBreak(svg, (x(xs[0]) + x(xs[1])) / 2, room.bottom);
  const within = (value) => Math.min(high, Math.max(low, value));
  const middle = unit.y.log ? Math.sqrt(low * high) : (low + high) / 2;
  return { svg, control, n, xs, x, y, room, low, high, within, middle, width };
}

// The first stop is none of the axis' values: "no loss" has no place on a logarithmic one.
function drawBreak(svg, middle, level) {
  add(svg, "rect", { class: "break", x: middle - 4, y: level - 8, width: 8, height: 16 });
  for (const across of [middle - 4, middle + 4]) line(svg, "axis", [across - 3, level + 7], [across + 3, level - 7]);
}

// Wide enough for guesses that are far off.
export function rangeOf(unit) {
  const all = [...unit.values, ...unit.between.values, ...unit.measured.map((m) => m.value)];
  const top = Math.max(...all);
  if (!unit.y.log) return [0, top * 1.25];
  const round = Array.from({ length: 30 }, (_, n) => [1, 2, 5].map((step) => Number(`${step}e${n - 15}`))).flat();
  return [round.findLast((each) => each <= Math.min(...all) / 1.2), round.find((each) => each >= top * 1.2)];
}

export function drawCurve(view, box) {
  const { unit, section, at } = view;
  const curve = along(unit, at, axisOf(unit));
  const axes = axesOf(unit, box, at);
  const { svg, control, n, xs, x, y, room, width } = axes;
  const isSeen = (places) => view.whole || view.visited.has(index(unit, places));
  const seen = xs.map((_, place) => isSeen(at.with(n, place)));
  const points = (values) => values.map((value, place) => [x(xs[place]), y(value)]);
  const shown = unit.measured.filter((measured) => isSeen(measured.at));
  svg.setAttribute("aria-label", describe(unit, curve, control, seen, shown));
  // Stars that the sliders have left have curves of their own, one for all that stand on it.
  const others = (places) => places.with(n, 0).join();
  const left = new Map(shown.map((measured) => [others(measured.at), measured.at]));
  left.delete(others(at));
  if (view.whole) for (const places of left.values()) drawThrough(axes, unit, places, "ghost", () => true);
  else drawVisited(view, axes);
  drawThrough(axes, unit, at, "line", (place) => seen[place]);
  drawRanges(view, axes, seen);
  const [cx, cy] = points(curve)[at[n]];
  const stars = shown.map((each) => [x(xs[each.at[n]]), y(each.value)]);
  drawGuess(view, { ...axes, marks: [[cx, cy], ...stars] }); // its words stand on the curve, not below it
  for (const [cx, cy] of points(curve).filter((_, place) => seen[place])) add(svg, "circle", { class: "dot", cx, cy, r: 3.6 });
  add(svg, "circle", { class: "here", cx, cy, r: 8 });
  const free = { ...room, right: width, ring: [cx, cy] };
  const drawn = drawnIn(svg);
  for (const [k, measured] of shown.entries()) {
    add(svg, "path", { class: "star", d: STAR, transform: `translate(${stars[k]})` });
    nameStar(svg, short(measured), stars[k], { ...free, label: svg.querySelector(".guess-text")?.getBBox() }, drawn);
  }
  const now = (place) => (place === at[n] ? { "aria-current": "true" } : {});
  const rows = curve.map((value, place) => [control.steps[place][0], seen[place] ? number(value) : CURVE_SAY.unseen, now(place)]);
  section.querySelector(".numbers").replaceChildren(tableOf([control.label, `${unit.y.name} (${unit.y.unit})`], rows));
}

// Between two stops that are seen, through what was simulated there: a line, stairs, or dots that nothing joins.
function drawThrough({ svg, n, xs, x, y }, unit, places, kind, isSeen) {
  const { joined, between: { x: inner, values, stairs } } = unit;
  const stops = along(unit, places, n);
  const valueAt = (k) => values[places.reduce((sum, place, c) => sum * (c === n ? inner.length : unit.controls[c].steps.length) + (c === n ? k : place), 0)];
  for (let place = 0; place + 1 < xs.length; place++) {
    if (!isSeen(place) || !isSeen(place + 1)) continue;
    const way = inner.flatMap((value, k) => (value > xs[place] && value < xs[place + 1] ? [[value, valueAt(k)]] : []));
    if (joined === "dots") {
      for (const [value, found] of way) add(svg, "circle", { class: `fine ${kind}-fine`, cx: x(value), cy: y(found), r: 1.8 });
      continue;
    }
    let d = `M${x(xs[place])} ${y(stops[place])}`;
    let from = xs[place];
    for (const [value, found] of [...way, [xs[place + 1], stops[place + 1]]]) {
      const isStep = joined === "stairs" && from >= stairs[0] && value <= stairs[1];
      d += isStep ? `H${x(value)}V${y(found)}` : `L${x(value)} ${y(found)}`;
      from = value;
    }
    add(svg, "path", { class: kind, d });
  }
}

// Where chance has a part: between which figures several draws are, with the other sliders as they begin.
function drawRanges({ unit, at }, { svg, n, xs, x, y }, seen) {
  if (!unit.ranges || movedBut(unit, at, n).length) return;
  unit.ranges.forEach(([low, high], place) => {
    if (!seen[place]) return;
    const across = x(xs[place]);
    add(svg, "path", { class: "range", d: `M${across - 5} ${y(low)}h10M${across} ${y(low)}V${y(high)}M${across - 5} ${y(high)}h10` });
  });
}

// What was visited with the other sliders elsewhere.
function drawVisited({ unit, at, visited }, { svg, n, xs, x, y }) {
  const step = index(unit, at.map((_, k) => Number(k === n))); // from one run to that of the control's next stop
  for (const here of visited) {
    const place = Math.floor(here / step) % xs.length;
    if (here === index(unit, at.with(n, place))) continue;
    add(svg, "circle", { class: "been", cx: x(xs[place]), cy: y(unit.values[here]), r: 2.6 });
  }
}

// The controls that do not stand as they begin, but for that of the curve.
const movedBut = (unit, at, n) => unit.controls.filter((control, k) => k !== n && at[k] !== control.start);

// What the student drew before anything was shown; what is beyond the axis stands at its end.
export function drawGuess({ unit, at: places, drawn }, { svg, n, xs, x, y, within, width, marks = [] }) {
  const kind = movedBut(unit, places, n).length ? " stale" : "";
  const points = drawn.flatMap((value, place) => (value === null ? [] : [[x(xs[place]), y(within(value))]]));
  if (points.length > 1) curveLine(svg, `guess-line${kind}`, points);
  for (const [cx, cy] of points) add(svg, "path", { class: `guess-point${kind}`, d: "M-4 0L0-4 4 0 0 4Z", transform: `translate(${cx} ${cy})` });
  if (!points.length) return;
  const first = drawn.find((value) => value !== null);
  const beyond = first === within(first) ? "" : `: ${number(first)} ${first < within(first) ? "↓" : "↑"}`;
  const said = (kind ? CURVE_SAY.guessBefore : CURVE_SAY.guess) + beyond;
  const [[across, down]] = points;
  const isTaken = marks.some(([cx, cy]) => Math.abs(cx - across) < 30 && Math.abs(cy - (down - 12)) < 16);
  const label = text(svg, said, 0, down + (down < 40 || isTaken ? 20 : -8), "start", "guess-text");
  label.setAttribute("x", Math.min(across + 8, width - label.getBBox().width - 5));
}

/** Beside the star, where it covers least of what is drawn. @param {any} svg @param {string} words @param {number[]} star */
function nameStar(svg, words, [across, down], free, drawn) {
  const long = words.length * 7.2 + 12;
  const covered = ([side, below]) => {
    const from = side > 0 ? across + 8 : across - 8 - long;
    const [top, bottom] = [down + below - 13, down + below + 5];
    if (from < free.left || from + long > free.right || top < free.top || bottom > free.bottom) return Infinity;
    const { label, ring: [cx, cy] } = free;
    const rings = cx > from - 8 && cx < from + long + 8 && cy > top - 8 && cy < bottom + 8;
    const meets = label && from < label.x + label.width && from + long > label.x && top < label.y + label.height && bottom > label.y;
    return drawn.filter(([x, y]) => x > from && x < from + long && y > top && y < bottom).length + (meets || rings ? 1e3 : 0);
  };
  const [side, below] = leastBy([20, -11, 38, -29].flatMap((each) => [[1, each], [-1, each]]), covered);
  text(svg, words, across + side * 12, down + below, side > 0 ? "start" : "end", "star-text");
}

// Of each line and dot in the picture, points that lie close.
function drawnIn(svg) {
  const lines = [...svg.querySelectorAll(".line, .ghost")].flatMap((path) => {
    const steps = Math.ceil(path.getTotalLength() / 4);
    return Array.from({ length: steps }, (_, n) => path.getPointAtLength(n * 4)).map(({ x, y }) => [x, y]);
  });
  return [...lines, ...[...svg.querySelectorAll("circle")].map((dot) => [dot.cx.baseVal.value, dot.cy.baseVal.value])];
}

function describe(unit, curve, control, seen, measured) {
  const said = curve.flatMap((value, n) => (seen[n] ? [`${control.steps[n][0]}: ${number(value)}`] : []));
  const stars = measured.map((m) => `${short(m)}, ${number(m.value)}`);
  return CURVE_SAY.against(unit.y.name, unit.y.unit, control.label, said.join("; "), stars.join("; ") || CURVE_SAY.none);
}

const short = (measured) => measured.name.split(",")[0];
