// The kind of a message that a test writes down in a few lines.

import { unknown } from "../../../src/analyzer/checks/fact.ts";
import { inferKind, type KindEvidence } from "../../../src/analyzer/checks/infer-kind.ts";
import type { KindFact } from "../../../src/analyzer/checks/kind.ts";
import { readPage, toHtml } from "../../../src/analyzer/mail/html/page.ts";
import { toLinks } from "../../../src/analyzer/mail/links/links.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";

export type Mail = {
  readonly from?: string;
  readonly subject: string;
  readonly headers?: readonly string[];
  readonly html?: string;
  readonly text?: string;
};

export function infer(mail: Mail, rest: Partial<KindEvidence> = {}): KindFact {
  const { from = "Shop <hello@shop.example>", subject, headers = [], html, text = "" } = mail;
  const type = html === undefined ? "text/plain" : "text/html";
  const head = [`From: ${from}`, "To: bob@mail.example", `Subject: ${subject}`, ...headers, "MIME-Version: 1.0"];
  const lines = [...head, `Content-Type: ${type}; charset=utf-8`, "", html ?? text];
  const message = parseMessage(Buffer.from(lines.join("\r\n"), "utf8"));
  const page = message.html && readPage(message.html.text);
  return inferKind({
    message,
    html: page && toHtml(page, message.html ?? { text: "" }),
    links: toLinks(page, message.text?.text ?? ""),
    session: { mailFrom: null, rcptTo: [] },
    arc: unknown("off"),
    dkim: unknown("off"),
    ptr: unknown("off"),
    label: null,
    override: null,
    ...rest,
  });
}
