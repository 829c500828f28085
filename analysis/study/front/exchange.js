// SPDX-License-Identifier: GPL-2.0-only
// The film that ladder.js and player.js show, of a run's segment table and waits: in a page, or in QuickJS for films.py.
const PACKETS = 16; // what there is room for
const MOST_ON_A_PATH = 32;
const BINS = 200; // of a long exchange, in which waits change with every packet
const SETTLED = 0.55; // of the packets: past the start of the connection, before its end
const TURNS = 3; // how often the near end may begin anew
const ROUND_TRIPS = 1.6; // of a path: a window, its ACKs, and how it goes on
const HEADERS_B = 20 + 20 + 14 + 4; // TCP, IP, Ethernet and its check sequence
const MINIMUM_FRAME_B = 64;
export const frameBits = (length) => Math.max(length + HEADERS_B, MINIMUM_FRAME_B) * 8;
export const SIZES = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, bps: 1, kbps: 1e3, Mbps: 1e6, Gbps: 1e9 };

/** The packets of a segment table in CSV. */
export function packetsOf(table) {
  const [, ...rows] = table.trimEnd().split("\n");
  return rows.map((row) => {
    const [time, sender, seq, length, ack, window, flags, , far = ""] = row.split(",");
    const [at, lost] = [far === "" || far === "lost" ? null : Number(far), far === "lost"];
    const numbers = { time: Number(time), seq: Number(seq), length: Number(length), ack: Number(ack || -1), window: Number(window) };
    return { sender, ...numbers, control: flags.replace(/[^SFR]/g, ""), far: at, lost };
  });
}

/** Who waited for what, and what the ends' send buffers held, from a table in CSV. */
function waitsOf(table) {
  const [titles, ...rows] = table.trimEnd().split("\n").map((row) => row.split(","));
  const ends = titles.slice(3).map((title) => title.replace(/_buffer_B$/, ""));
  return rows.map(([from, limit, end, ...held]) => ({ from: Number(from), limit, end, held: ends.map((name, n) => [name, Number(held[n])]) }));
}

/**
 * The film of a run, as film.js reads it: `table` has its packets, `waits` (or null) who waited for what, both in CSV; `ends` are what
 * the near end and the far one are called there. `shown` says which rows, [from, until]; all from there on without the second, and
 * without both a few round trips from the job's middle.
 */
export function filmOfTables({ table, waits, parameters, ends, shown }) {
  const packets = packetsOf(table);
  const isLong = !shown && isTold(packets) && packets.some((packet) => packet.sender === ends[0] && packet.length);
  const [begin, end = packets.length] = shown ?? (isLong ? roundTrip : turns)(packets, ends[0]);
  const every = isLong ? Math.ceil((end - begin) / MOST_ON_A_PATH) : 1;
  const far = farTimes(packets, parameters, ends[0]);
  const origin = packets[begin].time;
  const seen = packets.map((packet, n) => {
    const near = packet.sender === ends[0];
    const [sent, came] = near ? [packet.time, far[n]] : [far[n], packet.time];
    return { packet, near, sent, came, last: Math.max(sent, came) };
  });
  const isOver = ({ last, packet }) => last <= origin || packet.lost; // a loss of before the film has no arrow in it
  const before = seen.slice(0, begin).filter(isOver);
  const underWay = seen.slice(0, begin).filter((each) => !isOver(each));
  const drawn = [...thinned(underWay, every), ...thinned(seen.slice(begin, end), every)];
  const rows = drawn.map(({ packet: { seq, length, ack, window, lost, control }, near, sent, came }) => {
    const rare = control ? [Number(lost), control] : lost ? [1] : [];
    return [micros(sent - origin), micros(came - origin), Number(near), seq, length, ack, window, ...rare];
  });
  const film = { ends, packets: rows, begin: [true, false].map((near) => knownOf(before, near)), every };
  if (parameters.link === "ethernet") film.rate = amount(parameters.link_rate);
  if (waits) addWaits(film, waitsOf(waits), parameters, ends, origin, largest(rows.map(([, came]) => came)));
  return film;
}

// Of each end's, so that none falls out, every n-th, and those lost.
function thinned(each, every) {
  const counts = { true: -1, false: -1 };
  return each.filter(({ near, packet }) => ++counts[near] % every === 0 || packet.lost);
}

const micros = (seconds) => Math.round(seconds * 1e6);
// Of more numbers than a call has room for; 0 of none.
const largest = (numbers) => numbers.reduce((most, each) => Math.max(most, each), 0);

// Of one end: the end of what it has sent, what of that it knows to be acknowledged, and how far it may send.
function knownOf(before, near) {
  const own = before.filter((each) => each.near === near && each.packet.length).map(({ packet }) => packet.seq + packet.length);
  const heard = before.filter((each) => each.near !== near && each.packet.ack >= 0 && !each.packet.lost).sort((a, b) => a.came - b.came);
  const acked = largest(heard.map(({ packet }) => packet.ack));
  const last = heard.findLast(({ packet }) => packet.ack === acked);
  return [largest(own), acked, last ? acked + last.packet.window : 0];
}

