// SPDX-License-Identifier: GPL-2.0-only
//
// What would change it, found by simulating: twice and half of each number, the other position of each switch. controls.js goes
// before.

const CHANGES_SAY = words("front");
const SLOW_MS = 150; // of a run: from here on only what stands first is tried
const NOTHING = 0.01; // print shops and clocks vary by more
const SHOWN = 12;

class FrontChanges {
  /** `choose(key, text)` makes a row's change. */
  constructor(panel, choose) {
    this.rows = panel.querySelector("tbody");
    this.choose = choose;
  }

  /** Try them all, one after the other; `run(changes)` gives the figure, or null, `asFast(figure)` how many times as fast; `isOld()` ends it. */
  async find({ controls, leading, gone, valueOf, run, asFast, isOld }) {
    const found = [];
    const tried = [...leading, ...Object.keys(controls).filter((key) => !leading.includes(key))];
    const begun = performance.now();
    let runs = 0;
    for (const key of tried.filter((each) => !gone.has(each))) {
      const isSlow = runs > 0 && (performance.now() - begun) / runs > SLOW_MS;
      if (isSlow && !leading.includes(key)) break;
      for (const [text, words] of this.others(controls[key], valueOf(key))) {
        const becomes = await run({ [key]: text });
        if (isOld()) return false;
        runs++;
        if (becomes === null) continue; // refused, or it ends nowhere
        found.push({ key, text, words, times: asFast(becomes) });
      }
      this.draw(found, controls);
    }
    return true;
  }

  others(control, own) {
    if (control.kind !== "number") {
      const choices = control.kind === "switch" ? ["true", "false"] : control.choices;
      return choices.filter((each) => each !== own).map((each) => [each, (label) => label]);
    }
    const amount = amountOf(own);
    if (!(amount > 0) || own === NO_LIMIT.text) return [];
    const both = [[textOf(control, 2 * amount), CHANGES_SAY.twice], [textOf(control, amount / 2), CHANGES_SAY.half]];
    return both.filter(([each]) => each !== own);
  }

  draw(found, controls) {
    // What helps first, the most of it; then what harms, the most of that.
    const rank = ({ times }) => (times > 1 ? -Math.log(times) : 1e3 + Math.log(times));
    const moved = found.filter((row) => Math.abs(row.times - 1) >= NOTHING).sort((a, b) => rank(a) - rank(b));
    const rows = moved.slice(0, SHOWN).map(({ key, text, words, times }) => {
      const { label, unit, kind } = controls[key];
      const given = kind === "switch" ? { true: CHANGES_SAY.on, false: CHANGES_SAY.off }[text] : `${text} ${unit}`.trim();
      const button = make("button", { type: "button", class: "quiet", "data-change": `${key}=${text}` }, `${words(label)}: ${given}`);
      button.addEventListener("click", () => this.choose(key, text));
      return make("tr", { class: times > 1 ? "better" : "worse" }, make("td", {}, button), make("td", {}, `x ${factor(times)}`));
    });
    const still = found.filter((row) => Math.abs(row.times - 1) < NOTHING).map(({ key }) => controls[key].label);
    const names = [...new Set(still)].filter((label) => !moved.some(({ key }) => controls[key].label === label));
    if (names.length) rows.push(make("tr", { class: "still" }, make("td", { colspan: 2 }, CHANGES_SAY.still(names.join(", ")))));
    this.rows.replaceChildren(...rows);
  }

  clear() {
    this.rows.replaceChildren();
  }
}

/** So many times: 2.0, 0.51, 41. */
function factor(times) {
  return times >= 100 ? number(times) : times >= 10 ? fixed(times, 0) : times >= 1.1 ? fixed(times, 1) : fixed(times, 2);
}
