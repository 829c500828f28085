// SPDX-License-Identifier: GPL-2.0-only
// Plays films, several by one clock: moving packets, what is in flight, the windows, the send buffers, who waits for what.

import { add, choicesIn, copyOf, number, partsOf } from "./small.js";
import { sayAll, words } from "./words.js";
import { bytesSaid, clockOf, filmOf, stateAt, stepSaid, stepsOf, timeSaid, waitSaid } from "./film.js";
import { drawStage } from "./stage.js";

const PLAYER = words("player");
const SIGNS = { play: "M4 2l13 8-13 8z", pause: "M4 2h4v16h-4zM12 2h4v16h-4z" }; // drawn, as fonts have them or not
const SPEEDS = [0.25, 0.5, 1, 2, 4, 16];
const STILL_MS = 1200; // between two steps where nothing is to move

/** A player in a box; `words` and `looks` of limits are the page's. `show` gives it films, each with a title, and a note. */
export function playerIn(box, words, looks) {
  const state = { films: [], second: 0, speed: 1, playing: false, words, looks };
  const root = copyOf("packet-player");
  const [lanes, strips, real, place] = partsOf(root, ".lanes", ".place .strips", ".real", ".place input");
  const [back, play, on, speed, time] = partsOf(root, ".back", ".play", ".on", "select", ".clock");
  const [scale, pace, step] = partsOf(root, ".scale input", ".pace", ".step");
  sayAll(root);
  root.setAttribute("aria-label", `${PLAYER.name}. ${PLAYER.keys}`);
  choicesIn(speed, SPEEDS.map((each) => [each, `${number(each)}×`]), 1);
  box.replaceChildren(root);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  const seek = (second) => {
    state.second = Math.min(Math.max(second, 0), state.clock.total);
    draw();
  };
  const draw = () => {
    const { clock, second, films, lanes } = state;
    const instant = instantOf(state);
    place.value = second;
    time.textContent = PLAYER.clock(timeSaid(Math.max(0, Math.round(instant))), timeSaid(clock.until));
    const still = clock.pauses.find(({ from, until }) => instant > from && instant < until);
    films.forEach((film, n) => drawLane(state, film, lanes[n], instant, { still, slowed: clock.slowedAt(second) }));
  };
  // Where a step stands is exact, or what happens then might not have happened yet.
  const standAt = (instant) => {
    stop();
    state.exact = instant;
    seek(state.clock.shown(instant));
    say();
  };
  const toStep = (by) => {
    const now = instantOf(state);
    const ahead = state.steps.find(({ at }) => at > now + 1e-6) ?? state.steps.at(-1);
    const before = state.steps.findLast(({ at }) => at < now - 1e-6) ?? state.steps[0];
    standAt((by > 0 ? ahead : before)?.at ?? 0);
  };
  const say = () => {
    const here = state.steps.findLast(({ at }) => at <= instantOf(state) + 1e-6);
    const said = here ? stepSaid(here, state.films) : "";
    step.textContent = said;
    place.setAttribute("aria-valuetext", said);
  };
  const sign = (kind) => {
    state.playing = kind === "pause";
    play.firstElementChild.firstElementChild.setAttribute("d", SIGNS[kind]);
    for (const name of ["title", "aria-label"]) play.setAttribute(name, PLAYER[kind]);
  };
  const stop = () => {
    cancelAnimationFrame(state.frame);
    clearTimeout(state.timer);
    sign("play");
  };
  const start = () => {
    if (state.second >= state.clock.total) seek(0);
    if (calm.matches) return beat();
    sign("pause");
    step.textContent = "";
    let before = performance.now();
    const move = (now) => {
      state.exact = undefined;
      seek(state.second + ((now - before) / 1000) * state.speed);
      before = now;
      if (state.second >= state.clock.total) halt();
      else state.frame = requestAnimationFrame(move);
    };
    state.frame = requestAnimationFrame(move);
  };
  // Where nothing is to move, from step to step.
  const beat = () => {
    const { second } = state;
    toStep(1);
    if (state.second <= second) return;
    sign("pause");
    state.timer = setTimeout(beat, STILL_MS / state.speed);
  };
  const halt = () => {
    stop();
    say();
  };

  const setClock = () => {
    state.clock = clockOf(state.films, scale.checked);
    place.max = state.clock.total;
    drawStrips(state, strips, (at) => state.clock.shown(at) / state.clock.total);
    strips.hidden = scale.checked; // it would be the other once more
    drawStrips(state, real, (at) => at / state.clock.until);
    const { usual, quickest, isSlowed, until, total } = state.clock;
    if (scale.checked) pace.textContent = PLAYER.paceReal(timeSaid(until / total));
    else pace.textContent = isSlowed ? PLAYER.paceSlowed(timeSaid(usual), timeSaid(quickest)) : PLAYER.pace(timeSaid(usual));
  };

  for (const each of root.querySelectorAll("button")) each.title = each.getAttribute("aria-label");
  back.addEventListener("click", () => toStep(-1));
  on.addEventListener("click", () => toStep(1));
  play.addEventListener("click", () => (state.playing ? halt() : start()));
  scale.addEventListener("change", () => {
    const now = instantOf(state);
    stop();
    setClock();
    seek(state.clock.shown(now));
  });
  speed.addEventListener("change", () => (state.speed = Number(speed.value)));
  place.addEventListener("input", () => {
    stop();
    state.exact = undefined;
    seek(Number(place.value));
  });
  place.addEventListener("change", say);
  root.addEventListener("keydown", (event) => {
    if (event.target === speed || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (by) toStep(by);
    else if (event.key === "Home") standAt(0);
    else if (event.key === "End") standAt(state.clock.until);
    else if (event.key === " " && event.target === place) play.click();
    else return;
    event.preventDefault();
  });
  // In print the film stands where most is in flight, unless somebody has moved it.
  addEventListener("beforeprint", () => {
    const { packets } = state.films[0] ?? { packets: [] };
    const first = packets.find((packet) => packet.sent >= 0 && packet.near) ?? packets[0];
    if (first && state.second === 0) standAt((first.gone + first.came) / 2);
  });
  new ResizeObserver(() => state.films.length && draw()).observe(lanes);

  return {
    /** Show these, from their beginning. */
    show(films) {
      state.films = films.map(filmOf);
      state.steps = stepsOf(state.films, words);
      state.lanes = state.films.map(laneOf);
      lanes.replaceChildren(...state.lanes.map((lane) => lane.root));
      setClock();
      standAt(0);
    },
    /** Play from the beginning, unless the reader wants nothing to move. */
    play() {
      if (calm.matches || !state.films.length) return;
      seek(0);
      start();
    },
    /** Stand at an instant of the films, in microseconds. */
    at: standAt,
    state,
  };
}

const instantOf = (state) => state.exact ?? state.clock.instant(state.second);

// Who waits for what, along the film: a stretch begins where `part` of it says, from 0 to 1.
function drawStrips(state, strips, part) {
  const { films, looks } = state;
  strips.replaceChildren();
  for (const { waits } of films.filter((film) => film.waits.length)) {
    const strip = add(strips, "svg", { class: "strip", viewBox: "0 0 1000 10", preserveAspectRatio: "none" });
    for (const name of new Set(waits.flatMap(({ limit }) => limit || []))) {
      const ends = waits.filter(({ limit }) => limit === name).map(({ from, until }) => [from, until].map((at) => (part(at) * 1000).toFixed(2)));
      add(strip, "path", { d: ends.map(([a, b]) => `M${a} 0H${b}V10H${a}Z`).join(""), fill: looks[name]?.[0] ?? "#999" });
    }
  }
}

// One film's stage, bars and sentence.

function laneOf(film) {
  const root = copyOf("packet-lane");
  const [title, stage, bars, swatch, reason, note] = partsOf(root, ".title", ".stage", ".bars", ".waits i", ".waits span", ".note");
  const [near, far, chips, queue, pace, still] = partsOf(stage, ".name", ".far", ".chips", ".queue", ".slower", ".still");
  title.textContent = film.title;
  stage.setAttribute("aria-label", PLAYER.both(film.title, ...film.names));
  [near.textContent, far.textContent] = film.names;
  const several = film.sides.every((side) => side.sendsData);
  const meters = film.sides.flatMap((side, n) => {
    const kinds = [side.sendsData && "inFlight", side.sendsData && film.held[n].length && "held"].filter(Boolean);
    return kinds.map((kind) => meterOf(n, kind, `${several ? `${film.names[n]}, ` : ""}${PLAYER[kind]}`));
  });
  bars.append(...meters.map((meter) => meter.root));
  const thinned = film.every > 1 ? PLAYER.thinned(film.every, timeSaid(film.brief ?? 0)) : "";
  note.textContent = [thinned, film.traced ? PLAYER.trace(...film.names) : ""].filter(Boolean).join(" ");
  return { root, stage, chips, queue, pace, still, meters, swatch, reason, pool: [] };
}

function meterOf(side, kind, name) {
  const root = copyOf("packet-meter");
  const [of, rest, fill, said] = partsOf(root, ".of", ".room", ".fill", ".said");
  of.textContent = name;
  for (const each of [fill, said]) each.classList.add(kind);
  return { root, side, kind, fill, rest, said };
}

function drawLane(state, film, lane, instant, pace) {
  const { sides, wait, isOver } = stateAt(film, instant);
  for (const meter of lane.meters) drawMeter(meter, film, sides[meter.side]);
  const known = film.waits.length > 0;
  lane.reason.textContent = !known ? PLAYER.unknown : isOver || !wait ? PLAYER.over : waitSaid(film, wait.end, wait.limit, state.words);
  const [colour, hatch] = (wait && state.looks[wait.limit]) || ["transparent", ""];
  lane.swatch.hidden = !wait;
  lane.swatch.style.backgroundColor = colour;
  lane.swatch.dataset.hatch = hatch.slice(0, 1);
  drawStage(film, lane, instant, pace, isOver);
}

// Of the largest window, or buffer, that the film has.
function drawMeter(meter, film, side) {
  const isWindow = meter.kind === "inFlight";
  const [value, bound] = isWindow ? [side.inFlight, side.window] : [side.held ?? 0, side.buffer];
  const most = isWindow ? Math.max(side.largest, 1) : side.buffer || Math.max(...film.held[meter.side].map(([, held]) => held), 1);
  meter.fill.style.width = `${Math.min(100, (value / most) * 100)}%`;
  meter.rest.style.width = `${Math.min(100, ((isWindow ? Math.max(bound, value) : bound || 0) / most) * 100)}%`;
  const window = film.asks ? PLAYER.asked : PLAYER.window;
  if (isWindow && !side.knows) meter.said.textContent = `${bytesSaid(value)}; ${PLAYER.untold}`;
  else meter.said.textContent = isWindow ? PLAYER.windowOf(bytesSaid(value), bytesSaid(bound), window) : bound ? PLAYER.level(bytesSaid(value), bytesSaid(bound)) : bytesSaid(value);
}
