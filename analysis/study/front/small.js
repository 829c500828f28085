// SPDX-License-Identifier: GPL-2.0-only
// What every page of the study draws with: elements, scales and their ticks, numbers as they are read.

import { numberSaid, say } from "./words.js";

export const STAR = "M0-9L2.2-3.1 8.6-2.8 3.6 1.2 5.3 7.3 0 3.8-5.3 7.3-3.6 1.2-8.6-2.8-2.2-3.1Z";

/** The one of a list of which a measure is least. */
export const leastBy = (list, measure) => list.reduce((best, each) => (measure(each) < measure(best) ? each : best), list[0]);

export function scale(low, high, from, to, log) {
  const f = log ? Math.log : (v) => v;
  return (value) => from + ((f(value) - f(low)) / (f(high) - f(low) || 1)) * (to - from);
}

export function ticks(low, high, log, count) {
  if (log) return decades(low, high);
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((s) => s * power >= rough) * power;
  const found = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1000; tick += step) found.push(tick); // a sum of steps is not exact
  return found;
}

// 1, 2 and 5 of each power of ten; 1 alone where that would be many.
export function decades(low, high) {
  const wide = Math.log10(high / low);
  const steps = wide < 1.8 ? [1, 2, 5] : wide < 3.5 ? [1, 3] : [1];
  const powers = Array.from({ length: Math.ceil(wide) + 2 }, (_, n) => Math.floor(Math.log10(low)) + n);
  return powers.flatMap((power) => steps.map((step) => Number(`${step}e${power}`))).filter((tick) => tick >= low && tick <= high);
}

export function number(value, digits = value >= 1000 ? 4 : 3) {
  return numberSaid(Number(value.toPrecision(digits)).toLocaleString("en", { maximumSignificantDigits: 5 }));
}

/** With so many decimals. @param {number} value @param {number} decimals */
export const fixed = (value, decimals) => numberSaid(value.toFixed(decimals));

/** Of a share: whole, but for one that would be rounded to all of it. */
export const percent = (share) => `${fixed(share * 100, share >= 0.995 && share < 1 ? 1 : 0)} %`;

export const span = (micros) => (micros >= 1000 ? `${number(micros / 1000)} ms` : `${number(micros)} µs`);

/** A copy of what a <template> of the page has. */
export const copyOf = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

/** The first element of each selector. */
export const partsOf = (root, ...selectors) => selectors.map((each) => root.querySelector(each));

export const make = (kind, attributes, ...children) => filledWith(document.createElement(kind), attributes, ...children);

export function button(words, looks, act) {
  return Object.assign(make("button", { type: "button", ...looks }, words), { onclick: act });
}

export function add(svg, kind, attributes, ...children) {
  const made = filledWith(document.createElementNS("http://www.w3.org/2000/svg", kind), attributes, ...children);
  svg.append(made);
  return made;
}

export function filledWith(made, attributes, ...children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function canvas(box, width, height, label) {
  box.replaceChildren();
  return add(box, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
}

/** @param {any} svg @param {string} kind @param {number[]} from @param {number[]} to */
export const line = (svg, kind, [x1, y1], [x2, y2]) => add(svg, "line", { class: kind, x1, y1, x2, y2 });

export function curveLine(svg, kind, points) {
  add(svg, "path", { class: kind, d: `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` });
}

export const text = (svg, words, x, y, anchor, kind = "") => add(svg, "text", { x, y, "text-anchor": anchor, class: kind }, words);

/**
 * The frame of a picture: at its left `marks` in `unit`, each with a line across, as far down as `y` says; an axis with stops below, and
 * its `label`. Of `words`, which are [across, words], the first in the list have the room that there is.
 */
export function drawFrame(svg, { left, right, bottom }, { marks, y, stops = [], words, label, unit }) {
  for (const mark of marks) {
    line(svg, "grid", [left, y(mark)], [right, y(mark)]);
    text(svg, number(mark), left - 9, y(mark) + 4, "end", "soft");
  }
  line(svg, "axis", [left, bottom], [right, bottom]);
  for (const across of stops) line(svg, "axis", [across, bottom], [across, bottom + 4]);
  const written = [];
  for (const [across, said] of words) {
    const half = said.length * 3.8 + 3;
    if (written.some(([from, until]) => across - half < until && from < across + half)) continue;
    written.push([across - half, across + half]);
    text(svg, said, across, bottom + 18, "middle", "soft");
  }
  text(svg, label, (left + right) / 2, svg.viewBox.baseVal.height - 6, "middle");
  text(svg, unit, 0, 11, "start", "soft");
}

/** A picture's numbers as a table: what the two columns are called, and rows of [name, value, the row's attributes]. */
export function tableOf(titles, rows) {
  const head = titles.map((words) => make("th", { scope: "col" }, words));
  const body = rows.map(([name, value, looks = {}]) => make("tr", looks, make("th", { scope: "row" }, name), make("td", {}, value)));
  return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
}

/** The fractions of the time that have room for a name, of [limit, fraction]: the largest first. */
export const namedShares = (shares) => shares.filter(([, share]) => share >= 0.005).sort(([, a], [, b]) => b - a);

/** What the time went to, of [limit, fraction, words]: a bar and its legend, in the limits' colours and hatches, which a style sheet has. */
export function drawShares(bar, legend, shares, looks) {
  bar.setAttribute("aria-label", say("front.time", shares.map(([, , words]) => words).join("; ")));
  const filled = (kind, limit, style) => {
    const [colour, hatch] = looks[limit] ?? ["#DDDDDD", ""];
    return make(kind, { "data-hatch": hatch, style: `background-color: ${colour}; ${style}` });
  };
  bar.replaceChildren(...shares.map(([limit, share]) => filled("span", limit, `flex: ${share} 0 0`)));
  legend.replaceChildren(...shares.map(([limit, , words]) => make("li", {}, filled("i", limit, ""), words)));
}

/** The choices of a <select>, of [value, words], and which stands. */
export function choicesIn(select, choices, chosen) {
  select.replaceChildren(...choices.map(([value, words]) => make("option", { value }, words)));
  select.value = chosen;
}

/** Calls back when a box has become wider or narrower; a new height alone says nothing. */
export function onWidth(box, act) {
  let before = box.clientWidth;
  new ResizeObserver(() => {
    const now = box.clientWidth;
    if (now !== before) act();
    before = now;
  }).observe(box);
}

/** A text into the clipboard, and `said` says so. Where the page may not, what is shown is marked for the reader to copy. */
export async function copy(shown, said, text = shown.textContent) {
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = say("front.copied");
    return true;
  } catch {
    shown.textContent = text;
    getSelection().selectAllChildren(shown);
    said.textContent = say("front.marked");
    return false;
  }
}
