// The table of reply codes, and which of its rows answers a bounce.

import { describe, expect, test } from "vitest";
import { checkCatalog } from "../../../../src/analyzer/checks/catalog.ts";
import { readReplyCode } from "../../../../src/analyzer/mail/bounces/reply-code.ts";
import { findReplyCode, nameOf, replyCodes } from "../../../../src/analyzer/mail/bounces/reply-codes.ts";

const answerTo = (text: string) => {
  const row = findReplyCode(readReplyCode(text) ?? "");
  return row && nameOf(row);
};

describe("the table of reply codes", () => {
  test.each(replyCodes)("the table of reply codes finds $codes from $by by each of its codes", (row) => {
    const by = row.by.replace("Outlook.com", "Microsoft");
    for (const code of row.codes) expect(findReplyCode(`${code} ${row.tags?.[0] ?? ""} ${by}`)).toBe(row);
    for (const tag of row.tags ?? []) expect(answerTo(`550 Rejected [${tag}]`), tag).not.toBeNull();
  });

  const providers: Readonly<Record<string, string>> = { outlook: "microsoft", apple: "icloud" };
  const replies = [...checkCatalog.checks.values()]
    .flatMap(({ findings }) => Object.values(findings))
    .flatMap(({ gates = [] }) => gates)
    .filter(({ provider }) => provider !== "other")
    .flatMap(({ provider, reply }) => reply.split(", then ").map((one) => `${one} ${providers[provider] ?? provider}`))
    .filter((reply) => /\d\.\d+\.\d+|-\d{3}/.test(reply));

  test.each([...new Set(replies)])("the table of reply codes explains what a check names: %s", (reply) => {
    const by = reply.includes("Spamhaus")
      ? /spamhaus/
      : new RegExp(reply.split(" ").at(-1)?.replace("microsoft", "microsoft|outlook") ?? "");
    expect(answerTo(reply)?.toLowerCase()).toMatch(by);
  });

  test("the table of reply codes names each row once", () => {
    const names = replyCodes.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("a pasted bounce", () => {
  test.each([
    ["550 5.7.26", "550 5.7.26 from Gmail"],
    ["5.7.26", "550 5.7.26 from Gmail"],
    ["what does error 5.7.515 mean?", "550 5.7.515 from Outlook.com"],
    [
      "host gmail-smtp-in.l.google.com[142.250.1.27] said: 550-5.7.1 [203.0.113.7] Our system has detected that this message is likely unsolicited mail. 550 5.7.1 a1-20020 - gsmtp (in reply to end of DATA command)",
      "550 5.7.1 from Gmail",
    ],
    [
      "<ann@hotmail.com>: host hotmail-com.olc.protection.outlook.com[104.47.34.33] said: 550 5.7.1\n    Unfortunately, messages from [203.0.113.7] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150).",
      "550 5.7.1 [S3140] from Outlook.com",
    ],
    [
      "550 5.7.1 Service unavailable, Client host [203.0.113.7] blocked using Spamhaus. To request removal from this list see https://www.spamhaus.org/query/ip/203.0.113.7 (AS3130)",
      "554 5.7.1 from receivers that use Spamhaus",
    ],
    [
      "554 5.7.1 Service unavailable; Client host [203.0.113.7] blocked using zen.spamhaus.org",
      "554 5.7.1 from receivers that use Spamhaus",
    ],
    [
      "mx.contoso.com #5.7.1 smtp;550 5.7.1 Delivery not authorized, Microsoft Exchange",
      "550 5.7.1 from Microsoft 365",
    ],
    [
      "421 4.7.0 [TSS04] Messages from 203.0.113.7 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1; see https://postmaster.yahooinc.com/error-codes",
      "421 4.7.0 [TSS04] from Yahoo and AOL",
    ],
    ["421-4.7.0 [203.0.113.7 15] Our system has detected an unusual rate. gsmtp", "421 4.7.0 from Gmail"],
    [
      "553 5.7.1 [BL21] Connections will not be accepted from 203.0.113.7, because the ip is in Spamhaus's list",
      "553 5.7.1 [BL21] from Yahoo and AOL",
    ],
    [
      "host mx4.hotmail.com said: 550 OU-001 (SNT004-MC3F21) Unfortunately, messages from 203.0.113.7",
      "550 SC-001 from Outlook.com",
    ],
    [
      "451 4.7.500 Server busy. Please try again later from [203.0.113.7]. (S77714)",
      "451 4.7.500 [S77714] from Microsoft 365",
    ],
    [
      "Error: 550 5.7.350 Remote server returned message detected as spam -> 554 5.7.1 no",
      "550 5.7.350 from Microsoft 365",
    ],
    ["554 5.7.1 <bob@gmail.com>: Relay access denied", "550 5.7.1 from any receiver"],
    ["554 5.7.1 <bob@example.com>: Recipient address rejected: Access denied", "550 5.7.1 from any receiver"],
    ["550 5.7.1 Relaying denied", "550 5.7.1 from any receiver"],
    ["550 5.7.1 Rejected due to DMARC policy of yahoo.com", "550 5.7.1 from any receiver"],
    ["450 4.7.1 Greylisted", "450 4.7.1 from any receiver"],
    ["552 5.2.2 mailbox full", "552 5.2.2 from any receiver"],
    ["554 5.7.1 no: host mta5.yahoo.com", "550 5.7.1 from any receiver"],
    ["Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 The email account does not exist", "550 5.1.1 from any receiver"],
  ])("a pasted bounce is answered with its row: %s", (text, name) => {
    expect(answerTo(text)).toBe(name);
  });

  test.each([
    "550",
    "550 5.9.99",
    "421 4.7.0",
    "450 5.7.1",
    "421 please wait",
    "203.0.113.7",
    "version 5.10.2.1",
    "why does my mail bounce",
  ])("a pasted bounce without a known code has no row: %s", (text) => {
    expect(answerTo(text)).toBeNull();
  });

  test("a pasted bounce gives away only its code and receiver", () => {
    expect(readReplyCode("<ann@gmail.com>: host x.google.com said: 550-5.7.26 For ann@secret.example")).toBe(
      "550+5.7.26+gmail",
    );
  });

  test("a pasted bounce of any length and form is read quickly", () => {
    for (const text of ["5.".repeat(500_000), "550-".repeat(500_000), "[(#".repeat(500_000), "\n".repeat(1_000_000)])
      expect(readReplyCode(text)?.length ?? 0).toBeLessThan(60);
  });
});
