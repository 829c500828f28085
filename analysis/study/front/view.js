// SPDX-License-Identifier: GPL-2.0-only
//
// What the front end shows of its setting: number, bar, sentence, curve, packets, and the pinned setting beside them. pictures.js
// goes before, front.js has what is shown.

class FrontView {
  at(selector) {
    return this.root.querySelector(selector);
  }

  draw() {
    const { figure } = this.scenario;
    const shown = this.at(".number");
    shown.textContent = this.value === null ? this.result.outcome : number(this.value);
    shown.dataset.value = this.value ?? "";
    this.at(".per").textContent = this.value === null ? "" : figure.unit;
    frontBar(this.at(".front-bar"), this.at(".front-legend"), this.result.limits_s, this.scenario);
    this.at(".front-sentence").textContent = this.sentence();
    if (this.value !== null) this.known().set(this.valueOf(this.axis), this.value);
    this.showPin();
    this.showBeside();
    this.drawCurve();
    this.drawPackets();
  }

  sentence() {
    const { outcome, duration_s, reason, limits_s } = this.result;
    const time = duration_s >= 10 ? `${duration_s.toFixed(1)} s` : `${Number(duration_s.toPrecision(3))} s`;
    if (outcome !== "finished") return `The job is ${outcome} after ${time}: ${reason}.`;
    const [[first, share], next] = frontShares(limits_s);
    const { names, words } = this.scenario;
    const meaning = words[first] ? ` (${words[first]})` : "";
    const then = next && next[1] >= 0.01 ? ` Then ${names[next[0]]}: ${(next[1] * 100).toFixed(1)} %.` : "";
    return `${(share * 100).toFixed(1)} % of the job's ${time} is limited by: ${names[first]}${meaning}.${then}`;
  }

  showBeside() {
    const said = [];
    const { unit } = this.scenario.figure;
    if (this.value && this.before && Object.keys(this.flags()).length > 1 && this.value !== this.before) {
      said.push(`${factor(this.value / this.before)} times the ${number(this.before)} ${unit} of the unchanged job.`);
    }
    const { here, lacks } = this.paper?.of === this.curveKey() ? this.paper : {};
    if (this.value && lacks) said.push(`On paper: ${lacks}.`);
    if (this.value && here && this.paper.at === this.valueOf(this.axis)) {
      const off = (here / this.value - 1) * 100;
      const isFar = Math.abs(off) > CLOSE * 100;
      said.push(`On paper ${number(here)} ${unit}${isFar ? `, off the run by ${signed(off)} %` : ` (${signed(off)} %)`}.`);
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
    const said = `${figure.name} (${figure.unit}) against ${control.label}; chosen: ${this.valueOf(this.axis)} ${control.unit}, ${this.value === null ? this.result.outcome : number(this.value)}`;
    const readable = (amount) => textOf(control, amount);
    const label = control.label + (control.unit ? ` (${control.unit})` : "");
    frontCurve(this.at("#front-curve .plot"), { points, here, pinned, ghost, stars, paper: line, figure, label, readable, said });
    const key = [["here", "chosen"], ["dot", "simulated jobs"]];
    if (stars.length) key.push(["star", "measured"]);
    if (pinned) key.push(["pin", "pinned"]);
    if (line.length) key.push(["paper", `on paper: ${paper_note}; dotted where jobs are more than 2 % off`]);
    this.at(".front-key").replaceChildren(...key.map(([kind, words]) => make("li", { class: `of-${kind}` }, words)));
    const rows = points.map(({ text, value }) => make("tr", {}, make("th", { scope: "row" }, `${text} ${control.unit}`.trim()), make("td", {}, value === null ? "none" : number(value))));
    const head = make("tr", {}, make("th", { scope: "col" }, control.label), make("th", { scope: "col" }, `${figure.name} (${figure.unit})`));
    this.at(".front-numbers").replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
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
    const isDrawable = packets && !("file_size" in packets.record.parameters);
    for (const place of [".front-ladder", ".front-player"]) this.at(place).hidden = !isDrawable;
    if (!isDrawable || !box.offsetParent) return;
    const { ends } = packets;
    const film = exchangeOf(packetsOf(packets.table), waitsOf(packets.waits), packets.record.parameters, ends);
    drawLadder({ films: [film], ends, sides: ends }, box, 0);
    drawPlayer(this.at(".front-player"), { before: this.pinned?.packets ?? null, after: packets }, this.scenario);
  }

  pin() {
    const isPinned = this.pinned !== null;
    const { axis, value, packets, result } = this;
    this.pinned = isPinned ? null : { axis, value, packets, result, at: this.valueOf(axis), curve: this.curveKey(), command: this.command() };
    this.showPin();
    this.drawCurve();
    this.drawPackets();
  }

  showPin() {
    const button = this.at("#front-pin");
    button.setAttribute("aria-pressed", String(this.pinned !== null));
    button.textContent = this.pinned ? "Unpin" : "Pin";
    const { value } = this.pinned ?? {};
    const both = value && this.value;
    this.at(".front-pinned").textContent = both ? `x ${factor(this.value / value)} of the pinned ${number(value)} ${this.scenario.figure.unit}` : "";
  }
}

function signed(percent) {
  const size = Math.abs(percent).toFixed(Math.abs(percent) >= 10 ? 0 : 1);
  return Number(size) ? `${percent < 0 ? "−" : "+"}${size}` : size;
}
