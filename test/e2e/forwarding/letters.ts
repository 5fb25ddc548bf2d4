// The messages of the proof: many generators, encodings, structures, and signatures, each from a.example with its keys.

import { generateKeyPairSync, type KeyObject } from "node:crypto";
import nodemailer, { type SendMailOptions } from "nodemailer";
import type { Zone } from "../../../src/analyzer/dns/zone.ts";
import { newRsaKey, type SignOptions, sign, toKeyRecord } from "../../analyzer/mail/signing/sign.ts";
import { toMessage } from "../../fixtures/messages/letter.ts";
import { newsletter } from "../../fixtures/messages/newsletter.ts";
import { zone as senderZone } from "../../fixtures/messages/sender.ts";
import { transactional } from "../../fixtures/messages/transactional.ts";

/** One character a byte, signed. */
export type ProofLetter = { readonly name: string; readonly message: string };

const key = newRsaKey(2_048);
const espKey = newRsaKey(2_048);
const ed25519Key = generateKeyPairSync("ed25519").privateKey;
export const sealKey = newRsaKey(2_048);

export const zone: Zone = {
  ...senderZone,
  "s1._domainkey.a.example": { TXT: [toKeyRecord(key)] },
  "ed._domainkey.a.example": { TXT: [toKeyRecord(ed25519Key)] },
  "e1._domainkey.esp.example": { TXT: [toKeyRecord(espKey)] },
  "arc._domainkey.forwarder.example": { TXT: [toKeyRecord(sealKey)] },
};

export function toPem(one: KeyObject): string {
  return one.export({ format: "pem", type: "pkcs8" }).toString();
}

let count = 0;
type Fields = Readonly<Record<string, string | null>>;

/** `null` leaves a field out. */
function toHeader(fields: Fields): string {
  count++;
  const all: Fields = {
    From: '"Ann at Harrow Lane" <ann@a.example>',
    To: "Reader <reader@b.example>",
    Subject: "New books for November",
    Date: "Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID": `<proof-${count}@a.example>`,
    "MIME-Version": "1.0",
    "Content-Type": 'text/plain; charset="us-ascii"',
    "Content-Transfer-Encoding": "7bit",
    ...fields,
  };
  return Object.entries(all)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]))
    .join("");
}

function write(fields: Fields, body: string): string {
  return `${toHeader(fields)}\r\n${Buffer.from(body.replace(/\r?\n/g, "\r\n"), "utf8").toString("latin1")}`;
}

const names = ["from", "to", "subject", "date", "message-id", "mime-version", "content-type"];
const signed = (message: string, options: SignOptions = {}) =>
  sign(message, { key, domain: "a.example", selector: "s1", names, ...options });

const ascii = "Hello reader,\n\nthree new books are here.\nSee you soon!\n\nAnn\n";
const umlauts = "Grüße aus dem Laden,\n\ndrei neue Bücher sind da: 12 €.\n";
const utf8 = { "Content-Type": "text/plain; charset=utf-8", "Content-Transfer-Encoding": "8bit" };
const page = "<html><body><h1>Books</h1><p>Three <b>new</b> ones.</p></body></html>\n";

function multipart(type: string, boundary: string, parts: readonly string[], more = ""): [Fields, string] {
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join("");
  return [
    { "Content-Type": `multipart/${type}; boundary="${boundary}"${more}`, "Content-Transfer-Encoding": null },
    `${body}--${boundary}--\n`,
  ];
}

const textPart = `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 7bit\n\n${ascii}`;
const pagePart = `Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n${page.replaceAll("=", "=3D")}`;
const eightBitPart = `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${umlauts}`;
const filePart = `Content-Type: application/pdf; name="price-list.pdf"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename="price-list.pdf"\n\nJVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoK\n`;
const longNamePart = filePart.replaceAll("price-list.pdf", `${"price list of all our branches ".repeat(3)}.pdf`);
const base64 = `${(
  Buffer.from(umlauts.repeat(4))
    .toString("base64")
    .match(/.{1,76}/g) ?? []
).join("\n")}\n`;
const twice = names.flatMap((name) => [name, name]);

