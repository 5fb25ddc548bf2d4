// What a message shows and carries: its HTML, links, images and files, from one reading of the HTML.

import { type DarkMode, darkPages } from "./html/dark-mode.ts";
import { type Load, loadsOf } from "./html/loads.ts";
import { type Html, readPage, toHtml } from "./html/page.ts";
import { rootClass } from "./html/safe-css.ts";
import { type CidPicture, escapeText, maxCidBytes, toPin } from "./html/safe-html.ts";
import { sketchStructure } from "./html/structure.ts";
import { type CidLookup, type Images, toImages } from "./links/images.ts";
import { findAddresses, type Links, toLinks } from "./links/links.ts";
import { type Attachment, readAttachments } from "./mime/attachments.ts";
import { contentOf } from "./mime/decode.ts";
import { kindOf } from "./mime/file-kind.ts";
import type { Message, MessagePart } from "./mime/message.ts";
import { decodeEscapes } from "./urls/percent.ts";

export type Content = {
  /** Null for a message without HTML. The same holds for images. */
  readonly html: Html | null;
  readonly images: Images | null;
  /** What the HTML would load. */
  readonly loads: readonly Load[];
  readonly links: Links;
  readonly attachments: readonly Attachment[];
  /** A sketch of the HTML's layout (html/structure.ts). */
  readonly structure: string | null;
};

export function readContent(raw: Uint8Array, message: Message): Content {
  const { text, html } = message;
  const page = html && readPage(html.text);
  const loads = page ? loadsOf(page) : [];
  return {
    html: page && toHtml(page, html),
    images: page && toImages(page, readInlineParts(raw, message).lookUp, loads),
    loads,
    links: toLinks(page, text?.text ?? ""),
    attachments: readAttachments(raw, message),
    structure: page && sketchStructure(page.tree),
  };
}

/** What a person reads, as far as it was read. */
export type PlainText = { readonly text: string; readonly isCut: boolean };

export function toPlainText({ text, html }: Message): PlainText {
  const seen = html === null ? "" : toHtml(readPage(html.text), html).visibleText;
  const isCut = (text?.isCut ?? false) || (html?.isCut ?? false);
  return { text: `${text?.text ?? ""}\n${seen}`, isCut };
}

// The parts that the message's own HTML shows, by Content-ID (RFC 2392).

type InlineParts = { readonly lookUp: CidLookup; readonly find: (cid: string) => CidPicture | null };

export function readInlineParts(raw: Uint8Array, { attachments }: Message): InlineParts {
  const byCid = new Map<string, MessagePart>();
  for (const part of attachments) if (part.cid !== null && !byCid.has(part.cid)) byCid.set(part.cid, part);
  const partOf = (cid: string) => byCid.get(cid) ?? byCid.get(decodeEscapes(cid));
  const opened = new Map<MessagePart, CidPicture>();
  return {
    lookUp: (cid) => {
      const part = partOf(cid);
      return part ? { type: part.type, sizeBytes: part.decodedBytes } : null;
    },
    find: (cid) => {
      const part = partOf(cid);
      if (!part || part.decodedBytes > maxCidBytes) return null;
      // Kept, because a message may show one image a hundred thousand times.
      const picture = opened.get(part) ?? open(raw, part);
      opened.set(part, picture);
      return picture;
    },
  };
}

/** Some clients send images as application/octet-stream, so the bytes decide. */
function open(raw: Uint8Array, part: MessagePart): CidPicture {
  const bytes = Buffer.from(contentOf(raw, part));
  return { type: kindOf(bytes)?.mediaType ?? part.type, bytes };
}

// The document that shows a message in its own frame. Its content is already safe. The content security policy it is
// served with (src/decisions.md, "Strangers' bytes") is a second line of defense.

/**
 * The body fills the page, as in a browser. The message's own styles come after ours and win. An image that isn't
 * loaded keeps its space.
 */
