// SPDX-License-Identifier: GPL-2.0-only
// The front end: one setting of one system, and what is simulated of it, whichever engine simulates.

import { drawChanges, findChanges } from "./changes.js";
import { choicesIn, copy, make, onWidth } from "./small.js";
import { FrontView } from "./view.js";
import { formSaid, language, scenarioSaid, words } from "./words.js";

const REST_MS = 250; // without a move, after which the curve's other points are asked for
const SAME_MOVE_MS = 1000; // moves of one control that are undone at once
const OWN_HOST = "its own"; // as forms.py has it
const FRONT_SAY = words("front");
const ADVICE = { "too long": FRONT_SAY.shorter, lost: () => FRONT_SAY.anew, gone: () => "" };

/** Mounts it into front.html.jinja's section; what it returns has stateOf() and setState(). */
export function openFront(root, data, engine) {
  return Object.assign(globalThis, { studyFront: new Front(root, data, engine), studyEngine: engine }).studyFront;
}

class Front extends FrontView {
  ticket = 0; // of the newest setting
  done = 0;
  drawings = 0; // for tests, which wait for the next
  undone = [];
  heard = []; // who hears of it
  general = this.at(".front-general");
  lastKey = null; // that was moved, and when
  lastTouch = 0;

  constructor(root, data, engine) {
    super(root, data, engine);
    for (const [name, scenario] of Object.entries(data.scenarios)) data.scenarios[name] = scenarioSaid(scenario);
    for (const [name, title] of Object.entries(data.names)) data.names[name] = data.declared[language].titles[name] ?? title;
    choicesIn(this.at("#front-system"), Object.entries(data.names).map(([name, title]) => [name, `${name}: ${title}`]), data.begin);
    this.at(".front-note").textContent = engine.note ?? "";
    root.classList.toggle("held", Boolean(engine.isTable));
    this.listen();
    this.take(data.begin);
  }

  listen() {
    const on = (selector, kind, act) => this.at(selector).addEventListener(kind, act);
    on("#front-system", "change", (event) => this.take(event.target.value));
    on("#front-host", "change", (event) => this.choose({ host: event.target.value }));
    on("#front-axis", "change", (event) => this.along(event.target.value));
    on("#front-reset", "click", () => this.choose({ host: this.form.host, values: { ...this.form.opening.values } }));
    on("#front-undo", "click", () => this.undo());
    on("#front-pin", "click", () => this.pin());
    on("#front-copy", "click", () => copy(this.at(".front-command"), this.at(".front-copied")));
    on("#front-pcap", "click", () => this.savePcap().catch((error) => this.refuse(error)));
    for (const kind of ["svg", "png"]) on(`#front-${kind}`, "click", () => this.saveFigure(kind));
    this.at(".front-controls").addEventListener("focusout", () => setTimeout(() => this.lead()));
    this.root.addEventListener("keydown", (event) => {
      const isTyped = event.target.matches?.("input[type=text]");
      if (event.key === "z" && (event.ctrlKey || event.metaKey) && !isTyped) this.undo();
    });
    const tabs = [...this.root.querySelectorAll("[role=tab]")];
    for (const tab of tabs) tab.addEventListener("click", () => this.show(tab)); // what is clicked is the words in it
    on(".front-tabs", "keydown", ({ key, target }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      const seen = tabs.filter((each) => each.offsetParent !== null);
      if (step) this.show(seen.at((seen.indexOf(target) + step) % seen.length)).focus();
    });
    new ResizeObserver(() => this.drawCurve()).observe(this.at("#front-curve .plot"));
    onWidth(this.root, () => this.resized(tabs));
    this.resized(tabs);
  }

  resized(tabs) {
    const [curve, packets] = tabs;
    if (!this.root.getClientRects().length) return; // another part of the page is projected
    const isWide = curve.offsetParent === null; // then the curve is always there
    if (isWide && curve.getAttribute("aria-selected") === "true") this.show(packets);
    else if (this.result) this.draw();
  }

  show(tab) {
    for (const each of this.root.querySelectorAll("[role=tab]")) {
      each.setAttribute("aria-selected", String(each === tab));
      each.tabIndex = each === tab ? 0 : -1;
    }
    this.root.dataset.tab = tab.id.replace("front-tab-", "");
    if (this.result) this.draw();
    return tab;
  }

