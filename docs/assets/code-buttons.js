// SPDX-License-Identifier: GPL-2.0-only
// The theme makes a landmark of each code block's button, all of one name, and it is none.
new MutationObserver(() => {
  for (const each of document.querySelectorAll("nav.md-code__nav:not([role])")) each.setAttribute("role", "none");
}).observe(document.body, { childList: true, subtree: true });
