// Every combination of canonicalization, algorithm and change in transit, with the verdict that RFC 6376 requires.

import { describe, expect, test } from "vitest";
import type { DkimWhy } from "../../../src/analyzer/checks/authentication-facts.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { verifyDkim } from "../../../src/analyzer/facts/dkim.ts";
import { readHeaderSection } from "../../../src/analyzer/mail/headers/fields.ts";
import { ed25519Key, rsaKey, type SignOptions, sign, toKeyRecord } from "../mail/signing/sign.ts";

const message = [
  "Received: from client.example.com by mx.example.net; Fri, 20 Nov 2026 10:00:00 +0000",
  "From: Ann <ann@example.com>",
  "To: Bob <bob@example.net>,",
  "\tEve <eve@example.net>",
  "Subject: A question of  some length",
  "Date: Fri, 20 Nov 2026 10:00:00 +0000",
  "X-Unsigned: one",
  "",
  "Dear Bob,",
  "",
  "\tthe answer  is here: ",
  "yours",
  "",
].join("\r\n");

const zone = createZoneDns({
  "sel._domainkey.example.com": { TXT: [toKeyRecord(rsaKey)] },
  "ed._domainkey.example.com": { TXT: [toKeyRecord(ed25519Key)] },
});

type Form = "simple" | "relaxed";
type Change = {
  readonly name: string;
  readonly change: (message: string) => string;
  readonly options?: SignOptions;
  /** Why it no longer passes. Undefined if it still does. */
  readonly why: (header: Form, body: Form) => DkimWhy | undefined;
};

const never = () => undefined;
const unlessRelaxed = (form: Form, why: DkimWhy) => (form === "relaxed" ? undefined : why);
const headerUnlessRelaxed = (header: Form) => unlessRelaxed(header, "header-changed");
const bodyUnlessRelaxed = (_: Form, body: Form) => unlessRelaxed(body, "body-changed");
const header = () => "header-changed" as const;
const body = () => "body-changed" as const;
const replace = (from: string | RegExp, to: string) => (text: string) => {
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  return changed;
};

const oversigned = { names: ["from", "from", "to", "subject", "subject", "date", "reply-to"] };

