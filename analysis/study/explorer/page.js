// SPDX-License-Identifier: GPL-2.0-only
// The explorer's page: native controls made of the declared parameters, and what the kernel answers.

const SILENT_MS = 20000; // after which the kernel is said not to answer; a slow view takes 15 s
const STILL_MS = 250; // without a move, after which the curve's other points are asked for

const FRAME = `
  <div class="head">
    <label>System <select data-key="preset"></select></label>
    <label>Host profile <select data-key="host"></select></label>
    <label>Curve over <select data-key="axis"></select></label>
    <button type="button" data-key="reset">Reset</button>
    <p class="why" hidden></p>
  </div>
  <div class="controls"></div>
  <div class="outcome">
    <div class="answer">
      <p class="error general" role="alert" hidden></p>
      <output class="headline" aria-live="polite"></output>
      <p class="beside"></p>
      <p class="sentence" aria-live="polite"></p>
    </div>
    <p class="command">
      <code tabindex="0" role="group" aria-label="Command"></code>
      <button type="button" data-key="copy">Copy</button>
    </p>
    <h3>What limits it</h3>
    <div class="bar"></div>
    <h3 class="figure"></h3>
    <div class="curve"></div>
    <ul class="stars" aria-label="Measured"></ul>
    <h3>The exchange that repeats</h3>
    <p class="exchange"></p>
    <div class="ladder"></div>
  </div>`;

let views = 0;

function render({ model, el }) {
  const page = new Page(model, el);
  const hear = (answer) => page.hear(answer);
  // Keys pressed here are for the controls. JupyterLab listens at the document and would take the
  // arrow keys from the sliders; what stops at the window never gets there, and still moves them.
  const keep = (event) => page.el.contains(event.target) && event.stopPropagation();
  model.on("msg:custom", hear);
  window.addEventListener("keydown", keep, true);
  return () => {
    model.off("msg:custom", hear);
    window.removeEventListener("keydown", keep, true);
  };
}

export default { render };

class Page {
  constructor(model, el) {
    this.model = model;
    this.view = `${Date.now()}-${++views}`;
    this.serial = 0;
    this.waiting = null; // the question that is out
    this.next = null; // the one to ask after it
    const { presets, form } = model.get("start");
    this.el = make("div", { class: "explorer", role: "region", "aria-label": "What-if explorer" });
    this.el.innerHTML = FRAME;
    el.classList.add("explorer-place");
    el.append(this.el);
    this.general = this.at(".general");
    [this.preset, this.host, this.axis] = this.el.querySelectorAll(".head select");
    const titles = Object.entries(presets).map(([name, title]) => [name, `${name}: ${title}`]);
    fill(this.preset, titles);
    this.preset.value = form.system;
    this.preset.addEventListener("change", () =>
      this.ask({ kind: "form", system: this.preset.value }),
    );
    this.host.addEventListener("change", () => this.changed());
    this.axis.addEventListener("change", () => this.changed());
    this.at("[data-key=reset]").addEventListener("click", () => this.build(this.form));
    this.at("[data-key=copy]").addEventListener("click", (event) => this.copy(event.target));
    this.build(form);
  }

  at(selector) {
    return this.el.querySelector(selector);
  }

  id(name) {
    return `explorer-${this.view}-${name}`;
  }

  /** All controls anew, standing on the system's own values, or on those it opens with. */
  build(form) {
    this.form = form;
    this.values = { ...form.opening.values };
    this.entries = {};
    fill(this.host, form.hosts.map((name) => [name, name]));
    this.host.value = form.host;
    say(this.at(".why"), form.opening.why);
    this.at(".figure").textContent = form.figure[0].toUpperCase() + form.figure.slice(1);
    this.parts = form.sections.map((section) => {
      const controls = section.controls.map((control) => this.control(control));
      return { section, place: make("fieldset", {}, make("legend", {}, section.title), ...controls) };
    });
    const all = form.sections.flatMap((section) => section.controls);
    const numbers = all.filter((control) => control.kind === "number");
    fill(this.axis, numbers.map((each) => [each.key, each.label]));
    this.axis.value = form.axis;
    this.help = make("p", { class: "help", "aria-hidden": "true", hidden: "" });
    this.at(".controls").replaceChildren(...this.parts.map(({ place }) => place), this.help);
    this.changed();
  }

