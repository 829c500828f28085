// SPDX-License-Identifier: GPL-2.0-only
//
// Any value of any system, simulated here: controls, number, limits, curve, ladder, command and capture. The page's scripts,
// exchange.js and engine.js go before.
const bench = document.getElementById("bench");
const MOST_ON_CURVE = 13;
const ENTER_MS = 60; // after the last move of a slider
const STUDY = ".venv/bin/study run";

if (bench) openBench().catch((error) => sayBench(`This browser cannot simulate here (${error.message}); the units above need no simulation.`));

async function openBench() {
  const data = JSON.parse(document.getElementById("bench-data").textContent);
  const known = await unpackedJson(data.bench);
  const engine = await openEngine(data.engine);
  await opened;
  const state = { known, engine, system: "", touched: {}, axis: "", latest: 0 };
  const choice = bench.querySelector(".system");
  choice.append(...Object.entries(known.systems).map(([name, { title }]) => make("option", { value: name }, `${name}: ${title}`)));
  choice.addEventListener("change", () => choose(state, choice.value));
  bench.querySelector(".axis").addEventListener("change", (event) => {
    state.axis = event.target.value;
    simulate(state);
  });
  bench.querySelector(".reset").addEventListener("click", () => choose(state, state.system));
  bench.querySelector(".copy").addEventListener("click", () => copyCommand());
  bench.querySelector(".pcap").addEventListener("click", () => savePcap(state));
  document.querySelector(".save-sources").addEventListener("click", async () => {
    save(bytesOf(data.sources), "sources.tar.xz");
  });
  globalThis.studyEngine = engine;
  choose(state, choice.value);
}

// A system as it is, or shortened where each of its packets would have to be simulated.
function choose(state, name) {
  const form = state.known.systems[name];
  Object.assign(state, { system: name, form, scenario: state.known.scenarios[form.scenario], axis: form.axis });
  state.touched = { ...form.opening.values };
  const controls = form.sections.flatMap((section) => section.controls);
  state.controls = Object.fromEntries(controls.map((control) => [control.key, control]));
  bench.querySelector(".opening").textContent = form.opening.why;
  bench.querySelector(".controls").replaceChildren(...form.sections.map((section) => sectionOf(state, section)));
  const axes = controls.filter((control) => control.kind === "number");
  const axis = bench.querySelector(".axis");
  axis.replaceChildren(...axes.map(({ key, label }) => make("option", { value: key }, label)));
  axis.value = state.axis;
  simulate(state);
}

function valueOf(state, key) {
  return state.touched[key] ?? state.controls[key].own;
}

function sectionOf(state, { title, when, controls }) {
  const made = make("details", title === state.form.sections[0].title ? { open: "" } : {}, make("summary", {}, title));
  made.append(...controls.map((control) => controlOf(state, control)));
  if (when) made.dataset.when = when.join("=");
  return made;
}

function controlOf(state, control) {
  const { key, label, kind, unit, help, stops, choices, allowed } = control;
  const id = `bench-${key}`;
  const box = make("div", { class: "control", "data-key": key }, make("label", { for: id }, label + (unit ? ` (${unit})` : "")));
  const own = valueOf(state, key);
  if (kind === "number") {
    const field = make("input", { id, class: "typed", value: own, autocomplete: "off", "aria-describedby": `${id}-help ${id}-wrong` });
    const slider = make("input", { type: "range", min: 0, max: stops.length - 1, value: nearest(control, own), "aria-label": `${label}, slider`, "aria-valuetext": own });
    slider.addEventListener("input", () => {
      field.value = stops[slider.value];
      slider.setAttribute("aria-valuetext", field.value);
      touch(state, key, field.value);
    });
    field.addEventListener("change", () => {
      const text = field.value.replaceAll(/[\s,]/g, "").replace(new RegExp(`${unit || "$^"}$`), "");
      slider.value = nearest(control, text);
      touch(state, key, text);
    });
    box.append(field, slider);
  } else {
    const options = (kind === "switch" ? ["true", "false"] : choices).map((text) => make("option", { value: text }, text));
    const list = make("select", { id, "aria-describedby": `${id}-help ${id}-wrong` }, ...options);
    list.value = own;
    list.addEventListener("change", () => touch(state, key, list.value));
    box.append(list);
  }
  box.append(make("p", { class: "hint", id: `${id}-help` }, `${help} (${allowed})`));
  box.append(make("p", { class: "wrong", id: `${id}-wrong`, role: "alert" }));
  return box;
}

