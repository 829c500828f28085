// SPDX-License-Identifier: GPL-2.0-only
//
// A worker of the page, or of Node: holds one instance, answers one message after the other.

import { makeInstance } from "./instance.js";

const port = typeof require === "function" ? require("worker_threads").parentPort : self;
let starting = null;

async function answer({ start, id, program, flags, files }) {
  if (start) {
    starting = makeInstance(start.module, start.systems);
    await starting;
    return { ready: true };
  }
  const instance = await starting;
  return { id, ...instance.run(program, flags, files), memory_B: instance.memory_B() };
}

async function hear(message) {
  try {
    port.postMessage(await answer(message));
  } catch (error) {
    port.postMessage({ id: message.id, lost: String(error.message) });
  }
}

if (port.on) port.on("message", hear);
else port.onmessage = (event) => hear(event.data);
