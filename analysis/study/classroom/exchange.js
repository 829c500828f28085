// SPDX-License-Identifier: GPL-2.0-only
//
// Of a run's segment table and of who waited for what, the film that ladder.js and player.js show: the same as exchange.py and
// film.py make, which a test holds side by side; for a page that simulates.

/* exported exchangeOf, wholeOf, packetsOf, waitsOf, drawPlayer */
const PACKETS = 16; // what there is room for
const MOST_ON_A_PATH = 32;
const BINS = 200; // of a long exchange, in which waits change with every packet
const SETTLED = 0.55; // of the packets: past the start of the connection, before its end
const TURNS = 3; // how often the near end may begin anew
const ROUND_TRIPS = 1.6; // of a path: a window, its ACKs, and how it goes on
const HEADERS_B = 20 + 20 + 14 + 4; // TCP, IP, Ethernet and its check sequence
const MINIMUM_FRAME_B = 64;
const SIZES = { ns: 1e-9, us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600, bps: 1, kbps: 1e3, Mbps: 1e6, Gbps: 1e9 };

/** The packets of a segment table in CSV. */
function packetsOf(table) {
  const [, ...rows] = table.trimEnd().split("\n");
  return rows.map((row) => {
    const [time, sender, seq, length, ack, window, flags, , far = ""] = row.split(",");
    const isLost = far === "lost";
    return {
      time: Number(time), sender, seq: Number(seq), length: Number(length), ack: Number(ack || 0), hasAck: ack !== "",
      control: flags.replace(/[^SFR]/g, ""), window: Number(window), far: far === "" || isLost ? null : Number(far), lost: isLost,
    };
  });
}

/** Who waited for what, and what the ends' send buffers held, from a table in CSV. */
function waitsOf(table) {
  const [titles, ...rows] = table.trimEnd().split("\n").map((row) => row.split(","));
  const ends = titles.slice(3).map((title) => title.replace(/_buffer_B$/, ""));
  return rows.map(([from, limit, end, ...held]) => ({ from: Number(from), limit, end, held: ends.map((name, n) => [name, Number(held[n])]) }));
}

/** From where the near end has data, or a request, after it heard from the far end; if it has data for a path, from where a packet is lost. */
function exchangeOf(packets, waits, parameters, ends) {
  const onPath = isTold(packets) && packets.some((packet) => packet.sender === ends[0] && packet.length);
  const [begin, end] = onPath ? roundTrip(packets, ends[0]) : turns(packets, ends[0]);
  return filmBetween(packets, waits, parameters, ends, begin, end, onPath ? Math.ceil((end - begin) / MOST_ON_A_PATH) : 1);
}

/**
 * The player in a box, of one run or of two by one clock: each of `before` and `after` is a record, its segment table (`table`) and
 * who waited for what (`waits`), both in CSV, and what its two ends are called there (`ends`); a `title`, if it is to have one. `look`
 * has the words (or else `names`) and the looks of the limits.
 */
function drawPlayer(box, { before = null, after }, look) {
  const words = Object.fromEntries(Object.entries(look.words).map(([limit, said]) => [limit, said || look.names?.[limit]]));
  if (box.look !== look) Object.assign(box, { look, player: playerIn(box, words, look.looks) }); // another scenario's words
  const films = [before, after].filter(Boolean).map(({ record, table, waits, ends, title }, n, all) => {
    const film = wholeOf(packetsOf(table), waits ? waitsOf(waits) : null, record.parameters, ends);
    const said = { ends, names: ends.map(endSaid), asks: ends[0] === "workstation" };
    return { ...film, ...said, title: title ?? (all.length > 1 && n === 0 ? TITLES.before : TITLES.now) };
  });
  box.player.show(films);
}

/** All of a job. */
function wholeOf(packets, waits, parameters, ends) {
  return filmBetween(packets, waits, parameters, ends, 0, packets.length, 1);
}

function filmBetween(packets, waits, parameters, ends, begin, end, every) {
  const far = farTimes(packets, parameters, ends[0]);
  const origin = packets[begin].time;
  const seen = packets.map((packet, n) => {
    const near = packet.sender === ends[0];
    const [sent, came] = near ? [packet.time, far[n]] : [far[n], packet.time];
    return { packet, near, sent, came, last: Math.max(sent, came) };
  });
  const before = seen.slice(0, begin).filter((each) => each.last <= origin);
  const underWay = seen.slice(0, begin).filter((each) => each.last > origin);
  const rows = [];
  for (const { packet, near, sent, came } of [...thinned(underWay, every), ...thinned(seen.slice(begin, end), every)]) {
    const row = [...[sent, came].map((at) => micros(at - origin)), Number(near), packet.seq, packet.length, packet.hasAck ? packet.ack : -1, packet.window];
    if (packet.lost || packet.control) row.push(Number(packet.lost));
    if (packet.control) row.push(packet.control);
    rows.push(row);
  }
  const film = { packets: rows, begin: [true, false].map((near) => knownOf(before, near)), every };
  if (parameters.link === "ethernet") film.rate = amount(parameters.link_rate);
  if (waits) addWaits(film, waits, parameters, ends, origin, rows.reduce((most, row) => Math.max(most, row[1]), 0));
  return film;
}