const style = `body{margin:0}.${rootClass}{box-sizing:border-box;min-height:100vh;margin:0;padding:8px}pre{font:14px/1.5 sans-serif;white-space:pre-wrap;overflow-wrap:anywhere}a:not([href]){color:LinkText;text-decoration:underline}img:not([src]){display:inline-block}`;

/** Text is read in the small pictures of Home. The report shows it without this document. */
const textStyle = `.${rootClass}{padding:1em;font:clamp(14px,5vw,32px)/1.5 sans-serif}`;

/**
 * Shows the numbers in `data-pin` where no script can place them. They take no space in the message. A box has its number
 * where it begins, so that it doesn't cover that of its last link.
 */
const box = ":is(td,th,tr,tbody,table,div,center)";
const badges = `[data-pin]{outline:2px solid #a3211b!important;outline-offset:1px!important}b:empty[data-pin]{outline:0!important}[data-pin]:not(${box})::after,[data-pin]${box}::before{all:initial!important;content:attr(data-pin)!important;position:absolute!important;z-index:9!important;translate:-60% -60%!important;padding:3px 7px!important;border:2px solid #fff!important;border-radius:13px!important;background:#a3211b!important;color:#fff!important;font:bold 13px/1 sans-serif!important}.${rootClass}[data-pin]::before{translate:0!important}`;

/** As in the app. A wider message would be too small to read. */
const mostFitted = 1_400;

/** Makes a message that doesn't adapt to its width as wide as the frame, where no script can measure it. */
function toFit(widthPx: number): string {
  const px = Math.min(widthPx + 16, mostFitted);
  const widths = Array.from({ length: Math.ceil((px - 300) / 20) }, (_, step) => 300 + 20 * step);
  const rules = widths.map(
    (from) => `@media(min-width:${from}px) and (max-width:${from + 19.99}px){body{zoom:${from / px}}}`,
  );
  return rules.join("");
}

type PreviewSource = {
  readonly subject: string | null;
  readonly safeHtml: string | null;
  readonly text: string | null;
  /** Null for a light page. */
  readonly dark: DarkMode | null;
  readonly textPins?: readonly TextPin[];
  /** For a page without scripts. `widthPx`: what it needs if it doesn't adapt. */
  readonly still?: { readonly widthPx: number } | null;
};

/** A part of the plain text, with the names that it gets as `data-pin`. */
export type TextPin = { readonly start: number; readonly end: number; readonly names: ReadonlySet<string> };

export function toPreview({ subject, safeHtml, text, dark, textPins = [], still = null }: PreviewSource): string {
  const ofText = safeHtml === null ? textStyle : "";
  const own = still === null ? ofText : badges + toFit(still.widthPx);
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeText(subject || "No subject")}</title>
<style>${style}${dark === null ? "" : darkPages[dark]}${own}</style>
</head>
<body>
${safeHtml ?? toShownText(text, textPins)}
</body>
</html>
`;
}

/** Addresses look like links but can't be clicked, to prevent opening a stranger's link by accident. */
function toShownText(text: string | null, pins: readonly TextPin[]): string {
  if (text === null) return `<p class="${rootClass}">This message has no text.</p>`;
  const addresses = findAddresses(text);
  const edges = [...addresses, ...pins].flatMap(({ start, end }) => [start, end]);
  const cuts = [...new Set([0, ...edges, text.length])].sort((one, other) => one - other);
  let next = 0;
  const pieces = cuts.slice(1).map((end, index) => {
    const start = cuts[index] ?? 0;
    while ((addresses[next]?.end ?? end) <= start) next++;
    const isAddress = (addresses[next]?.start ?? end) <= start;
    const around = pins.filter((pin) => pin.start <= start && end <= pin.end);
    const pin = toPin(new Set(around.flatMap(({ names }) => [...names])));
    const piece = escapeText(text.slice(start, end));
    const name = isAddress ? "a" : "span";
    return isAddress || pin !== "" ? `<${name}${pin}>${piece}</${name}>` : piece;
  });
  // Browsers drop a line end right after <pre> (HTML §13.1.2.5). This one is added for them to drop.
  return `<pre class="${rootClass}">\n${pieces.join("")}</pre>`;
}
