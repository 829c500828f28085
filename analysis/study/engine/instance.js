// SPDX-License-Identifier: GPL-2.0-only
//
// The module that `./waf browser` makes, as a function: a program's name and its flags in, its record and files out. Runs one after the
// other do not know of each other.

const OUT = "/out";
const STACK = "Maximum call stack";

/** One instance of the compiled WebAssembly.Module; `systems` has the flags of each system, one a line, by its name, for --system. */
export async function makeInstance(module, systems) {
  let said = [];
  const print = (line) => said.push(line);
  const instantiateWasm = (imports, receive) => {
    WebAssembly.instantiate(module, imports).then((instance) => receive(instance, module));
    return {};
  };
  const study = await Study({ instantiateWasm, print, printErr: print });
  study.FS.mkdir(OUT);
  study.FS.mkdir("/systems");
  for (const [name, flags] of Object.entries(systems)) study.FS.writeFile(`/systems/${name}.args`, flags);

  function taken(name) {
    const path = `${OUT}/${name}`;
    if (!study.FS.analyzePath(path).exists) return null;
    const bytes = study.FS.readFile(path);
    study.FS.unlink(path);
    return bytes;
  }

  // A program's run; `files` are the kinds of files it is to leave ("segments", "pcap"). Throws where the instance is lost.
  function run(program, flags, files) {
    said = [];
    const lines = [...flags, ...files.map((kind) => `--${kind}=${OUT}/${kind}`)];
    if (lines.some((line) => line.includes("\n"))) return { status: 2, printed: "", said: "a flag has one line", files: {} };
    const words = [program, lines.join("\n"), ""]; // nothing on its standard input
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
    const left = Object.fromEntries(files.map((kind) => [kind, taken(kind)]));
    const [status, printed] = [Number(answer.slice(0, end)), answer.slice(end + 1)];
    return { status, printed, said: said.map((line) => `${line}\n`).join(""), files: left };
  }

  return { run, memory_B: () => study.HEAPU8?.length ?? 0 };
}
