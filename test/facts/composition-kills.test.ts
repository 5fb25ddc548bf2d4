// "Composition Kills: A Case Study of Email Sender Authentication" (Chen, Paxson, Jiang; USENIX Security 2020), after
// whose figures the techniques are named. Each message gets the most that a careless SPF or DKIM component ever gave it,
// so that only the author, the alignment and the names can hold it off.

import { describe, expect, test } from "vitest";
import type { DkimSignature, SpfResult } from "../../src/checks/authentication-facts.ts";
import { known } from "../../src/checks/fact.ts";
import { createZoneDns } from "../../src/system/zone.ts";
import { judgeMessage, signature, spf } from "./dmarc-world.ts";

const spfRecord = "v=spf1 ip4:192.0.2.66 -all";
const dns = createZoneDns({
  "legit.example": { A: ["198.51.100.1"], TXT: ["v=spf1 ip4:198.51.100.1 -all"] },
  "_dmarc.legit.example": { TXT: ["v=DMARC1; p=reject"] },
  "s1._domainkey.legit.example": { TXT: ["v=DKIM1; p=MFww"] },
  "attack.example": { A: ["192.0.2.66"], TXT: [spfRecord] },
  "*.attack.example": { A: ["192.0.2.66"], TXT: [spfRecord] },
  "_dmarc.attack.example": { TXT: ["v=DMARC1; p=none"] },
  "s1._domainkey.attack.example": { TXT: ["v=DKIM1; p=MFww"] },
});

type Attack = {
  readonly headers?: string;
  readonly spf?: SpfResult;
  readonly dkim?: DkimSignature;
};

const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
const helo = (domain: string): SpfResult => ({ ...spf("pass", domain), identity: "helo" });
const ours = { spf: spf("pass", "attack.example"), dkim: signature("pass", "attack.example") };

/** §4: From is the victim's; SPF or DKIM is led to say so. */
const betweenServers: Readonly<Record<string, Attack>> = {
  "A1, MAIL FROM at a subdomain that does not exist, HELO passing": { spf: helo("helo.attack.example") },
  "A1, the subdomain itself without a record": { spf: spf("none", "mailfrom.notexist.legit.example") },
  "A2, empty MAIL FROM, so that HELO is checked": { spf: helo("attack.example") },
  "A2, MAIL FROM that begins a comment and so looks empty": { spf: spf("pass", "(any@legit.example") },
  "A3, NUL in the selector, so that the key is the attacker's": {
    dkim: signature("pass", "legit.example", { selector: "s1._domainkey.attack.example.\0.any" }),
  },
  "A3, NUL in the domain": { dkim: signature("pass", "legit.example\0.attack.example") },
  "A3, NUL behind the attacker's name": { dkim: signature("pass", "attack.example\0.legit.example") },
  "A3, a selector that ends the look-up early": {
    dkim: signature("pass", "legit.example", { selector: "s1._domainkey.attack.example.#" }),
  },
  "A4, a single quote in d=": { dkim: signature("pass", "legit.example'a.attack.example") },
  "A4, a double quote in d=": { dkim: signature("pass", 'legit.example"a.attack.example') },
  "A4, a parenthesis in d=": { dkim: signature("pass", "legit.example(.attack.example") },
  "A5, a parenthesis in MAIL FROM": { spf: spf("pass", "legit.example(a.attack.example") },
  "A5, a semicolon in MAIL FROM": { spf: spf("pass", "legit.example;a.attack.example") },
  "A6, a quoted part in MAIL FROM": { spf: spf("pass", "legit.example'@any.attack.example") },
  "A7, a source route in MAIL FROM": { spf: spf("pass", "legit.example,@any.example:'any@attack.example") },
  "a sibling whose name ends like the victim's": { spf: spf("pass", "notlegit.example") },
  "a name below the attacker's that begins like the victim's": {
    dkim: signature("pass", "legit.example.attack.example"),
  },
};

