// SPDX-License-Identifier: GPL-2.0-only
//
// The units: sliders, and what follows them. It looks numbers up and never computes one between two simulated points. The other
// scripts of the page go before.
const runs = {};
const main = document.querySelector("main");
main.inert = true; // until there is something that hears
const opened = open();

// What is asked for before must wait for this.
async function open() {
  Object.assign(runs, await unpackedJson(document.getElementById("runs").textContent));
  for (const unit of runs.units) start(unit);
  main.inert = false;
}

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
