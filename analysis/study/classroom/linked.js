// SPDX-License-Identifier: GPL-2.0-only
//
// The page's link: of the units as soon as they stand, of the front end when it can simulate. page.js and front's link.js go
// before.
const units = { stateOf, setState, onState: (hear) => onDrawn.push(hear) };

opened.then(async () => {
  const link = openLink(document.querySelector(".page-link"), units);
  const front = typeof frontOpened === "undefined" ? null : await frontOpened.catch(() => null);
  if (front) link.attach(front);
});
