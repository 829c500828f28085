// SPDX-License-Identifier: GPL-2.0-only
//
// The units: sliders, and what follows them. It looks numbers up and never computes one between two simulated points. The other
// scripts of the page go before.
const PAGE_SAY = words("page");
const runs = {};
const views = new Map();
const onDrawn = []; // each is called with a unit's view and its run's number after it is drawn
const main = document.querySelector("main");
main.inert = true; // until there is something that hears
const opened = open();

// What is asked for before must wait for this.
async function open() {
  Object.assign(runs, await unpackedJson(document.getElementById("runs").textContent));
  for (const name of Object.keys(runs.words)) runs.words[name] = limitSaid(name, runs.words[name]);
  runs.units.forEach(translate);
  for (const unit of runs.units) start(unit);
  showProgress();
  document.querySelector(".forget").addEventListener("click", forget);
  openClass();
  main.inert = false;
}

function start(unit) {
  const section = document.getElementById(unit.id);
  const own = keptOf(unit);
  const at = unit.controls.map((control) => control.start);
  const view = { unit, section, at, drawn: null, visited: new Set(own.visited), whole: own.whole, shown: false };
  views.set(unit.id, view);
  const move = openControls(view, () => draw(view));
  view.move = move;
  askFirst(view, (guess) => {
    Object.assign(own, { done: true, guess, drawn: view.drawn });
    reveal(view, guess);
    section.querySelector(".verdict").focus();
    section.querySelector("div.player").player?.play();
    keep();
    showProgress();
  });
  section.querySelector(".reset").addEventListener("click", () => setState({ [unit.id]: {} }));
  section.querySelector(".whole").addEventListener("click", () => {
    own.whole = view.whole = true;
    keep();
    draw(view);
  });
  if (!own.done) return;
  view.drawn.forEach((_, place) => (view.drawn[place] = own.drawn[place] ?? null));
  reveal(view, own.guess);
}

function reveal(view, guess) {
  const { section, unit } = view;
  const results = section.querySelector(".results");
  view.shown = true;
  section.querySelector(".predict").hidden = true;
  section.querySelector(".told").hidden = false;
  results.hidden = false;
  const first = unit.controls.map((control) => control.start);
  section.querySelector(".verdict").textContent = judge(unit, guess, first, view.drawn);
  openAsks(view);
  openShare(view);
  draw(view);
  onWidth(results, () => draw(view));
}

// Where every unit's sliders stand, and which are shown, for a link; what is not said of a unit stands as it begins.
function stateOf() {
  const moved = ({ unit, at }) => unit.controls.flatMap(({ id, start }, n) => (at[n] === start ? [] : [[id, at[n]]]));
  return Object.fromEntries([...views].map(([id, view]) => [id, Object.fromEntries(moved(view))]));
}

function setState(state) {
  for (const [id, places] of Object.entries(state)) {
    const view = views.get(id);
    if (!view) continue;
    view.unit.controls.forEach(({ id: name, start, steps }, n) => {
      const place = places[name];
      view.move(n, Number.isInteger(place) && place >= 0 && place < steps.length ? place : start);
    });
    if (view.shown) draw(view);
  }
}

// Which run it is when the sliders stand at these places: the last one's position changes fastest.
function index(unit, at) {
  return at.reduce((sum, place, n) => sum * unit.controls[n].steps.length + place, 0);
}

function placesOf(unit, here) {
  const places = [];
  for (const { steps } of unit.controls.toReversed()) {
    places.unshift(here % steps.length);
    here = Math.floor(here / steps.length);
  }
  return places;
}

// The figure at each position of one slider, the others as they stand.
function along(unit, at, n) {
  return unit.controls[n].steps.map((_, place) => unit.values[index(unit, put(at, n, place))]);
}

function draw(view) {
  const { unit, section, at } = view;
  const here = index(unit, at);
  view.visited.add(here);
  keptOf(unit).visited = [...view.visited];
  section.querySelector(".number").textContent = number(unit.values[here]);
  drawLimits(unit, section, at, here);
  drawCurve(view, section.querySelector(".curve .plot"));
  drawLadder(playUnit(unit, section.querySelector("div.player"), here), section.querySelector(".ladder .plot"), runs.words);
  section.querySelector(".whole").hidden = view.whole;
  keep();
  for (const each of onDrawn) each(view, here);
}

// How many questions are answered, beside each unit's name; and how all of it is forgotten.
function showProgress() {
  for (const { unit } of views.values()) {
    const right = Object.values(keptOf(unit).answers).filter((each) => each.right).length;
    const link = document.querySelector(`nav a[href="#${unit.id}"] .found`);
    const words = make("span", { "aria-hidden": "true" }, PAGE_SAY.found(right, unit.asks.length));
    const spoken = make("span", { class: "unseen" }, PAGE_SAY.foundLong(right, unit.asks.length));
    link.replaceChildren(...(keptOf(unit).done ? [words, spoken] : []));
    link.classList.toggle("all", right === unit.asks.length);
  }
}
