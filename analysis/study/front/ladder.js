//
// The packets of a few round trips as arrows between the two ends, and the same in words.

import { filmOf, stepSaid, stepsOf } from "./film.js";
import { add, canvas, line, make, number, scale, span, text, ticks } from "./small.js";
import { numberSaid, words } from "./words.js";

const LADDER = words("ladder");
const CROSS = "M-5-5L5 5M-5 5L5-5";
const HEAD = "M0 0L-9-3.5L-9 3.5Z";
/** @param {number[]} from @param {number[]} to */
const angleOf = ([x1, y1], [x2, y2]) => (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;

// Of a film as filmOf() takes it; `meanings` are those of the limits, for the exchange in words.
export function drawLadder(told, box, meanings) {
  const film = filmOf(told);
  const packets = film.packets.map((packet) => arrowOf(film, packet)).filter(({ near }) => near >= 0); // not what was in flight
  packets.sort((a, b) => a.near - b.near);
  const width = box.clientWidth || 320;
  const groups = together(packets);
  const high = Math.max(300, groups.length * 17 + 40);
  const labels = groups.map((group) => labelOf(group, film.every));
  const widest = Math.max(...labels.map((label) => label.length)) * 6.6 + 20;
  const left = 54, right = left + Math.max(90, Math.min(300, width - left - Math.max(160, widest)));
  const times = packets.flatMap((p) => [p.near, p.far]);
  const from = Math.min(...times), until = Math.max(...times);
  const y = scale(from, until, 34, high, false);
  const svg = canvas(box, width, high + 40, inWords(film, box.parentNode.querySelector(".in-words"), meanings));

  for (const pause of pauses(packets, until - from)) {
    add(svg, "rect", { class: "pause", x: left, width: right - left, y: y(pause.from), height: y(pause.until) - y(pause.from) });
    const long = span(pause.until - pause.from);
    const said = right - left > 190 ? LADDER.still(long) : long;
    text(svg, said, (left + right) / 2, (y(pause.from) + y(pause.until)) / 2 + 4, "middle");
  }
  for (const [at, name] of [[left, film.names[0]], [right, film.names[1]]]) {
    line(svg, "axis", [at, 26], [at, high + 6]);
    text(svg, name, at, 16, "middle");
  }
  for (const tick of ticks(0, until, false, 5).filter((each) => each >= from)) {
    line(svg, "axis", [left - 4, y(tick)], [left, y(tick)]);
    text(svg, number(tick / 1000) + (tick === 0 ? " ms" : ""), left - 7, y(tick) + 4, "end", "soft");
  }
  const levels = spread(groups.map((group) => y(group[0].far)), 14, high + 12);
  groups.forEach((group, place) => {
    const [{ far, isNear }] = group;
    line(svg, "lead-line", [right + 2, y(far)], [right + 12, levels[place]]);
    text(svg, labels[place], right + 15, levels[place] + 4, "start", isNear ? "from-text" : "to-text");
  });
  for (const packet of packets) {
    const kind = packet.isNear ? "from" : "to";
    const ends = [[left, y(packet.near)], [right, y(packet.far)]];
    const [a, b] = packet.isNear ? ends : ends.reverse();
    const end = packet.lost ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : b;
    line(svg, kind, a, end);
    if (packet.lost) add(svg, "path", { class: "lost", d: CROSS, transform: `translate(${end})` });
    else add(svg, "path", { class: `${kind}-head`, d: HEAD, transform: `translate(${b}) rotate(${angleOf(a, b)})` });
  }
  box.parentNode.querySelector(".thinned").textContent = film.every > 1 ? LADDER.thinned(film.every) : "";
}

function arrowOf({ ends, asks, rate }, { sent, came, near: isNear, length, window, lost }) {
  const [near, far] = isNear ? [sent, came] : [came, sent];
  const said = (bytes) => numberSaid(bytes.toLocaleString("en"));
  let label = ends[1] === "device" && rate ? LADDER.ack(said(window)) : "ACK";
  if (asks) label = LADDER.asks(said(window));
  if (length) label = `${said(length)} B${lost ? LADDER.lost : ""}`;
  return { near, far, isNear, label, lost };
}

// Packets that get one label, in the order of the far end: more than a few alike, one after the other. Where there are many, the
// ACKs among a burst do not part it, only a pause or a loss does.
function together(packets) {
  const sorted = [...packets].sort((a, b) => a.far - b.far);
  const many = packets.length > 20;
  const near = many ? (sorted.at(-1).far - sorted[0].far) / 12 : Infinity;
  const groups = [];
  for (const packet of sorted) {
    const ones = many ? groups.findLast(([first]) => first.isNear === packet.isNear) : groups.at(-1);
    const last = ones?.at(-1);
    if (last?.label === packet.label && last.isNear === packet.isNear && packet.far - last.far < near) ones.push(packet);
    else groups.push([packet]);
  }
  return groups.flatMap((group) => (group.length > 3 || many ? [group] : group.map((packet) => [packet])));
}

function labelOf(group, every) {
  const [{ label }] = group;
  const count = every > 1 ? `≈ ${group.length * every}` : group.length;
  return group.length > 1 ? `${count} × ${label}` : label;
}

function pauses(packets, whole) {
  const busy = packets.map((p) => [Math.min(p.near, p.far), Math.max(p.near, p.far)]).sort((a, b) => a[0] - b[0]);
  const free = busy.slice(1).map(([until], n) => ({ from: Math.max(...busy.slice(0, n + 1).map(([, end]) => end)), until }));
  return free.filter(({ from, until }) => until - from > whole / 12);
}

// Below the picture, for who does not see it: each step with its packets and waits; what names the picture says how many.
function inWords(film, place, meanings) {
  const steps = stepsOf([film], meanings);
  const write = () => {
    const said = place.open ? steps.map((step) => make("li", {}, stepSaid(step, [film]))) : []; // not those of another exchange
    place.querySelector("ol").replaceChildren(...said);
  };
  place.ontoggle = write;
  write();
  return LADDER.label(...film.names, steps.length);
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