function addWaits(film, waits, parameters, ends, origin, until) {
  film.waits = [];
  film.held = [[], []];
  const first = waits.findLastIndex(({ from }) => micros(from - origin) <= 0); // earlier ones are over when the film begins
  for (const { from, limit, end, held } of waits.slice(Math.max(first, 0))) {
    const since = micros(from - origin);
    if (since >= until) break;
    follow(film.waits, [Math.max(since, 0), limit, ends.indexOf(end)], since);
    for (const [name, bytes] of held) follow(film.held[ends.indexOf(name)], [Math.max(since, 0), bytes], since);
  }
  if (film.waits.at(-1)?.[1]) film.waits.push([until, "", -1]);
  if (film.every > 1) {
    film.brief = Math.ceil(until / BINS);
    film.waits = longest(film.waits, film.brief, until);
    const shown = [...new Set(film.packets.flatMap(([sent, came]) => [Math.max(sent, 0), Math.max(came, 0)]))].sort((a, b) => a - b);
    film.held = film.held.map((levels) => sampled(levels, shown));
  }
  film.buffers = ["", `${ends[1]}_`].map((prefix) => {
    const own = prefix || ("client_send_buffer" in parameters ? "client_" : "");
    return parameters[`${own}send_buffer_rule`] === "bytes" ? Number(parameters[`${own}send_buffer`]) : 0;
  });
}

// Of each such time the wait that had most of it.
function longest(waits, brief, until) {
  const kept = [];
  const all = waits.slice(0, -1).map(([from, ...what], n) => ({ from, what: what.join(), over: waits[n + 1][0] }));
  let first = 0;
  for (let start = 0; start < until; start += brief) {
    const times = { ",-1": 0 };
    while (all[first]?.over <= start) first++;
    for (let n = first; all[n]?.from < start + brief; n++) {
      const { from, what, over } = all[n];
      const long = Math.min(over, start + brief, until) - Math.max(from, start);
      if (long > 0) times[what] = (times[what] ?? 0) + long;
    }
    const [[what]] = Object.entries(times).sort(([, a], [, b]) => b - a);
    const [limit, holder] = what.split(",");
    if (String(kept.at(-1)?.slice(1)) !== what) kept.push([start, limit, Number(holder)]);
  }
  return kept.at(-1)?.[1] === "" ? kept : [...kept, [until, "", -1]];
}

// What holds at each of these instants.
function sampled(levels, shown) {
  const kept = [];
  let next = 0;
  for (const at of shown) {
    while (levels[next]?.[0] <= at) next++;
    if (next) follow(kept, [at, levels[next - 1][1]], at);
  }
  return kept;
}

function follow(rows, row, since) {
  if (since <= 0) rows.length = 0;
  if (String(rows.at(-1)?.slice(1)) !== String(row.slice(1))) rows.push(row);
}

// From where the near end has data, or a request, after it heard from the far end.
function turns(packets, near) {
  const withData = packets.some((p) => p.sender === near && p.length);
  const own = (n) => packets[n]?.sender === near;
  const heard = (n) => (own(n) && withData && !packets[n].length ? heard(n - 1) : !own(n)); // what it only acknowledged before counts not
  const isStart = (n) => own(n) && (packets[n].length || !withData) && heard(n - 1);
  const starts = [...packets.keys()].slice(1).filter(isStart);
  const settled = Math.trunc(packets.length * SETTLED);
  const begin = starts.find((n) => n >= settled) ?? starts.at(-1) ?? 0;
  const next = starts.filter((n) => n > begin);
  let last = Math.min(next[TURNS - 1] ?? packets.length, begin + PACKETS);
  while (last < packets.length && packets.slice(begin, last).every((p) => p.sender === near)) last++; // a large window: up to the first answer
  return [begin, last];
}

// Of a path, whose round trip has too many packets to count: from the first that is lost in the settled job, or from its middle.
function roundTrip(packets, near) {
  const data = [...packets.keys()].filter((n) => packets[n].sender === near && packets[n].length);
  const settled = data[Math.trunc(data.length * SETTLED)];
  const lost = data.filter((n) => packets[n].lost);
  const begin = lost.find((n) => n >= settled) ?? lost.at(-1) ?? flight(packets, near, data, settled);
  const from = packets[begin].time;
  const until = from + ROUND_TRIPS * (answered(packets, near, begin) - from);
  const end = packets.findIndex((packet) => packet.time > until);
  return [begin, end < 0 ? packets.length : end];
}

// Where, in the round trip from there on, the longest silence of the near end is over.
function flight(packets, near, data, settled) {
  const until = answered(packets, near, settled);
  const silence = (place) => packets[data[place]].time - packets[data[Math.max(place - 1, 0)]].time;
  const turn = [...data.keys()].filter((place) => data[place] >= settled && packets[data[place]].time <= until);
  return data[turn.reduce((best, place) => (silence(place) > silence(best) ? place : best))];
}

function answered(packets, near, place) {
  const end = packets[place].seq + packets[place].length;
  return packets.slice(place).find((p) => p.sender !== near && p.ack >= end).time;
}

// What is lost or still in flight takes the usual time; where the link tells of none, a frame takes its wire time.
function farTimes(packets, parameters, near) {
  if (isTold(packets)) {
    const ways = packets.filter((p) => p.sender === near && p.far !== null).map((p) => p.far - p.time);
    const usual = ways.reduce((least, way) => Math.min(least, way), ways[0] ?? 0);
    return packets.map((p) => p.far ?? p.time + (p.sender === near ? usual : -usual));
  }
  const rate = amount(parameters.link_rate);
  const delay = amount(parameters.link_delay);
  let free = 0;
  return packets.map((packet) => {
    const wire = frameBits(packet.length) / rate;
    if (packet.sender !== near) return packet.time - wire - delay;
    free = Math.max(packet.time, free) + wire;
    return free + delay;
  });
}

const isTold = (packets) => packets.some((packet) => packet.far !== null);

function amount(text) {
  const [, number, unit] = /^([\d.]+)(\w+)$/.exec(text);
  return Number(number) * SIZES[unit];
}
