// SPDX-License-Identifier: GPL-2.0-only
// The whole setting in the page's address: a reload keeps it, and whoever has the link sees the same. The fragment has run=ARGUMENTS of
// the front end, as `study run` takes them; UNIT=CONTROL.PLACE,... of each unit with a slider that was moved; at=UNIT, where the reader
// is; and lang=LANGUAGE.

import { argumentsOf, settingOf } from "./commandline.js";
import { qr } from "./qr.js";
import { button, copy } from "./small.js";
import { inBrowser, language, LANGUAGE_KEPT, words, WORDS } from "./words.js";

const LINK_SAY = words("link");
const PARTS = ["copy", "said", "text", "code", "paste", "form", "wrong", "more", "printed"];
const LINK_REST_MS = 300; // a browser stops a page that writes its address all the time

/** The link, with what a reader does with it in `box`, of link.html.jinja: copy it, show its code, paste another; which language. */
export const openLink = (box, units = null, published = "") => new Link(box, units, published);

// Keeps the address as the page is, and the page as the address; `units` has stateOf(), setState() and onState().
class Link {
  front = null;
  waiting = null; // for the front end: a command line
  known = ""; // the address's fragment, as it was read or written last
  at = "";

  constructor(box, units, published) {
    this.units = units;
    this.published = published;
    this.parts = Object.fromEntries(PARTS.map((name) => [name, box.querySelector(`.link-${name}`)]));
    const { copy: copying, said, text, paste, form, more, printed } = this.parts;
    this.read(false);
    units?.onState(() => this.later());
    addEventListener("hashchange", () => this.read(true));
    addEventListener("beforeprint", () => (printed.textContent = location.protocol.startsWith("http") ? this.text() : ""));
    document.addEventListener("click", (event) => this.follow(event));
    paste.placeholder = LINK_SAY.example;
    copying.addEventListener("click", async () => {
      const done = await copy(text, said, this.text()); // also where the details are open already
      more.open ||= !done;
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const line = paste.value.trim();
      const fragment = /^\S*#(\S*run=\S*)$/.exec(line)?.[1];
      if (fragment) location.hash = fragment;
      else this.run(line);
    });
    more.addEventListener("toggle", () => this.text());
    box.querySelector(".languages").replaceChildren(...Object.keys(WORDS).map((name) => this.language(name)));
  }

  /** What openFront() returned, which may come later than the units. */
  async attach(front) {
    this.front = front;
    if (this.waiting) await this.run(this.waiting);
    this.waiting = null;
    front.onState(() => this.later());
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.write(), LINK_REST_MS);
  }

  text() {
    clearTimeout(this.timer);
    this.write();
    return this.address();
  }

  /** For others: of the published page, where there is one, or the page's own. */
  address() {
    return this.published ? `${this.published}${location.hash}&at=front` : location.href;
  }

  write() {
    if (location.hash !== this.known) return; // someone has just written there, and it is read in a moment
    const said = this.said().toString();
    // Nothing is loaded and no step is made that "back" would have to undo.
    if (said !== location.hash.slice(1)) history.replaceState(null, "", `#${said}`);
    this.known = location.hash;
    this.show();
  }

  said(inLanguage = language) {
    const said = new URLSearchParams();
    const run = this.waiting ?? (this.front?.form && argumentsOf(this.front.stateOf(), this.front.form.host));
    if (run) said.set("run", run);
    for (const [unit, places] of Object.entries(this.units?.stateOf() ?? {})) {
      const moved = Object.entries(places).map(([control, place]) => `${control}.${place}`);
      if (moved.length) said.set(unit, moved.join(","));
    }
    if (this.at) said.set("at", this.at);
    said.set("lang", inLanguage);
    return said;
  }

  /** As the address says; a unit of which it says nothing stands as it begins, unless the page has just been opened. */
  async read(isWhole) {
    this.known = location.hash;
    const text = location.hash.slice(1);
    if (text && !text.includes("=")) return (this.at = text); // a place, and nothing of the setting
    const given = new URLSearchParams(text);
    const other = given.get("lang") ?? language;
    if (other !== language && Object.hasOwn(WORDS, other)) return location.reload(); // another link was put into this page
    const known = Object.keys(this.units?.stateOf() ?? {}).filter((unit) => isWhole || given.has(unit));
    const parts = (text) => (text ?? "").split(",").filter(Boolean).map((part) => part.split("."));
    const placesIn = (text) => Object.fromEntries(parts(text).map(([control, place]) => [control, Number(place)]));
    if (known.length) this.units.setState(Object.fromEntries(known.map((unit) => [unit, placesIn(given.get(unit))])));
    const place = given.get("at") && document.getElementById(given.get("at"));
    if (place) this.goTo(place);
    if (!given.has("run")) return;
    if (this.front) await this.run(given.get("run"));
    else this.waiting = given.get("run");
  }

  /** Have the front end as a command line says; its sentence where that cannot be. */
  async run(line) {
    try {
      await this.front.setState(settingOf(line, Object.keys(this.front.data.names)));
      this.note("");
    } catch (error) {
      this.note(error.message);
    }
  }

  // To a place in the page, which an ordinary link would write over the setting.
  follow(event) {
    const name = event.target.closest?.('a[href^="#"]')?.getAttribute("href").slice(1);
    const place = name && document.getElementById(name);
    if (!place || place.hidden || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.goTo(place);
    this.write();
  }

  goTo(place) {
    this.at = place.id;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.scrollIntoView();
    place.focus({ preventScroll: true });
  }

  note(sentence) {
    this.parts.wrong.textContent = sentence;
    this.parts.more.open ||= sentence !== "";
  }

  show() {
    const { more, text, code, form } = this.parts;
    if (!more.open) return;
    text.textContent = this.address();
    // A phone cannot open what is on this machine's disk, nor what this machine shows to itself alone, by a token.
    const isServed = this.published || (location.protocol.startsWith("http") && !location.search);
    code.replaceChildren(isServed ? qr(this.address(), LINK_SAY.code) : LINK_SAY.file);
    form.hidden = !this.front;
  }

  language(name) {
    const looks = { class: "quiet", "data-language": name, lang: name, "aria-pressed": String(name === language) };
    return button(WORDS[name]["link.name"], looks, () => {
      inBrowser((store) => store.setItem(LANGUAGE_KEPT, name));
      history.replaceState(null, "", `#${this.said(name)}`);
      location.reload(); // the link keeps what is chosen
    });
  }
}
