// SPDX-License-Identifier: GPL-2.0-only
//
// The engine of a page that has the module inside: ns-3 as WebAssembly in a worker, with a time limit and a new worker where one is lost.

import { Engine } from "./engine.js";
import { bytesOf, unpackedJson } from "./packing.js";
import { XzReadableStream } from "./xz-decompress.js";

const LIMIT_MS = 5000;

/** A worker behind a queue; `makeWorker` gives a worker as the browser has it, `module` is a WebAssembly.Module. */
export class WorkerEngine extends Engine {
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
export async function openEngine({ wasm, more }, limit_ms = LIMIT_MS) {
  const { worker, systems } = await unpackedJson(more);
  const stream = new XzReadableStream(new Blob([bytesOf(wasm)]).stream());
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const address = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
  return new WorkerEngine(() => new Worker(address), module, systems, limit_ms);
}
