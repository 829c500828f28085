// SPDX-License-Identifier: GPL-2.0-only
// Deals a worksheet's exercises out evenly to as few pages as there can be, and fills the rest of each with lines to write on.
const PAGE_MM = 259; // A4 less the margins of @page, and a little
const MM = 96 / 25.4;
const ROOM = PAGE_MM * MM;
const LINE_MM = 8;
const LEAST_FILLED = 0.8; // of what cannot be filled with lines
const SIZES_PT = [11.5, 12, 12.5, 13, 11, 10.5, 10]; // of the letters, the usual one first

document.fonts.ready.then(deal);

function deal() {
  const main = document.querySelector("main");
  const head = main.querySelector(".head");
  const items = [...main.querySelectorAll(".exercises > li")];
  const hints = main.querySelector(".hints");
  const isToWrite = items.some((item) => item.querySelector(".lines"));
  let best = null;
  for (const size of SIZES_PT) {
    const [top, ...heights] = [head, ...items].map((each) => heightOf(each, size));
    const parts = evenly(heights, top);
    const filled = (top + sum(heights)) / (parts.length * ROOM);
    if (!best || filled > best.filled) best = { size, parts, filled };
    if (isToWrite || best.filled >= LEAST_FILLED) break;
  }
  document.body.style.fontSize = `${best.size}pt`;
  // Where room is left between answers it has to be between items of one column.
  const pages = best.parts.map((part) => made("div", isToWrite ? "page" : "page spread", ...part.map((n) => made("ol", "", items[n]))));
  pages[0].prepend(head);
  main.querySelector(".exercises").remove();
  main.prepend(...pages);
  if (hints) pages.push(...hintPages(hints));
  if (isToWrite) pages.forEach(rule);
}

// The hints on pages of their own, which can be withheld.
function hintPages(hints) {
  const items = [...hints.querySelectorAll("li")];
  const heights = items.map((item) => heightOf(item));
  const top = Math.max(0, heightOf(hints) - sum(heights));
  const pages = evenly(heights, top).map((part, place) => {
    const begins = place ? [] : [...hints.children].filter((each) => !each.matches("ol, .lines")); // title and the like
    return made("div", "page", made("section", "hints", ...begins, made("ol", "", ...part.map((n) => items[n])), made("div", "lines")));
  });
  hints.replaceWith(...pages);
  return pages;
}

function made(kind, name, ...children) {
  const element = Object.assign(document.createElement(kind), { className: name });
  element.append(...children);
  return element;
}

// On a page, an item in a list; in letters of that size, or the page's.
function heightOf(each, size) {
  const copy = each.cloneNode(true);
  const frame = made("div", "", each.tagName === "LI" ? made("ol", "", copy) : copy);
  const probe = made("div", "measured", frame);
  document.querySelector("main").append(probe);
  if (size) probe.style.fontSize = `${size}pt`;
  const { height } = frame.getBoundingClientRect();
  probe.remove();
  return height;
}

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

// Into as few pages as there can be, the fullest of which is as little full as can be.
function evenly(heights, top) {
  const fewest = dealt(heights, top, ROOM).length;
  let [low, high] = [0, ROOM];
  while (high - low > 1) {
    const middle = (low + high) / 2;
    if (dealt(heights, top, middle).length > fewest) low = middle;
    else high = middle;
  }
  return dealt(heights, top, high);
}

function dealt(heights, top, room) {
  const parts = [[]];
  let used = top;
  heights.forEach((height, n) => {
    if (parts.at(-1).length && used + height > room) {
      parts.push([]);
      used = 0;
    }
    parts.at(-1).push(n);
    used += height;
  });
  return parts;
}

// As many lines to write on as there is room for, the same number under each exercise as far as it goes.
function rule(page) {
  const places = [...page.querySelectorAll(".lines")];
  const lines = Math.floor((ROOM - heightOf(page)) / (LINE_MM * MM)) - 1;
  for (let n = 0; n < lines && places.length; n++) places[n % places.length].append(document.createElement("i"));
}
