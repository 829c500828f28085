// SPDX-License-Identifier: GPL-2.0-only
//
// A unit's controls: a slider with stops, a switch for what is on or off, a choice of names. Each has a place, from 0.

// Listens to them; what comes back moves one without telling.
export function openControls(view, moved) {
  const { unit, section, at } = view;
  const fields = unit.controls.map(({ id }) => section.querySelector(`[data-control="${id}"]`));
  const move = (n, place) => {
    at[n] = place;
    const label = unit.controls[n].steps[place][0];
    showControl(fields[n], unit.controls[n].kind, place, label);
    section.querySelector(`[data-output="${unit.controls[n].id}"]`).textContent = label;
  };
  const go = (n, place) => {
    move(n, place);
    moved();
  };
  fields.forEach((field, n) => {
    if (unit.controls[n].kind === "switch") field.addEventListener("click", () => go(n, 1 - at[n]));
    else field.addEventListener("input", (event) => go(n, Number(event.target.value)));
    move(n, at[n]);
  });
  return move;
}

function showControl(field, kind, place, label) {
  if (kind === "switch") field.setAttribute("aria-checked", String(place === 1));
  else if (kind === "choice") field.querySelectorAll("input")[place].checked = true;
  else {
    field.value = place;
    field.setAttribute("aria-valuetext", label);
  }
}
