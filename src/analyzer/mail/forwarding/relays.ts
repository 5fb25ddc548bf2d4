// What Postfix does to mail that it passes on, besides adding a Received field: it removes four fields, breaks lines that
// SMTP doesn't allow, and rewrites 8-bit text as quoted-printable if the next server lacks 8BITMIME (RFC 6152 §3).

import { isAscii } from "node:buffer";
import { type Entity, encodingOf } from "../mime/tree.ts";
import { editParts, isContainer, toHeaderEdit } from "./edit-parts.ts";
import { toQuotedPrintable } from "./encoding.ts";
import { fieldText, hasLongLine, type MessageText, maxLine, toField, without, withTrace } from "./message-text.ts";

const dropped = ["bcc", "content-length", "resent-bcc", "return-path"];

export function relay(message: MessageText): MessageText {
  const kept = without(message, ...dropped);
  const broken = {
    fields: kept.fields.map((field) => ({ ...field, line: breakLines(field.line) })),
    body: breakLines(kept.body),
  };
  const received = "from sender.example by forwarder.example (Postfix) with ESMTP id 4Xy0000000z1";
  return withTrace(broken, toField("Received", received));
}

const continued = new RegExp(`[\\s\\S]{1,${maxLine - 1}}`, "g");

/** The rest of a line that is too long goes on the next one, after a space. */
function breakLines(text: string): string {
  if (!hasLongLine(text)) return text;
  const lines = text.split("\r\n").map((line) => {
    const rest = line.slice(maxLine).match(continued) ?? [];
    return [line.slice(0, maxLine), ...rest].join("\r\n ");
  });
  return lines.join("\r\n");
}

/** A message of 7-bit text stays as it is. */
export function downgrade(message: MessageText): MessageText | null {
  const declared = message.fields.find(({ key }) => key === "content-transfer-encoding");
  if (!(declared && isEightBitWord(fieldText(declared))) && isAscii(Buffer.from(message.body, "latin1")))
    return message;
  return editParts(message, ({ tree, text }) =>
    tree.entities.filter(isEightBit).flatMap((entity) => {
      const { bodyOffset, end, fields } = entity;
      const encoding = isContainer(entity) ? "7bit" : "quoted-printable";
      const others = fields.filter(({ key }) => key !== "content-transfer-encoding");
      const header = toHeaderEdit(entity, [...others, toField("Content-Transfer-Encoding", encoding)]);
      if (isContainer(entity)) return [header];
      return [header, { begin: bodyOffset, end, text: toQuotedPrintable(text.slice(bodyOffset, end)) }];
    }),
  );
}

function isEightBitWord(word: string): boolean {
  return /^\s*(?:8bit|binary)\s*$/i.test(word);
}

function isEightBit(entity: Entity): boolean {
  return isEightBitWord(encodingOf(entity));
}
