// SPDX-License-Identifier: GPL-2.0-only
// The questions of a unit. What is right was found by the runs when the page was made; an answer is checked at once, and told why.

import { partsOf } from "../front/small.js";
import { say, words } from "../front/words.js";
import { ambiguousSaid, numberIn } from "./predict.js";
import { keep, keptOf } from "./progress.js";
import { startOf, views } from "./unit-runs.js";

const ASKS_SAY = words("asks");
const TRIES = 2; // then the answer can be shown

/** A question's form, which stands in the page, gets its texts and is heard. */
export function openAsk(view, ask) {
  const form = document.getElementById(ask.id);
  const [question, said, show, unitOf, toSlider] = partsOf(form, "p", ".said", ".show", ".unit-of", ".to-slider");
  const { answers } = keptOf(view.unit);
  question.textContent = ask.question;
  if (unitOf) unitOf.textContent = ask.unit;
  form.querySelectorAll(".choice span").forEach((each, place) => (each.textContent = ask.choices[place][0]));
  const tell = (kind, words) => {
    said.textContent = words;
    form.className = `ask ${kind}`;
    show.hidden = kind !== "not-yet" || (answers[ask.id]?.tries ?? 0) < TRIES;
  };
  toSlider?.addEventListener("click", () => view.section.querySelector(`[data-control="${ask.control}"]`).focus());
  show.addEventListener("click", () => {
    if (ask.kind === "choice") form.querySelectorAll("input")[ask.right].checked = true;
    tell("shown", ASKS_SAY.shown + answerOf(view.unit, ask));
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { right, words, empty } = checked(view, ask, form);
    const before = answers[ask.id] ?? { tries: 0, right: false };
    if (!empty) answers[ask.id] = { tries: before.tries + 1, right: before.right || right };
    tell(right ? "right" : "not-yet", words);
    keep();
    showProgress();
  });
  if (answers[ask.id]?.right) tell("right", ASKS_SAY.right + answerOf(view.unit, ask));
}

function checked(view, ask, form) {
  const none = (words) => ({ right: false, empty: true, words });
  /** @param {boolean} right @param {string[]} words */
  const said = (right, [yes, no]) => ({ right, words: right ? ASKS_SAY.right + yes : ASKS_SAY.notYet + no });
  if (ask.kind === "number") {
    const { value, ambiguous } = numberIn(form.querySelector("input").value);
    if (ambiguous) return none(ambiguousSaid(ambiguous));
    if (!(value >= 0)) return none(ASKS_SAY.number);
    const [least, most] = ask.right; // the same, unless chance has a part
    const right = value >= least - ask.within * Math.abs(least) && value <= most + ask.within * Math.abs(most);
    return said(right, [ask.why, ask.hint]);
  }
  if (ask.kind === "choice") {
    const chosen = [...form.querySelectorAll("input")].findIndex((each) => each.checked);
    return chosen < 0 ? none(ASKS_SAY.choose) : said(chosen === ask.right, Array(2).fill(ask.choices[chosen][1]));
  }
  const { unit, at } = view;
  const moved = unit.controls.filter((each, n) => each.id !== ask.control && at[n] !== ask.right[n]);
  if (moved.length) return none(ASKS_SAY.back(moved.map(({ label }) => say("limit.quoted", label)).join(ASKS_SAY.or)));
  const right = at.join() === ask.right.join();
  return { ...said(right, [ask.why, ask.hint]), empty: !right && at.join() === startOf(unit).join() }; // nothing moved is no try
}

function answerOf(unit, ask) {
  if (ask.kind === "choice") return ask.choices[ask.right][1];
  if (ask.kind === "number") return ask.why;
  const n = unit.controls.findIndex((each) => each.id === ask.control);
  return `${unit.controls[n].label}: ${unit.controls[n].steps[ask.right[n]][0]}. ${ask.why}`;
}

// How many questions are answered, beside each unit's name, for the eye and for the ear.
export function showProgress() {
  for (const { unit } of views.values()) {
    const { done, answers } = keptOf(unit);
    const right = Object.values(answers).filter((each) => each.right).length;
    const found = document.querySelector(`nav a[href="#${unit.id}"] .found`);
    found.hidden = !done;
    found.classList.toggle("all", right === unit.asks.length);
    ["page.found", "page.foundLong"].forEach((key, n) => (found.children[n].textContent = say(key, right, unit.asks.length)));
  }
}
