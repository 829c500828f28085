// SPDX-License-Identifier: GPL-2.0-only
//
// What the pages' modules find beside themselves. A page's template, not its types, says what an element is.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Document {
  getElementById(id: string): any;
}
interface EventTarget {
  closest?: any;
  matches?: any;
}

/** Emscripten's, before a worker's modules. */
declare function Study(options: object): Promise<any>;
/** Node's, where a test has the worker there. */
declare function require(name: string): any;
declare module "worker_threads" {
  export const parentPort: any;
}
