// SPDX-License-Identifier: GPL-2.0-only
// For the teacher: a class's guesses, one code a line, as a histogram of each unit. Nothing leaves the page.

import { add, canvas, decades, drawFrame, line, make, number, partsOf, scale, ticks } from "../front/small.js";
import { words } from "../front/words.js";
import { rangeOf } from "./curve.js";
import { gathered } from "./guesses.js";
import { apart, NEAR } from "./predict.js";
import { index, runs, startOf } from "./unit-runs.js";

const CLASS_SAY = words("class");
const CLASS_PER_DECADE = 6; // bars
const LONGEST_LINE = 40; // of what is named

export function openClass() {
  const box = document.getElementById("class");
  const redraw = () => box.hidden || drawClass(box);
  const turn = () => {
    box.hidden = !/^#class$|[#&]at=class(&|$)/.test(location.hash); // alone, or beside a setting
    redraw();
  };
  box.addEventListener("input", redraw);
  box.addEventListener("click", ({ target }) => {
    if (!target.matches("button")) return;
    target.setAttribute("aria-pressed", String(target.getAttribute("aria-pressed") === "false"));
    redraw();
  });
  addEventListener("hashchange", () => {
    turn();
    if (!box.hidden) box.scrollIntoView();
  });
  new ResizeObserver(redraw).observe(box);
  turn();
}

function drawClass(box) {
  const { students, wrong, again } = gathered(box.querySelector("textarea").value, runs.units.map((unit) => unit.code));
  const counted = students.length === 1 ? CLASS_SAY.one : CLASS_SAY.counted(students.length);
  box.querySelector(".counted").textContent = students.length ? counted : "";
  const named = wrong.map((each) => CLASS_SAY.line(each.line, each.text.slice(0, LONGEST_LINE), each.why));
  const twice = again.map((each) => CLASS_SAY.again(each.line, each.before));
  box.querySelector(".problems").replaceChildren(...[...named, ...twice].map((words) => make("li", {}, words)));
  for (const unit of runs.units) {
    const [plot, told, turn] = partsOf(box.querySelector(`[data-unit="${unit.id}"]`), ".plot", ".told", "button");
    const isShown = turn.getAttribute("aria-pressed") === "true";
    const guesses = students.flatMap((each) => each.guesses[unit.code] ?? []).sort((a, b) => a - b);
    const value = isShown ? unit.values[index(unit, startOf(unit))] : null;
    told.textContent = saidOf(unit, guesses, value);
    turn.textContent = isShown ? CLASS_SAY.hide : CLASS_SAY.show;
    drawGuesses(unit, plot, guesses, value, told.textContent);
  }
}

function saidOf({ y }, guesses, value) {
  const words = [];
  if (!guesses.length) words.push(CLASS_SAY.none + (value === null ? "" : "."));
  else if (guesses.length === 1) words.push(CLASS_SAY.guess(number(guesses[0]), y.unit));
  else words.push(CLASS_SAY.guesses(guesses.length, ...[0, (guesses.length - 1) >> 1, guesses.length - 1].map((n) => number(guesses[n])), y.unit));
  if (value !== null) {
    words.push(CLASS_SAY.answer(number(value), y.unit));
    const near = guesses.filter((guess) => apart(guess, value) <= NEAR).length;
    if (guesses.length) words.push(CLASS_SAY.near(near, guesses.length));
  }
  return words.join(" ");
}

// Bars over a logarithmic axis, as guesses differ by factors; it has room for the answer whether that is shown or not.
function drawGuesses(unit, box, guesses, value, said) {
  box.replaceChildren();
  if (!guesses.length) return;
  const width = box.clientWidth || 320, height = 190;
  const place = (guess) => Math.floor(Math.log10(guess) * CLASS_PER_DECADE + 1e-9);
  const [low, high] = rangeOf({ ...unit, y: { ...unit.y, log: true } });
  const from = Math.min(place(low), place(guesses[0])), until = Math.max(place(high), place(guesses.at(-1))) + 1;
  const bars = [...new Set(guesses.map(place))].map((n) => [n, guesses.filter((guess) => place(guess) === n).length]);
  const edge = (n) => 10 ** (n / CLASS_PER_DECADE);
  const room = { left: 34, right: width - 12, bottom: height - 40 };
  const x = scale(edge(from), edge(until), room.left, room.right, true);
  const most = Math.max(...bars.map(([, count]) => count));
  const y = scale(0, most, room.bottom, 26, false);
  const svg = canvas(box, width, height, `${unit.y.name}: ${said}`);
  const marks = ticks(0, most, false, Math.min(4, most)).filter(Number.isInteger);
  const words = decades(edge(from), edge(until)).map((tick) => [x(tick), number(tick)]);
  drawFrame(svg, room, { marks, y, words, label: CLASS_SAY.axis(unit.y.unit), unit: CLASS_SAY.students });
  for (const [n, count] of bars) {
    const left = x(edge(n)) + 1;
    add(svg, "rect", { class: "guess-bar", x: left, y: y(count), width: x(edge(n + 1)) - left - 1, height: y(0) - y(count) });
  }
  if (value === null) return;
  line(svg, "answer-line", [x(value), 16], [x(value), y(0)]);
  add(svg, "path", { class: "here", d: "M-6-6L6-6 0 4Z", transform: `translate(${x(value)} 14)` });
}
