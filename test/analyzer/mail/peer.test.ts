// Our parser must agree with mailparser on ordinary messages. Broken ones are not compared, because mailparser
// tolerates errors in its own way.

import { type ParsedMail, simpleParser } from "mailparser";
import { expect, test } from "vitest";
import { readPart } from "../../../src/analyzer/mail/eml.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import { ordinaryMessages } from "./ordinary-messages.ts";

const options = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  keepCidLinks: true,
};

const plain = (text: string | false | null | undefined) => (text || "").replaceAll("\r\n", "\n").trimEnd();

test("subject, addresses, bodies, and attachments equal those of mailparser", async () => {
  for (const { message: text } of ordinaryMessages(150, 3)) {
    const raw = Buffer.from(text);
    const peer: ParsedMail = await simpleParser(raw, options);
    const message = parseMessage(raw);
    expect(message.subject ?? undefined).toBe(peer.subject);
    expect(message.messageId ?? undefined).toBe(peer.messageId);
    expect(message.from.list.map(({ address }) => address)).toEqual(
      (peer.from?.value ?? []).map(({ address }) => address),
    );
    const reading = message.date?.reading;
    expect(reading?.ok ? reading.date.at : undefined).toBe(peer.date?.getTime());
    expect(plain(message.html?.text)).toBe(plain(peer.html));
    expect(plain(message.text?.text)).toBe(plain(peer.text));
    const files = message.attachments.map(({ path, filename }) => [
      filename ?? undefined,
      Buffer.from(readPart(raw, message, path)?.content ?? "").toString("base64"),
    ]);
    expect(files).toEqual(peer.attachments.map(({ filename, content }) => [filename, content.toString("base64")]));
  }
});
