// SPDX-License-Identifier: GPL-2.0-only
// A QR code of a text, for a projector or a phone: an <svg>.

import { leanQr } from "./lean-qr.js";
import { add, canvas, filledWith, make } from "./small.js";

const QUIET = 4; // modules of margin (ISO/IEC 18004)

/** The code of a text; `label` is what a screen reader says of it. */
export function qr(text, label) {
  const code = leanQr.generate(text, { minCorrectionLevel: leanQr.correction.M });
  const size = code.size + 2 * QUIET;
  const cells = [...Array(code.size).keys()];
  const dark = cells.flatMap((y) => cells.filter((x) => code.get(x, y)).map((x) => `M${x + QUIET} ${y + QUIET}h1v1h-1z`));
  const made = canvas(make("div", {}), size, size, label);
  add(made, "rect", { width: size, height: size, fill: "#fff" });
  add(made, "path", { d: dark.join(""), fill: "#000" });
  return filledWith(made, { "shape-rendering": "crispEdges" });
}
