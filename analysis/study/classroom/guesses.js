// SPDX-License-Identifier: GPL-2.0-only
// A student's guesses as a short code, to copy or to scan, and back. SLOW1/K3F9X2/P25/T8.5/4Q has a random number in place of a name, a
// guess of 25 in the unit with the letter P and of 8.5 in T, and a check of all before. A QR code packs its letters closely.

import { qr } from "../front/qr.js";
import { copy, partsOf } from "../front/small.js";
import { say, words } from "../front/words.js";
import { ID_LETTERS, kept } from "./progress.js";
import { runs } from "./unit-runs.js";

const GUESSES_SAY = words("guesses");
const CODE_HEAD = "SLOW1";

export function codeOf(id, guesses) {
  // No exponent: three digits are all that a guess is worth.
  const plain = (value) => value.toLocaleString("en", { maximumSignificantDigits: 3, useGrouping: false });
  const body = [CODE_HEAD, id, ...Object.entries(guesses).map(([letter, value]) => letter + plain(value))].join("/");
  return `${body}/${checkOf(body)}`;
}

function checkOf(body) {
  let sum = 7;
  for (const letter of body) sum = (sum * 31 + letter.charCodeAt(0)) % (32 * 32);
  return ID_LETTERS[Math.floor(sum / 32)] + ID_LETTERS[sum % 32];
}

// Of a line that somebody pasted or scanned: the id and the guesses, or what is wrong with it.
function readCode(text, letters) {
  const found = text.trim().toUpperCase().replaceAll(/\s/g, "");
  if (!found.includes("/")) return { wrong: GUESSES_SAY.notOne };
  const [head, id, ...parts] = found.split("/");
  if (head !== CODE_HEAD) return { wrong: /^SLOW\d+$/.test(head) ? GUESSES_SAY.other : GUESSES_SAY.notOne };
  const check = parts.pop();
  if (!/^[0-9A-Z]{6}$/.test(id ?? "") || check !== checkOf([head, id, ...parts].join("/"))) return { wrong: GUESSES_SAY.check };
  if (!parts.length) return { wrong: GUESSES_SAY.empty };
  const guesses = {};
  for (const part of parts) {
    const value = Number(part.slice(1));
    if (!letters.includes(part[0])) return { wrong: GUESSES_SAY.unit(part[0]) };
    if (!/^[\d.]+$/.test(part.slice(1)) || !(value > 0)) return { wrong: GUESSES_SAY.guess(part) };
    guesses[part[0]] = value;
  }
  return { id, guesses };
}

// Of many lines: each student once, with what he said last; and what is wrong, by line.
export function gathered(text, letters) {
  const students = new Map();
  const wrong = [];
  const again = [];
  for (const [n, each] of text.split("\n").entries()) {
    const line = n + 1;
    const { wrong: why, id, guesses } = each.trim() ? readCode(each, letters) : {};
    const before = students.get(id);
    if (why) wrong.push({ line, text: each.trim(), why });
    if (before) again.push({ line, before: before.line });
    if (id) students.set(id, { line, ...before, guesses: { ...before?.guesses, ...guesses } });
  }
  return { students: [...students.values()], wrong, again };
}

/** What a student gives the teacher: the code of all guesses so far. */
export function openShare({ section }) {
  const [box, shown, copied, button] = partsOf(section, ".share", ".guess-code", ".copied-code", ".copy-code");
  const show = () => {
    const said = runs.units.map((unit) => [unit.code, kept.units[unit.id]?.guess]).filter(([, guess]) => guess > 0);
    const code = codeOf(kept.id, Object.fromEntries(said));
    box.hidden = !said.length;
    shown.textContent = code;
    box.querySelector(".qr").replaceChildren(qr(code, say("share.scan", code)));
  };
  box.addEventListener("toggle", () => box.open && show());
  button.addEventListener("click", () => copy(shown, copied));
  show();
}
