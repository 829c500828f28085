// SPDX-License-Identifier: GPL-2.0-only
// The front end's curve and bar, of what was simulated alone: nothing is put between two jobs.

import { add, canvas, curveLine, decades, drawFrame, leastBy, line, namedShares, scale, STAR, text, ticks } from "./small.js";

export const CLOSE = 0.02; // of a run: from here on the line of the formula is dotted
const WIDE = 20; // a range of so many times has a logarithmic axis
const ZERO_ROOM = 26; // as far from the rest of a logarithmic axis stands a zero

/** A scale over these numbers; on a logarithmic one a zero stands before it, by itself. */
function frontScale(numbers, from, to, begin) {
  const positive = numbers.filter((number) => number > 0);
  const [low, high] = [Math.min(...positive), Math.max(...positive)];
  const hasZero = numbers.includes(0);
  if (!positive.length || high / low <= WIDE) {
    const bottom = begin ?? Math.min(...numbers);
    const top = numbers.some((each) => each !== bottom) ? Math.max(...numbers) : bottom + 1;
    return { at: scale(bottom, top, from, to, false), ticks: ticks(bottom, top, false, 5) };
  }
  const first = hasZero ? from + Math.sign(to - from) * ZERO_ROOM : from;
  const inner = scale(low, high, first, to, true);
  const marks = decades(low, high);
  return { at: (n) => (n > 0 ? inner(n) : from), ticks: hasZero ? [0, ...marks] : marks };
}

/**
 * The figure over one parameter.
 *
 * `points` are {text, x, value}; so are `here`, `pinned` (or none) and the `stars`, which have a name; `paper` has pairs. A pointer
 * reads the job nearest to it, in the words of `read`, and chooses it.
 */
export function frontCurve(box, { points, here, pinned, ghost, stars, paper, figure, label, readable, name, read, choose }) {
  const [width, height] = [box.clientWidth || 340, box.clientHeight || 190];
  const ended = points.filter((point) => point.value);
  const marks = [...ended, ...stars, ...ghost, ...[here, pinned].filter((each) => each?.value)];
  const lineOnPaper = paper.filter(([x]) => ended.length && x >= ended[0].x && x <= ended.at(-1).x);
  const svg = canvas(box, width, height, name);
  if (marks.length < 2) return;
  const values = [...marks.map((mark) => mark.value), ...lineOnPaper.map(([, value]) => value)];
  const room = { left: 58, right: width - 16, top: 24, bottom: height - 42 };
  const y = frontScale(values, room.bottom, room.top, 0);
  const x = frontScale(marks.map((mark) => mark.x), room.left, room.right);
  const said = x.ticks.map((tick) => [x.at(tick), readable(tick)]);
  const words = said.filter(([across, each]) => across + each.length * 3.8 < width);
  drawFrame(svg, room, { marks: y.ticks, y: y.at, stops: x.ticks.map(x.at), words, label, unit: figure.unit });
  const at = (mark) => [x.at(mark.x), y.at(mark.value)];
  for (const { holds, pairs } of stretches(lineOnPaper, points)) {
    curveLine(svg, holds ? "paper" : "paper wrong", pairs.map(([n, value]) => [x.at(n), y.at(value)]));
  }
  if (ghost.length > 1) curveLine(svg, "ghost", ghost.map(at));
  for (const [cx, cy] of ended.map(at)) add(svg, "circle", { class: "dot", cx, cy, r: 3.4 });
  for (const star of stars) add(svg, "path", { class: "star", d: STAR, transform: `translate(${at(star)})` });
  for (const [kind, mark] of [["pin", pinned], ["here", here]]) {
    if (mark?.value) add(svg, "circle", { class: kind, cx: x.at(mark.x), cy: y.at(mark.value), r: 7.5 });
  }
  if (ended.length) readAt(box, svg, room, ended.map((point) => ({ point, cx: at(point)[0] })), read, choose);
}

// The job nearest to the pointer: its value over the picture, a click or a tap takes it. A pointer that rests while the next job
// comes in and the picture is drawn anew still reads.
function readAt(box, svg, room, jobs, read, choose) {
  const shown = add(svg, "g", { class: "reading" });
  const nearest = (clientX) => {
    const x = new DOMPoint(clientX, 0).matrixTransform(svg.getScreenCTM().inverse()).x;
    return leastBy(jobs, ({ cx }) => Math.abs(cx - x));
  };
  const show = (clientX) => {
    box.pointedAt = clientX;
    shown.replaceChildren();
    if (clientX === undefined) return;
    const { point, cx } = nearest(clientX);
    line(shown, "axis", [cx, room.top], [cx, room.bottom]);
    text(shown, read(point), room.right, 12, "end");
  };
  box.onpointermove = (event) => show(event.clientX);
  box.onpointerleave = () => show(undefined);
  box.onclick = (event) => choose(nearest(event.clientX).point);
  show(box.pointedAt);
}

// The line of the formula, cut where a simulated job beside it says something else.
function stretches(paper, points) {
  const found = [];
  for (const pair of paper) {
    const beside = leastBy(points, ({ x }) => Math.abs(Math.log((x || 1e-9) / (pair[0] || 1e-9))));
    const [, onPaper] = leastBy(paper, ([x]) => Math.abs(x - (beside?.x ?? 0)));
    const holds = !beside || (beside.value > 0 && Math.abs(onPaper / beside.value - 1) <= CLOSE);
    const last = found.at(-1);
    if (last?.holds === holds) last.pairs.push(pair);
    else found.push({ holds, pairs: last ? [last.pairs.at(-1), pair] : [pair] });
  }
  return found;
}

/** What the job's time went to: fractions of the whole. */
export function frontShares(limits_s) {
  const whole = Object.values(limits_s).reduce((sum, time) => sum + time, 0) || 1;
  return namedShares(Object.entries(limits_s).map(([name, time]) => [name, time / whole]));
}