/** §5: the attacker passes for his own domain, and another part of the chain shows the victim's. */
const betweenServerAndReader: Readonly<Record<string, string>> = {
  "Figure 6(a), two From fields": "From: <a@attack.example>\r\nFrom: <ceo@legit.example>",
  "Figure 6(a), the victim first": "From: <ceo@legit.example>\r\nFrom: <a@attack.example>",
  "Figure 6(a), in other capitals": "From: <a@attack.example>\r\nfROM: <ceo@legit.example>",
  "§5.1, a space before From": " From: <ceo@legit.example>\r\nFrom: <a@attack.example>",
  "Figure 6(b), a fold before the colon": "From\r\n : <ceo@legit.example>\r\nFrom: <a@attack.example>",
  "Figure 6(c), a space behind From": "From: <a@attack.example>\r\nFrom : <ceo@legit.example>",
  "a tab behind From": "From: <a@attack.example>\r\nFrom\t: <ceo@legit.example>",
  "a NUL behind From": "From: <a@attack.example>\r\nFrom\0: <ceo@legit.example>",
  "an 8-bit byte in front of From": "From: <a@attack.example>\r\n\u00a0From: <ceo@legit.example>",
  "a bare CR before a second From": "From: <a@attack.example>\r\nX-A: b\rFrom: <ceo@legit.example>",
  "a bare CR inside From": "From: <a@attack.example>\rFrom: <ceo@legit.example>",
  "a form feed before a second From": "From: <a@attack.example>\r\nX-A: b\fFrom: <ceo@legit.example>",
  "a bare LF before a second From": "From: <a@attack.example>\nFrom: <ceo@legit.example>",
  "Figure 6(d), only a From that not all see, beside Sender":
    "From\r\n : <a@attack.example>\r\nSender: <ceo@legit.example>",
  "Figure 6(d), with a space": "From : <a@attack.example>\r\nSender: <ceo@legit.example>",
  "§5.1, the same beside Resent-From": "From\r\n : <a@attack.example>\r\nResent-From: <ceo@legit.example>",
  "Sender alone": "Sender: <a@attack.example>",
  "Figure 8(a), two addresses": "From: <a@attack.example>, <ceo@legit.example>",
  "Figure 8(a), the victim first": "From: <ceo@legit.example>, <a@attack.example>",
  "Figure 8(b), an encoded address": `From: ${encoded("<ceo@legit.example>")},<a@attack.example>`,
  "Figure 8(b), an encoded name with an address": `From: ${encoded("<ceo@legit.example>")} <a@attack.example>`,
  "an encoded address without brackets": `From: ${encoded("ceo@legit.example")} <a@attack.example>`,
  "an encoded address in two words": `From: ${encoded("ceo@legit")} ${encoded(".example, ")} <a@attack.example>`,
  "an encoded NUL behind an encoded address": `From: ${encoded("ceo@legit.example\0")}@attack.example`,
  "an encoded line end behind an encoded address": `From: ${encoded("ceo@legit.example\n")}@attack.example`,
  "an encoded word as local part": `From: <${encoded("ceo@legit.example")}@attack.example>`,
  "an encoded word in quotation marks": `From: "${encoded("<ceo@legit.example>")}" <a@attack.example>`,
  "an encoded word in a comment": `From: a@attack.example (${encoded("<ceo@legit.example>")})`,
  "an encoded word with a space": `From: =?utf-8?Q?=3Cceo=40legit.example=3E x?= <a@attack.example>`,
  "UTF-7": "From: =?utf-7?Q?+ADw-ceo+AEA-legit.example+AD4-?= <a@attack.example>",
  "UTF-16": `From: =?utf-16be?B?${Buffer.from("<ceo@legit.example>", "utf16le").swap16().toString("base64")}?= <a@attack.example>`,
  "Figure 8(c), a source route": "From: <@attack.example,@any.example:ceo@legit.example>",
  "Figure 8(c), a route through the victim": "From: <@legit.example:a@attack.example>",
  "Figure 8(d), a quoted pair outside quotation marks": "From: <ceo@legit.example>\\,<a@attack.example>",
  "Figure 8(d), quoted pairs that open brackets": 'From: "\\"<ceo@legit.example>" <a@attack.example>',
  "Figure 8(e), a bare address and one in brackets": "From: ceo@legit.example,<a@attack.example>",
  "Figure 8(e), without the comma": "From: ceo@legit.example <a@attack.example>",
  "Figure 8(f), an address behind the brackets": "From: <a@attack.example>ceo@legit.example",
  "Figure 8(f), the other way round": "From: <ceo@legit.example>a@attack.example",
  "two pairs of brackets": "From: <ceo@legit.example><a@attack.example>",
  "brackets in brackets": "From: <ceo@legit.example<a@attack.example>>",
  "brackets without an end": "From: <ceo@legit.example, <a@attack.example>",
  "an empty address before another": "From: <>, <a@attack.example> (<ceo@legit.example>)",
  "an empty place in the list": "From: ,<a@attack.example>,<ceo@legit.example>",
  "a comment with an address": "From: a@attack.example (ceo@legit.example)",
  "a comment before the domain": "From: a@(legit.example)attack.example",
  "a comment that hides the domain's end": "From: <ceo@legit.example(>, <a@attack.example>)",
  "a comment without an end": "From: a@attack.example (<ceo@legit.example>",
  "a quotation mark without an end": 'From: "<ceo@legit.example> <a@attack.example>',
  "brackets in a quoted name": 'From: "<ceo@legit.example>" <a@attack.example>',
  "a comma in a quoted name with an address": 'From: "ceo@legit.example, x" <a@attack.example>',
  "an address as quoted local part": 'From: "ceo@legit.example"@attack.example',
  "a quoted local part with brackets": 'From: "<ceo@legit.example>"@attack.example',
  "two @ in an address": "From: <ceo@legit.example@attack.example>",
  "a group with two organisations": "From: team: a@attack.example, ceo@legit.example;",
  "a group's name with an address": "From: ceo@legit.example: a@attack.example;",
  "a group without an end": "From: team: a@attack.example, <ceo@legit.example>",
  "a NUL inside the address": "From: <ceo@legit.example\0@attack.example>",
  "a NUL behind the address": "From: a@attack.example\0, <ceo@legit.example>",
  "a full-width @": "From: ceo\uff20legit.example <a@attack.example>",
  "a full-width @ in a comment": "From: a@attack.example (ceo\uff20legit.example)",
  "a full-width dot in the domain": "From: a@attack\u3002example",
  "an invisible sign in the domain": "From: a@att\u00adack.example",
  "a reversing sign in the local part": "From: <ceo\u202eelpmaxe.tigel@attack.example>",
  "an encoded label that decodes to plain letters": "From: a@xn--attack-.example",
  "a very long field": `From: ${"(x)".repeat(20_000)} a@attack.example`,
};

