"use strict";
// Draws what the runs say. It looks numbers up and never computes one between two simulated points.
const runs = JSON.parse(document.getElementById("runs").textContent);
const SVG = "http://www.w3.org/2000/svg";

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
    sources(unit, section);
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

function index(unit, at) {
  return at.reduce((sum, place, n) => sum * unit.controls[n].steps.length + place, 0);
}

function positions(unit, flat) {
  const at = [];
  for (let n = unit.controls.length - 1; n >= 0; n--) {
    const count = unit.controls[n].steps.length;
    at[n] = flat % count;
    flat = Math.floor(flat / count);
  }
  return at;
}

function draw(view) {
  const { unit, section, at } = view;
  const here = index(unit, at);
  const value = unit.values[here];
  section.querySelector(".number").textContent = value === null ? "stalled" : number(value);
  section.querySelector(".per").hidden = value === null;
  drawLimits(unit, section, here);
  drawCurve(view, section.querySelector(".curve .plot"));
  drawLadder(unit, section.querySelector(".ladder .plot"), here);
}

// What the time went to.

function drawLimits(unit, section, here) {
  const shares = Object.entries(unit.limits).map(([name, list]) => [name, list[here]]);
  shares.sort((a, b) => b[1] - a[1]);
  const [first] = shares;
  const why = unit.reasons[here];
  const main = runs.words[first[0]];
  const most = first[1] > 500 ? "Most of the time" : "The largest part of the time";
  section.querySelector(".limit").textContent =
    (why ? `It stalls: ${why}. ` : "") + `${most}, ${percent(first[1])}: ${main}. ` + advice(unit, first[0], here);
  const bar = section.querySelector(".bar");
  const legend = section.querySelector(".legend");
  bar.replaceChildren();
  legend.replaceChildren();
  const named = shares.filter(([, share]) => share >= 5);
  for (const [name, share] of named) {
    const part = document.createElement("span");
    part.style.flex = `${share} 0 0`;
    look(part, name);
    bar.append(part);
    const item = document.createElement("li");
    const swatch = document.createElement("i");
    look(swatch, name);
    item.append(swatch, `${runs.words[name]}, ${percent(share)}`);
    legend.append(item);
  }
  bar.setAttribute("aria-label", named.map(([n, s]) => `${runs.words[n]}: ${percent(s)}`).join("; "));
}

// What more there is to say of a limit; the runs know where moving the sliders it names would not help.
function advice(unit, limit, here) {
  const sliders = unit.promises[limit] || [];
  const at = positions(unit, here);
  const from = unit.values[here];
  const gains = sliders.flatMap((n) => unit.controls[n].steps.map((_, place) => unit.values[index(unit, put(at, n, place))] / from));
  if (!sliders.length || Math.max(...gains) >= 1.1) return unit.parts[limit] || "";
  const labels = sliders.map((n) => `“${unit.controls[n].label}”`).join(" or ");
  return `But moving ${labels} gains less than a tenth here: something else is as slow. What?`;
}

function look(element, name) {
  const [colour, hatch] = runs.looks[name];
  const ink = "rgba(0,0,0,.75)";
  const stripes = (angle) => `repeating-linear-gradient(${angle}deg, transparent 0 5px, ${ink} 5px 6px)`;
  const dots = `radial-gradient(${ink} 1px, transparent 1.4px)`;
  const kinds = { "/": [stripes(135)], "\\": [stripes(45)], "-": [stripes(0)], "|": [stripes(90)] };
  kinds.x = [stripes(45), stripes(135)];
  kinds["+"] = [stripes(0), stripes(90)];
  kinds["."] = kinds.o = kinds["*"] = [dots];
  element.style.backgroundColor = colour;
  const images = kinds[hatch[0]];
  if (!images) return;
  element.style.backgroundImage = images.join(",");
  if (images[0] === dots) element.style.backgroundSize = "6px 6px";
}

// The curve along one control, the others as they stand.