/** Signed by the proof's own signer. */
const written: Readonly<Record<string, () => string>> = {
  "text, relaxed/relaxed": () => signed(write({}, ascii)),
  "text, simple/simple": () => signed(write({}, ascii), { canonicalization: "simple/simple" }),
  "text, relaxed/simple": () => signed(write({}, ascii), { canonicalization: "relaxed/simple" }),
  "text, simple/relaxed": () => signed(write({}, ascii), { canonicalization: "simple/relaxed" }),
  "short fields and signature lines, simple/simple": () =>
    signed(write({ Subject: "Books" }, ascii), {
      canonicalization: "simple/simple",
      tags: { h: "From:\r\n\tTo:Subject:Date" },
      names: ["from", "to", "subject", "date"],
    }),
  "text with l=": () => signed(write({}, ascii), { bodyLength: ascii.replaceAll("\n", "\r\n").length }),
  "text with l=, subject not signed": () =>
    signed(write({}, ascii), {
      bodyLength: ascii.replaceAll("\n", "\r\n").length,
      names: ["from", "date", "message-id"],
    }),
  "utf-8 label on ASCII with l=, content-type not signed": () =>
    signed(write({ ...utf8, "Content-Transfer-Encoding": "7bit" }, ascii), {
      bodyLength: 40,
      names: ["from", "date", "subject"],
    }),
  "8bit text": () => signed(write(utf8, umlauts)),
  "8bit text, encoding signed, simple body": () =>
    signed(write(utf8, umlauts), {
      names: [...names, "content-transfer-encoding"],
      canonicalization: "relaxed/simple",
    }),
  "ASCII declared as 8bit": () => signed(write(utf8, ascii)),
  "ASCII declared as 8bit, encoding signed": () =>
    signed(write(utf8, "a = b\n"), { names: [...names, "content-transfer-encoding"] }),
  "8bit text without MIME fields": () =>
    signed(write({ "MIME-Version": null, "Content-Type": null, "Content-Transfer-Encoding": null }, umlauts)),
  "no MIME fields, ASCII": () =>
    signed(write({ "MIME-Version": null, "Content-Type": null, "Content-Transfer-Encoding": null }, ascii), {
      names: twice,
    }),
  "base64 text": () => signed(write({ ...utf8, "Content-Transfer-Encoding": "base64" }, base64)),
  "quoted-printable text with l=": () =>
    signed(
      write({ ...utf8, "Content-Transfer-Encoding": "quoted-printable" }, "Caf=C3=A9 today,\nsee you =E2=82=AC\n"),
      { bodyLength: 20, names: ["from"] },
    ),
  "latin-1 text": () =>
    signed(
      `${toHeader({ "Content-Type": "text/plain; charset=iso-8859-1", "Content-Transfer-Encoding": "8bit" })}\r\nGr\xfc\xdfe\r\n`,
    ),
  "flowed text": () =>
    signed(
      write({ "Content-Type": "text/plain; charset=us-ascii; format=flowed; delsp=yes" }, `${ascii}wrap \nhere\n`),
      { bodyLength: 30 },
    ),
  "a line that begins with From": () => signed(write({}, `${ascii}From here on all is new.\n`)),
  "a line of 1,400 characters": () => signed(write({}, `${"all in one line ".repeat(90)}\nend\n`)),
  "a line of exactly 998 characters": () => signed(write({}, `${"x".repeat(998)}\n${"y".repeat(997)}\n`)),
  "white space at line ends, simple body": () =>
    signed(write({}, "Hello   \n\tthere  you \n\n\n"), { canonicalization: "relaxed/simple" }),
  "empty body": () => signed(write({}, "")),
  "HTML only": () => signed(write({ "Content-Type": "text/html; charset=utf-8" }, page)),
  alternative: () => signed(write(...multipart("alternative", "=_alt_1", [textPart, pagePart]))),
  "alternative with an 8bit part": () =>
    signed(write(...multipart("alternative", "=_alt_2", [eightBitPart, pagePart]))),
  "mixed with a file": () => signed(write(...multipart("mixed", "=_mix_1", [textPart, filePart]))),
  "mixed with a long file name": () =>
    signed(write(...multipart("mixed", "=_mix_2", [textPart, longNamePart])), { canonicalization: "relaxed/simple" }),
  "nested, no empty line after the inner end": () => {
    const [inner, body] = multipart("alternative", "=_in", [textPart, pagePart]);
    const nested = `Content-Type: ${inner["Content-Type"]}\n\n${body.trimEnd()}`;
    return signed(write(...multipart("mixed", "=_out", [nested, filePart])));
  },
  "nested, empty line after the inner end": () => {
    const [inner, body] = multipart("alternative", "=_in", [textPart, pagePart]);
    return signed(
      write(...multipart("mixed", "=_out", [`Content-Type: ${inner["Content-Type"]}\n\n${body}`, filePart])),
    );
  },
  "an embedded message": () =>
    signed(
      write(
        ...multipart("mixed", "=_mix_3", [
          textPart,
          `Content-Type: message/rfc822\n\nFrom: x@y.example\nSubject:no space after the colon\n\nFrom me\n`,
        ]),
      ),
    ),
  oversigned: () => signed(write({}, ascii), { names: twice }),
  "fields of lists oversigned": () =>
    signed(write({}, ascii), { names: [...twice, "sender", "list-id", "precedence", "reply-to"] }),
  "one-click unsubscribe signed": () =>
    signed(
      write(
        {
          "List-Unsubscribe": "<https://a.example/u/1>, <mailto:u@a.example>",
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        ascii,
      ),
      { names: [...names, "list-unsubscribe", "list-unsubscribe-post"] },
    ),
  "a quoted name in Reply-To, signed": () =>
    signed(write({ "Reply-To": '"Support Team" <help@a.example>' }, ascii), { names: [...names, "reply-to"] }),
  "a plain Reply-To, signed": () =>
    signed(write({ "Reply-To": "Support Team <help@a.example>" }, ascii), { names: [...names, "reply-to"] }),
  "Return-Path signed": () =>
    signed(write({ "Return-Path": "<bounce@a.example>" }, ascii), { names: [...names, "return-path"] }),
  "long and folded fields, simple/simple": () =>
    signed(
      write(
        {
          Subject: "A subject that goes on for more than seventy-eight characters, so that Python's email folds it",
          To: 'Reader One <one@b.example>,\r\n\t"Reader, Two" <two@b.example>',
        },
        ascii,
      ),
      { canonicalization: "simple/simple" },
    ),
  "long and folded fields, relaxed": () =>
    signed(
      write(
        {
          Subject:
            "=?utf-8?Q?Gr=C3=BC=C3=9Fe_aus?=\r\n =?utf-8?Q?_dem_Laden?= and some more words that make it a long one",
          "X-Campaign": `${"k=v;".repeat(60)} end`,
        },
        ascii,
      ),
      { names: [...names, "x-campaign"] },
    ),
  "no space after colons": () =>
    signed(write({}, ascii).replace("Subject: ", "Subject:").replace("Date: ", "Date:  "), {
      canonicalization: "simple/simple",
    }),
  "no subject": () => signed(write({ Subject: null }, ascii)),
  "two signatures": () =>
    sign(signed(write({}, ascii)), { key: espKey, domain: "esp.example", selector: "e1", names: [...names] }),
  "RSA and Ed25519": () => signed(signed(write({}, ascii)), { key: ed25519Key, selector: "ed" }),
  "only a third party's signature": () =>
    sign(write({}, ascii), { key: espKey, domain: "esp.example", selector: "e1", names }),
  "relaxed and simple signatures together": () =>
    signed(signed(write({}, ascii), { canonicalization: "simple/simple" }), {}),
  "fixture: newsletter": () => toMessage(newsletter),
  "fixture: transactional": () => toMessage(transactional),
};

/** Built and signed by nodemailer. */
const composed: Readonly<Record<string, SendMailOptions>> = {
  "nodemailer: text": { text: ascii },
  "nodemailer: text in UTF-8": { text: umlauts },
  "nodemailer: HTML and text": { text: ascii, html: page },
  "nodemailer: HTML only, base64": { html: page, textEncoding: "base64" },
  "nodemailer: attachment": {
    text: umlauts,
    html: page,
    attachments: [{ filename: "Preise für 2026.txt", content: "1\n" }],
  },
  "nodemailer: image in HTML": {
    html: page,
    attachments: [{ filename: "a.png", cid: "a@a.example", content: Buffer.alloc(300, 7) }],
  },
  "nodemailer: calendar": { text: ascii, icalEvent: { content: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n" } },
  "nodemailer: list fields": { text: ascii, list: { unsubscribe: "https://a.example/u", id: "news.a.example" } },
};

async function compose(options: SendMailOptions): Promise<string> {
  count++;
  const transport = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    dkim: { domainName: "a.example", keySelector: "s1", privateKey: toPem(key) },
  });
  const { message } = await transport.sendMail({
    from: "Ann <ann@a.example>",
    to: "Reader <reader@b.example>",
    subject: "Neue Bücher im November",
    date: new Date(Date.UTC(2026, 10, 20, 10)),
    messageId: `<proof-${count}@a.example>`,
    ...options,
  });
  return (message as Buffer).toString("latin1");
}

export async function writeLetters(): Promise<ProofLetter[]> {
  const own = Object.entries(written).map(([name, toText]) => ({ name, message: toText() }));
  const mailed = Object.entries(composed).map(async ([name, options]) => ({ name, message: await compose(options) }));
  return [...own, ...(await Promise.all(mailed))];
}

/** A key a name, as text. */
export function keysOf(served: Zone): Record<string, string> {
  const rows = Object.entries(served).flatMap(([name, records]) => {
    const texts = typeof records === "object" ? records.TXT : undefined;
    return name.includes("._domainkey.") && Array.isArray(texts) ? [[name, String(texts[0])] as const] : [];
  });
  return Object.fromEntries(rows);
}
