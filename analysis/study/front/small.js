// SPDX-License-Identifier: GPL-2.0-only
//
// What every page of the study draws with: elements, scales and their ticks, numbers as they are read.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const STAR = "M0-9L2.2-3.1 8.6-2.8 3.6 1.2 5.3 7.3 0 3.8-5.3 7.3-3.6 1.2-8.6-2.8-2.2-3.1Z";

function put(list, n, value) {
  return list.map((old, place) => (place === n ? value : old));
}

function scale(low, high, from, to, log) {
  const f = log ? Math.log : (v) => v;
  return (value) => from + ((f(value) - f(low)) / (f(high) - f(low) || 1)) * (to - from);
}

function ticks(low, high, log, count) {
  const found = [];
  if (log) {
    const steps = Math.log10(high / low) > 2.2 ? [1] : [1, 2, 5];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      for (const step of steps) {
        const tick = step * 10 ** power;
        if (tick >= low && tick <= high) found.push(tick);
      }
    }
    return found;
  }
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((s) => s * power >= rough) * power;
  for (let tick = Math.ceil(low / step) * step; tick <= high + step / 1000; tick += step) found.push(tick); // a sum of steps is not exact
  return found;
}

function number(value) {
  const digits = value >= 1000 ? 4 : 3;
  return numberSaid(Number(value.toPrecision(digits)).toLocaleString("en", { maximumSignificantDigits: 5 }));
}

/** With so many decimals. */
function fixed(value, decimals) {
  return numberSaid(value.toFixed(decimals));
}

function percent(thousandths) {
  return thousandths >= 995 && thousandths < 1000 ? `${fixed(thousandths / 10, 1)} %` : `${Math.round(thousandths / 10)} %`;
}

function span(micros) {
  return micros >= 1000 ? `${number(micros / 1000)} ms` : `${number(micros)} µs`;
}

function make(kind, attributes, ...children) {
  return filledWith(document.createElement(kind), attributes, children);
}

function add(svg, kind, attributes, ...children) {
  const made = filledWith(document.createElementNS(SVG, kind), attributes, children);
  svg.append(made);
  return made;
}

function filledWith(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function canvas(box, width, height, label) {
  box.replaceChildren();
  return add(box, "svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
}

function line(svg, kind, [x1, y1], [x2, y2]) {
  add(svg, "line", { class: kind, x1, y1, x2, y2 });
}

function curveLine(svg, kind, points) {
  add(svg, "path", { class: kind, d: `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` });
}

function text(svg, words, x, y, anchor, kind = "") {
  add(svg, "text", { x, y, "text-anchor": anchor, class: kind }, words);
}

/** A text into the clipboard. Where the page may not, what is shown is marked for the reader to copy. Says whether it is there. */
async function copied(shown, text = shown.textContent) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    shown.textContent = text;
    getSelection().selectAllChildren(shown);
    return false;
  }
}
