// SPDX-License-Identifier: GPL-2.0-only
//
// The questions of a unit. What is right was found by the runs when the page was made; an answer is checked at once, and told why.

import { button, make } from "../front/small.js";
import { say, words } from "../front/words.js";
import { ambiguousSaid, numberIn } from "./predict.js";
import { keep, keptOf } from "./progress.js";
import { views } from "./unit-runs.js";

const ASKS_SAY = words("asks");
const TRIES = 2; // then the answer can be shown

export function openAsks(view) {
  const list = view.section.querySelector(".asks");
  list.replaceChildren(...view.unit.asks.map((ask) => askOf(view, ask)));
}

function askOf(view, ask) {
  const form = make("form", { class: "ask", novalidate: "", id: ask.id });
  const said = make("p", { class: "said", role: "status" });
  const answers = keptOf(view.unit).answers;
  const show = button(ASKS_SAY.show, { class: "quiet show", hidden: "" }, () => {
    if (ask.kind === "choice") form.querySelectorAll("input")[ask.right].checked = true;
    tell(true, ASKS_SAY.shown + answerOf(view.unit, ask));
    form.classList.remove("right");
  });
  const question = make("p", { id: `${ask.id}-question` }, ask.question);
  const row = make("div", { class: "row" }, ...fieldOf(ask, view), make("button", { type: "submit" }, ASKS_SAY.check), show);
  form.append(question, ...(ask.kind === "choice" ? [choicesOf(ask)] : []), row, said);
  const tell = (isRight, words) => {
    said.textContent = words;
    form.classList.toggle("right", isRight);
    form.classList.toggle("not-yet", !isRight);
    show.hidden = isRight || (answers[ask.id]?.tries ?? 0) < TRIES;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { right, words, empty } = checked(view, ask, form);
    const before = answers[ask.id] ?? { tries: 0, right: false };
    if (!empty) answers[ask.id] = { tries: before.tries + 1, right: before.right || right };
    tell(right, words);
    keep();
    showProgress();
  });
  if (answers[ask.id]?.right) tell(true, ASKS_SAY.right + answerOf(view.unit, ask));
  return make("li", {}, form);
}

function fieldOf(ask, { section }) {
  if (ask.kind === "stop") {
    const go = () => section.querySelector(`[data-control="${ask.control}"]`).focus();
    return [make("span", { class: "hint" }, ASKS_SAY.stop), button(ASKS_SAY.slider, { class: "quiet small to-slider" }, go)];
  }
  if (ask.kind !== "number") return [];
  const field = make("input", { class: "guess", type: "text", inputmode: "decimal", autocomplete: "off", "aria-labelledby": `${ask.id}-question` });
  return [field, make("span", { class: "unit-of" }, ask.unit)];
}

function choicesOf(ask) {
  const made = ask.choices.map(([says], place) => {
    const field = make("input", { type: "radio", name: ask.id, value: place });
    return make("label", { class: "choice" }, field, says);
  });
  return make("div", { role: "radiogroup", "aria-labelledby": `${ask.id}-question` }, ...made);
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
  if (moved.length) return none(ASKS_SAY.back(moved.map(({ label }) => `“${label}”`).join(ASKS_SAY.or)));
  return said(at.join() === ask.right.join(), [ask.why, ask.hint]);
}

function answerOf(unit, ask) {
  if (ask.kind === "choice") return ask.choices[ask.right][1];
  if (ask.kind === "number") return ask.why;
  const n = unit.controls.findIndex((each) => each.id === ask.control);
  return ASKS_SAY.stands(unit.controls[n].label, unit.controls[n].steps[ask.right[n]][0]) + ask.why;
}

// How many questions are answered, beside each unit's name; and how all of it is forgotten.
export function showProgress() {
  for (const { unit } of views.values()) {
    const right = Object.values(keptOf(unit).answers).filter((each) => each.right).length;
    const link = document.querySelector(`nav a[href="#${unit.id}"] .found`);
    const words = make("span", { "aria-hidden": "true" }, say("page.found", right, unit.asks.length));
    const spoken = make("span", { class: "unseen" }, say("page.foundLong", right, unit.asks.length));
    link.replaceChildren(...(keptOf(unit).done ? [words, spoken] : []));
    link.classList.toggle("all", right === unit.asks.length);
  }
}