  // The setting

  /** Choose all of it; what is left out is as the system opens. */
  async setState({ system, host, values }) {
    if (system && system !== this.form?.system) await this.take(system, false);
    this.choose({ host: host ?? this.form.host, values: { ...(values ?? this.form.opening.values) } });
  }

  /** Calls back with each new setting. */
  onState(hear) {
    this.heard.push(hear);
  }

  /** Another system, as it opens: shortened where each of its packets has to be simulated. */
  async take(name, isDrawn = true) {
    this.at("#front-system").value = name;
    this.asked = name;
    let form = this.data.forms[name];
    if (!form) {
      this.general.textContent = FRONT_SAY.looking(name);
      this.root.classList.add("stale");
      const answer = await this.engine.ask({ kind: "form", system: name }).catch((error) => ({ said: error.message }));
      this.general.textContent = answer.said ?? "";
      if (!answer.form) return;
      form = this.data.forms[name] = answer.form;
    }
    if (this.asked !== name) return; // another was chosen meanwhile
    formSaid(form, this.data.declared);
    Object.assign(this, { form, scenario: this.data.scenarios[form.scenario], axis: form.axis, undone: [], pinned: null });
    Object.assign(this, { host: form.host, values: { ...form.opening.values }, result: null, paper: null, packets: null });
    const own = (host) => (host === OWN_HOST ? FRONT_SAY.own : host);
    const named = (host) => (form.unjudged.includes(host) ? FRONT_SAY.unjudged(host) : own(host));
    choicesIn(this.at("#front-host"), Object.keys(form.hosts).map((host) => [host, named(host)]), this.host);
    this.at(".front-why").textContent = form.opening.shortened.length ? FRONT_SAY.shortened(...form.opening.shortened) : "";
    this.controls.build(form, (key) => this.valueOf(key));
    const numbers = Object.values(this.controls.byKey).filter(({ kind }) => kind === "number");
    choicesIn(this.at("#front-axis"), numbers.map(({ key, label }) => [key, label]), this.axis);
    const quantity = (name) => this.data.declared[language].quantities[name] ?? name;
    this.at(".front-stars").replaceChildren(...form.stars.map(({ name, figure, used, source }) => make("li", {}, FRONT_SAY[used](quantity(name), figure, source))));
    this.curves = {};
    drawChanges(this, []);
    this.showPin();
    this.rank();
    if (isDrawn) this.changed();
  }

  /** What moves this job most stands first as soon as it is found out, and no control is in use; until then the plan's order does. */
  async rank() {
    const { form } = this;
    const wait = this.at(".front-ranking");
    const isOver = form.isRanked || !this.engine.ask;
    wait.textContent = isOver ? "" : FRONT_SAY.ranking;
    if (isOver) return;
    form.ranking ??= this.engine.ask({ kind: "leading", system: form.system }).catch((error) => ({ said: error.message }));
    const { leading, axis, said } = await form.ranking;
    if (leading) form.ranked = { leading, axis };
    else form.isRanked = true; // it stays as it is
    if (this.form !== form) return;
    if (leading) return this.lead();
    wait.textContent = FRONT_SAY.unranked(said);
    this.settleSoon();
  }

  lead() {
    const { form, form: { ranked } } = this;
    if (form.isRanked || !ranked) return;
    const isInUse = this.at(".front-controls").contains(document.activeElement);
    this.at(".front-ranking").textContent = isInUse ? FRONT_SAY.ranked : "";
    if (isInUse) return; // listen() hears when it no longer is
    const isAxisOwn = this.axis !== form.axis;
    Object.assign(form, ranked, { isRanked: true });
    this.controls.lead(form);
    if (isAxisOwn || this.axis === form.axis) this.settleSoon();
    else this.along(form.axis);
  }

  /** The curve along another parameter. */
  along(axis) {
    this.axis = this.at("#front-axis").value = axis;
    this.changed();
  }

