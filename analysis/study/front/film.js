// SPDX-License-Identifier: GPL-2.0-only
// A film: some packets of a run or of a source's trace, who waited for what meanwhile, and the clock that shortens waiting. player.js
// draws it. As exchange.js makes it, in microseconds: `packets` of [sent, came, from, seq, length, ack, window, lost, flags], `from` 1
// for the near end, `ack` -1 for none; `waits` of [from, limit, end], the last without a limit; `held` of each end's send buffer, of
// [from, bytes], and its bound `buffers`, 0 for none in bytes; `begin` of each end before the first packet: sent, acknowledged, allowed;
// one of `every` n packets is there; `brief`, of which the longest wait is told; the `rate` of a shared line, in bit/s.

import { frameBits } from "./exchange.js";
import { nameSaid, numberSaid, words } from "./words.js";

export const TITLES = words("film"); // and what happens
const MOVE_S = 0.9; // what a packet's usual way takes on the screen
const LEAST_MOVE_S = 0.55; // what the shortest takes: slowed, so that it can be followed
const PAUSE_S = 1.5; // what any waiting takes that would take longer
const TRUE_S = 12; // what a film in true proportions takes at least
export const SLOWED = 1.05; // times, from which on it is said
const WHOLE = new Intl.NumberFormat("en");
const FOUR = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 });

/** What a film says, as objects, and what it needs to be asked for an instant. */
export function filmOf(data) {
  const { ends, names = ends.map((end) => nameSaid(end)), begin, every = 1, rate = 0, held = [[], []], buffers = [0, 0] } = data;
  const packets = data.packets.map(([sent, came, from, seq, length, ack, window, lost = 0, flags = ""], place) => {
    const wire = rate ? (frameBits(length) * 1e6) / rate : Infinity;
    return { place, sent, came, gone: Math.max(sent, came - wire), near: from === 1, seq, length, ack, window, lost: lost === 1, flags };
  });
  const until = packets.reduce((latest, { came }) => Math.max(latest, came), data.waits?.at(-1)?.[0] ?? 0);
  const sides = [true, false].map((near) => sideOf(packets, near, begin[near ? 0 : 1]));
  const waits = (data.waits ?? []).map(([from, limit, end], n, all) => ({ from, until: all[n + 1]?.[0], limit, end: ends[end] ?? "" }));
  const asks = ends[0] === "workstation"; // whose packets without data are requests
  return { ...data, names, every, asks, packets, until, sides, waits, held, buffers };
}

// What one end knows of what it sends: how it changes, each with its instant.
function sideOf(packets, near, [end, acked, edge]) {
  const changes = [];
  for (const packet of packets) {
    if (packet.near === near) changes.push({ at: packet.sent, end: packet.length ? packet.seq + packet.length : 0 });
    else if (packet.ack >= 0 && !packet.lost) changes.push({ at: packet.came, ack: packet.ack, window: packet.window });
  }
  changes.sort((a, b) => a.at - b.at);
  const levels = [{ at: -Infinity, end, acked, edge }];
  for (const { at, end: sent = 0, ack = -1, window } of changes) {
    const last = levels.at(-1);
    const heard = ack >= last.acked ? { acked: ack, edge: ack + window } : {};
    levels.push({ ...last, ...heard, at, end: Math.max(last.end, sent) });
  }
  const sent = (own) => packets.reduce((sum, packet) => sum + (packet.near === own ? packet.length : 0), 0);
  const sendsData = sent(near) > 0 && sent(near) >= sent(!near) / 20; // a printer's few octets are not worth a bar
  return { levels, sendsData, largest: Math.max(0, ...levels.map(({ acked, edge }) => edge - acked)) };
}

/** The place of the last number that is not above a value, in a list from small to large; 0 below the first. */
function lastUpTo(numbers, value) {
  let [low, high] = [0, numbers.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle;
    else high = middle;
  }
  return low;
}

/** What each end knows at an instant: bytes in flight, window, room in it; and who waits for what. */
export function stateAt(film, instant) {
  const sides = film.sides.map(({ levels, largest }, n) => {
    const { end, acked, edge } = levels.findLast(({ at }) => at <= instant);
    const [, held = null] = film.held[n].findLast(([from]) => from <= instant) ?? []; // none where nobody tells
    const known = { inFlight: Math.max(0, end - acked), knows: edge > 0, window: edge - acked, room: Math.max(0, edge - end) };
    return { largest, end, acked, ...known, held, buffer: film.buffers[n] };
  });
  const wait = film.waits.findLast(({ from }) => from <= instant);
  return { sides, wait: wait?.limit ? wait : null, isOver: instant > film.until };
}

/** The packets that are in flight at an instant, those that arrive just then too. */
export const inView = ({ packets }, instant) =>
  packets.filter(({ sent, came }) => sent <= instant && came >= instant).sort((a, b) => a.sent - b.sent);

/** Seconds on the screen for microseconds of the films, which run by one clock: waiting is shortened, a short way slowed; or, where
 * `isTrue`, everything takes the part of the film that it takes of the transfer. */
