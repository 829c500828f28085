"use strict";
// Draws what the runs say. It looks numbers up and never computes one between two simulated points.
const runs = JSON.parse(document.getElementById("runs").textContent);
const SVG = "http://www.w3.org/2000/svg";
const CROSS = "M-5-5L5 5M-5 5L5-5";
const STAR = "M0-9L2.2-3.1 8.6-2.8 3.6 1.2 5.3 7.3 0 3.8-5.3 7.3-3.6 1.2-8.6-2.8-2.2-3.1Z";

for (const unit of runs.units) start(unit);

function start(unit) {
  const section = document.getElementById(unit.id);
  const at = unit.controls.map((control) => control.start);
  const inputs = unit.controls.map((c) => document.getElementById(`${unit.id}-${c.id}`));
  const view = { unit, section, at, guess: null };

  const results = section.querySelector(".results");
  const form = section.querySelector(".predict");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = section.querySelector(".guess");
    const guess = field.valueAsNumber;
    const good = Number.isFinite(guess) && guess > 0;
    field.setAttribute("aria-invalid", String(!good));
    section.querySelector(".wrong").textContent = good ? "" : "Write a number above 0 first, or skip the guess.";
    if (good) reveal(guess);
    else field.focus();
  });
  section.querySelector(".skip").addEventListener("click", () => reveal(null));
  section.querySelector(".reset").addEventListener("click", () => {
    unit.controls.forEach((control, n) => move(n, control.start));
    draw(view);
  });
  inputs.forEach((input, n) => {
    input.addEventListener("input", () => {
      move(n, Number(input.value));
      draw(view);
    });
  });

  function reveal(guess) {
    view.guess = guess;
    form.hidden = true;
    results.hidden = false;
    const verdict = section.querySelector(".verdict");
    verdict.textContent = judge(unit, guess, at);
    draw(view);
    verdict.focus();
    let width = results.clientWidth;
    new ResizeObserver(() => {
      if (results.clientWidth !== width) draw(view);
      width = results.clientWidth;
    }).observe(results);
  }

  function move(n, place) {
    at[n] = place;
    const label = unit.controls[n].steps[place][0];
    inputs[n].value = place;
    inputs[n].setAttribute("aria-valuetext", label);
    section.querySelector(`output[for="${inputs[n].id}"]`).textContent = label;
  }
}

function judge(unit, guess, at) {
  const value = unit.values[index(unit, at)];
  const said = `${number(value)} ${unit.y.unit}`;
  if (guess === null) return `It is ${said}. Now find out why.`;
  const times = Math.max(guess, value) / Math.min(guess, value);
  const you = `You said ${number(guess)} ${unit.y.unit}; it is ${said}. `;
  if (times < 1.1) return you + "Well judged. Now find out what would change it.";
  const which = guess > value ? "too high" : "too low";
  return you + (times < 2 ? `Close, and ${which}. ` : `${number(times)} times ${which}. `) + "Find out why.";
}

// Which run it is when the sliders stand at these places: the last one's position changes fastest.
function index(unit, at) {
  return at.reduce((sum, place, n) => sum * unit.controls[n].steps.length + place, 0);
}

// The figure at each position of one slider, the others as they stand.
function along(unit, at, n) {
  return unit.controls[n].steps.map((_, place) => unit.values[index(unit, put(at, n, place))]);
}

function draw(view) {
  const { unit, section, at } = view;
  const here = index(unit, at);
  section.querySelector(".number").textContent = number(unit.values[here]);
  drawLimits(unit, section, at, here);
  drawCurve(view, section.querySelector(".curve .plot"));
  drawLadder(unit, section.querySelector(".ladder .plot"), here);
}

// What the time went to.

function drawLimits(unit, section, at, here) {
  const shares = Object.entries(unit.limits).map(([name, list]) => [name, list[here]]);
  shares.sort((a, b) => b[1] - a[1]);
  const [first, share] = shares[0];
  const most = share > 500 ? "Most of the time" : "The largest part of the time";
  section.querySelector(".limit").textContent =
    `${most}, ${percent(share)}: ${runs.words[first]}. ` + advice(unit, first, at);
  const named = shares.filter(([, share]) => share >= 5);
  const said = named.map(([name, share]) => [name, `${runs.words[name]}, ${percent(share)}`]);
  const bar = section.querySelector(".bar");
  bar.replaceChildren(...named.map(([name, share]) => filled("span", name, `flex: ${share} 0 0`)));
  bar.setAttribute("aria-label", said.map(([, words]) => words).join("; "));
  const legend = said.map(([name, words]) => make("li", {}, filled("i", name), words));
  section.querySelector(".legend").replaceChildren(...legend);
}

// What more there is to say of a limit; the runs know where moving the sliders it names would not help.
function advice(unit, limit, at) {
  const sliders = unit.controls.filter((control) => unit.promises[limit]?.includes(control.id));
  const reached = sliders.flatMap((control) => along(unit, at, unit.controls.indexOf(control)));
  if (!sliders.length || Math.max(...reached) >= 1.1 * unit.values[index(unit, at)]) return unit.parts[limit] ?? "";
  const labels = sliders.map((control) => `“${control.label}”`).join(" or ");
  return `But moving ${labels} gains less than a tenth here: something else is as slow. What?`;
}

// In a limit's colour and hatch; the hatches are in the style sheet.
function filled(kind, limit, style = "") {
  const [colour, hatch] = runs.looks[limit];
  return make(kind, { "data-hatch": hatch.slice(0, 1), style: `background-color: ${colour}; ${style}` });
}

