// SPDX-License-Identifier: GPL-2.0-only
//
// The module that `./waf browser` makes, as a function: a program's name and its flags in, its
// record and files out. Runs one after the other do not know of each other.

/* global Study */

const OUT = "/out";
const STACK = "Maximum call stack";

/**
 * One instance.
 *
 * `module` is the compiled WebAssembly.Module; `systems` the flags of each system, one a line, by
 * its name, for --system.
 */
// eslint-disable-next-line no-unused-vars
async function makeInstance(module, systems) {
  let said = [];
  const study = await Study({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
      return {};
    },
    print: (line) => said.push(line),
    printErr: (line) => said.push(line),
  });
  study.FS.mkdir(OUT);
  study.FS.mkdir("/systems");
  for (const [name, flags] of Object.entries(systems)) {
    study.FS.writeFile(`/systems/${name}.args`, flags);
  }

  function taken(name) {
    const path = `${OUT}/${name}`;
    if (!study.FS.analyzePath(path).exists) {
      return null;
    }
    const bytes = study.FS.readFile(path);
    study.FS.unlink(path);
    return bytes;
  }

  /**
   * Run a program; `files` are the kinds of files it is to leave ("segments", "pcap", "wan-pcap"),
   * `input` is for --batch. Throws where the instance is lost.
   */
  function run(program, flags, files = [], input = "") {
    said = [];
    const lines = [...flags, ...files.map((kind) => `--${kind}=${OUT}/${kind}`)];
    if (lines.some((line) => line.includes("\n"))) {
      return { status: 2, printed: "", said: "a flag has one line", files: {} };
    }
    const words = [program, lines.join("\n"), input];
    let answer;
    try {
      const place = study.ccall("study_run", "number", ["string", "string", "string"], words);
      answer = study.UTF8ToString(place);
      study._free(place);
    } catch (error) {
      const text = String(error && error.message);
      throw new Error([...said, text.startsWith(STACK) ? "" : text].filter(Boolean).join("; "));
    }
    const end = answer.indexOf("\n");
    const left = {};
    for (const kind of files) {
      left[kind] = taken(kind);
    }
    return {
      status: Number(answer.slice(0, end)),
      printed: answer.slice(end + 1),
      said: said.map((line) => `${line}\n`).join(""),
      files: left,
    };
  }

  return { run, memory_B: () => study.HEAPU8?.length ?? 0 };
}
