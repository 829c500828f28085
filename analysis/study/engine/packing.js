// SPDX-License-Identifier: GPL-2.0-only
//
// What packing.py wrote into the page, as it was.

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'()*+,-./:;=>?@[]^_`{|}~";
const BITS = 13; // in two letters

/** The bytes that a text stands for. */
export function bytesOf(text) {
  const start = text.indexOf(" ") + 1;
  const bytes = new Uint8Array(Number(text.slice(0, start)));
  const values = new Uint8Array(128);
  [...LETTERS].forEach((letter, value) => (values[letter.charCodeAt(0)] = value));
  let held = 0;
  let kept = 0;
  let count = 0;
  for (let at = start; at < text.length; at += 2) {
    const pair = values[text.charCodeAt(at)] * LETTERS.length + values[text.charCodeAt(at + 1)];
    held = (held << BITS) | pair;
    kept += BITS;
    while (kept >= 8 && count < bytes.length) {
      kept -= 8;
      bytes[count++] = held >> kept;
      held &= (1 << kept) - 1;
    }
  }
  return bytes;
}

/** The JSON that a text stands for, unpacked. */
export async function unpackedJson(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}