// Of each end's, so that none falls out, every n-th, and those lost.
function thinned(each, every) {
  const counts = { true: -1, false: -1 };
  return each.filter(({ near, packet }) => ++counts[near] % every === 0 || packet.lost);
}

function micros(seconds) {
  return Math.round(seconds * 1e6);
}

// Of one end: the end of what it has sent, what of that it knows to be acknowledged, and how far it may send.
function knownOf(before, near) {
  const own = before.filter((each) => each.near === near && each.packet.length).map(({ packet }) => packet.seq + packet.length);
  const heard = before.filter((each) => each.near !== near && each.packet.hasAck && !each.packet.lost).sort((a, b) => a.came - b.came);
  const acked = heard.reduce((most, { packet }) => Math.max(most, packet.ack), 0);
  const last = heard.findLast(({ packet }) => packet.ack === acked);
  return [own.reduce((most, end) => Math.max(most, end), 0), acked, last ? acked + last.packet.window : 0];
}

function addWaits(film, waits, parameters, ends, origin, until) {
  film.waits = [];
  film.held = [[], []];
  for (const { from, limit, end, held } of waits) {
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
  let place = 0;
  for (let start = 0; start < until; start += brief) {
    const end = Math.min(start + brief, until);
    const times = new Map();
    while (place < waits.length - 1 && waits[place][0] < end) {
      const what = waits[place].slice(1).join();
      const long = Math.min(waits[place + 1][0], end) - Math.max(waits[place][0], start);
      times.set(what, (times.get(what) ?? 0) + long);
      if (waits[place + 1][0] > end) break;
      place++;
    }
    let what = ",-1";
    for (const [each, long] of times) if (!times.has(what) || long > times.get(what)) what = each;
    const [limit, holder] = what.split(",");
    if (String(kept.at(-1)?.slice(1)) !== what) kept.push([start, limit, Number(holder)]);
  }
  return kept.at(-1)?.[1] === "" ? kept : [...kept, [until, "", -1]];
}

// What holds at each of these instants.
function sampled(levels, shown) {
  const kept = [];
  let place = -1;
  for (const at of shown) {
    while (place + 1 < levels.length && levels[place + 1][0] <= at) place++;
    if (place >= 0 && kept.at(-1)?.[1] !== levels[place][1]) kept.push([at, levels[place][1]]);
  }
  return kept;
}

function follow(rows, row, since) {
  if (since <= 0) rows.length = 0;
  if (String(rows.at(-1)?.slice(1)) !== String(row.slice(1))) rows.push(row);
}

function turns(packets, near) {
  const withData = packets.some((p) => p.sender === near && p.length);
  const starts = [];
  packets.forEach((packet, place) => {
    const isStart = place && packet.sender === near && packets[place - 1].sender !== near;
    if (isStart && (packet.length || !withData)) starts.push(place);
  });
  const settled = Math.trunc(packets.length * SETTLED);
  let later = starts.filter((place) => place >= settled);
  if (!later.length) later = starts.length ? starts.slice(-1) : [0];
  const next = starts.filter((place) => place > later[0]);
  let last = next.length >= TURNS ? next[TURNS - 1] : packets.length;
  last = Math.min(last, later[0] + PACKETS);
  while (last < packets.length && packets.slice(later[0], last).every((p) => p.sender === near)) last++;
  return [later[0], last];
}

function roundTrip(packets, near) {
  const data = [...packets.keys()].filter((n) => packets[n].sender === near && packets[n].length);
  const settled = data[Math.trunc(data.length * SETTLED)];
  const lost = data.filter((n) => packets[n].lost);
  const later = lost.filter((n) => n >= settled);
  const begin = later[0] ?? lost.at(-1) ?? flight(packets, near, data, settled);
  const from = packets[begin].time;
  const until = from + ROUND_TRIPS * (answered(packets, near, begin) - from);
  const end = packets.findIndex((packet) => packet.time > until);
  return [begin, end < 0 ? packets.length : end];
}

// Where, in the round trip from there on, the longest silence of the near end is over.
function flight(packets, near, data, settled) {
  const until = answered(packets, near, settled);
  let best = settled;
  let longest = -1;
  data.forEach((n, place) => {
    if (n < settled || packets[n].time > until) return;
    const silence = place ? packets[n].time - packets[data[place - 1]].time : 0;
    if (silence > longest) [best, longest] = [n, silence];
  });
  return best;
}

function answered(packets, near, place) {
  const end = packets[place].seq + packets[place].length;
  return packets.slice(place).find((p) => p.sender !== near && p.ack >= end).time;
}

// What is lost, or still in flight when the job is over, takes the usual time; where the link tells of none, its wire time after the
// stamp for the near end's frames, which wait for one another, before it for the other's.
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
    const wire = (Math.max(packet.length + HEADERS_B, MINIMUM_FRAME_B) * 8) / rate;
    if (packet.sender !== near) return packet.time - wire - delay;
    free = Math.max(packet.time, free) + wire;
    return free + delay;
  });
}

function isTold(packets) {
  return packets.some((packet) => packet.far !== null);
}

function amount(text) {
  const [, number, unit] = /^([\d.]+)(\w+)$/.exec(text);
  return Number(number) * SIZES[unit];
}
