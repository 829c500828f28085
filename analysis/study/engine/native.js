// SPDX-License-Identifier: GPL-2.0-only
//
// The engine of a page that `./waf explore` serves: the native programs behind a server of this machine, which has the time limit.

import { Engine } from "./engine.js";

const GONE = "the study behind this page does not answer: start ./waf explore again, and reload";

/** Asks that server, with the token that the page's address has. */
export class NativeEngine extends Engine {
  constructor(token = new URLSearchParams(location.search).get("token") ?? "") {
    super();
    this.token = token;
  }

  /** Whatever else the study is asked: a system's form, the closed form. */
  async ask(question) {
    const headers = { "Content-Type": "application/json", Authorization: `token ${this.token}` };
    const body = JSON.stringify(question);
    const response = await fetch("ask", { method: "POST", headers, body });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }

  async begin({ program, flags, files }) {
    let answer;
    try {
      answer = await this.ask({ kind: "run", program, flags, files });
    } catch (error) {
      return this.fail(error instanceof TypeError ? GONE : error.message, "gone");
    }
    this.take(answer);
  }

  /** An answer of the study's: files are in base64. */
  take({ lost, late, files, ...answer }) {
    if (lost || late) return this.fail(lost || late, lost ? "lost" : "too long");
    const bytesIn = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const decoded = Object.entries(files ?? {}).map(([kind, text]) => [kind, bytesIn(text)]);
    this.finish({ ...answer, files: Object.fromEntries(decoded) });
  }
}
