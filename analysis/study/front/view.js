// SPDX-License-Identifier: GPL-2.0-only
// What the front end simulates of its setting and shows of it, with the pinned setting beside it. front.js says when.

import { filmOfTables } from "./exchange.js";
import { TITLES } from "./film.js";
import { drawLadder } from "./ladder.js";
import { playerIn } from "./player.js";
import { factor } from "./changes.js";
import { amountOf, textOf, valueSaid } from "./controls.js";
import { CLOSE, frontCurve, frontShares } from "./pictures.js";
import { figureFile, pngOf, saved } from "./saved.js";
import { FrontSetting } from "./setting.js";
import { drawShares, fixed, make, number, tableOf } from "./small.js";
import { words } from "./words.js";

const VIEW_SAY = words("front");

export class FrontView extends FrontSetting {
  result = null;
  value = null; // its figure
  before = null; // and that of the unchanged job
  paper = null;
  packets = null;
  pinned = null;

  async run(flags, files = []) {
    const answer = await this.engine.run(this.form.scenario, flags, files);
    return { record: JSON.parse(answer.record), files: answer.files };
  }

  /** The figure of a finished job; null where there is none, whatever the reason. */
  async figureOf(changes) {
    const made = await this.run(this.flags(changes)).catch((error) => {
      if (error.kind === "dropped" || error.kind === "gone") throw error;
      return null;
    });
    return made && this.figure(made.record);
  }

  /** The job without the changes, of the size that the page has. */
  async unchanged() {
    const { size } = this.scenario;
    const given = size in this.form.opening.values ? [`--${size.replaceAll("_", "-")}=${this.valueOf(size)}`] : [];
    const made = await this.run([`--system=${this.form.system}`, ...given]).catch(() => null);
    this.before = made && this.figure(made.record);
    this.showBeside();
  }

  async askPaper(isOld) {
    if (!this.engine.ask) return;
    const answer = await this.engine.ask({ kind: "paper", flags: this.flags(), axis: this.axis });
    if (isOld()) return;
    this.paper = { ...answer, line: answer.line ?? [], of: this.curveKey(), at: this.valueOf(this.axis) };
    this.showBeside();
    this.drawCurve();
  }

  /** Each is drawn as it comes. */
  async curve(isOld) {
    const known = this.known();
    for (const text of this.stopsOfCurve().filter((each) => !known.has(each))) {
      known.set(text, await this.figureOf({ [this.axis]: text }));
      if (isOld()) return;
      this.drawCurve();
    }
  }

  async packetsOf() {
    const of = this.command();
    const long = Object.entries(this.scenario.short).filter(([key, most]) => Number(this.valueOf(key)) > most);
    const shorter = Object.fromEntries(long.map(([key, most]) => [key, String(most)]));
    try {
      const { record, files } = await this.run(this.flags(shorter), ["segments", "waits"]);
      const [table, waits] = [files.segments, files.waits].map((bytes) => new TextDecoder().decode(bytes));
      this.packets = { parameters: record.parameters, table, waits, ends: this.scenario.ends, of };
    } catch (error) {
      if (error.kind !== "dropped") this.packets = false;
    }
    this.drawPackets();
  }

  draw() {
    this.drawResult();
    this.drawPackets();
  }

  drawResult() {
    const { figure, names, looks } = this.scenario;
    const shown = this.at(".number");
    shown.textContent = this.value === null ? this.result.outcome : number(this.value);
    shown.dataset.value = this.value ?? "";
    this.at(".per").textContent = this.value === null ? "" : figure.unit;
    const said = ([limit, share]) => [limit, share, `${names[limit]} ${fixed(share * 100, 1)} %`];
    drawShares(this.at(".front-bar"), this.at(".front-legend"), frontShares(this.result.limits_s).map(said), looks);
    this.at(".front-sentence").textContent = this.sentence();
    if (this.value !== null) this.known().set(this.valueOf(this.axis), this.value);
    this.showPin();
    this.showBeside();
    this.drawCurve();
  }

  sentence() {
    const { outcome, duration_s, reason, limits_s } = this.result;
    const time = duration_s >= 10 ? `${fixed(duration_s, 1)} s` : `${number(duration_s)} s`;
    if (outcome !== "finished") return VIEW_SAY.ended(outcome, time, reason);
    const [[first, share], next] = frontShares(limits_s);
    const { names, words: meanings } = this.scenario;
    const meaning = meanings[first] !== names[first] ? ` (${meanings[first]})` : "";
    const then = next && next[1] >= 0.01 ? VIEW_SAY.then(names[next[0]], fixed(next[1] * 100, 1)) : "";
    return VIEW_SAY.limited(fixed(share * 100, 1), time, names[first], meaning, then);
  }

  showBeside() {
    const said = [];
    const { unit } = this.scenario.figure;
    if (this.value && this.before && this.flags().length > 1 && this.value !== this.before) {
      said.push(VIEW_SAY.unchanged(factor(this.asFast(this.value, this.before)), number(this.before), unit));
    }
    const { here, lacks } = this.paper?.of === this.curveKey() ? this.paper : {};
    if (this.value && lacks) said.push(VIEW_SAY.lacks(lacks));
    if (this.value && here && this.paper.at === this.valueOf(this.axis)) {
      const off = (here / this.value - 1) * 100;
      const isFar = Math.abs(off) > CLOSE * 100;
      // By a digit more, or a half that is rounded up there and down here looks like a difference.
      said.push((isFar ? VIEW_SAY.paperFar : VIEW_SAY.paperNear)(number(here, 4), unit, signed(off)));
    }
    this.at(".front-beside").textContent = said.join(" ");
  }

