// "Composition Kills: A Case Study of Email Sender Authentication" (Chen, Paxson, Jiang; USENIX Security 2020). The
// techniques are named after its figures. Each message gets the best result that a careless SPF or DKIM component
// ever gave it, so only the From parser and the alignment can stop it. test/e2e/composition-kills.test.ts sends
// these messages.

import { describe, expect, test } from "vitest";
import type { DkimSignature, SpfResult } from "../../../src/analyzer/checks/authentication-facts.ts";
import { known } from "../../../src/analyzer/checks/fact.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { betweenServerAndReader, replays } from "./composition-attacks.ts";
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

type Attack = { readonly headers?: string; readonly spf?: SpfResult; readonly dkim?: DkimSignature };

const helo = (domain: string): SpfResult => ({ ...spf("pass", domain), identity: "helo" });
const ours = { spf: spf("pass", "attack.example"), dkim: signature("pass", "attack.example") };

/** §4: From is the victim's, and SPF or DKIM is tricked into passing for it. */
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

describe("no attack of the Composition Kills paper gets a DMARC pass", () => {
  test.each(Object.entries(betweenServers))(
    "no attack of the Composition Kills paper gets a DMARC pass with an attacker's own signature: %s",
    async (_, attack) => {
      expect(await judge("From: <ceo@legit.example>", attack)).not.toBe("pass");
    },
  );

  test.each(Object.entries(betweenServerAndReader))(
    "no attack of the Composition Kills paper gets a DMARC pass with misleading From headers: %s",
    async (_, headers) => {
      expect(await judge(headers, ours)).not.toBe("pass");
    },
  );

  test.each(Object.entries(replays))(
    "no attack of the Composition Kills paper gets a DMARC pass with a replayed signature: %s",
    async (_, headers) => {
      expect(await judge(headers, { dkim: signature("pass", "legit.example") })).not.toBe("pass");
    },
  );
});

test("honest messages pass with the same records", async () => {
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