function drawCurve(view, box) {
  const { unit, section, at, guess } = view;
  const control = unit.controls[unit.x];
  const places = control.steps.map((_, place) => place);
  const along = (fixed) => places.map((place) => unit.values[index(unit, put(fixed, unit.x, place))]);
  const curve = along(at);
  const width = box.clientWidth || 320;
  const height = Math.max(250, Math.min(360, width * 0.6));
  const all = unit.values.filter((value) => value !== null);
  const top = Math.max(...all, ...unit.measured.map((m) => m.value));
  const low = unit.y.log ? Math.min(...all) : 0;
  const marks = ticks(unit.y.log ? low / 1.3 : 0, top * 1.3, unit.y.log, 5);
  const wide = Math.max(...marks.map((tick) => number(tick).length));
  const room = { left: 14 + wide * 7, right: 24, top: 16, bottom: 46 };
  const xs = control.steps.map((step) => step[1]);
  const x = scale(xs[0], xs.at(-1), room.left, width - room.right, control.log);
  const y = scale(unit.y.log ? low / 1.3 : 0, top * (unit.y.log ? 1.3 : 1.06), height - room.bottom, room.top, unit.y.log);
  const svg = canvas(box, width, height, describe(unit, curve, control));

  for (const tick of marks) {
    if (y(tick) < room.top - 1 || y(tick) > height - room.bottom + 1) continue;
    add(svg, "line", { class: "grid", x1: room.left, x2: width - room.right, y1: y(tick), y2: y(tick) });
    text(svg, number(tick), room.left - 7, y(tick) + 4, "end", "soft");
  }
  add(svg, "line", { class: "axis", x1: room.left, x2: width - room.right, y1: height - room.bottom, y2: height - room.bottom });
  for (const value of xs) {
    add(svg, "line", { class: "axis", x1: x(value), x2: x(value), y1: height - room.bottom, y2: height - room.bottom + 4 });
  }
  const written = [];
  // The ends and the measured system's own value first; of the others what there is room for.
  for (const place of new Set([0, xs.length - 1, control.start, ...places])) {
    const words = control.steps[place][0].split(" ")[0];
    const half = words.length * 3.8 + 3;
    const from = x(xs[place]) - half, until = x(xs[place]) + half;
    if (written.some(([a, b]) => from < b && a < until)) continue;
    written.push([from, until]);
    text(svg, words, x(xs[place]), height - room.bottom + 18, "middle", "soft");
  }
  const unitOf = control.steps[0][0].split(" ")[1];
  text(svg, control.label + (unitOf ? ` (${unitOf})` : ""), (room.left + width - room.right) / 2, height - 6, "middle");
  text(svg, unit.y.unit, 0, room.top - 6, "start", "soft");

  const others = (flat) => put(positions(unit, flat), unit.x, 0).join();
  const mine = put(at, unit.x, 0).join();
  const drawn = new Set([mine]);
  for (const measured of unit.measured) {
    if (drawn.has(others(measured.at))) continue;
    drawn.add(others(measured.at));
    line(svg, "ghost", places, xs, along(positions(unit, measured.at)), x, y);
  }
  line(svg, "line", places, xs, curve, x, y);
  places.forEach((place) => {
    if (curve[place] !== null) add(svg, "circle", { class: "dot", cx: x(xs[place]), cy: y(curve[place]), r: 3.6 });
  });
  const now = at[unit.x];
  if (guess !== null && y(guess) > room.top && y(guess) < height - room.bottom) {
    add(svg, "line", { class: "guess-line", x1: room.left, x2: width - room.right, y1: y(guess), y2: y(guess) });
    text(svg, "your guess", room.left + 4, y(guess) - 5, "start", "guess-text");
  }
  if (curve[now] !== null) add(svg, "circle", { class: "here", cx: x(xs[now]), cy: y(curve[now]), r: 8 });
  for (const measured of unit.measured) {
    const place = positions(unit, measured.at)[unit.x];
    const [across, down] = [x(xs[place]), y(measured.value)];
    add(svg, "path", { class: "star", d: star(across, down, 9) });
    const free = { from: room.left, until: width, top: room.top, bottom: height - room.bottom };
    const own = along(positions(unit, measured.at));
    nameStar(svg, short(measured), across, down, free, [curve, own].map((values) => values.map((value, n) => [x(xs[n]), y(value)])));
  }
  table(unit, section.querySelector(".numbers"), control, curve, now);
}

