// SPDX-License-Identifier: GPL-2.0-only
//
// What the front end has simulated of its setting: the job, the same without its changes, the curve's other points, what would change
// it, its packets.

import { FrontChanges } from "./changes.js";
import { FrontView } from "./view.js";

export class FrontRuns extends FrontView {
  changes = new FrontChanges(this.at("#front-changes"), (values) => this.change(values));

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
    for (const text of this.stopsOfCurve()) {
      if (known.has(text)) continue;
      const value = await this.figureOf({ [this.axis]: text });
      known.set(text, value);
      if (isOld()) return;
      this.drawCurve();
    }
  }

  findChanges(isOld) {
    const setting = { controls: this.controls.byKey, leading: this.form.leading, gone: this.gone, valueOf: (key) => this.valueOf(key) };
    const known = { limits_s: this.result.limits_s ?? {}, reliefs: this.scenario.reliefs };
    const [run, asFast] = [(changes) => this.figureOf(changes), (becomes) => this.asFast(becomes, this.value)];
    return this.changes.find({ ...setting, ...known, run, asFast, isOld });
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
}
