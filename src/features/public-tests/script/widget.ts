// <script src="https://…/test/files/widget.js" async></script> puts the public page into a frame where the script stands. It
// leaves nothing else in the page: no global names, no styles but the frame's own size.

const script = document.currentScript;
if (script instanceof HTMLScriptElement && script.parentNode !== null) {
  const frame = document.createElement("iframe");
  frame.src = new URL("/test?embed=1", script.src).href;
  frame.title = script.dataset.title ?? "Test your email";
  frame.width = script.dataset.width ?? "100%";
  frame.height = script.dataset.height ?? "640";
  frame.setAttribute("frameborder", "0");
  frame.allow = "clipboard-write";
  script.replaceWith(frame);
}

export {};