  /** Only what the job takes notice of: a frame-relay line's rate means nothing to an Ethernet. */
  showParts() {
    for (const { section, place } of this.parts) {
      const [key, value] = section.when ?? [];
      place.hidden = key !== undefined && this.entries[key].field.value !== value;
      for (const control of section.controls) {
        const option = this.axis.querySelector(`option[value="${control.key}"]`);
        option?.toggleAttribute("hidden", place.hidden);
      }
    }
    if (this.axis.selectedOptions[0]?.hidden) {
      this.axis.value = this.form.axis; // as the kernel has drawn it
    }
  }

  control(control) {
    const { key } = control;
    const isNumber = control.kind === "number";
    const described = ["range", "help", "error"].map((part) => this.id(`${key}-${part}`));
    const range = make("small", { id: described[0] }, isNumber ? control.allowed : "");
    // For a screen reader; whoever looks has it below the controls.
    const help = make("span", { id: described[1], hidden: "" }, control.help);
    const error = make("p", { id: described[2], class: "error", role: "alert", hidden: "" });
    const field = this[control.kind](control);
    const names = { id: this.id(key), "data-key": key, "aria-describedby": described.join(" ") };
    set(field, names);
    const label = make("label", { for: names.id }, control.label);
    const slider = isNumber && this.slider(control);
    this.entries[key] = { control, field, error, slider };
    this.put(key, control.own, control.numbers[control.stops.indexOf(control.own)]);
    const unit = control.unit && make("span", { class: "unit" }, control.unit);
    const parts = [label, slider, field, unit, range, help, error].filter(Boolean);
    const made = make("div", { class: "control", title: control.help }, ...parts);
    made.addEventListener("focusin", () => say(this.help, `${control.label}: ${control.help}.`));
    return made;
  }