// The curve along one control, the others as they stand.

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
  const unitOf = control.steps[0][0].split(" ")[1];
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
  return `${unit.y.name} in ${unit.y.unit} against ${control.label}. ${said.join("; ")}. Measured: ${stars.join("; ")}.`;
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

// The packets.

function drawLadder(unit, box, here) {
  const packets = unit.ladders[here].map(([near, far, from, label, lost]) => ({ near, far, from, label, lost }));
  const width = box.clientWidth || 320;
  const groups = together(packets);
  const every = unit.every[here];
  const high = Math.max(300, groups.length * 17 + 40);
  const left = 54, right = left + Math.max(110, Math.min(300, width - left - 160));
  const times = packets.flatMap((p) => [p.near, p.far]);
  const from = Math.min(...times), until = Math.max(...times);
  const y = scale(from, until, 34, high, false);
  const svg = canvas(box, width, high + 40, spoken(unit, packets));

  for (const pause of pauses(packets, until - from)) {
    add(svg, "rect", { class: "pause", x: left, width: right - left, y: y(pause.from), height: y(pause.until) - y(pause.from) });
    const said = span(pause.until - pause.from) + (right - left > 190 ? ": nothing moves" : "");
    text(svg, said, (left + right) / 2, (y(pause.from) + y(pause.until)) / 2 + 4, "middle");
  }
  for (const [at, name] of [[left, unit.ends[0]], [right, unit.ends[1]]]) {
    line(svg, "axis", [at, 26], [at, high + 6]);
    text(svg, name, at, 16, "middle");
  }
  for (const tick of ticks(0, until, false, 5)) {
    if (tick < from) continue;
    line(svg, "axis", [left - 4, y(tick)], [left, y(tick)]);
    text(svg, number(tick / 1000) + (tick === 0 ? " ms" : ""), left - 7, y(tick) + 4, "end", "soft");
  }
  const levels = spread(groups.map((group) => y(group[0].far)), 14, high + 12);
  groups.forEach((group, place) => {
    const [{ far, from, label }] = group;
    const count = every > 1 ? `≈ ${group.length * every}` : group.length;
    const words = group.length > 1 ? `${count} × ${label}` : label;
    line(svg, "lead-line", [right + 2, y(far)], [right + 12, levels[place]]);
    text(svg, words, right + 15, levels[place] + 4, "start", from ? "from-text" : "to-text");
  });
  for (const packet of packets) {
    const kind = packet.from ? "from" : "to";
    const ends = [[left, y(packet.near)], [right, y(packet.far)]];
    const [a, b] = packet.from ? ends : ends.reverse();
    const end = packet.lost ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : b;
    line(svg, kind, a, end);
    if (packet.lost) add(svg, "path", { class: "lost", d: CROSS, transform: `translate(${end})` });
    else add(svg, "path", { class: `${kind}-head`, d: head(a, b) });
  }
  box.parentNode.querySelector(".thinned").textContent =
    every > 1 ? `There are too many packets to draw: this is one in ${every} of each end's, and every one that is lost.` : "";
}

// Packets that get one label, in the order of the far end: more than a few alike, one after the other. Where there are many, the
// ACKs among a burst do not part it, only a pause or a loss does.
function together(packets) {
  const sorted = [...packets].sort((a, b) => a.far - b.far);
  const many = packets.length > 20;
  const near = many ? (sorted.at(-1).far - sorted[0].far) / 12 : Infinity;
  const groups = [];
  for (const packet of sorted) {
    const ones = many ? groups.findLast(([first]) => first.from === packet.from) : groups.at(-1);
    const last = ones?.at(-1);
    if (last?.label === packet.label && last.from === packet.from && packet.far - last.far < near) ones.push(packet);
    else groups.push([packet]);
  }
  return groups.flatMap((group) => (group.length > 3 || many ? [group] : group.map((packet) => [packet])));
}

function pauses(packets, whole) {
  const busy = packets.map((p) => [Math.min(p.near, p.far), Math.max(p.near, p.far)]).sort((a, b) => a[0] - b[0]);
  const found = [];
  let end = busy[0][1];
  for (const [begin, until] of busy) {
    if (begin - end > whole / 12) found.push({ from: end, until: begin });
    end = Math.max(end, until);
  }
  return found;
}

function spoken(unit, packets) {
  const [near, far] = unit.ends;
  return packets.map((p) => `${p.from ? near : far} at ${number(p.near / 1000)} ms: ${p.label}`).join("; ");
}

function spread(levels, least, limit) {
  const moved = [];
  for (const level of levels) moved.push(moved.length ? Math.max(level, moved.at(-1) + least) : level);
  for (let n = moved.length - 1; n >= 0; n--) {
    moved[n] = Math.min(moved[n], limit);
    limit = moved[n] - least;
  }
  return moved;
}

function head([x1, y1], [x2, y2]) {
  const long = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [((x2 - x1) / long) * 9, ((y2 - y1) / long) * 9];
  return `M${x2} ${y2}L${x2 - dx + dy / 2.6} ${y2 - dy - dx / 2.6}L${x2 - dx - dy / 2.6} ${y2 - dy + dx / 2.6}Z`;
}

// Small things.

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
  for (let tick = Math.ceil(low / step) * step; tick <= high * 1.0001; tick += step) found.push(tick);
  return found;
}

function number(value) {
  const digits = value >= 1000 ? 4 : 3;
  return Number(value.toPrecision(digits)).toLocaleString("en", { maximumSignificantDigits: 5 });
}

function percent(thousandths) {
  return thousandths >= 995 && thousandths < 1000 ? `${(thousandths / 10).toFixed(1)} %` : `${Math.round(thousandths / 10)} %`;
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
