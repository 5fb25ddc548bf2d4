// The message as the app shows it (`GET /api/tests/:id/eml`), except for the parts made from its HTML.

import type { SafeHtml } from "./html/safe-html.ts";
import type { Images } from "./links/images.ts";
import type { Links } from "./links/links.ts";
import { warningsOf } from "./links/warnings.ts";
import { type Attachment, sha256Of } from "./mime/attachments.ts";
import { contentOf } from "./mime/decode.ts";
import type { Message, MessagePart } from "./mime/message.ts";
import { unnamedTracker } from "./urls/patterns.ts";

export type Eml = {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: { readonly text: string | null; readonly html: string | null };
  readonly attachments: readonly EmlAttachment[];
};

type EmlAttachment = {
  readonly part: string;
  readonly filename: string | null;
  readonly content_type: string;
  /** Detected from the bytes. Null where they don't tell. */
  readonly actual_type: string | null;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly disposition: string | null;
  readonly cid: string | null;
  readonly warnings: readonly { readonly warning: string; readonly value: string | null }[];
};

export function toEml(raw: Uint8Array, message: Message, attachments: readonly Attachment[]): Eml {
  return {
    headers: message.headers.map(({ name, value }) => ({ name, value })),
    body: { text: message.text?.text ?? null, html: message.html?.text ?? null },
    attachments: message.attachments.flatMap((part, at) => {
      const attachment = attachments[at];
      return attachment ? [toEmlAttachment(raw, part, attachment)] : [];
    }),
  };
}

function toEmlAttachment(raw: Uint8Array, part: MessagePart, attachment: Attachment): EmlAttachment {
  const content = contentOf(raw, part);
  return {
    part: part.path,
    filename: part.filename,
    content_type: part.type,
    actual_type: attachment.actual?.mediaType ?? null,
    size_bytes: content.length,
    sha256: sha256Of(content),
    disposition: part.disposition,
    cid: part.cid,
    warnings: attachment.warnings,
  };
}

/** The decoded bytes of a leaf of the message, by its path. Undefined where there is no such part. */
export function readPart(
  raw: Uint8Array,
  message: Message,
  path: string,
): { readonly part: MessagePart; readonly content: Uint8Array } | undefined {
  const part = findPart(message.root, path);
  return part && !part.type.startsWith("multipart/") ? { part, content: contentOf(raw, part) } : undefined;
}

function findPart(part: MessagePart, path: string): MessagePart | undefined {
  if (part.path === path) return part;
  for (const inner of part.parts) {
    const found = findPart(inner, path);
    if (found) return found;
  }
  return undefined;
}

// The HTML half of a message's view, with the API's names. Strings are storable and lists are bounded, with a note of
// what was cut.

export type EmlContent = {
  readonly html_safe: string | null;
  readonly html_safe_cut: boolean;
  readonly images: readonly EmlImage[];
  readonly images_cut: number;
  readonly tracking_pixels: readonly EmlTrackingPixel[];
  readonly links: readonly EmlLink[];
  readonly links_cut: number;
};

type EmlImage = {
  readonly src: string;
  readonly kind: "remote" | "cid" | "data" | "none";
  readonly place: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly alt: string | null;
  readonly bytes: number | null;
  readonly format: string | null;
  readonly tracking: { readonly service: string | null; readonly reasons: readonly string[] } | null;
};

type EmlTrackingPixel = {
  readonly src: string;
  readonly host: string | null;
  readonly service: string | null;
  readonly reasons: readonly string[];
};

type EmlLink = {
  readonly href: string;
  readonly text: string;
  readonly host: string | null;
  readonly place: "html" | "text";
  /** The final destination, when the link goes through a redirector or tracker. */
  readonly redirector: { readonly name: string | null; readonly target: string | null } | null;
  /** It is visible, has a usable address, and is about unsubscribing. */
  readonly unsubscribes: boolean;
  readonly warnings: readonly string[];
  /** The check that judges each warning, in the same order. */
  readonly warning_checks: readonly string[];
};

const maxListed = 500;

export function toEmlContent(safe: SafeHtml | null, images: Images, links: Links): EmlContent {
  const listedImages = images.list.slice(0, maxListed);
  const listedLinks = links.list.slice(0, maxListed);
  return {
    html_safe: safe?.html ?? null,
    html_safe_cut: safe?.isCut ?? false,
    images: listedImages.map(({ src, kind, place, width, height, alt, bytes, format, tracking }) => ({
      src,
      kind,
      place,
      width,
      height,
      alt,
      bytes,
      format,
      tracking: tracking && { service: tracking.service, reasons: tracking.reasons },
    })),
    images_cut: images.total - listedImages.length,
    tracking_pixels: images.list
      .flatMap(({ src, host, tracking }) =>
        tracking ? [{ src, host, service: tracking.service, reasons: tracking.reasons }] : [],
      )
      .slice(0, maxListed),
    links: listedLinks.map((link) => {
      const { href, length, text, label, host, place, role, visible, tracker, redirector, shortener, target } = link;
      const name = redirector ?? tracker ?? shortener?.host ?? null;
      const warnings = warningsOf(link);
      return {
        href,
        text: place === "text" ? href : text || (label ?? ""),
        host,
        place,
        redirector:
          name === null ? null : { name: name === unnamedTracker ? null : name, target: target?.href ?? null },
        unsubscribes: role === "unsubscribe" && visible && length <= href.length && /^https?:/i.test(href),
        warnings: warnings.map(({ says }) => says),
        warning_checks: warnings.map(({ check }) => check),
      };
    }),
    links_cut: links.total - listedLinks.length,
  };
}
