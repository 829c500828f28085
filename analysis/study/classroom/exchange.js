// SPDX-License-Identifier: GPL-2.0-only
//
// Of a run's segment table, what ladder.js draws: the same as exchange.py finds, which a test holds
// side by side; for a page that simulates.

/* exported exchangeOf, packetsOf */
const PACKETS = 16; // what there is room for
const MOST_ON_A_PATH = 32;
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
    const [time, sender, seq, length, ack, window, , , far = ""] = row.split(",");
    const isLost = far === "lost";
    return {
      time: Number(time), sender, seq: Number(seq), length: Number(length), ack: Number(ack || 0),
      window: Number(window), far: far === "" || isLost ? null : Number(far), lost: isLost,
    };
  });
}

/** From where the near end has data, or a request, after it heard from the far end; over a path from where a packet is lost. */
function exchangeOf(packets, parameters, ends) {
  const far = farTimes(packets, parameters, ends[0]);
  const onPath = packets.some((packet) => packet.far !== null);
  const [begin, end] = onPath ? roundTrip(packets, ends[0]) : turns(packets, ends[0]);
  const every = onPath ? Math.ceil((end - begin) / MOST_ON_A_PATH) : 1;
  const origin = packets[begin].time;
  const seen = {};
  const arrows = [];
  for (let n = begin; n < end; n++) {
    const packet = packets[n];
    const count = (seen[packet.sender] = (seen[packet.sender] ?? -1) + 1);
    if (count % every && !packet.lost) continue; // of each end's, so that none falls out
    const micros = [packet.time, far[n]].map((at) => Math.round((at - origin) * 1e6));
    arrows.push([...micros, Number(packet.sender === ends[0]), labelOf(packet, ends, onPath), Number(packet.lost)]);
  }
  return { arrows, every };
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

// Where the link does not tell: its wire time after the stamp for the near end's frames, which wait for one another, before it
// for the other's.
function farTimes(packets, parameters, near) {
  const rate = amount(parameters.link_rate);
  const delay = amount(parameters.link_delay);
  const ways = packets.filter((p) => p.sender === near && p.far !== null).map((p) => p.far - p.time);
  const usual = ways.length ? Math.min(...ways) : 0;
  let free = 0;
  return packets.map((packet) => {
    if (packet.far !== null) return packet.far;
    if (packet.lost) return packet.time + usual;
    const wire = (Math.max(packet.length + HEADERS_B, MINIMUM_FRAME_B) * 8) / rate;
    if (packet.sender !== near) return packet.time - wire - delay;
    free = Math.max(packet.time, free) + wire;
    return free + delay;
  });
}

function amount(text) {
  const [, number, unit] = /^([\d.]+)(\w+)$/.exec(text);
  return Number(number) * SIZES[unit];
}

function labelOf(packet, ends, onPath) {
  const said = (bytes) => bytes.toLocaleString("en");
  if (packet.length) return `${said(packet.length)} B${packet.lost ? ", lost" : ""}`;
  return ends[1] === "device" && !onPath ? `ACK, window ${said(packet.window)}` : "ACK";
}
