// SPDX-License-Identifier: GPL-2.0-only
// A setting as the arguments of `study run`, and back: the text that a link carries, and that a terminal takes.

import { words } from "./words.js";

const COMMAND_SAY = words("command");
const WORD = /(?:'[^']*'|"[^"]*"|\\.|[^'"\\\s])+/gs;
const PLAIN = /^[\w.,:/=+%@-]+$/;
// Of `study run`, what says nothing of the setting; those of the first list have a value.
const WITH_VALUE = ["--format", "--pcap", "--wan-pcap", "--segments", "--waits"];
const ALONE = ["--no-fast-forward", "--describe"];

/** As one line; `ownHost` is the host that the system has anyway. */
export function argumentsOf({ system, host, values }, ownHost) {
  const found = [system];
  if (host && host !== ownHost) found.push("--host", host);
  for (const key of Object.keys(values).sort()) found.push(`--${key.replaceAll("_", "-")}`, values[key]);
  return found.map((word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** What a line says: {system, host, values}, with or without the command before it. Throws a sentence. */
export function settingOf(line, systems) {
  const found = wordsOf(line.trim().replace(/^\$\s+/, ""));
  const run = found.findIndex((word, n) => word === "run" && /(^|\/)study$/.test(found[n - 1] ?? ""));
  const rest = found.slice(run + 1);
  const setting = { system: null, values: {} };
  while (rest.length) {
    const word = rest.shift();
    if (!word.startsWith("--")) {
      const name = word.replace(/^.*\/|\.toml$/g, "");
      if (setting.system !== null) throw new Error(COMMAND_SAY.second(word));
      if (!systems.includes(name)) throw new Error(COMMAND_SAY.unknown(name));
      setting.system = name;
      continue;
    }
    if (ALONE.includes(word)) continue;
    const [, flag, given] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const value = given ?? rest.shift();
    if (!flag || value === undefined) throw new Error(COMMAND_SAY.value(word));
    if (WITH_VALUE.includes(flag)) continue;
    if (flag === "--host") setting.host = value;
    else setting.values[flag.slice(2).replaceAll("-", "_")] = value;
  }
  if (setting.system === null) throw new Error(COMMAND_SAY.none);
  return setting;
}

// As a shell takes a line apart, without variables and the like.
function wordsOf(line) {
  if (line.replaceAll(WORD, "").trim()) throw new Error(COMMAND_SAY.quote);
  const bare = (_, single, double, escaped) => single ?? double ?? escaped;
  return (line.match(WORD) ?? []).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/gs, bare));
}
