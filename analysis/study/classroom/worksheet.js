// SPDX-License-Identifier: GPL-2.0-only
//
// Deals a worksheet's exercises out to as few pages as there can be, as evenly as can be, and fills what is left of each with lines to
// write on, or with the room between the answers. Without it a browser breaks the pages where it likes.
"use strict";
const PAGE_MM = 259; // A4 less the margins of @page, and a little
const MM = 96 / 25.4;
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
  const room = PAGE_MM * MM;
  const box = main.appendChild(sheetOf("measured"));
  let best = null;
  for (const size of SIZES_PT) {
    box.style.fontSize = `${size}pt`;
    const [top, ...heights] = [head, ...items].map((each) => heightIn(box, each));
    const parts = evenly(heights, top, room);
    const filled = (top + heights.reduce((sum, each) => sum + each, 0)) / (parts.length * room);
    if (!best || filled > best.filled) best = { size, parts, filled };
    if (isToWrite || best.filled >= LEAST_FILLED) break;
  }
  box.remove();
  document.body.style.fontSize = `${best.size}pt`;
  const pages = best.parts.map((part) => {
    const page = sheetOf(isToWrite ? "page" : "page spread");
    // Where room is left between answers it has to be between items of one column.
    for (const n of part) page.append(listOf(items[n]));
    return page;
  });
  pages[0].prepend(head);
  main.querySelector(".exercises").remove();
  main.prepend(...pages);
  if (hints) pages.push(...dealHints(main, hints, room));
  if (isToWrite) for (const page of pages) rule(page, room);
}

// The hints on pages of their own, which can be withheld.
function dealHints(main, hints, room) {
  const items = [...hints.querySelectorAll("li")];
  const box = main.appendChild(sheetOf("measured"));
  const heights = items.map((item) => heightIn(box, item));
  const top = heightIn(box, hints) - heights.reduce((sum, each) => sum + each, 0);
  box.remove();
  return evenly(heights, Math.max(0, top), room).map((part, place) => {
    const page = main.appendChild(sheetOf("page"));
    const copy = hints.cloneNode(!place);
    if (!place) hints.remove();
    copy.querySelector("ol")?.remove();
    copy.className = "hints";
    const lines = copy.querySelector(".lines") ?? Object.assign(document.createElement("div"), { className: "lines" });
    const list = document.createElement("ol");
    list.append(...part.map((n) => items[n]));
    copy.append(list, lines);
    page.append(copy);
    return page;
  });
}

function sheetOf(kind) {
  const made = document.createElement("div");
  made.className = kind;
  if (kind === "measured") made.style.width = "178mm";
  return made;
}

function listOf(item) {
  const list = document.createElement("ol");
  list.append(item);
  return list;
}

function heightIn(box, each) {
  const copy = each.tagName === "LI" ? listOf(each.cloneNode(true)) : each.cloneNode(true);
  const frame = sheetOf("");
  frame.style.display = "flow-root";
  frame.append(copy);
  box.replaceChildren(frame);
  return frame.getBoundingClientRect().height;
}

// Into as few pages as there can be, the fullest of which is as little full as can be.
function evenly(heights, top, room) {
  const fewest = dealt(heights, top, room).length;
  let [low, high] = [0, room];
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
function rule(page, room) {
  const places = [...page.querySelectorAll(".lines")];
  const box = document.querySelector("main").appendChild(sheetOf("measured"));
  const height = heightIn(box, page);
  box.remove();
  let left = Math.floor((room - height) / (LINE_MM * MM)) - 1;
  for (let n = 0; left > 0 && places.length; n++, left--) places[n % places.length].append(document.createElement("i"));
}
