// SPDX-License-Identifier: GPL-2.0-only
//
// For a projector: one unit at a time, half as large again. The unit is the one that was in view, or that the list on top names.

const root = document.documentElement;
const projector = document.querySelector(".projector-key");

function toProjector(isOn, hash = location.hash) {
  root.classList.toggle("projector", isOn);
  projector.setAttribute("aria-pressed", String(isOn));
  const units = [...document.querySelectorAll("main > .unit")];
  const asked = units.find((unit) => `#${unit.id}` === hash);
  const inView = units.find((unit) => unit.getBoundingClientRect().bottom > innerHeight / 2);
  for (const unit of units) unit.classList.toggle("projected", unit === (asked ?? inView ?? units[0]));
}

projector.addEventListener("click", () => toProjector(!root.classList.contains("projector")));
addEventListener("hashchange", () => root.classList.contains("projector") && toProjector(true));
// Before link.js, which goes to the place itself and scrolls there: no address changes that would be heard.
document.addEventListener("click", ({ target }) => {
  const link = target.closest?.('a[href^="#"]');
  if (link && root.classList.contains("projector")) toProjector(true, link.hash);
}, true);
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  if (key === "p" && !ctrlKey && !metaKey && !altKey && !target.matches("input, textarea, select")) projector.click();
});
