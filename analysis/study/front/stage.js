// SPDX-License-Identifier: GPL-2.0-only
// A film's stage at an instant: packets between the two ends, what waits to be sent, how much it is slowed.

import { add, number } from "./small.js";
import { words } from "./words.js";
import { inView, packetSaid, SLOWED, timeSaid } from "./film.js";

const PLAYER = words("player");
const MOST_IN_VIEW = 48; // of each direction; of more, every n-th is drawn
const END = 44; // px, what an end of the way is wide
const TRACKS = [40, 66]; // px, from the near end, and to it
const STAGE = 107; // px

export function drawStage(film, lane, instant, { still, slowed }, isOver) {
  const width = Math.round(lane.stage.clientWidth) || 320;
  lane.stage.setAttribute("viewBox", `0 0 ${width} ${STAGE}`);
  const [left, right] = [END + 6, width - END - 6];
  const packets = inView(film, instant);
  const moving = packets.filter((packet) => packet.gone <= instant);
  const shown = [true, false].flatMap((near) => thinned(moving.filter((packet) => packet.near === near)));
  const queue = packets.filter((packet) => packet.gone > instant);
  const written = [[], []];
  shown.forEach((packet, n) => {
    const part = Math.min(1, (instant - packet.gone) / (packet.came - packet.gone || 1));
    const along = packet.lost ? Math.min(part, 0.5) : part;
    const x = packet.near ? left + along * (right - left) : right - along * (right - left);
    drawPacket(lane, n, film, packet, x, packet.lost && part >= 0.5, written[packet.near ? 0 : 1], width);
  });
  for (let n = shown.length; n < lane.pool.length; n++) lane.pool[n].root.setAttribute("visibility", "hidden");
  lane.queue.textContent = queue.length > 1 ? PLAYER.moreWait(queue.length) : queue.length ? PLAYER.oneWaits : "";
  lane.chips.setAttribute("d", queue.slice(0, 6).map((_, n) => `M8 ${TRACKS[1] + 12 - n * 7}h${END - 14}v-5h-${END - 14}Z`).join(""));
  const pace = shown.length && slowed > SLOWED && PLAYER.slowed(number(slowed, 2));
  const some = moving.length > shown.length && PLAYER.some(number(moving.length / shown.length, 2));
  lane.pace.textContent = [pace, some].filter(Boolean).join("; ");
  lane.still.textContent = isOver ? PLAYER.over : still ? PLAYER.still(timeSaid(still.until - still.from)) : "";
}

function thinned(packets) {
  const every = Math.ceil(packets.length / MOST_IN_VIEW);
  return every > 1 ? packets.filter((packet) => packet.place % every === 0 || packet.lost) : packets;
}

// A packet where it is, with its words where there is room for them.
function drawPacket(lane, n, film, packet, x, isLost, written, width) {
  const made = (lane.pool[n] ??= pooled(lane.stage));
  const isData = packet.length > 0;
  const long = isData ? Math.max(12, Math.min(34, 10 + packet.length / 60)) : 8;
  const y = TRACKS[packet.near ? 0 : 1];
  const ahead = packet.near ? 1 : -1;
  made.root.setAttribute("visibility", "visible");
  made.root.setAttribute("class", `packet ${isData ? "data" : "ack"}`);
  made.body.setAttribute("d", isLost ? `M${x - 7} ${y - 7}l14 14m0-14l-14 14` : `M${x} ${y}l${-6 * ahead}-8h${-ahead * long}v16h${ahead * long}Z`);
  made.body.classList.toggle("cross", isLost);
  const words = isLost ? PLAYER.lost : packetSaid(film, packet);
  const half = words.length * 3.6 + 2;
  const edge = half + (width - 2 * half > 2 * END + 12 ? END + 6 : 0); // not over an end, where there is room
  const middle = Math.min(Math.max(x - (ahead * long) / 2, edge), width - edge);
  const free = written.every(([from, until]) => middle + half < from || middle - half > until);
  if (free) written.push([middle - half, middle + half]);
  made.words.textContent = free ? words : "";
  made.words.setAttribute("x", middle);
  made.words.setAttribute("y", packet.near ? y - 12 : y + 22);
}

function pooled(stage) {
  const root = add(stage, "g", {});
  return { root, body: add(root, "path", {}), words: add(root, "text", { "text-anchor": "middle" }) };
}
