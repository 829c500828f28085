// SPDX-License-Identifier: GPL-2.0-only
// The front end's controls: those that move this system most, with marks at known devices, and all others behind "more".

import { SIZES } from "./exchange.js";
import { choicesIn, copyOf, filledWith, make, number, partsOf } from "./small.js";
import { numberSaid, say, words } from "./words.js";

const CONTROLS_SAY = words("front");
/** What is typed, without what parts thousands: blanks, and where a comma is not the decimal sign such a comma. */
export const bareOf = (typed) => typed.replaceAll(say("number.sample").at(-2) === "." ? /\s|,(?=\d{3}(?!\d))/g : /\s/g, "").replace(",", ".");

export class FrontControls {
  /** `touched(key, text)` hears of every move. */
  constructor(root, touched) {
    this.root = root;
    this.touched = touched;
  }

  /** All anew, for a system; `valueOf` says where each stands. */
  build(form, valueOf) {
    const all = form.sections.flatMap((section) => section.controls);
    this.byKey = Object.fromEntries(all.map((control) => [control.key, control]));
    this.entries = {};
    for (const control of all) this.control(control);
    this.parts = form.sections.map((section) => ({ section, place: make("fieldset", {}, make("legend", {}, section.title)) }));
    this.lead(form);
    for (const key of Object.keys(this.byKey)) this.put(key, valueOf(key));
  }

  /** Those that stand first, and where the others do. */
  lead({ leading }) {
    this.root.querySelector(".front-leading").replaceChildren(...leading.map((key) => this.entries[key].box));
    const shown = this.parts.filter(({ section, place }) => {
      const others = section.controls.filter(({ key }) => !leading.includes(key));
      place.append(...others.map(({ key }) => this.entries[key].box));
      return others.length;
    });
    this.root.querySelector(".front-sections").replaceChildren(...shown.map(({ place }) => place));
  }

  control(control) {
    const { key, label, kind, unit, help, choices, allowed, stops = [], numbers, marks = [] } = control;
    const box = copyOf(kind === "number" ? "front-number" : "front-choice");
    const [named, field, unitOf, slider, marked] = partsOf(box, "label", ".field", ".front-unit", "[type=range]", ".marks");
    const [known, helps, error] = partsOf(box, ".known", ".help", ".wrong");
    const id = `front-${key}`;
    [field.id, helps.id, error.id] = [id, `${id}-help`, `${id}-wrong`];
    field.setAttribute("aria-describedby", `${helps.id} ${error.id}`);
    named.htmlFor = id;
    named.textContent = label;
    helps.textContent = `${help} (${numberSaid(allowed).replace(" to ", CONTROLS_SAY.to)})`;
    box.title = help;
    box.dataset.key = key;
    const entry = (this.entries[key] = { control, box, field, slider, known, error });
    if (kind !== "number") {
      choicesIn(field, kind === "switch" ? [["true", CONTROLS_SAY.on], ["false", CONTROLS_SAY.off]] : choices.map((name) => [name, name]), "");
      field.addEventListener("change", () => this.touched(key, field.value));
      return;
    }
    unitOf.textContent = unit;
    field.readOnly = this.root.classList.contains("held"); // then the slider's stops are all there is
    field.addEventListener("change", () => this.take(key, field.value));
    filledWith(slider, { max: stops.length - 1, "data-slider": key, "aria-label": CONTROLS_SAY.slider(label) });
    const at = (value) => (stops.length > 1 ? placeOf(numbers, value) / (stops.length - 1) : 0);
    marked.append(...marks.map(([, value]) => make("i", { style: `--at: ${at(value).toFixed(4)}` }))); // where known devices are
    const move = () => {
      const text = stops[slider.value];
      if (field.value === text) return;
      field.value = text;
      this.say(entry);
      this.touched(key, text);
    };
    slider.addEventListener("input", move);
    slider.addEventListener("wheel", (event) => {
      if (slider !== document.activeElement) return; // or the page could not be scrolled
      event.preventDefault();
      slider.value -= Math.sign(event.deltaY);
      move();
    }, { passive: false });
  }

  take(key, typed) {
    const text = plainOf(this.entries[key].control, bareOf(typed));
    this.put(key, text);
    this.touched(key, text);
  }

  /** Let a control stand on a value, and its slider beside it. */
  put(key, given) {
    const entry = this.entries[key];
    entry.field.value = given;
    if (entry.slider) entry.slider.value = Math.round(placeOf(entry.control.numbers, amountOf(given)));
    this.say(entry);
  }

  say({ control, slider, field, known }) {
    slider?.setAttribute("aria-valuetext", valueSaid(field.value, control.unit));
    const [, , who = []] = control.marks?.find(([text]) => text === field.value) ?? [];
    const [first, more] = [who.slice(0, 3).join(", "), who.length - 3];
    known.textContent = !who.length ? "" : more > 0 ? CONTROLS_SAY.asMany(first, more) : CONTROLS_SAY.as(first);
  }

