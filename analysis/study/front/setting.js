// SPDX-License-Identifier: GPL-2.0-only
// The front end's setting: system, host, changed values, and the parameter that the curve is along; as flags, and as command lines.

import { argumentsOf } from "./commandline.js";
import { FrontControls } from "./controls.js";

const MOST_ON_CURVE = 13;
const STUDY = ".venv/bin/study"; // in the study's folder

export class FrontSetting {
  form; // what forms.py says of the system
  scenario; // and of its scenario
  host = "";
  values = {};
  axis = ""; // a parameter
  curves = {};
  gone = new Set(); // controls of which the job takes no notice

  constructor(root, data, engine) {
    this.root = root;
    this.data = data;
    this.engine = engine;
    this.controls = new FrontControls(root, (key, text) => this.touch(key, text));
  }

  at(selector) {
    return this.root.querySelector(selector);
  }

  /** What is chosen, as a link, a code or a class may carry it. */
  stateOf() {
    return { system: this.form.system, host: this.host, values: { ...this.values } };
  }

  own(key) {
    return this.form.hosts[this.host]?.[key] ?? this.controls.byKey[key]?.own;
  }

  valueOf(key) {
    return this.values[key] ?? this.own(key);
  }

  /** Some values by something else than their controls. */
  change(values) {
    this.choose({ values: { ...this.values, ...values } });
  }

  /** Another setting, and one control that was moved by hand: front.js does it. */
  choose(_setting) {}
  touch(_key, _text) {}

  flags(changes = {}) {
    const profile = this.form.hosts[this.host] ?? {};
    const given = Object.entries({ ...profile, ...this.values, ...changes });
    return [`--system=${this.form.system}`, ...given.map(([key, text]) => `--${key.replaceAll("_", "-")}=${text}`)];
  }

  command() {
    return `${STUDY} run ${argumentsOf(this.stateOf(), this.form.host)}`;
  }

  /** Of the curve's figure, over the same values. */
  figureCommand() {
    const { [this.axis]: _, ...values } = this.values;
    const stops = this.stopsOfCurve().map((text) => text || "''").join(",");
    return `${STUDY} figure curve ${argumentsOf({ ...this.stateOf(), values }, this.form.host)} --vary ${this.axis}=${stops}`;
  }

  curveKey(axis = this.axis) {
    const { [axis]: _, ...others } = { ...this.form.hosts[this.host], ...this.values };
    return JSON.stringify([this.form.system, axis, Object.entries(others).sort()]);
  }

  known(key = this.curveKey()) {
    return (this.curves[key] ??= new Map());
  }

  /** Some of the axis' stops, and the system's own value. */
  stopsOfCurve() {
    const { stops, own } = this.controls.byKey[this.axis];
    const step = Math.max(1, (stops.length - 1) / (MOST_ON_CURVE - 1));
    const places = Array.from({ length: MOST_ON_CURVE }, (_, n) => Math.min(Math.round(n * step), stops.length - 1));
    return [...new Set([...places.map((n) => stops[n]), own])];
  }

  figure(record) {
    const { column, scale } = this.scenario.figure;
    return record.outcome === "finished" ? record[column] * scale : null;
  }

  /** How many times as fast one figure is as another: of a duration the shorter is the faster. */
  asFast(value, other) {
    return this.scenario.figure.unit === "s" ? other / value : value / other;
  }
}
