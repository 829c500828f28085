// SPDX-License-Identifier: GPL-2.0-only
//
// The one small interface to whatever simulates: a program and its flags in, its record and files out, with a cache. wasm.js, native.js,
// message.js and table.js have the engines.

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
export class Engine {
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

  /** Each engine's own: it ends in finish() or fail(). */
  begin(_run) {}

  /** What became of the current run; `said` is the program's sentence where it refused. @param {any} answer */
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