// Beside the star, where it covers least of the curves.
function nameStar(svg, words, across, down, free, curves) {
  const long = words.length * 7.2 + 12;
  const places = [[1, 20], [-1, 20], [1, -11], [-1, -11]].map(([side, below]) => {
    const [from, until] = side > 0 ? [across + 8, across + 8 + long] : [across - 8 - long, across - 8];
    const [top, bottom] = [down + below - 13, down + below + 5];
    let covered = from < free.from || until > free.until || top < free.top || bottom > free.bottom ? 1000 : 0;
    for (const curve of curves) {
      for (let at = from; at <= until; at += 4) {
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
  const said = curve.map((value, n) => `${control.steps[n][0]}: ${value === null ? "stalled" : number(value)}`);
  const stars = unit.measured.map((m) => `${short(m)}, ${number(m.value)}`);
  return `${unit.y.name} in ${unit.y.unit} against ${control.label}. ${said.join("; ")}. Measured: ${stars.join("; ")}.`;
}

function short(measured) {
  return measured.name.split(",")[0];
}

function line(svg, kind, places, xs, values, x, y) {
  let pen = "M";
  const path = places.map((place) => {
    if (values[place] === null) { pen = "M"; return ""; }
    const step = `${pen}${x(xs[place]).toFixed(1)} ${y(values[place]).toFixed(1)}`;
    pen = "L";
    return step;
  });
  add(svg, "path", { class: kind, d: path.join("") });
}

function table(unit, box, control, curve, now) {
  const made = document.createElement("table");
  const head = made.createTHead().insertRow();
  for (const words of [control.label, `${unit.y.name} (${unit.y.unit})`]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = words;
    head.append(cell);
  }
  const body = made.createTBody();
  curve.forEach((value, place) => {
    const row = body.insertRow();
    if (place === now) row.setAttribute("aria-current", "true");
    const name = document.createElement("th");
    name.scope = "row";
    name.textContent = control.steps[place][0];
    row.append(name);
    row.insertCell().textContent = value === null ? "stalled" : number(value);
  });
  box.replaceChildren(made);
}

// The packets.

function drawLadder(unit, box, here) {
  const flat = unit.ladders.packets[here];
  const packets = [];
  for (let n = 0; n < flat.length; n += 4) {
    packets.push({ near: flat[n], far: flat[n + 1], from: flat[n + 2] === 1, label: unit.ladders.labels[flat[n + 3]] });
  }
  const width = box.clientWidth || 320;
  const order = packets.map((_, n) => n).sort((a, b) => packets[a].far - packets[b].far);
  const groups = together(order, packets);
  const high = Math.max(300, groups.length * 17 + 40);
  const height = high + 40;
  const left = 54, right = left + Math.max(110, Math.min(300, width - left - 160));
  const times = packets.flatMap((p) => [p.near, p.far]);
  const from = Math.min(...times), until = Math.max(...times);
  const y = scale(from, until, 34, high, false);
  const svg = canvas(box, width, height, spoken(unit, packets));

  for (const pause of pauses(packets, until - from)) {
    add(svg, "rect", { class: "pause", x: left, width: right - left, y: y(pause.from), height: y(pause.until) - y(pause.from) });
    const said = span(pause.until - pause.from) + (right - left > 190 ? ": nothing moves" : "");
    text(svg, said, (left + right) / 2, (y(pause.from) + y(pause.until)) / 2 + 4, "middle");
  }
  for (const [at, name] of [[left, unit.ends[0]], [right, unit.ends[1]]]) {
    add(svg, "line", { class: "axis", x1: at, x2: at, y1: 26, y2: high + 6 });
    text(svg, name, at, 16, "middle");
  }
  for (const tick of ticks(0, until, false, 5)) {
    if (tick < from) continue;
    add(svg, "line", { class: "axis", x1: left - 4, x2: left, y1: y(tick), y2: y(tick) });
    text(svg, number(tick / 1000) + (tick === 0 ? " ms" : ""), left - 7, y(tick) + 4, "end", "soft");
  }
  const levels = spread(groups.map((group) => y(packets[group[0]].far)), 14, high + 12);
  groups.forEach((group, place) => {
    const { far, from, label } = packets[group[0]];
    const words = group.length > 1 ? `${group.length} × ${label}` : label;
    add(svg, "line", { class: "lead-line", x1: right + 2, y1: y(far), x2: right + 12, y2: levels[place] });
    text(svg, words, right + 15, levels[place] + 4, "start", from ? "from-text" : "to-text");
  });
  for (const packet of packets) {
    const kind = packet.from ? "from" : "to";
    const [a, b] = packet.from ? [[left, y(packet.near)], [right, y(packet.far)]] : [[right, y(packet.far)], [left, y(packet.near)]];
    add(svg, "line", { class: kind, x1: a[0], y1: a[1], x2: b[0], y2: b[1] });
    add(svg, "path", { class: `${kind}-head`, d: head(a, b) });
  }
}

// Packets that get one label: more than a few alike, one after the other.
function together(order, packets) {
  const groups = [];
  for (const n of order) {
    const last = groups.at(-1);
    const alike = last && packets[last[0]].label === packets[n].label && packets[last[0]].from === packets[n].from;
    if (alike) last.push(n);
    else groups.push([n]);
  }
  return groups.flatMap((group) => (group.length > 3 ? [group] : group.map((n) => [n])));
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
  const ends = unit.ends;
  return packets.map((p) => `${p.from ? ends[0] : ends[1]} at ${number(p.near / 1000)} ms: ${p.label}`).join("; ");
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

// Who measured what.

function sources(unit, section) {
  const list = section.querySelector(".measured");
  for (const measured of unit.measured) {
    const item = document.createElement("li");
    const simulated = number(unit.values[measured.at]);
    const kind = measured.used_as === "input" ? "a parameter was set from this figure" : "no parameter was set from this figure";
    item.textContent = `${measured.name}: ${number(measured.value)} ${unit.y.unit} ` +
      `(simulated: ${simulated} ${unit.y.unit}; ${kind}). ${measured.title}: ${measured.source}`;
    list.append(item);
  }
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
  const digits = value >= 1000 ? Math.floor(Math.log10(value)) + 1 : 3;
  return Number(value.toPrecision(value >= 10000 ? 4 : Math.min(digits, 4))).toLocaleString("en", { maximumSignificantDigits: 5 });
}

function percent(thousandths) {
  return thousandths >= 995 && thousandths < 1000 ? `${(thousandths / 10).toFixed(1)} %` : `${Math.round(thousandths / 10)} %`;
}

function span(micros) {
  return micros >= 1000 ? `${number(micros / 1000)} ms` : `${number(micros)} µs`;
}

function star(x, y, r) {
  const at = (n) => {
    const long = n % 2 ? r * 0.42 : r, turn = (Math.PI * n) / 5 - Math.PI / 2;
    return `${(x + long * Math.cos(turn)).toFixed(1)} ${(y + long * Math.sin(turn)).toFixed(1)}`;
  };
  return `M${[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(at).join("L")}Z`;
}

function canvas(box, width, height, label) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  box.replaceChildren(svg);
  return svg;
}

function add(svg, kind, attributes) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  svg.append(made);
  return made;
}

function text(svg, words, x, y, anchor, kind = "") {
  add(svg, "text", { x, y, "text-anchor": anchor, class: kind }).textContent = words;
}
