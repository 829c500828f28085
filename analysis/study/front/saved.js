// SPDX-License-Identifier: GPL-2.0-only
// A picture of the page as a file of its own, with its title, its key and the command that draws the like.

import { add, filledWith, make, STAR, text } from "./small.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight"];
const ROW = 18; // of the key
const LETTER = 7.2; // at most, on the average
const SHARP = 3; // pixels of a PNG for one of the page

/** The picture's text, and its size; `key` has the class and the words of each mark. */
export function figureFile(svg, { title, command, key }) {
  const { width, height } = svg.viewBox.baseVal;
  const whole = svg.cloneNode(true);
  const titles = inLines(title, width);
  const rows = key.flatMap(([kind, words]) => inLines(words, width - 30).map((row, n) => [n ? "" : kind, row]));
  const top = (titles.length + 1) * ROW;
  const size = { width, height: height + top + (rows.length + 0.5) * ROW };
  filledWith(whole, { ...size, viewBox: `0 ${-top} ${width} ${size.height}` });
  whole.querySelector(".reading")?.remove();
  titles.forEach((words, n) => text(whole, words, 0, (n + 0.8) * ROW - top, "start"));
  rows.forEach(([kind, words], n) => {
    const y = height + (n + 0.5) * ROW;
    if (kind === "paper") add(whole, "path", { class: kind, d: `M2 ${y}H22` });
    else if (kind === "star") add(whole, "path", { class: kind, d: STAR, transform: `translate(12 ${y}) scale(.8)` });
    else if (kind) add(whole, "circle", { class: kind, cx: 12, cy: y, r: kind === "dot" ? 3.4 : 6 });
    text(whole, words, 30, y + 4, "start");
  });
  svg.after(whole); // the page's styles say how it looks
  for (const each of whole.querySelectorAll("*")) {
    const look = getComputedStyle(each);
    for (const name of STYLES) each.setAttribute(name, look.getPropertyValue(name));
  }
  const ground = getComputedStyle(document.body).backgroundColor;
  whole.remove();
  whole.prepend(add(whole, "desc", {}, command), add(whole, "rect", { y: -top, ...size, fill: ground }));
  const said = new XMLSerializer().serializeToString(whole);
  return { blob: new Blob([said], { type: "image/svg+xml" }), said, size };
}

function inLines(words, width) {
  const most = Math.floor(width / LETTER);
  return words.match(new RegExp(`.{1,${most}}(?:\\s|$)|\\S+`, "g")).map((each) => each.trim());
}

/** The same as PNG. */
export async function pngOf({ said, size: { width, height } }) {
  const drawn = new Image();
  drawn.src = `data:image/svg+xml,${encodeURIComponent(said)}`; // the page's policy takes no other
  await drawn.decode();
  const board = make("canvas", { width: width * SHARP, height: height * SHARP });
  board.getContext("2d").drawImage(drawn, 0, 0, board.width, board.height);
  return new Promise((done) => board.toBlob(done));
}

/** Give the reader a file. */
export function saved(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
