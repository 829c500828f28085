// SPDX-License-Identifier: GPL-2.0-only
// The explorer's page: native controls made of the declared parameters, and what the kernel answers.

const SILENT_MS = 20000; // after which the kernel is said not to answer; a slow view takes 15 s
const STILL_MS = 250; // without a move, after which the curve's other points are asked for

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

/** An element with attributes and children; a text becomes a text, never markup. */
function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

class Page {
  constructor(model, el) {
    this.model = model;
    this.view = `${Date.now()}-${++views}`;
    this.serial = 0;
    this.waiting = null; // the question that is out
    this.next = null; // the one to ask after it
    const { presets, form } = model.get("start");
    this.el = make("div", { class: "explorer", role: "region", "aria-label": "What-if explorer" });
    this.el.append(this.head(presets, form.system), this.controls(), this.outcome());
    el.classList.add("explorer-place");
    el.append(this.el);
    this.build(form);
  }

  id(name) {
    return `explorer-${this.view}-${name}`;
  }

  // What the page is made of

  head(presets, system) {
    const titles = Object.entries(presets).map(([name, title]) => [name, `${name}: ${title}`]);
    this.preset = this.list("System", "preset", Object.fromEntries(titles));
    this.preset.value = system;
    this.preset.addEventListener("change", () =>
      this.ask({ kind: "form", system: this.preset.value }),
    );
    this.host = this.list("Host profile", "host", {});
    this.host.addEventListener("change", () => this.changed());
    this.axis = this.list("Curve over", "axis", {});
    this.axis.addEventListener("change", () => this.changed());
    const reset = make("button", { type: "button", "data-key": "reset" }, "Reset");
    reset.addEventListener("click", () => this.build(this.form));
    const lists = [this.preset, this.host, this.axis].map((list) => list.parentElement);
    this.why = make("p", { class: "why", hidden: "" });
    return make("div", { class: "head" }, ...lists, reset, this.why);
  }

  list(label, key, entries) {
    const list = make("select", { id: this.id(key), "data-key": key });
    make("p", {}, make("label", { for: this.id(key) }, label), list);
    fill(list, entries);
    return list;
  }

  controls() {
    this.sections = make("div", { class: "controls" });
    return this.sections;
  }

  outcome() {
    this.general = make("p", { class: "error general", role: "alert", hidden: "" });
    this.headline = make("output", { class: "headline", "aria-live": "polite" });
    this.sentence = make("p", { class: "sentence", "aria-live": "polite" });
    this.beside = make("p", { class: "beside" });
    this.stars = make("ul", { class: "stars", "aria-label": "Measured" });
    this.help = make("p", { class: "help", "aria-hidden": "true" });
    this.pictures = { bar: make("div"), curve: make("div"), ladder: make("div") };
    this.exchange = make("p", { class: "exchange" });
    this.figure = make("h3");
    this.command = make("code", { tabindex: "0", role: "group", "aria-label": "Command" });
    this.copy = make("button", { type: "button", "data-key": "copy" }, "Copy");
    this.copy.addEventListener("click", () => this.copyCommand());
    return make(
      "div",
      { class: "outcome" },
      make("div", { class: "answer" }, this.general, this.headline, this.beside, this.sentence),
      make("p", { class: "command" }, this.command, this.copy),
      make("h3", {}, "What limits it"),
      this.pictures.bar,
      this.figure,
      this.pictures.curve,
      this.stars,
      make("h3", {}, "The exchange that repeats"),
      this.exchange,
      this.pictures.ladder,
    );
  }

  /** All controls anew, standing on the system's own values, or on those it opens with. */
  build(form) {
    this.form = form;
    this.values = { ...form.opening.values };
    this.entries = {};
    fill(this.host, Object.fromEntries(form.hosts.map((name) => [name, name])));
    this.host.value = form.host;
    say(this.why, form.opening.why);
    this.figure.textContent = form.figure[0].toUpperCase() + form.figure.slice(1);
    this.parts = form.sections.map((section) => ({ section, place: this.part(section) }));
    const all = form.sections.flatMap((section) => section.controls);
    const numbers = all.filter((control) => control.kind === "number");
    fill(this.axis, Object.fromEntries(numbers.map((each) => [each.key, each.label])));
    this.axis.value = form.axis;
    this.sections.replaceChildren(...this.parts.map(({ place }) => place), this.help);
    say(this.help, "");
    this.changed();
  }

