// SPDX-License-Identifier: GPL-2.0-only
// What is kept on this device, and nowhere else: guesses, stops that were seen, answers. The page works without, too.

import { inBrowser } from "../front/words.js";

const KEPT_KEY = "why-is-this-transfer-slow";
export const ID_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"; // none that is read for another

const found = inBrowser((store) => JSON.parse(store.getItem(KEPT_KEY)));
const isOurs = found?.version === 1 && /^[0-9A-Z]{6}$/.test(found.id) && found.units;
export const kept = isOurs ? found : freshKept();

// By chance, so that two of one class are told apart; a name is never asked.
function freshKept() {
  const drawn = crypto.getRandomValues(new Uint8Array(6));
  return { version: 1, id: Array.from(drawn, (byte) => ID_LETTERS[byte % 32]).join(""), units: {} };
}

export const keep = () => inBrowser((store) => store.setItem(KEPT_KEY, JSON.stringify(kept)));

export function forget() {
  inBrowser((store) => store.removeItem(KEPT_KEY));
  Object.assign(kept, freshKept()); // or keep() would write it once more
  location.reload();
}

// Of a unit, if it still has the same sliders and stops.
export function keptOf(unit) {
  const shape = `${unit.controls.map((each) => each.steps.length).join()};${unit.asks.length}`;
  const found = kept.units[unit.id];
  if (found?.shape === shape) return found;
  return (kept.units[unit.id] = { shape, done: false, guess: null, drawn: [], visited: [], whole: false, answers: {} });
}
