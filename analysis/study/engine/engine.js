// SPDX-License-Identifier: GPL-2.0-only
//
// The one small interface to whatever simulates: a program and its flags in, its record and files out, with a cache; and the engine of
// a worker, with a time limit and a new worker where one is lost. native.js, message.js and table.js have the others. packing.js and
// xz-decompress.js go before.

const LIMIT_MS = 5000;
const KEPT = 500; // answers

/** Why there is no record: the program's own sentence, or what became of the run. */
class RunError extends Error {
  /** `kind` is "refused", "too long" or "lost". */
  constructor(kind, sentence) {
    super(sentence);
    this.kind = kind;
  }
}

/** One run at a time, those that wait in a queue, and what was answered kept. */
class Engine {
  constructor() {
    this.cache = new Map();
    this.queue = [];
    this.current = null;
    this.number = 0;
  }

  /** Run one point; `files` are kinds of files, each then in the answer's `files`. Its `record` is the line that the program prints. */
  run(program, flags, files = []) {
    const key = JSON.stringify([program, flags, files]);
    if (this.cache.has(key)) return this.cache.get(key);
    const promise = new Promise((resolve, reject) => this.queue.push({ key, program, flags, files, resolve, reject }));
    this.cache.set(key, promise);
    promise.catch((error) => {
      if (error.kind !== "refused") this.cache.delete(key); // it may go better another time
    });
    if (this.cache.size > KEPT) this.cache.delete(this.cache.keys().next().value);
    this.next();
    return promise;
  }

  /** Drop what has not begun: the sliders stand elsewhere by now. */
  drop() {
    for (const { key, reject } of this.queue.splice(0)) {
      this.cache.delete(key);
      reject(new RunError("dropped", "another run was asked for"));
    }
  }

  next() {
    if (this.current || !this.queue.length) return;
    this.current = this.queue.shift();
    this.current.id = this.number++;
    this.begin(this.current);
  }

  /** What became of the current run; `said` is the program's sentence where it refused. */
  finish({ status, printed, said, files }) {
    const { resolve, reject } = this.settle();
    if (status === 0) resolve({ record: printed, files });
    else reject(new RunError("refused", said.trim()));
    this.next();
  }

  /** There is no answer and will be none. */
  fail(sentence, kind = "lost") {
    if (this.current) this.settle().reject(new RunError(kind, sentence));
    this.next();
  }

  settle() {
    const settled = this.current;
    this.current = null;
    return settled;
  }
}

/** A worker behind a queue; `makeWorker` gives a worker as the browser has it, `module` is a WebAssembly.Module. */
class WorkerEngine extends Engine {
  constructor(makeWorker, module, systems, limit_ms = LIMIT_MS) {
    super();
    this.makeWorker = makeWorker;
    this.start = { module, systems };
    this.limit_ms = limit_ms;
    this.worker = null;
    this.restarts = -1;
    this.memory_B = 0;
  }

  /** End the worker; the next run starts another. */
  end() {
    this.worker?.terminate();
    this.worker = null;
  }

  begin({ id, program, flags, files }) {
    if (!this.worker) {
      this.restarts++;
      this.isReady = false;
      this.worker = this.makeWorker();
      this.worker.onmessage = (event) => this.hear(event.data);
      this.worker.onerror = (event) => this.lose(event.message || "the worker has ended");
      this.worker.postMessage({ start: this.start });
    } else if (this.isReady) {
      this.watch();
    }
    this.worker.postMessage({ id, program, flags, files });
  }

  /** The time of a run counts from when the worker can begin with it. */
  watch() {
    const sentence = `the run took longer than ${this.limit_ms / 1000} s and was ended`;
    this.timer = setTimeout(() => this.lose(sentence, "too long"), this.limit_ms);
  }

  hear({ ready, id, lost, memory_B, ...answer }) {
    if (ready) {
      this.isReady = true;
      this.watch();
    } else if (lost !== undefined) {
      this.lose(lost || "the simulation was given up");
    } else if (id === this.current?.id) {
      this.memory_B = memory_B;
      this.finish(answer);
    }
  }

  /** The worker is of no use any more: end it, say so, go on with another. */
  lose(sentence, kind = "lost") {
    this.end();
    this.fail(sentence, kind);
  }

  settle() {
    clearTimeout(this.timer);
    return super.settle();
  }
}

/** The engine of a page that has the module inside: what study.engine's Module.embedded() gives. */
async function openEngine({ wasm, more }, limit_ms = LIMIT_MS) {
  const { worker, systems } = await unpackedJson(more);
  const { XzReadableStream } = globalThis["xz-decompress"];
  const stream = new XzReadableStream(new Blob([bytesOf(wasm)]).stream());
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
  return new WorkerEngine(() => new Worker(address), module, systems, limit_ms);
}
