// Facts about content, made by the real readers from a message written by hand.

import type { Facts } from "../../../../src/analyzer/checks/facts.ts";
import { readPage, toHtml } from "../../../../src/analyzer/mail/html/page.ts";
import { toImages } from "../../../../src/analyzer/mail/links/images.ts";
import { toLinks } from "../../../../src/analyzer/mail/links/links.ts";
import { type Attachment, readAttachments } from "../../../../src/analyzer/mail/mime/attachments.ts";
import type { Message } from "../../../../src/analyzer/mail/mime/message.ts";
import { parseMessage } from "../../../../src/analyzer/mail/mime/parse.ts";
import { base64, letter, multipart, part } from "../../mail/letter.ts";
import { sureKind } from "../sure-kind.ts";

export type Written = {
  readonly subject?: string;
  readonly from?: string;
  readonly html?: string;
  readonly text?: string;
  readonly headers?: readonly string[];
  /** A third alternative, of this type. */
  readonly other?: string;
};

function headOf({ subject = "Your order", from = "shop@own.example", headers = [] }: Written) {
  const encoded = `=?utf-8?B?${Buffer.from(subject).toString("base64")}?=`;
  return [
    `From: Own <${from}>`,
    "To: ada@receiver.example",
    "Date: Sat, 21 Nov 2026 15:00:00 +0000",
    `Subject: ${encoded}`,
    "Message-ID: <1@own.example>",
    "MIME-Version: 1.0",
    ...headers,
  ];
}

function body(type: string, content: string): string {
  const headers = [`Content-Type: ${type}; charset=utf-8`, "Content-Transfer-Encoding: base64"];
  return part(headers, base64(Buffer.from(content)));
}

export function messageOf(written: Written): Message {
  const { html, text, other } = written;
  const bodies = [
    ...(text === undefined ? [] : [body("text/plain", text)]),
    ...(other === undefined ? [] : [body(other, "<html ⚡4email></html>")]),
    ...(html === undefined ? [] : [body("text/html", html)]),
  ];
  return parseMessage(letter(...headOf(written), multipart("alternative", "a", ...bodies)));
}

export type ContentFacts = Pick<Facts, "message" | "html" | "links" | "images">;

/** A message with HTML. */
export function given(html: string, written: Omit<Written, "html"> = {}): ContentFacts {
  const message = messageOf({ ...written, html });
  const page = readPage(message.html?.text ?? "");
  return {
    message,
    html: toHtml(page, { text: message.html?.text ?? "" }),
    links: toLinks(page, message.text?.text ?? ""),
    images: toImages(page),
  };
}

/** A message that is plain text alone. */
export function givenText(text: string, written: Omit<Written, "text"> = {}): Pick<Facts, "message" | "links"> {
  const message = messageOf({ ...written, text });
  return { message, links: toLinks(null, message.text?.text ?? "") };
}

/** The message's links and who it is from, as every check of links asks for them. */
export function linking(html: string, written: Omit<Written, "html"> = {}) {
  const { message, links } = given(html, written);
  return { message, links };
}

export type File = {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly type?: string;
  readonly headers?: readonly string[];
};

export function attached(...files: readonly File[]): { readonly attachments: readonly Attachment[] } {
  const parts = files.map(({ name, content = "content", type = "application/octet-stream", headers }) =>
    part(
      [
        `Content-Type: ${type}`,
        ...(headers ?? [`Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`]),
        "Content-Transfer-Encoding: base64",
      ],
      base64(content),
    ),
  );
  const raw = letter(...headOf({}), multipart("mixed", "m", body("text/plain", "See the file."), ...parts));
  return { attachments: readAttachments(raw, parseMessage(raw)) };
}

export function kindOf(kind: Facts["kind"]["kind"]): Pick<Facts, "kind"> {
  return {
    kind: {
      ...sureKind(kind),
      overridden: false,
      forwarded: { known: false, why: "budget" },
      mailingList: false,
      esp: null,
    },
  };
}