const changes: readonly Change[] = [
  { name: "nothing changes", change: (text) => text, why: never },
  { name: "a header field is refolded", change: replace("question of", "question\r\n of"), why: headerUnlessRelaxed },
  { name: "a fold is taken out", change: replace(">,\r\n\tEve", ">, Eve"), why: headerUnlessRelaxed },
  { name: "a header name changes case", change: replace("\r\nSubject:", "\r\nSUBJECT:"), why: headerUnlessRelaxed },
  {
    name: "a space comes before a colon",
    change: replace("\r\nSubject:", "\r\nSubject \t:"),
    why: headerUnlessRelaxed,
  },
  { name: "the space behind a colon goes", change: replace("Subject: ", "Subject:"), why: headerUnlessRelaxed },
  {
    name: "white space within a header field changes",
    change: replace("of  some", "of \t some"),
    why: headerUnlessRelaxed,
  },
  { name: "white space ends a header field", change: replace("length\r\n", "length \t\r\n"), why: headerUnlessRelaxed },
  { name: "a space comes into a header word", change: replace("question", "quest ion"), why: header },
  { name: "a signed header field changes", change: replace("A question", "[EXTERNAL] A question"), why: header },
  { name: "a signed header field changes case", change: replace("A question", "a question"), why: header },
  { name: "a signed header field goes", change: replace(/Date:.*\r\n/, ""), why: header },
  { name: "an unsigned header field comes", change: replace("From:", "X-New: two\r\nFrom:"), why: never },
  { name: "an unsigned header field goes", change: replace(/X-Unsigned.*\r\n/, ""), why: never },
  { name: "header fields change places", change: replace(/(Subject:.*\r\n)(Date:.*\r\n)/, "$2$1"), why: never },
  { name: "a second Subject comes above", change: replace("From:", "Subject: x\r\nFrom:"), why: never },
  { name: "a second Subject comes below", change: replace("X-Uns", "Subject: x\r\nX-Uns"), why: header },
  {
    name: "a second Subject comes above an oversigned one",
    change: replace("From:", "Subject: x\r\nFrom:"),
    options: oversigned,
    why: header,
  },
  {
    name: "a second From comes above an oversigned one",
    change: replace("Received:", "From: x@y.example\r\nReceived:"),
    options: oversigned,
    why: header,
  },
  {
    name: "a header field comes that was signed as absent",
    change: replace("From:", "Reply-To: x@y.example\r\nFrom:"),
    options: oversigned,
    why: header,
  },
  { name: "nothing changes in an oversigned message", change: (text) => text, options: oversigned, why: never },
  { name: "a word of the body changes", change: replace("answer", "ANSWER"), why: body },
  { name: "empty lines end the body", change: (text) => `${text}\r\n\r\n\r\n`, why: never },
  { name: "lines of white space end the body", change: (text) => `${text} \t\r\n  \r\n`, why: bodyUnlessRelaxed },
  { name: "the last line end goes", change: replace(/\r\n$/, ""), why: never },
  { name: "white space ends a line", change: replace("Dear Bob,", "Dear Bob, \t"), why: bodyUnlessRelaxed },
  { name: "white space leaves the end of a line", change: replace("here: ", "here:"), why: bodyUnlessRelaxed },
  { name: "a run of white space changes", change: replace("answer  is", "answer \t is"), why: bodyUnlessRelaxed },
  { name: "white space at the begin of a line changes", change: replace("\tthe", "  the"), why: bodyUnlessRelaxed },
  { name: "white space at the begin of a line goes", change: replace("\tthe", "the"), why: body },
  { name: "an empty line goes", change: replace("Bob,\r\n\r\n", "Bob,\r\n"), why: body },
  { name: "a line loses its CR", change: replace("here: \r\n", "here: \n"), why: body },
  { name: "the whole body goes", change: replace(/\r\n\r\n.*$/s, "\r\n\r\n"), why: body },
  { name: "a footer comes", change: (text) => `${text}-- \r\nA footer\r\n`, why: body },
  {
    name: "a footer comes behind l=",
    change: (text) => `${text}-- \r\nA footer\r\n`,
    options: { bodyLength: 20 },
    why: never,
  },
  {
    name: "a footer comes behind l=0",
    change: (text) => `${text}-- \r\nA footer\r\n`,
    options: { bodyLength: 0 },
    why: never,
  },
  { name: "a word within l= changes", change: replace("Dear", "DEAR"), options: { bodyLength: 20 }, why: body },
  {
    name: "the body is shorter than l=",
    change: replace(/\r\n\tthe.*$/s, ""),
    options: { bodyLength: 20 },
    why: () => "body-length",
  },
  { name: "a tag of the signature changes", change: replace("d=example.com", "d=example.com; t=1"), why: header },
  { name: "the signature's value is folded", change: replace(/b=(.{30})([^\r]*)/, "b= $1\r\n\t$2 \t"), why: never },
  { name: "the signature's field is refolded", change: replace("; d=", ";\r\n\td="), why: headerUnlessRelaxed },
  { name: "the signature's value changes", change: replace(/b=..../, "b=AAAA"), why: header },
  { name: "another signature comes above", change: (text) => `DKIM-Signature: v=1; b=x\r\n${text}`, why: never },
];

const forms: readonly Form[] = ["simple", "relaxed"];
const keys = [
  { algorithm: "rsa-sha256", selector: "sel", key: rsaKey },
  { algorithm: "ed25519-sha256", selector: "ed", key: ed25519Key },
];

for (const { algorithm, selector, key } of keys)
  for (const headerForm of forms)
    for (const bodyForm of forms)
      describe(`a signature with ${algorithm} and c=${headerForm}/${bodyForm}`, () => {
        test.each(changes)("a DKIM signature has the right result when $name", async ({ change, options, why }) => {
          const canonicalization = `${headerForm}/${bodyForm}`;
          const signed = sign(message, { ...options, key, selector, canonicalization });
          const raw = Buffer.from(change(signed), "latin1");
          const { signatures } = await verifyDkim({ raw, section: readHeaderSection(raw) }, zone, 0);
          const expected = why(headerForm, bodyForm);
          expect(signatures.at(-1)?.why ?? undefined, signatures.at(-1)?.says ?? "").toBe(expected);
          expect(signatures.at(-1)?.result).toBe(
            expected === undefined ? "pass" : expected === "body-length" ? "permerror" : "fail",
          );
        });
      });