  drawCurve() {
    if (!this.result) return;
    const { figure, paper_note } = this.scenario;
    const control = this.controls.byKey[this.axis];
    const toPoints = (known) => [...known].map(([text, value]) => ({ text, x: amountOf(text), value })).sort((a, b) => a.x - b.x);
    const points = toPoints(this.known());
    const here = { x: amountOf(this.valueOf(this.axis)), value: this.value };
    const isPinned = this.pinned?.axis === this.axis;
    const ghost = isPinned && this.pinned.curve !== this.curveKey() ? toPoints(this.known(this.pinned.curve)).filter(({ value }) => value) : [];
    const pinned = isPinned ? { x: amountOf(this.pinned.at), value: this.pinned.value } : null;
    const stars = this.stars();
    const line = this.paper?.of === this.curveKey() ? this.paper.line : [];
    const shown = this.value === null ? this.result.outcome : number(this.value);
    const name = VIEW_SAY.curve(figure.name, figure.unit, control.label, valueSaid(this.valueOf(this.axis), control.unit), shown);
    const readable = (amount, unit = "") => valueSaid(textOf(control, amount), unit);
    const label = control.label + (control.unit ? ` (${control.unit})` : "");
    const key = [["here", VIEW_SAY.chosen], ["dot", VIEW_SAY.jobs]];
    if (stars.length) key.push(["star", VIEW_SAY.measured]);
    if (pinned) key.push(["pin", VIEW_SAY.pinned]);
    if (line.length) key.push(["paper", VIEW_SAY.paper(paper_note)]);
    this.at(".front-key").replaceChildren(...key.map(([kind, words]) => make("li", { class: `of-${kind}` }, words)));
    const rows = points.map(({ text, value }) => [valueSaid(text, control.unit), value === null ? VIEW_SAY.none : number(value)]);
    this.at(".front-numbers").replaceChildren(tableOf([control.label, `${figure.name} (${figure.unit})`], rows));
    const read = ({ x, value }) => `${readable(x, control.unit)}: ${number(value)} ${figure.unit}`;
    const choose = ({ text }) => this.change({ [this.axis]: text });
    // The last: what stands below it leaves it its height.
    frontCurve(this.at("#front-curve .plot"), { read, choose, points, here, pinned, ghost, stars, paper: line, figure, label, readable, name });
  }

  /** Measured figures stand where the system itself does, or where it was for them. Of those that were measured in other settings
   * the ones that are as the page is now; then the others are of another job. */
  stars() {
    const isSo = (settings) => Object.entries(settings).every(([key, text]) => key === this.axis || this.valueOf(key) === text);
    const rows = this.form.stars.filter((star) => isSo(star.with));
    const closest = Math.max(0, ...rows.map((star) => Object.keys(star.with).length));
    const shown = rows.filter((star) => Object.keys(star.with).length === closest);
    return shown.map((star) => ({ ...star, x: amountOf(star.with[this.axis] ?? this.controls.byKey[this.axis].own) }));
  }

  drawPackets() {
    const box = this.at(".front-ladder .plot");
    const { packets } = this;
    for (const place of [".front-ladder", ".front-player"]) this.at(place).hidden = !packets;
    this.at(".front-none").hidden = packets !== false;
    if (!packets || !box.offsetParent) return;
    const { words: meanings, looks } = this.scenario;
    drawLadder(filmOfTables(packets), box, meanings);
    const stage = this.at(".front-player");
    if (stage.of !== this.scenario) Object.assign(stage, { of: this.scenario, player: playerIn(stage, meanings, looks) }); // other words
    const shown = [[this.pinned?.packets, TITLES.before], [packets, TITLES.now]].filter(([tables]) => tables);
    stage.player.show(shown.map(([tables, title]) => ({ ...filmOfTables({ ...tables, shown: [0] }), title })));
  }

  /** The curve as it is drawn, with its key, as a file. */
  async saveFigure(kind) {
    const key = [...this.at(".front-key").children].map((each) => [each.className.replace("of-", ""), each.textContent]);
    const title = `${this.data.names[this.form.system] ?? this.form.system}: ${this.scenario.figure.name}`;
    const drawing = figureFile(this.at("#front-curve svg"), { title, command: this.figureCommand(), key });
    this.save(kind === "png" ? await pngOf(drawing) : drawing.blob, `-${this.axis}.${kind}`);
  }

  /** Give the reader a file that is called by the system. */
  save(blob, ending) {
    saved(blob, `${this.form.system.replace(/^.*\/|\.toml$/g, "")}${ending}`);
  }

  pin() {
    const { axis, value } = this;
    const packets = this.packets?.of === this.command() ? this.packets : null; // or they are still those of a setting before
    this.pinned = this.pinned ? null : { axis, value, packets, at: this.valueOf(axis), curve: this.curveKey() };
    this.showPin();
    this.drawCurve();
    this.drawPackets();
  }

  showPin() {
    const toPin = this.at("#front-pin");
    toPin.setAttribute("aria-pressed", String(this.pinned !== null));
    toPin.textContent = this.pinned ? VIEW_SAY.unpin : VIEW_SAY.pin;
    const { value } = this.pinned ?? {};
    const said = () => VIEW_SAY.ofPinned(factor(this.asFast(this.value, value)), number(value), this.scenario.figure.unit);
    this.at(".front-pinned").textContent = value && this.value ? said() : "";
  }
}

function signed(percent) {
  const size = Math.abs(percent);
  const said = fixed(size, size >= 10 ? 0 : 1);
  return Number(size.toFixed(1)) ? `${percent < 0 ? "−" : "+"}${said}` : said;
}