// The place of a slider for what was typed: the last stop that is not beyond it.
function nearest({ stops, numbers }, text) {
  const known = stops.indexOf(text);
  if (known >= 0) return known;
  const number = amountOf(text);
  return Math.max(0, numbers.findLastIndex((stop) => stop <= number));
}

// In nanoseconds, bit/s or as it stands, as `numbers` of a control are.
function amountOf(text) {
  const [, number, unit] = /^([+-]?[\d.eE+-]+?)([a-zA-Z]*)$/.exec(text) ?? [];
  const size = SIZES[unit] ?? 1;
  return Number(number) * (unit && !unit.endsWith("bps") ? size * 1e9 : size);
}

function touch(state, key, text) {
  if (text === state.controls[key].own) delete state.touched[key];
  else state.touched[key] = text;
  clearTimeout(state.timer);
  state.timer = setTimeout(() => simulate(state), ENTER_MS);
}

function flagsOf(state, changes = {}) {
  const given = Object.entries({ ...state.touched, ...changes });
  return given.map(([key, text]) => `--${key.replaceAll("_", "-")}=${text}`);
}

async function run(state, changes = {}, files = []) {
  const flags = [`--system=${state.system}`, ...flagsOf(state, changes)];
  const answer = await state.engine.run(state.form.scenario, flags, files);
  return { record: JSON.parse(answer.record), files: answer.files };
}

async function simulate(state) {
  const ticket = ++state.latest;
  const isOld = () => ticket !== state.latest;
  state.engine.drop();
  for (const section of bench.querySelectorAll("[data-when]")) {
    const [key, value] = section.dataset.when.split("=");
    section.hidden = valueOf(state, key) !== value;
  }
  const command = [STUDY, state.system, ...flagsOf(state).map((flag) => flag.replace("=", " "))].join(" ");
  bench.querySelector(".command").textContent = command;
  try {
    const { record } = await run(state);
    if (isOld()) return;
    sayBench("");
    showRecord(state, record);
    await drawBench(state, record, isOld);
    if (!isOld()) await ladderOf(state, isOld);
  } catch (error) {
    if (!isOld() && error.kind !== "dropped") refuse(state, error);
  }
}

// The sentence at its control; everything else stays as it is.
function refuse(state, error) {
  const [, flag, words] = /^([\w-]+): ([^]*)$/.exec(error.message) ?? [];
  const key = flag?.replaceAll("-", "_");
  const { label } = state.controls[state.scenario.size] ?? { label: "the job" };
  const advice = { "too long": `. A smaller value of “${label}” would shorten it.`, lost: ". The simulation was begun anew; the settings are as they were." };
  const isAtControl = error.kind === "refused" && state.controls[key];
  sayBench(isAtControl ? words : error.message + (advice[error.kind] ?? ""), isAtControl ? key : "");
  bench.querySelector(".shown").classList.add("stale");
}

function sayBench(words, key = "") {
  for (const each of bench.querySelectorAll(".wrong")) each.textContent = "";
  const box = key && bench.querySelector(`[data-key="${key}"]`);
  if (box) box.closest("details").open = true;
  (box || bench).querySelector(box ? ".wrong" : ":scope > .wrong").textContent = words;
}