/** §6: a true signature of the victim's, and another From that it does not cover. */
const replays: Readonly<Record<string, string>> = {
  "a signed message with a From put before": "From: <boss@legit.example>\r\nFrom: <ceo@legit.example>",
  "a signed message with a foreign From put before": "From: <a@attack.example>\r\nFrom: <ceo@legit.example>",
  "a signed message with a From behind it": "From: <ceo@legit.example>\r\nFrom : <a@attack.example>",
};

describe("no attack of Composition Kills gets a DMARC pass", () => {
  test.each(Object.entries(betweenServers))("%s", async (_, attack) => {
    expect(await judge("From: <ceo@legit.example>", attack)).not.toBe("pass");
  });

  test.each(Object.entries(betweenServerAndReader))("%s", async (_, headers) => {
    expect(await judge(headers, ours)).not.toBe("pass");
  });

  test.each(Object.entries(replays))("%s", async (_, headers) => {
    expect(await judge(headers, { dkim: signature("pass", "legit.example") })).not.toBe("pass");
  });
});

test("the same records let the honest messages of both pass", async () => {
  expect(await judge("From: Mallory <a@attack.example>", ours)).toBe("pass");
  const dkim = signature("pass", "legit.example");
  expect(await judge('From: "Boss, The" <ceo@legit.example>', { dkim })).toBe("pass");
});

async function judge(headers: string, { spf: given, dkim }: Attack): Promise<string> {
  const { dmarcResult } = await judgeMessage(
    {
      headers: `${headers}\r\nSubject: hi\r\n\r\nhi\r\n`,
      signatures: dkim ? [dkim] : [],
      ...(given && { spf: known(given) }),
    },
    dns,
  );
  return dmarcResult.known ? dmarcResult.value.result : "unknown";
}