  number(control) {
    const field = make("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    let timer;
    const take = () => {
      clearTimeout(timer);
      if (field.value !== (this.values[control.key] ?? control.own)) {
        this.touch(control.key, field.value);
      }
    };
    field.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(take, 250); // not at every digit of a number that is being typed
    });
    field.addEventListener("change", take);
    return field;
  }

  slider({ key, label, stops, numbers }) {
    const names = { "data-slider": key, "aria-label": `${label}, slider` };
    const slider = make("input", { type: "range", min: 0, max: stops.length - 1, step: 1, ...names });
    slider.addEventListener("input", () => {
      this.put(key, stops[slider.value], numbers[slider.value]);
      this.touch(key, stops[slider.value]);
    });
    return slider;
  }

  choice(control) {
    const list = make("select");
    fill(list, control.choices.map((name) => [name, name]));
    list.addEventListener("change", () => this.touch(control.key, list.value));
    return list;
  }

  switch(control) {
    const box = make("input", { type: "checkbox", role: "switch" });
    box.addEventListener("change", () => this.touch(control.key, String(box.checked)));
    return box;
  }

  /** Let a control stand on a value, and its slider on the nearest. */
  put(key, text, number) {
    const { control, field, slider } = this.entries[key];
    if (control.kind === "switch") {
      field.checked = text === "true";
    } else {
      field.value = text;
    }
    if (slider) {
      const distance = control.numbers.map((each) => Math.abs(each - number));
      slider.value = distance.indexOf(Math.min(...distance));
      slider.setAttribute("aria-valuetext", `${text} ${control.unit}`.trim());
    }
  }

  // Questions and answers

  touch(key, text) {
    this.values[key] = text;
    this.changed();
  }

  changed() {
    clearTimeout(this.marks);
    this.began = performance.now();
    this.ask(this.question("view"));
  }

  question(kind) {
    return {
      kind,
      system: this.form.system,
      host: this.host.value,
      values: { ...this.values },
      axis: this.axis.value,
    };
  }

  /** One question is out at a time; of those that come meanwhile only the newest is asked. */
  ask(question) {
    this.el.dataset.settled = "false";
    if (this.waiting) {
      // Another system's controls are on their way: what is turned meanwhile are the old ones.
      if (this.next?.kind !== "form" || question.kind === "form") {
        this.next = question;
      }
      return;
    }
    const sent = { ...question, view: this.view, serial: ++this.serial };
    this.waiting = sent;
    this.silence = setTimeout(() => this.lose("no answer: the kernel is busy, or gone"), SILENT_MS);
    try {
      this.model.send(sent);
    } catch {
      this.lose("the kernel that this page began with is not there");
    }
  }

  lose(why) {
    clearTimeout(this.silence);
    this.lost = this.waiting; // whose answer may only be late
    this.waiting = this.next = null;
    this.el.classList.add("stale");
    say(this.general, `${why}: run the cell again, or reload the page`);
  }

  hear(answer) {
    const asked = this.waiting ?? this.lost;
    if (answer.view !== this.view || answer.serial !== asked?.serial) {
      return;
    }
    clearTimeout(this.silence);
    const answered = asked.kind;
    this.waiting = this.lost = null;
    if (answer.form) {
      this.next = null;
      this.build(answer.form);
      return;
    }
    this.show(answer, answered);
    const { next } = this;
    this.next = null;
    if (next) {
      this.ask(next);
    } else if (answer.more) {
      // Not while a slider is dragged: the next move would wait for them.
      const wait = answered === "view" ? STILL_MS : 0;
      this.marks = setTimeout(() => this.ask(this.question("marks")), wait);
    } else {
      this.el.dataset.settled = "true";
    }
  }

  show(answer, answered) {
    const { errors } = answer;
    for (const [key, entry] of Object.entries(this.entries)) {
      say(entry.error, errors[key]);
      entry.field.setAttribute("aria-invalid", String(key in errors));
    }
    const wrong = Object.keys(errors).filter((key) => this.entries[key]);
    const labels = wrong.map((key) => this.entries[key].control.label).join(", ");
    say(this.general, errors[""] ?? (labels && `Not for these values: see ${labels}.`));
    this.el.classList.toggle("stale", Object.keys(errors).length > 0);
    for (const name of ["bar", "curve", "ladder"].filter((each) => each in answer)) {
      this.at(`.${name}`).innerHTML = answer[name];
    }
    for (const name of ["headline", "beside", "sentence", "exchange", "command"]) {
      const place = this.at(name === "command" ? "code" : `.${name}`);
      if (name in answer && place.textContent !== answer[name]) {
        place.textContent = answer[name]; // or a screen reader would say it again
      }
    }
    if (answer.stars) {
      this.at(".stars").replaceChildren(...answer.stars.map((star) => make("li", {}, star)));
    }
    for (const [key, text] of Object.entries(answer.values ?? {})) {
      const { control, field } = this.entries[key];
      const isTyped = control.kind === "number" && field === document.activeElement;
      this.put(key, isTyped ? field.value : text, answer.numbers[key]);
    }
    this.showParts();
    if (answered === "view" && !this.next) {
      this.el.dataset.redrawMs = (performance.now() - this.began).toFixed(1);
      this.el.dataset.drawn = String(Number(this.el.dataset.drawn ?? 0) + 1);
    }
  }

  async copy(button) {
    const command = this.at("code");
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "Press Ctrl+C";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  }
}

/** An element with attributes and children; a text becomes a text, never markup. */
function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  set(made, attributes);
  made.append(...children);
  return made;
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
}

function fill(list, entries) {
  list.replaceChildren(...entries.map(([value, label]) => make("option", { value }, label)));
}

function say(place, message) {
  place.textContent = message ?? "";
  place.hidden = !message;
}