  /** One control was moved by hand, and stands there already. */
  touch(key, text) {
    const now = performance.now();
    if (key !== this.lastKey || now - this.lastTouch > SAME_MOVE_MS) this.undone.push(this.stateOf());
    [this.lastKey, this.lastTouch] = [key, now];
    if (text === this.own(key)) delete this.values[key];
    else this.values[key] = text;
    this.changed();
  }

  choose({ host = this.host, values = this.values }) {
    this.undone.push(this.stateOf());
    this.stand({ host, values });
  }

  undo() {
    if (this.undone.length) this.stand(this.undone.pop());
  }

  stand({ host, values }) {
    this.lastKey = null;
    this.host = host; // own() is of it
    this.values = Object.fromEntries(Object.entries(values).filter(([key, text]) => text !== this.own(key)));
    this.at("#front-host").value = host;
    for (const key of Object.keys(this.controls.byKey)) this.controls.put(key, this.valueOf(key));
    this.changed();
  }

  /** The newest setting is simulated; those that pass by while one is running are not. */
  changed() {
    this.ticket++;
    this.began ??= performance.now();
    clearTimeout(this.rest);
    this.engine.drop();
    this.root.dataset.settled = "false";
    this.at("#front-undo").disabled = !this.undone.length;
    this.gone = this.controls.show((key) => this.valueOf(key));
    for (const option of this.at("#front-axis").options) option.hidden = this.gone.has(option.value);
    if (this.gone.has(this.axis)) this.axis = this.at("#front-axis").value = this.form.axis;
    this.at(".front-command").textContent = this.command();
    this.at(".front-figure-command").textContent = this.figureCommand();
    for (const hear of this.heard) hear(this.stateOf());
    if (!this.isRunning) this.follow();
  }

  async follow() {
    this.isRunning = true;
    while (this.done !== this.ticket) {
      const { ticket, began } = this;
      this.began = null;
      await this.step(() => ticket !== this.ticket, began).catch((error) => this.refuse(error));
      this.done = ticket;
    }
    this.isRunning = false;
    this.settleSoon();
  }

  settleSoon() {
    clearTimeout(this.rest);
    if (!this.isRunning) this.rest = setTimeout(() => this.settle(), REST_MS);
  }

  /** The job, its number and pictures, and a few of its packets. */
  async step(isOld, began) {
    const { record } = await this.run(this.flags());
    Object.assign(this, { result: record, value: this.figure(record) });
    this.general.textContent = "";
    this.controls.refuse("", "");
    this.root.classList.remove("stale");
    this.drawResult();
    if (!isOld()) await this.packetsOf();
    if (isOld()) return;
    this.root.dataset.redrawMs = (performance.now() - began).toFixed(1);
    this.root.dataset.drawn = String(++this.drawings);
  }

  /** The sentence at its control; everything else stays as it is. */
  refuse(error) {
    if (error.kind === "dropped") return;
    const [, flag, words] = /^([\w-]+): ([^]*)$/.exec(error.message) ?? [];
    const key = error.kind === "refused" ? flag?.replaceAll("-", "_") : "";
    const { byKey } = this.controls;
    this.controls.refuse(key, words);
    const advice = ADVICE[error.kind]?.(byKey[this.scenario.size]?.label ?? FRONT_SAY.job) ?? "";
    this.general.textContent = key in byKey ? FRONT_SAY.notForThis(byKey[key].label) : error.message.replace(/\.$/, "") + advice;
    this.root.classList.add("stale");
    this.root.dataset.drawn = String(++this.drawings);
  }

  /** The sliders rest: the rest of the curve, the closed form, and what would change it. */
  async settle() {
    const ticket = this.ticket;
    const isOld = () => ticket !== this.ticket;
    try {
      if (this.result && !this.root.classList.contains("stale")) {
        await this.unchanged();
        await this.askPaper(isOld);
        await this.curve(isOld);
      }
      if (isOld()) return;
      this.root.dataset.settled = String(this.form.isRanked || !this.engine.ask);
      if (this.value) await findChanges(this, isOld);
    } catch (error) {
      if (!isOld()) this.refuse(error);
    }
  }

  async savePcap() {
    const { files } = await this.run(this.flags(), ["pcap"]);
    this.save(new Blob([files.pcap]), ".pcap");
  }
}
