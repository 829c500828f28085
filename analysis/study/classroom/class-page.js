// SPDX-License-Identifier: GPL-2.0-only
//
// The class page: units, front end and projector, and its link, of the units as soon as they stand, of the front end when it can
// simulate.

import { openEmbedded } from "../front/embedded.js";
import { openLink } from "../front/link.js";
import { onDrawn, openUnits, setState, stateOf } from "./page.js";
import { openProjector } from "./projector.js";

const opened = openUnits();
const frontOpened = openEmbedded(document.getElementById("front"));
export const units = { stateOf, setState, onState: (hear) => onDrawn.push(hear) };

openProjector();
opened.then(async () => {
  const link = openLink(document.querySelector(".page-link"), units);
  const front = await frontOpened.catch(() => null);
  if (front) link.attach(front);
});
