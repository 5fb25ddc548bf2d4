// Parses bytes into the message and its problems. It never throws. Content past a limit is cut and listed in `cuts`.
// tree.ts says why we use our own MIME parser.

import { type Mailboxes, noMailboxes, parseMailboxes } from "../headers/address.ts";
import { parseMailDate } from "../headers/date.ts";
import { decodedText, unfoldedText } from "../headers/encoded-words.ts";
import type { HeaderField } from "../headers/fields.ts";
import { type Cut, mimeBounds, toStorableCut } from "../text/bounds.ts";
import { attachmentsOf, chooseBodies, hasMore, readAmp, readBody } from "./bodies.ts";
import { type Mime, readMime } from "./decode.ts";
import type { BodyText, HeaderDate, Message } from "./message.ts";
import { type Raw, readRaw } from "./raw.ts";
import type { MimeTree } from "./tree.ts";

/** Both facts from one reading. */
export function readMessage(raw: Uint8Array, tree?: MimeTree): { message: Message; raw: Raw } {
  const mime = readMime(raw, tree);
  const message = toMessage(mime);
  return { message, raw: readRaw(mime, message) };
}

export function parseMessage(raw: Uint8Array): Message {
  return toMessage(readMime(raw));
}

/** The fields that a list shows of a message. */
export type MessageSummary = {
  readonly subject: string | null;
  /** The From header, decoded. */
  readonly from: string | null;
  readonly messageId: string | null;
};

export function toSummary({ subject, fromText, messageId }: Message): MessageSummary {
  return { subject, from: fromText, messageId };
}

function toMessage(mime: Mime): Message {
  const { raw, root, tree } = mime;
  const { fields } = tree.root;
  const first = (key: string) => fields.find((field) => field.key === key);
  const text = (key: string) => mapped(first(key), decodedText);
  const bodies = chooseBodies(root);
  const body = {
    text: readBody(mime.leaves, bodies.text, mimeBounds.textBytes),
    html: readBody(mime.leaves, bodies.html, mimeBounds.htmlBytes),
  };
  const attachments = attachmentsOf(root, bodies);
  return {
    headers: fields.map((field) => ({
      name: toStorableCut(field.name, longestName),
      key: toStorableCut(field.key, longestName),
      value: decodedText(field),
    })),
    ...readAddresses(first),
    subject: text("subject"),
    date: mapped(first("date"), readDate),
    messageId: text("message-id"),
    inReplyTo: idsIn(text("in-reply-to")),
    references: idsIn(text("references")),
    root,
    nesting: tree.entities.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
    ...body,
    amp: readAmp(mime.leaves, root),
    alternatives: bodies.alternatives,
    attachments,
    isEmpty: attachments.length === 0 && isBlank(body.text) && isBlank(body.html) && !hasMore(root, bodies),
    sizeBytes: raw.length,
    cuts: [...tree.cuts, ...cutsOf(fields, body)],
  };
}

const longestName = 1_000;

function readAddresses(first: (key: string) => HeaderField | undefined) {
  const read = (key: string): Mailboxes => {
    const field = first(key);
    return field ? parseMailboxes(unfoldedText(field)) : noMailboxes;
  };
  return {
    from: read("from"),
    sender: read("sender"),
    replyTo: read("reply-to"),
    to: read("to"),
    cc: read("cc"),
    bcc: read("bcc"),
    fromText: mapped(first("from"), decodedText),
  };
}

function readDate(field: HeaderField): HeaderDate {
  const text = unfoldedText(field);
  return { written: toStorableCut(text.trim(), maxDateLength), reading: parseMailDate(text) };
}

const maxDateLength = 200;

function mapped<T>(field: HeaderField | undefined, read: (field: HeaderField) => T): T | null {
  return field ? read(field) : null;
}

const maxIds = 1_000;

function idsIn(value: string | null): string[] {
  return (value?.match(/<[^<>\s]{1,1000}>/g) ?? []).slice(0, maxIds);
}

function isBlank(body: BodyText | null): boolean {
  return body === null || body.text.trim() === "";
}

function cutsOf(fields: readonly HeaderField[], body: Pick<Message, "text" | "html">): Cut[] {
  const cuts: Cut[] = [];
  const check = (what: Cut["what"], actual: number) => {
    if (actual > mimeBounds[what]) cuts.push({ what, bound: mimeBounds[what], actual });
  };
  check(
    "fieldBytes",
    fields.reduce((longest, { value }) => Math.max(longest, value.length), 0),
  );
  check("textBytes", body.text?.decodedBytes ?? 0);
  check("htmlBytes", body.html?.decodedBytes ?? 0);
  return cuts;
}
