import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import { verifyArc } from "../../../src/analyzer/facts/arc.ts";
import { readHeaderSection } from "../../../src/analyzer/mail/headers/fields.ts";
import { seal } from "../mail/signing/seal.ts";
import { ed25519Key, rsaKey, type SignOptions, toKeyRecord } from "../mail/signing/sign.ts";

const suiteFile = join(import.meta.dirname, "../../../../shared/data/arc/arc-draft-validation-tests.yml");
const haveSuite = existsSync(suiteFile);
if (!haveSuite) console.warn("Skipped: ../shared/data/arc is not there.");

type Scenario = {
  readonly description: string;
  readonly tests: Readonly<Record<string, { readonly message: string; readonly cv: string }>>;
  readonly "txt-records": Readonly<Record<string, string>>;
};

function readSuite(): Scenario[] {
  // Some names occur twice in the file. The suite's own runner takes the last, and so do we.
  return parseAllDocuments(readFileSync(suiteFile, "utf8"), { uniqueKeys: false }).map((document) => document.toJS());
}

function toZone(texts: Readonly<Record<string, string>> = {}): Zone {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { TXT: [text] }]));
}

describe.skipIf(!haveSuite)("the public ARC test suite", () => {
  for (const scenario of haveSuite ? readSuite() : []) {
    for (const [name, { message, cv }] of Object.entries(scenario.tests)) {
      test(`${name} has the result that the suite requires`, async () => {
        const raw = Buffer.from(message.replaceAll("\n", "\r\n"), "latin1");
        const arc = await verifyArc(
          { raw, section: readHeaderSection(raw) },
          createZoneDns(toZone(scenario["txt-records"])),
          Date.UTC(2017, 0, 4),
        );
        // Where the suite leaves cv empty, a seal has cv=fail: the chain has failed and isn't evaluated (RFC 8617
        // §5.2).
        expect(arc.result, arc.failure?.says).toBe(cv.trim().toLowerCase() || "fail");
      });
    }
  }

  test("the public ARC test suite is complete", () => {
    expect(readSuite().flatMap(({ tests }) => Object.keys(tests))).toHaveLength(171);
  });
});

const message = "From: ann@example.com\r\nTo: list@example.net\r\nSubject: Hello\r\n\r\nA body.\r\n";
const zone: Zone = {
  "rsa._domainkey.one.example": { TXT: [toKeyRecord(rsaKey)] },
  "ed._domainkey.two.example": { TXT: [toKeyRecord(ed25519Key)] },
};
const one: SignOptions = { key: rsaKey, selector: "rsa", domain: "one.example", names: ["from", "subject"] };
const two: SignOptions = { ...one, key: ed25519Key, selector: "ed", domain: "two.example" };

function verify(text: string, answers: Zone = zone) {
  const raw = Buffer.from(text, "latin1");
  return verifyArc({ raw, section: readHeaderSection(raw) }, createZoneDns(answers), Date.UTC(2026, 10, 21));
}

describe("an ARC chain", () => {
  test("an ARC chain is absent without ARC headers", async () => {
    expect(await verify(message)).toEqual({
      present: false,
      result: "none",
      instances: 0,
      sealers: [],
      failure: null,
      firstResults: null,
    });
  });

  test("an ARC chain of two hops passes, with its sealers and the results of the first hop", async () => {
    expect(await verify(seal(seal(message, one), two))).toEqual({
      present: true,
      result: "pass",
      instances: 2,
      sealers: [
        { instance: 1, domain: "one.example", selector: "rsa" },
        { instance: 2, domain: "two.example", selector: "ed" },
      ],
      failure: null,
      firstResults: "mx.example; spf=pass; dkim=pass (hop 1)",
    });
  });

  test("an ARC chain passes if a hop changed the message before it sealed", async () => {
    const changed = seal(message, one).replace("Subject: ", "Subject: [list] ");
    expect((await verify(seal(changed, two))).result).toBe("pass");
  });

  test("an ARC chain fails if the message was changed after the last seal", async () => {
    const text = seal(seal(message, one), two);
    expect(await verify(`${text}A footer.\r\n`)).toMatchObject({
      result: "fail",
      failure: { instance: 2, says: expect.stringMatching(/^ARC-Message-Signature: .* added to the end/) },
      firstResults: null,
    });
  });

  test("an ARC chain fails at the newest seal if an older set was changed", async () => {
    const text = seal(seal(message, one), two).replace("dkim=pass (hop 1)", "dkim=fail (hop 1)");
    expect((await verify(text)).failure).toEqual({
      instance: 2,
      says: "ARC-Seal: the seal does not verify because an ARC header was changed",
    });
  });

  test("an ARC chain fails without DNS queries if its own cv= says so", async () => {
    const arc = await verify(seal(seal(message, one), two, "fail"), {});
    expect(arc).toMatchObject({ result: "fail", failure: { instance: 2, says: expect.stringMatching(/cv=fail/) } });
  });

  test("an ARC chain fails if a set is missing", async () => {
    const text = seal(seal(message, one), two);
    const [seal2, signature2, results2] = text.split("\r\n");
    expect(await verify([seal2, signature2, results2, message].join("\r\n"))).toMatchObject({
      result: "fail",
      instances: 2,
      failure: { instance: 1, says: "arc-authentication-results is missing" },
    });
  });

  test("an ARC chain is unknown if DNS does not return a key, unless something else fails", async () => {
    const text = seal(seal(message, one), two);
    const mute: Zone = { ...zone, "rsa._domainkey.one.example": "timeout" };
    expect(await verify(text, mute)).toMatchObject({ result: "temperror", failure: { instance: 1 } });
    expect((await verify(`${text}A footer.\r\n`, mute)).result).toBe("fail");
  });

  test("an ARC chain passes with 50 hops and fails with 51", async () => {
    let text = message;
    for (let hop = 0; hop < 50; hop++) text = seal(text, one);
    expect(await verify(text)).toMatchObject({ result: "pass", instances: 50 });
    expect(await verify(seal(text, one))).toMatchObject({
      result: "fail",
      failure: { says: "there are more than 50 instances" },
    });
  });

  test("an ARC chain of 100,000 fields is not evaluated", async () => {
    const text = `${"ARC-Seal: i=1; a=x\r\n".repeat(100_000)}${message}`;
    expect(await verify(text)).toMatchObject({ result: "fail", failure: { instance: null } });
  });

  test("an ARC chain ignores seal tags that have no meaning", async () => {
    const text = seal(message, one);
    const changed = text.replace("cv=none", "cv=none; c=nofws; l=x; x=1");
    expect((await verify(changed)).failure?.says).toMatch(/seal does not verify/);
  });
});
