// The one door to the MIME parser: bytes → Message.

import { MailParser } from "mailparser";
import { toStorable } from "./storable.ts";

export type Message = {
  readonly subject: string | null;
  /** The From header as a person reads it. */
  readonly from: string | null;
  readonly messageId: string | null;
};

/** Longer header sections are cut before parsing: no client writes them, and decoding them costs more than they tell. */
export const maxHeaderBytes = 65_536;

/** The end of the header section: the offset of the first empty line, or the length when there is none. */
export function headerLength(raw: Uint8Array): number {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const ends = ["\r\n\r\n", "\n\n"].map((mark) => bytes.indexOf(mark)).filter((offset) => offset >= 0);
  return ends.length > 0 ? Math.min(...ends) : raw.byteLength;
}

export async function parseMessage(raw: Uint8Array): Promise<Message> {
  const headers = await parseHeaders(raw.subarray(0, Math.min(headerLength(raw), maxHeaderBytes)));
  const from = headers.get("from");
  return {
    subject: textOf(headers.get("subject")),
    from: isAddressHeader(from) ? toStorable(from.text) : null,
    messageId: textOf(headers.get("message-id")),
  };
}

function parseHeaders(section: Uint8Array): Promise<ReadonlyMap<string, unknown>> {
  return new Promise((resolve) => {
    const parser = new MailParser({ skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true });
    parser.once("headers", (headers: ReadonlyMap<string, unknown>) => resolve(headers));
    // A header section that the parser gives up on is a message without readable headers, not a failure of ours.
    parser.once("error", () => resolve(new Map()));
    parser.end(Buffer.concat([section, Buffer.from("\r\n\r\n")]));
    parser.resume();
  });
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? toStorable(value) : null;
}

function isAddressHeader(value: unknown): value is { text: string } {
  return typeof value === "object" && value !== null && "text" in value && typeof value.text === "string";
}