  /** Only what the job takes notice of: a frame-relay line's rate means nothing to an Ethernet. */
  show(valueOf) {
    const gone = new Set();
    for (const { section, place } of this.parts) {
      const [key, value] = section.when ?? [];
      place.hidden = key !== undefined && valueOf(key) !== value;
      for (const control of section.controls) {
        this.entries[control.key].box.hidden = place.hidden;
        if (place.hidden) gone.add(control.key);
      }
    }
    return gone;
  }

  /** The program's sentence at its control; none takes all away. */
  refuse(key, words) {
    for (const [name, { error, field }] of Object.entries(this.entries)) {
      error.textContent = name === key ? words : "";
      field.setAttribute("aria-invalid", String(name === key));
    }
    if (this.entries[key]?.box.closest("details")) this.root.querySelector(".front-more").open = true;
  }
}

/** A value as the page's language writes it: 58.2037ms is 58.2 ms, 11680 with its unit 11,680 B; a name stays as it is. */
export function valueSaid(text, unit) {
  const [, digits, own] = /^([\d.]+(?:e[+-]?\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  if (!digits) return `${text} ${unit}`.trim();
  const said = Number.isInteger(Number(digits)) ? numberSaid(Number(digits).toLocaleString("en")) : number(Number(digits));
  return `${said}\u00a0${own || unit}`.trim();
}

/** Between which stops a number is, as a place on the slider. */
function placeOf(numbers, value) {
  const next = numbers.findIndex((stop) => stop >= value);
  if (next <= 0) return next < 0 ? Math.max(numbers.length - 1, 0) : 0;
  const [low, high] = [numbers[next - 1], numbers[next]];
  const share = low > 0 && value > 0 ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return next - 1 + share;
}

// Units that no program reads, as the command line takes them, and what they are in the control's own.
/** @type {Record<string, Record<string, any[]>>} */
const DATA_SHEETS = {
  bytes: { B: [1, ""], kB: [1e3, ""], MB: [1e6, ""], GB: [1e9, ""] },
  rate: { "B/s": [8, "bps"], "kB/s": [8, "kbps"], "MB/s": [8, "Mbps"], "bit/s": [1, "bps"], "kbit/s": [1, "kbps"], "Mbit/s": [1, "Mbps"] },
  share: { "%": [0.01, ""] },
};

/** The same in the control's own unit; what is in none of these stays, and the program says what it thinks of it. */
export function plainOf({ unit, allowed }, text) {
  const kind = unit === "B" ? "bytes" : /bps\b/.test(allowed) ? "rate" : allowed === "0 to 1" ? "share" : "";
  const [, digits, given] = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(\D+)$/i.exec(text) ?? [];
  const [factor, plain] = DATA_SHEETS[kind]?.[given] ?? [];
  if (factor) return `${Number((Number(digits) * factor).toPrecision(15))}${plain}`;
  return unit && !kind && text.endsWith(unit) ? text.slice(0, -unit.length) : text;
}

// A rate without limit, and where it stands on an axis: at twice the largest, as in kit/controls.py.
export const NO_LIMIT = { text: "none", amount: 2e11 };

/** In nanoseconds, bit/s or as it stands, as the `numbers` of a control are. */
export function amountOf(given) {
  if (given === NO_LIMIT.text) return NO_LIMIT.amount;
  const [, digits, unit] = /^([+-]?[\d.eE+-]+?)([a-zA-Z]*)$/.exec(given) ?? [];
  const size = SIZES[unit] ?? 1;
  return Number(digits) * (unit && !unit.endsWith("bps") ? Math.round(size * 1e9) : size);
}

/** @type {Record<string, any[][]>} */
const READABLE = {
  time: [["h", 3600e9], ["min", 60e9], ["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]],
  rate: [["Gbps", 1e9], ["Mbps", 1e6], ["kbps", 1e3], ["bps", 1]],
};

/** Such a number as its control would have it; whole, where all that it can be is whole. */
export function textOf({ own, stops, allowed }, amount) {
  const kind = /bps\b/.test(allowed) ? "rate" : /[a-z]$/.test(own) ? "time" : "";
  if (!kind) {
    const isWhole = [own, ...stops].every((each) => /^\d+$/.test(each));
    return String(isWhole ? Math.floor(amount) : Number(amount.toPrecision(9)));
  }
  if (kind === "rate" && amount >= NO_LIMIT.amount) return NO_LIMIT.text;
  const whole = Math.round(amount);
  const [unit, size] = READABLE[kind].find(([, each]) => whole >= each) ?? READABLE[kind].at(-1);
  return `${Number((whole / size).toPrecision(13))}${unit}`;
}
