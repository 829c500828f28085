// SPDX-License-Identifier: GPL-2.0-only
//
// The engine of a page that stands in a notebook: the native programs of its kernel, asked through the frame around it.

import { NativeEngine } from "./native.js";

const SILENT_MS = 20_000; // after which the kernel is said not to answer
const PATIENT_MS = 600_000; // for what moves a job most, which is found by running many
const NO_KERNEL = "no answer: the kernel is busy, or gone; run the cell again, or reload the page";

/** Asks the window around this frame, which hands the question to the kernel. */
export class MessageEngine extends NativeEngine {
  constructor(around, silent_ms = SILENT_MS) {
    super("");
    this.around = around;
    this.silent_ms = silent_ms;
    this.out = new Map();
    this.serial = 0;
    addEventListener("message", ({ source, data }) => {
      if (source !== around) return;
      this.out.get(data.serial)?.(data);
      this.out.delete(data.serial);
    });
  }

  ask(question) {
    const serial = ++this.serial;
    return new Promise((resolve, reject) => {
      const silence = setTimeout(() => {
        this.out.delete(serial);
        reject(new Error(NO_KERNEL));
      }, question.kind === "leading" ? PATIENT_MS : this.silent_ms);
      this.out.set(serial, (answer) => {
        clearTimeout(silence);
        if (answer.gone) reject(new Error(answer.gone));
        else resolve(answer);
      });
      this.around.postMessage({ study: { ...question, serial } }, "*");
    });
  }
}
