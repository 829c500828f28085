// SPDX-License-Identifier: GPL-2.0-only
// The runs that the page holds, and which of them it is where a unit's sliders stand.

export const runs = {};
export const views = new Map();

// Where its sliders stand in the beginning.
export const startOf = (unit) => unit.controls.map(({ start }) => start);

// Which run it is when the sliders stand at these places: the last one's position changes fastest.
export const index = (unit, at) => at.reduce((sum, place, n) => sum * unit.controls[n].steps.length + place, 0);

// The figure at each position of one slider, the others as they stand.
export const along = (unit, at, n) => unit.controls[n].steps.map((_, place) => unit.values[index(unit, at.with(n, place))]);
