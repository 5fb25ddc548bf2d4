// The document that shows a message in a frame of its own. What is in it is safe already; the policy that it is served
// with (decisions §5) holds even if it were not.

import { findAddresses } from "./links.ts";
import { rootClass } from "./safe-css.ts";
import { escapeText } from "./safe-html.ts";

/**
 * A body fills the page, as it does in a browser; the message's own styles stand behind ours and win.
 * A picture that is not loaded keeps its place.
 */
const style = `body{margin:0}.${rootClass}{box-sizing:border-box;min-height:100vh;margin:0;padding:8px}pre{font:14px/1.5 sans-serif;white-space:pre-wrap;overflow-wrap:anywhere}a:not([href]){color:#0645ad;text-decoration:underline}img:not([src]){display:inline-block}`;

export type PreviewSource = {
  readonly subject: string | null;
  readonly safeHtml: string | null;
  readonly text: string | null;
};

export function toPreview({ subject, safeHtml, text }: PreviewSource): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeText(subject || "No subject")}</title>
<style>${style}</style>
</head>
<body>
${safeHtml ?? toShownText(text)}
</body>
</html>
`;
}

/** Addresses look like links and lead nowhere: whoever reads strangers' mail here must not open them by accident. */
function toShownText(text: string | null): string {
  if (text === null) return `<p class="${rootClass}">This message has no text.</p>`;
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of findAddresses(text)) {
    pieces.push(escapeText(text.slice(at, start)), `<a>${escapeText(text.slice(start, end))}</a>`);
    at = end;
  }
  // A line end behind <pre> is not shown (HTML §13.1.2.5): this one is there to be lost.
  return `<pre class="${rootClass}">\n${pieces.join("")}${escapeText(text.slice(at))}</pre>`;
}
