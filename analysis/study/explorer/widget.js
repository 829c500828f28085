// SPDX-License-Identifier: GPL-2.0-only
// The explorer's page in a frame of a notebook: hands its questions to the kernel, and the answers back.

const NOT_THERE = "the kernel that this page began with is not there: run the cell again, or reload the page";

function render({ model, el }) {
  const frame = document.createElement("iframe");
  const style = "width: 100%; height: 46rem; border: 1px solid #c8c8c8; border-radius: 4px";
  Object.assign(frame, { title: "What-if explorer", className: "explorer", style, allow: "clipboard-write" });
  const hear = (answer) => frame.contentWindow?.postMessage(answer, "*");
  const ask = ({ source, data }) => {
    if (source !== frame.contentWindow || !data.study) return;
    try {
      model.send(data.study);
    } catch {
      hear({ serial: data.study.serial, gone: NOT_THERE });
    }
  };
  model.on("msg:custom", hear);
  window.addEventListener("message", ask);
  frame.srcdoc = model.get("page");
  el.append(frame);
  return () => {
    model.off("msg:custom", hear);
    window.removeEventListener("message", ask);
  };
}

export default { render };
