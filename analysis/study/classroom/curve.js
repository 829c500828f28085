// SPDX-License-Identifier: GPL-2.0-only
//
// The curve along one control, the others as they stand; small.js goes before.

function drawCurve(view, box) {
  const { unit, section, at, guess } = view;
  const n = unit.controls.findIndex((each) => each.id === unit.x);
  const control = unit.controls[n];
  const curve = along(unit, at, n);
  const width = box.clientWidth || 320;
  const height = Math.max(250, Math.min(360, width * 0.6));
  const top = Math.max(...unit.values, ...unit.measured.map((m) => m.value));
  const low = unit.y.log ? Math.min(...unit.values) / 1.3 : 0;
  const marks = ticks(low, top * 1.3, unit.y.log, 5);
  const wide = Math.max(...marks.map((tick) => number(tick).length));
  const last = control.steps.at(-1)[0].split(" ")[0];
  const room = { left: 14 + wide * 7, right: width - Math.max(24, last.length * 3.8), top: 16, bottom: height - 46 };
  const xs = control.steps.map((step) => step[1]);
  const x = scale(xs[0], xs.at(-1), room.left, room.right, control.log);
  const y = scale(low, top * (unit.y.log ? 1.3 : 1.06), room.bottom, room.top, unit.y.log);
  const points = (values) => values.map((value, place) => [x(xs[place]), y(value)]);
  const svg = canvas(box, width, height, describe(unit, curve, control));

  for (const tick of marks) {
    if (y(tick) < room.top - 1 || y(tick) > room.bottom + 1) continue;
    line(svg, "grid", [room.left, y(tick)], [room.right, y(tick)]);
    text(svg, number(tick), room.left - 7, y(tick) + 4, "end", "soft");
  }
  line(svg, "axis", [room.left, room.bottom], [room.right, room.bottom]);
  for (const value of xs) line(svg, "axis", [x(value), room.bottom], [x(value), room.bottom + 4]);
  const written = [];
  // The ends and the measured system's own value first; of the others what there is room for.
  for (const place of new Set([0, xs.length - 1, control.start, ...xs.keys()])) {
    const words = control.steps[place][0].split(" ")[0];
    const half = words.length * 3.8 + 3;
    const from = x(xs[place]) - half, until = x(xs[place]) + half;
    if (written.some(([a, b]) => from < b && a < until)) continue;
    written.push([from, until]);
    text(svg, words, x(xs[place]), room.bottom + 18, "middle", "soft");
  }
  const unitOf = control.steps.at(-1)[0].split(" ")[1];
  text(svg, control.label + (unitOf ? ` (${unitOf})` : ""), (room.left + room.right) / 2, height - 6, "middle");
  text(svg, unit.y.unit, 0, room.top - 6, "start", "soft");

  // Stars that the sliders have left have curves of their own, one for all that stand on it.
  const others = (places) => put(places, n, 0).join();
  const left = new Map(unit.measured.map((measured) => [others(measured.at), measured.at]));
  left.delete(others(at));
  for (const places of left.values()) curveLine(svg, "ghost", points(along(unit, places, n)));
  curveLine(svg, "line", points(curve));
  for (const [cx, cy] of points(curve)) add(svg, "circle", { class: "dot", cx, cy, r: 3.6 });
  if (guess !== null && y(guess) > room.top && y(guess) < room.bottom) {
    line(svg, "guess-line", [room.left, y(guess)], [room.right, y(guess)]);
    text(svg, "your guess", room.left + 4, y(guess) - 5, "start", "guess-text");
  }
  const [cx, cy] = points(curve)[at[n]];
  add(svg, "circle", { class: "here", cx, cy, r: 8 });
  const free = { ...room, right: width };
  for (const measured of unit.measured) {
    const star = [x(xs[measured.at[n]]), y(measured.value)];
    add(svg, "path", { class: "star", d: STAR, transform: `translate(${star})` });
    nameStar(svg, short(measured), star, free, [curve, along(unit, measured.at, n)].map(points));
  }
  section.querySelector(".numbers").replaceChildren(table(unit, control, curve, at[n]));
}

// Beside the star, where it covers least of the curves.
function nameStar(svg, words, [across, down], free, curves) {
  const long = words.length * 7.2 + 12;
  const places = [[1, 20], [-1, 20], [1, -11], [-1, -11]].map(([side, below]) => {
    const from = side > 0 ? across + 8 : across - 8 - long;
    const [top, bottom] = [down + below - 13, down + below + 5];
    let covered = from < free.left || from + long > free.right || top < free.top || bottom > free.bottom ? 1000 : 0;
    for (const curve of curves) {
      for (let at = from; at <= from + long; at += 4) {
        const level = height(curve, at);
        if (level > top && level < bottom) covered++;
      }
    }
    return { side, below, covered };
  });
  const best = places.reduce((a, b) => (b.covered < a.covered ? b : a));
  text(svg, words, across + best.side * 12, down + best.below, best.side > 0 ? "start" : "end", "star-text");
}

function height(curve, at) {
  const n = curve.findIndex(([x], place) => place && x >= at);
  if (n < 1 || curve[0][0] > at) return NaN;
  const [[x1, y1], [x2, y2]] = [curve[n - 1], curve[n]];
  return y1 + ((at - x1) / (x2 - x1)) * (y2 - y1);
}

function describe(unit, curve, control) {
  const said = curve.map((value, n) => `${control.steps[n][0]}: ${number(value)}`);
  const stars = unit.measured.map((m) => `${short(m)}, ${number(m.value)}`);
  return `${unit.y.name} in ${unit.y.unit} against ${control.label}. ${said.join("; ")}. Measured: ${stars.join("; ") || "nothing"}.`;
}

function short(measured) {
  return measured.name.split(",")[0];
}

function table(unit, control, curve, now) {
  const head = [control.label, `${unit.y.name} (${unit.y.unit})`];
  const rows = curve.map((value, place) => {
    const name = make("th", { scope: "row" }, control.steps[place][0]);
    return make("tr", place === now ? { "aria-current": "true" } : {}, name, make("td", {}, number(value)));
  });
  const titles = make("tr", {}, ...head.map((words) => make("th", { scope: "col" }, words)));
  return make("table", {}, make("thead", {}, titles), make("tbody", {}, ...rows));
}
