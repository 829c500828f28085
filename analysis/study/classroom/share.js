// SPDX-License-Identifier: GPL-2.0-only
//
// What a student gives the teacher: the code of all guesses so far, to copy or to scan.

import { qr } from "../front/qr.js";
import { copy } from "../front/small.js";
import { words } from "../front/words.js";
import { codeOf } from "./guesses.js";
import { kept } from "./progress.js";
import { runs } from "./unit-runs.js";

const SHARE_SAY = words("share");

export function openShare({ section }) {
  const box = section.querySelector(".share");
  box.addEventListener("toggle", () => box.open && showCode(box));
  section.querySelector(".copy-code").onclick = () => copy(section.querySelector(".guess-code"), section.querySelector(".copied-code"));
  showCode(box);
}

// Of every unit with a guess.
function showCode(box) {
  const said = runs.units.map((unit) => [unit.code, kept.units[unit.id]?.guess]).filter(([, guess]) => guess > 0);
  box.hidden = !said.length;
  if (!said.length) return;
  const code = codeOf(kept.id, Object.fromEntries(said));
  box.querySelector(".guess-code").textContent = code;
  box.querySelector(".qr").replaceChildren(qr(code, SHARE_SAY.scan(code)));
}
