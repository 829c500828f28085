// SPDX-License-Identifier: GPL-2.0-only
//
// The guess before the answer, and what is said of it; small.js goes before.

function judge(unit, guess, at) {
  const value = unit.values[index(unit, at)];
  const said = `${number(value)} ${unit.y.unit}`;
  if (guess === null) return `It is ${said}. Now find out why.`;
  const times = Math.max(guess, value) / Math.min(guess, value);
  const you = `You said ${number(guess)} ${unit.y.unit}; it is ${said}. `;
  if (times < 1.1) return you + "Well judged. Now find out what would change it.";
  const which = guess > value ? "too high" : "too low";
  return you + (times < 2 ? `Close, and ${which}. ` : `${number(times)} times ${which}. `) + "Find out why.";
}