  part(section) {
    const controls = section.controls.map((control) => this.control(control));
    return make("fieldset", {}, make("legend", {}, section.title), ...controls);
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
    const error = make("p", { class: "error", id: this.id(`${key}-error`), role: "alert" });
    error.hidden = true;
    const field = this[control.kind](control);
    field.setAttribute("id", this.id(key));
    field.setAttribute("data-key", key);
    const described = ["range", "help", "error"].map((part) => this.id(`${key}-${part}`));
    field.setAttribute("aria-describedby", described.join(" "));
    const label = make("label", { for: this.id(key) }, control.label);
    const allowed = control.kind === "number" ? control.allowed : "";
    const range = make("small", { id: this.id(`${key}-range`) }, allowed);
    // For a screen reader; whoever looks has it below the controls.
    const help = make("span", { id: this.id(`${key}-help`), hidden: "" }, control.help);
    const slider = control.kind === "number" ? [this.slider(control, field)] : [];
    this.entries[key] = { control, field, error, slider: slider[0] };
    this.put(key, control.own, control.numbers[control.stops.indexOf(control.own)]);
    const unit = control.unit ? [make("span", { class: "unit" }, control.unit)] : [];
    const parts = [label, ...slider, field, ...unit, range, help, error];
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

  slider(control, field) {
    const { key, stops } = control;
    const attributes = { type: "range", min: 0, max: stops.length - 1, step: 1 };
    const slider = make("input", { ...attributes, "data-slider": key });
    slider.setAttribute("aria-label", `${control.label}, slider`);
    slider.addEventListener("input", () => {
      field.value = stops[slider.value];
      slider.setAttribute("aria-valuetext", `${field.value} ${control.unit}`.trim());
      this.touch(key, field.value);
    });
    return slider;
  }

  choice(control) {
    const list = make("select");
    fill(list, Object.fromEntries(control.choices.map((name) => [name, name])));
    list.addEventListener("change", () => this.touch(control.key, list.value));
    return list;
  }

  switch(control) {
    const box = make("input", { type: "checkbox", role: "switch" });
    box.addEventListener("change", () => this.touch(control.key, String(box.checked)));
    return box;
  }

  /** Let a control stand on a value. */
  put(key, text, number) {
    const { control, field, slider } = this.entries[key];
    if (control.kind === "switch") {
      field.checked = text === "true";
    } else if (field.value !== text) {
      field.value = text;
    }
    if (slider) {
      const { numbers } = control;
      const distance = numbers.map((each) => Math.abs(each - number));
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
    this.tell(`${why}: run the cell again, or reload the page`);
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
    this.tell(errors[""] ?? (labels && `Not for these values: see ${labels}.`));
    this.el.classList.toggle("stale", Object.keys(errors).length > 0);
    for (const [name, place] of Object.entries(this.pictures)) {
      if (name in answer) {
        place.innerHTML = answer[name];
      }
    }
    for (const name of ["headline", "beside", "sentence", "exchange", "command"]) {
      if (name in answer && this[name].textContent !== answer[name]) {
        this[name].textContent = answer[name];
      }
    }
    if (answer.stars) {
      this.stars.replaceChildren(...answer.stars.map((star) => make("li", {}, star)));
    }
    for (const [key, text] of Object.entries(answer.values ?? {})) {
      if (this.entries[key].field !== document.activeElement) {
        this.put(key, text, answer.numbers[key]);
      } else {
        this.put(key, this.entries[key].field.value, answer.numbers[key]);
      }
    }
    this.showParts();
    if (answered === "view" && !this.next) {
      this.el.dataset.redrawMs = (performance.now() - this.began).toFixed(1);
      this.el.dataset.drawn = String(Number(this.el.dataset.drawn ?? 0) + 1);
    }
  }

  tell(message) {
    say(this.general, message);
  }

  async copyCommand() {
    try {
      await navigator.clipboard.writeText(this.command.textContent);
      this.copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(this.command);
      this.copy.textContent = "Press Ctrl+C";
    }
    setTimeout(() => (this.copy.textContent = "Copy"), 2000);
  }
}

function fill(list, entries) {
  const options = Object.entries(entries).map(([value, label]) =>
    make("option", { value }, label),
  );
  list.replaceChildren(...options);
}

function say(place, message) {
  place.textContent = message ?? "";
  place.hidden = !message;
}
