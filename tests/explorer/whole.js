// SPDX-License-Identifier: GPL-2.0-only
// What is not whole on the page: letters beyond their own box, their panel or the window, and labels of a picture over one another.
() => {
  const found = [];
  const wide = document.documentElement.clientWidth;
  const boxOf = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect(); };
  const say = (each) => `${each.tagName}.${each.className.baseVal ?? each.className}: ${each.textContent.trim().slice(0, 50)}`;
  const seen = (each) => each.checkVisibility() && boxOf(each).width > 1 && !each.closest(".unseen");
  for (const each of document.querySelectorAll("td, th, label, li, button, summary, output, p, h2, h3, dt, dd, legend")) {
    if (!seen(each)) continue;
    const inner = boxOf(each), outer = each.getBoundingClientRect();
    const clip = each.closest("[role=tabpanel], .front-controls, #front").getBoundingClientRect();
    if (inner.right > Math.max(outer.right, inner.left) + 1.5 && getComputedStyle(each).display !== "inline") found.push(`beyond itself ${say(each)}`);
    if (inner.left < -1 || inner.right > Math.min(wide, clip.right) + 1.5) found.push(`cut ${say(each)} ${inner.right}`);
  }
  for (const svg of document.querySelectorAll("svg")) {
    if (!svg.checkVisibility()) continue;
    const around = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter((each) => each.checkVisibility() && each.textContent.trim()).map((each) => [each, each.getBoundingClientRect()]);
    texts.forEach(([each, box], n) => {
      if (box.left < around.left - 2 || box.right > around.right + 2 || box.right > wide + 1) found.push(`outside ${say(each)}`);
      for (const [other, at] of texts.slice(n + 1)) {
        const across = Math.min(box.right, at.right) - Math.max(box.left, at.left);
        const down = Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top);
        if (across > 1 && down > 3) found.push(`over ${say(each)} | ${say(other)}`);
      }
    });
  }
  return [...new Set(found)];
}
