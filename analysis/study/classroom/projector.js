// SPDX-License-Identifier: GPL-2.0-only
//
// For a projector: one unit at a time, half as large again. The unit is the one that was in view, or that the list on top names.

export function openProjector() {
  const root = document.documentElement;
  const key = document.querySelector(".projector-key");
  const isProjected = () => root.classList.contains("projector");
  const toProjector = (isOn, hash = location.hash) => {
    root.classList.toggle("projector", isOn);
    key.setAttribute("aria-pressed", String(isOn));
    const units = [...document.querySelectorAll("main > .unit")];
    const asked = units.find((unit) => `#${unit.id}` === hash);
    const inView = units.find((unit) => unit.getBoundingClientRect().bottom > innerHeight / 2);
    for (const unit of units) unit.classList.toggle("projected", unit === (asked ?? inView ?? units[0]));
  };
  key.addEventListener("click", () => toProjector(!isProjected()));
  addEventListener("hashchange", () => isProjected() && toProjector(true));
  // Before link.js, which goes to the place itself and scrolls there: no address changes that would be heard.
  document.addEventListener("click", ({ target }) => {
    const link = target.closest?.('a[href^="#"]');
    if (link && isProjected()) toProjector(true, link.hash);
  }, true);
  addEventListener("keydown", ({ key: pressed, target, ctrlKey, metaKey, altKey }) => {
    if (pressed === "p" && !ctrlKey && !metaKey && !altKey && !target.matches("input, textarea, select")) key.click();
  });
}
