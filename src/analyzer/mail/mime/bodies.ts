// Which parts email clients show as the body (RFC 2046 §5.1, RFC 2387), and which are attachments.

import { toStorable } from "../text/bounds.ts";
import { decodeCharset } from "../text/decoding.ts";
import type { Leaf } from "./decode.ts";
import type { AmpBody, BodyText, MessagePart } from "./message.ts";
import { isEmbeddedType } from "./tree.ts";

type Bodies = {
  readonly text: readonly MessagePart[];
  readonly html: readonly MessagePart[];
  readonly alternatives: readonly MessagePart[];
};

const none: Bodies = { text: [], html: [], alternatives: [] };

export function chooseBodies(part: MessagePart): Bodies {
  if (!part.type.startsWith("multipart/")) return ofLeaf(part);
  switch (part.type) {
    case "multipart/alternative":
      return ofAlternative(part);
    case "multipart/related":
    case "multipart/signed":
      return part.parts[0] ? chooseBodies(part.parts[0]) : none;
    default:
      return ofMixed(part);
  }
}

function ofLeaf(part: MessagePart): Bodies {
  if (part.disposition === "attachment") return none;
  if (part.type === "text/plain") return { ...none, text: [part] };
  return part.type === "text/html" ? { ...none, html: [part] } : none;
}

/** The last part of each kind is the best. */
function ofAlternative(part: MessagePart): Bodies {
  const each = part.parts.map(chooseBodies);
  return {
    text: each.findLast(({ text }) => text.length > 0)?.text ?? [],
    html: each.findLast(({ html }) => html.length > 0)?.html ?? [],
    alternatives: part.parts.flatMap(leavesOf),
  };
}

/** All parts are shown one below the other. A text part with its own name after the first is a file. */
function ofMixed(part: MessagePart): Bodies {
  const each = part.parts
    .filter(({ filename, type }, at) => at === 0 || filename === null || type.startsWith("multipart/"))
    .map(chooseBodies);
  return {
    text: each.flatMap(({ text }) => text),
    html: each.flatMap(({ html }) => html),
    alternatives: each.find(({ alternatives }) => alternatives.length > 0)?.alternatives ?? [],
  };
}

export function leavesOf(part: MessagePart): MessagePart[] {
  return part.type.startsWith("multipart/") ? part.parts.flatMap(leavesOf) : [part];
}

/** Body parts other than plain text and HTML. They are useless as files. */
const otherBodies = /^text\/(x-amp-html|x-watch-html|enriched|richtext)$/;

export function attachmentsOf(root: MessagePart, { text, html }: Bodies): MessagePart[] {
  const shown = new Set([...text, ...html]);
  return leavesOf(root).filter(
    (part) => !shown.has(part) && (part.filename !== null || isFile(part) || part.disposition === "attachment"),
  );
}

function isFile({ type, encodedBytes }: MessagePart): boolean {
  if (isEmbeddedType(type)) return true;
  return !otherBodies.test(type) && !/^text\/(plain|html)$/.test(type) && encodedBytes > 0;
}

/** The message has content that is neither body nor file: another kind of body, or parts that can't be separated. */
export function hasMore(part: MessagePart, bodies: Bodies): boolean {
  if (part.parts.length > 0) return part.parts.some((inner) => hasMore(inner, bodies));
  const isShown = bodies.text.includes(part) || bodies.html.includes(part);
  return !isShown && part.encodedBytes > lineEndBytes;
}

const lineEndBytes = 2;

/** The marker is at the beginning, after comments at most. */
const ampHeadBytes = 5_000;

export function readAmp(leaves: readonly Leaf[], root: MessagePart): AmpBody | null {
  const part = leavesOf(root).find(({ type }) => type === "text/x-amp-html");
  if (!part) return null;
  const content = leaves.find((leaf) => leaf.part === part)?.content;
  const head = content ? new TextDecoder().decode(content.subarray(0, ampHeadBytes)) : "";
  return { part, isMarked: /<html\b[^<>]{0,2000}?\s(?:⚡4email|amp4email)[\s=>]/iu.test(head) };
}

export function readBody(leaves: readonly Leaf[], parts: readonly MessagePart[], maxBytes: number): BodyText | null {
  if (parts.length === 0) return null;
  const shown = new Set(parts);
  const texts: string[] = [];
  let left = maxBytes;
  let hasNul = false;
  for (const { part, content } of leaves) {
    if (left <= 0) break;
    if (!content || !shown.has(part)) continue;
    const bytes = content.subarray(0, left);
    left -= bytes.length;
    hasNul ||= bytes.includes(0);
    texts.push(decodeCharset(bytes, part.charset?.declared ?? null, bytes.length < part.decodedBytes));
  }
  const decodedBytes = parts.reduce((sum, part) => sum + part.decodedBytes, 0);
  // No charset makes a NUL of other bytes, and bytes are searched much faster than text.
  const text = toStorable(texts.join("\n"), hasNul);
  return { parts, text, decodedBytes, isCut: decodedBytes > maxBytes };
}
