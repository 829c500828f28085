// SPDX-License-Identifier: GPL-2.0-only
// The pages' words: which language is read, what a key says in it, and the elements of the page that wait for theirs.

export const WORDS = JSON.parse(document.getElementById("words").textContent);
export const LANGUAGE_KEPT = "study-language";
const wanted = [new URLSearchParams(location.hash.slice(1)).get("lang"), inBrowser((store) => store.getItem(LANGUAGE_KEPT))];
/** The first that is known, as "de" of "de-AT"; English if none is. */
export const language =
  [...wanted, ...navigator.languages].map((each) => String(each).slice(0, 2)).find((each) => Object.hasOwn(WORDS, each)) ?? "en";

document.documentElement.lang = language;
sayAll(document);

/** What a browser keeps for the page; null where it is forbidden, full or keeps nothing for a file. */
export function inBrowser(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}

/** What a key says, with {1}, {2} ... in it filled; what a language has not, English has. */
export function say(key, ...values) {
  const text = WORDS[language][key] ?? WORDS.en[key];
  if (text === undefined) throw new Error(`words.en.json has no ${key}`);
  return text.replaceAll(/\{(\d)\}/g, (_, place) => values[place - 1]);
}

/** The name of a parameter, an end and the like in the page's language, or as it is given. */
export const nameSaid = (name) => WORDS[language][`names.${name}`] ?? name;

/** The names of limits, by what a record calls them. */
export const limitsSaid = (limits) => Object.fromEntries(limits.map((name) => [name, say(`limits.${name}`)]));

/** The controls of a system in the page's language. */
export function formSaid(form, declared) {
  form.opening.shortened = form.opening.shortened.map((each) => numberSaid(nameSaid(each)));
  for (const section of form.sections) {
    section.title = nameSaid(section.title);
    for (const control of section.controls) {
      control.label = nameSaid(control.label);
      control.help = declared[language].helps[control.help] ?? control.help;
    }
  }
}

/** A scenario of the front end with its limits and the note on its closed form in the page's language. */
export function scenarioSaid(scenario) {
  const { figure, names, paper_note } = scenario;
  if (language === "en") return scenario; // whose limits have a name and a meaning
  const said = limitsSaid(Object.keys(names));
  const named = { ...figure, name: nameSaid(figure.name) };
  return { ...scenario, figure: named, names: said, words: said, paper_note: nameSaid(paper_note) };
}

/** A number as English writes it, as the language of the page does: where blanks part thousands, from five digits on. */
export function numberSaid(english) {
  const [, group, , , , decimal] = say("number.sample");
  return english.replaceAll(/\d+(?:,\d{3})*(?:\.\d+)?/g, (one) => {
    const isShort = /^\s$/.test(group) && /^\d,\d{3}\b(?!,)/.test(one);
    return one.replaceAll(/[,.]/g, (sign) => (sign === "." ? decimal : isShort ? "" : group));
  });
}

/** A script's words: a text, or where it has something to fill in, a function. */
export function words(room) {
  const isFilled = (key) => /\{\d\}/.test(WORDS.en[key]);
  const saidBy = (key) => (isFilled(key) ? (...values) => say(key, ...values) : say(key));
  const get = (_, name) => saidBy(`${room}.${name}`);
  return new Proxy({}, { get });
}

/** Give the elements of the page their words. */
export function sayAll(root) {
  if (language === "en") return; // the page is written in it
  for (const each of root.querySelectorAll("[data-say], [data-say-label]")) {
    const values = JSON.parse(each.dataset.values ?? "[]").map((value) => (/^[\d.,]+$/.test(value) ? numberSaid(value) : value));
    if (each.dataset.say) each.replaceChildren(...markedUp(say(each.dataset.say, ...values)));
    if (each.dataset.sayLabel) each.setAttribute("aria-label", say(each.dataset.sayLabel, ...values));
  }
}

// `code` and *stress*, as the templates mark them up.
export function markedUp(text) {
  return text.split(/(`[^`]+`|\*[^*\s][^*]*\*)/).filter(Boolean).map((part) => {
    const kind = { "`": "code", "*": "em" }[part[0]];
    if (!kind || part.length < 3) return part;
    return Object.assign(document.createElement(kind), { textContent: part.slice(1, -1) });
  });
}
