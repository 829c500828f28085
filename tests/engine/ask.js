// SPDX-License-Identifier: GPL-2.0-only
//
// Puts points, a line of JSON each on standard input, to the engine in Node, one after the other,
// and prints what becomes of each: {"record"} with what its files are, or {"kind", "said"}.
//
// Arguments: engine.js, the worker's script, study.wasm, the systems as JSON, the time limit [ms].
const fs = require("fs");
const vm = require("vm");
const { Worker } = require("worker_threads");
const { createHash } = require("crypto");

const [engineFile, workerFile, wasmFile, systemsFile, limit_ms] = process.argv.slice(2);
const { WorkerEngine } = vm.runInThisContext(fs.readFileSync(engineFile, "utf8"));

/** As a browser has it. */
function makeWorker() {
  const worker = new Worker(fs.readFileSync(workerFile, "utf8"), { eval: true });
  const shown = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
  };
  worker.on("message", (data) => shown.onmessage({ data }));
  worker.on("error", (error) => shown.onerror(error));
  return shown;
}

function digest(bytes) {
  return bytes && [bytes.length, createHash("sha256").update(bytes).digest("hex")];
}

async function main() {
  const module = await WebAssembly.compile(fs.readFileSync(wasmFile));
  const systems = JSON.parse(fs.readFileSync(systemsFile, "utf8"));
  const engine = new WorkerEngine(makeWorker, module, systems, Number(limit_ms));
  for (const line of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { program, flags, files } = JSON.parse(line);
    const told = await engine.run(program, flags, files).then(
      (answer) => ({
        record: answer.record,
        files: Object.fromEntries(files.map((kind) => [kind, digest(answer.files[kind])])),
      }),
      (error) => ({ kind: error.kind, said: error.message }),
    );
    console.log(JSON.stringify({ ...told, restarts: engine.restarts, memory_B: engine.memory_B }));
  }
  engine.end();
}

main();
