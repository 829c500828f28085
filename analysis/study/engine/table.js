// SPDX-License-Identifier: GPL-2.0-only
//
// The engine of a page in which nothing can simulate: it looks up runs that were made before.

import { Engine } from "./engine.js";

/** `held` has records by system and flags, as study.front.shipped_runs gives them; `note` is for whoever looks at the page. */
export class TableEngine extends Engine {
  constructor(held, note = "") {
    super();
    this.held = held;
    this.note = note;
    this.isTable = true;
  }

  begin({ flags, files }) {
    const [system, ...given] = flags;
    const record = this.held[system.replace("--system=", "")]?.[given.sort().join(" ")];
    const answer = { status: 0, printed: JSON.stringify({ ...record, parameters: {} }), files: {} };
    const none = { status: 2, said: "this page does not hold that run" };
    queueMicrotask(() => this.finish(record && !files.length ? answer : none));
  }
}