function showRecord(state, record) {
  const { figure, words, looks } = state.scenario;
  Object.assign(runs.words, { ...words, ...runs.words });
  Object.assign(runs.looks, { ...looks, ...runs.looks });
  bench.querySelector(".shown").hidden = false;
  bench.querySelector(".shown").classList.remove("stale");
  const value = valueIn(record, figure);
  bench.querySelector(".number").textContent = value === null ? record.outcome : number(value);
  bench.querySelector(".per").textContent = value === null ? "" : figure.unit;
  bench.querySelector(".rate .name").textContent = `${figure.name}, simulated now, in this page`;
  const whole = Object.values(record.limits_s).reduce((sum, time) => sum + time, 0) || 1;
  const limits = Object.entries(record.limits_s).map(([name, time]) => [name, [Math.round((time / whole) * 1000)]]);
  const unit = { limits: Object.fromEntries(limits), controls: [], parts: {}, promises: {} };
  drawLimits(unit, bench, [], 0);
  if (value === null) bench.querySelector(".limit").textContent = `The job is ${record.outcome} after ${number(record.duration_s)} s: ${record.reason}.`;
}

function valueIn(record, figure) {
  return record.outcome === "finished" ? record[figure.column] * figure.scale : null;
}

// The curve along the chosen control: some of its stops, and where it stands.
async function drawBench(state, record, isOld) {
  const { figure } = state.scenario;
  const control = state.controls[state.axis];
  const here = valueOf(state, state.axis);
  const step = Math.ceil(control.stops.length / MOST_ON_CURVE);
  const chosen = control.stops.filter((text, n) => n % step === 0 || text === control.own || n === control.stops.length - 1);
  const places = [...new Set([...chosen, here])].map((text) => [text, amountOf(text)]).sort((a, b) => a[1] - b[1]);
  const found = [];
  for (const [text, x] of places) {
    const made = await run(state, { [state.axis]: text }).catch((error) => {
      if (error.kind === "dropped") throw error;
      return null; // refused there, or too long: no point of the curve
    });
    if (isOld()) return;
    const value = made && valueIn(made.record, figure);
    if (value !== null && value > 0) found.push({ text, x, value });
  }
  const box = bench.querySelector(".curve .plot");
  const at = found.findIndex((point) => point.text === here);
  if (found.length < 2 || at < 0) {
    box.replaceChildren();
    return;
  }
  const log = found[0].x > 0 && found.at(-1).x / found[0].x > 20;
  const values = found.map((point) => point.value);
  const wide = Math.max(...values) / Math.min(...values) > 20;
  const unit = {
    y: { unit: figure.unit, name: figure.name, log: wide }, x: "axis", values, measured: [],
    controls: [{ id: "axis", label: control.label, log, start: at, steps: found.map((point) => [withUnit(point.text, control), point.x]) }],
  };
  drawCurve({ unit, section: bench, at: [at], guess: null }, box);
}

// "2920 B" of "2920", "117 ms" of "117ms": the axis has the number, its label the unit.
function withUnit(text, { unit }) {
  return text.replace(/^([\d.]+)([a-zA-Z]+)$/, "$1$2") + (unit ? ` ${unit}` : "");
}

async function ladderOf(state, isOld) {
  const box = bench.querySelector(".ladder .plot");
  const shorter = {};
  for (const [key, most] of Object.entries(state.scenario.short)) {
    const size = Number(state.touched[key] ?? state.controls[key]?.own ?? Infinity);
    if (size > most) shorter[key] = String(most);
  }
  const { record, files } = await run(state, shorter, ["segments"]);
  if (isOld()) return;
  const { ends } = state.scenario;
  const known = "file_size" in record.parameters ? null : exchangeOf(packetsOf(new TextDecoder().decode(files.segments)), record.parameters, ends);
  bench.querySelector(".ladder").hidden = !known;
  if (known) drawLadder({ ladders: [known.arrows], every: [known.every], ends }, box, 0);
}

async function copyCommand() {
  const command = bench.querySelector(".command");
  const said = bench.querySelector(".copied");
  try {
    await navigator.clipboard.writeText(command.textContent);
    said.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(command);
    said.textContent = "marked: copy it with Ctrl-C";
  }
}

async function savePcap(state) {
  try {
    const { files } = await run(state, {}, ["pcap"]);
    save(files.pcap, `${state.system}.pcap`);
  } catch (error) {
    refuse(state, error);
  }
}

function save(bytes, name) {
  const address = URL.createObjectURL(new Blob([bytes]));
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