export function clockOf(films, isTrue = false) {
  const begun = (at) => Math.max(at, 0); // what is in flight when the film begins
  const packets = films.flatMap((film) => film.packets.map(({ sent, gone, came }) => ({ sent: begun(sent), gone: begun(gone), came: begun(came), isWhole: sent >= 0, way: came - gone })));
  const until = Math.max(...films.map((film) => film.until));
  const times = [...new Set([0, until, ...packets.flatMap(({ sent, gone, came }) => [sent, gone, came])])].sort((a, b) => a - b);
  const place = new Map(times.map((time, n) => [time, n]));
  const whole = packets.filter(({ isWhole, way }) => isWhole && way > 0).sort((a, b) => a.way - b.way); // not what is in flight at the beginning
  const usual = whole[whole.length >> 1]?.way ?? 1;
  const scale = MOVE_S / usual;
  const moving = new Int32Array(times.length);
  for (const { sent, came } of packets) {
    moving[place.get(sent)]++;
    moving[place.get(came)]--;
  }
  let under = 0;
  const still = [];
  const lasts = times.slice(1).map((time, n) => {
    under += moving[n];
    const long = (time - times[n]) * scale;
    if (under === 0 && long > PAUSE_S) still.push({ from: times[n], until: time });
    return under === 0 ? Math.min(long, PAUSE_S) : long;
  });
  for (const { gone, came } of whole.filter(({ way }) => way * scale < LEAST_MOVE_S)) {
    const [a, b] = [place.get(gone), place.get(came)];
    const sum = lasts.slice(a, b).reduce((all, each) => all + each, 0);
    if (sum > 0 && sum < LEAST_MOVE_S) for (let n = a; n < b; n++) lasts[n] *= LEAST_MOVE_S / sum;
  }
  const total = lasts.reduce((sum, each) => sum + each, 0);
  if (isTrue) lasts.forEach((_, n) => (lasts[n] = ((times[n + 1] - times[n]) / until) * Math.max(TRUE_S, total)));
  const slowed = isTrue ? lasts.map(() => 1) : lasts.map((each, n) => each / ((times[n + 1] - times[n]) * scale));
  const shown = [0];
  for (const each of lasts) shown.push(shown.at(-1) + each);
  const between = (value, from, to) => {
    const n = lastUpTo(from, value);
    const part = Math.min(Math.max((value - from[n]) / (from[n + 1] - from[n]), 0), 1);
    return to[n] + (part ? part * (to[n + 1] - to[n]) : 0);
  };
  return {
    until, total: shown.at(-1), pauses: isTrue ? [] : still, usual: usual / MOVE_S, quickest: LEAST_MOVE_S / scale,
    isSlowed: slowed.some((times) => times > SLOWED),
    slowedAt: (second) => slowed[lastUpTo(shown, second)] ?? slowed.at(-1) ?? 1,
    shown: (instant) => between(instant, times, shown),
    instant: (second) => between(second, shown, times),
  };
}

/** What happens, in order: each instant once, with what says it in a sentence for everything that happens then. */
export function stepsOf(films, words) {
  const found = new Map();
  films.forEach((film, lane) => {
    const add = (at, rank, said) => found.set(at, [...(found.get(at) ?? []), { lane, said, rank }]);
    for (const packet of film.packets) {
      const [from, to] = packet.near ? film.names : [...film.names].reverse();
      add(packet.sent, 1, () => TITLES.sends(from, packetSaid(film, packet)));
      add(packet.came, 0, () => (packet.lost ? TITLES.isLost(packetSaid(film, packet), from) : TITLES.arrives(packetSaid(film, packet), to)));
    }
    for (const { from, until, limit, end } of film.waits) {
      if (limit) add(from, 2, () => TITLES.for(waitSaid(film, end, limit, words), timeSaid(until - from)));
    }
  });
  const steps = [...found].filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0]);
  return steps.map(([at, events]) => ({ at, events: events.sort((a, b) => a.lane - b.lane || a.rank - b.rank) }));
}

/** A step as a sentence; of several films each event with its film's title. */
export function stepSaid({ at, events }, films) {
  const of = (lane) => (films.length > 1 ? `${films[lane].title}: ` : "");
  return `${timeSaid(at)}: ${events.map(({ lane, said }) => of(lane) + said()).join("; ")}.`;
}

/** A packet in a word or two. */
export function packetSaid(film, { length, ack, window, flags }) {
  if (film.asks && !length) return TITLES.request(bytesSaid(window));
  const named = ["SYN", "FIN", "RST"].filter((name) => flags.includes(name[0]));
  const brings = length ? bytesSaid(length) : ack >= 0 ? `ACK ${numberSaid(WHOLE.format(ack))}` : "";
  return [...named, brings].filter(Boolean).join(" ") || TITLES.empty;
}

/** Who waits for what; some waits are nobody's, but of the exchange as a whole. */
export function waitSaid(film, end, limit, words) {
  const name = film.names[film.ends.indexOf(end)];
  return `${name ? `${name}: ` : ""}${words[limit] || limit.replaceAll("_", " ")}`;
}

export const bytesSaid = (bytes) => `${numberSaid(WHOLE.format(bytes))}\u00a0B`;

export function timeSaid(micros) {
  const [value, unit] = Math.abs(micros) >= 1e6 ? [micros / 1e6, "s"] : Math.abs(micros) >= 1000 ? [micros / 1000, "ms"] : [micros, "µs"];
  return `${numberSaid(FOUR.format(value))}\u00a0${unit}`;
}
