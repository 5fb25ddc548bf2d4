// Mail from a private network or after a login, which an outgoing server may still forward and sign.

import { describe, expect, test } from "vitest";
import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import { checkCatalog } from "../../src/analyzer/checks/catalog.ts";
import { createZoneDns } from "../../src/analyzer/dns/zone.ts";
import type { Outgoing } from "../../src/analyzer/mail/session/outgoing.ts";
import type { SmtpSession } from "../../src/analyzer/mail/session/session.ts";
import { type Evidence, gradeOf, type Report } from "../../src/analyzer/reports/report.ts";
import type { AnalysisContext } from "../../src/analyzer/world.ts";
import { toReportFields } from "../../src/features/tests/contract/report.ts";
import { toReportMarkdown } from "../../src/features/tests/formats/markdown.ts";
import { toReportRows } from "../../src/features/tests/formats/report-rows.ts";
import { bases } from "../fixtures/messages/fixture.ts";
import {
  all,
  heardWith,
  type Letter,
  unsigned,
  withHeader,
  withName,
  withoutHeader,
  withoutName,
  withZone,
} from "../fixtures/messages/letter.ts";
import { analystWith, circumstances, idsOf, inputOf } from "../fixtures/messages/run.ts";
import { evidenceOf, timeless, withNobodyToAsk } from "./recorded.ts";

const stranger = { clientAddress: "198.51.100.99", helo: "laptop.b.example" };

async function analyzeAfterLogin(letter: Letter, outgoing: Outgoing | null = null): Promise<Report> {
  const input = inputOf(letter);
  const [greeting, ...later] = input.session.transcript;
  if (greeting === undefined) throw new Error("The session has no greeting.");
  const login = [
    { ...greeting, from: "client" as const, line: "AUTH PLAIN [hidden]" },
    { ...greeting, line: "235 2.7.0 Authentication succeeded" },
  ];
  const { report } = await analyzeMessage(
    {
      ...input,
      session: { ...input.session, transcript: [greeting, ...login, ...later] },
      circumstances: { ...circumstances, outgoing },
    },
    analystWith(createZoneDns(letter.zone)),
  );
  if (report === null) throw new Error("The message was not recognized as a test.");
  return report;
}

describe("mail after a login from a public IP", () => {
  const sent = all(heardWith(stranger), unsigned)(bases.T);

  test("mail after a login from a public IP is checked for SPF and reverse DNS, and only the missing signature is excused", async () => {
    const report = await analyzeAfterLogin(sent);
    const ids = idsOf(report.judgment.findings);
    expect(ids).toEqual(expect.arrayContaining(["spf-result.fail", "ptr-record.missing"]));
    expect(ids).not.toContain("source-address.private");
    const unchecked = report.judgment.skipped.map(({ check }) => check);
    expect(unchecked).toEqual(expect.arrayContaining(["dkim-present", "dmarc-result"]));
    for (const check of ["spf-result", "spf-helo", "ptr-record", "helo-name", "ip-blocklist", "tls-used"])
      expect(unchecked).not.toContain(check);
  });

  test("mail after a login from a public IP has a notice that names only what was not checked", async () => {
    const { notices } = toReportFields(await analyzeAfterLogin(sent), checkCatalog);
    expect(notices?.[0]).toMatchObject({
      title: "Authentication isn’t fully tested yet.",
      text: expect.stringContaining("so the score leaves out DKIM and DMARC."),
    });
  });

  test("mail after a login from a public IP is judged by its broken signature", async () => {
    const changed: Letter = { ...bases.T, afterSigning: (message) => `${message}Changed.\r\n` };
    const report = await analyzeAfterLogin(heardWith(stranger)(changed));
    expect(report.authentication).toMatchObject({
      dkim: { value: { signatures: [{ result: "fail" }] } },
      dmarcResult: { value: { result: "fail" } },
    });
  });
});

// With an outgoing server.

const outgoing = { host: "203.0.113.7", domain: "a.example", selector: "s2026" };
const atHome = all(heardWith({ clientAddress: "127.0.0.1", helo: "laptop", isPlain: true }), withoutHeader("Received"));
const fromHome = all(atHome, unsigned)(bases.T);

async function analyzeFor(
  letter: Letter,
  declared: Outgoing | null,
  { evidence = null, session = {}, analyst = analystWith(createZoneDns(letter.zone)) }: Changed = {},
): Promise<Report> {
  const input = inputOf(letter, evidence);
  const { report, broken, seenSenders } = await analyzeMessage(
    { ...input, session: { ...input.session, ...session }, circumstances: { ...circumstances, outgoing: declared } },
    analyst,
  );
  expect(broken).toEqual([]);
  // Nothing is learned from what was assumed.
  if (letter.signatures.length === 0) expect(seenSenders).toEqual([]);
  if (report === null) throw new Error("The message was not recognized as a test.");
  return report;
}

type Changed = {
  readonly evidence?: Evidence | null;
  readonly session?: Partial<SmtpSession>;
  readonly analyst?: AnalysisContext;
};

const resultsOf = ({ authentication: { spf, dkim, dmarcResult } }: Report) => ({
  spf: spf.known ? [spf.value.result, spf.value.assumed ?? false] : spf.why,
  dkim: dkim.known ? dkim.value.signatures.map(({ result, why, assumed = false }) => [result, why, assumed]) : dkim.why,
  dmarc: dmarcResult.known ? [dmarcResult.value.result, dmarcResult.value.assumed ?? false] : dmarcResult.why,
});

test("a signed message from this machine has no grade if the free mail domain of its From has no DMARC record", async () => {
  const from = all(
    withHeader("From", "A. Author <author@gmail.com>"),
    withName("gmail.com", { MX: [{ preference: 10, exchange: "mx.a.example" }] }),
  );
  const report = await analyzeFor(from(atHome(bases.T)), null);
  expect(report.judgment.notApplicable.map(({ check }) => check)).toContain("dmarc-result");
  expect(gradeOf(report)).toBeNull();
});

describe("an unsigned message from this machine", () => {
  test("an unsigned message from this machine has no grade and no authentication results without an outgoing server", async () => {
    const report = await analyzeFor(fromHome, null);
    expect(resultsOf(report)).toEqual({ spf: "not-public", dkim: "not-public", dmarc: "not-public" });
    expect(gradeOf(report)).toBeNull();
    expect(report.authentication.assumed).toBeUndefined();
  });

  test("an unsigned message from this machine is judged as if the outgoing server had sent it, and every result is marked as assumed", async () => {
    const report = await analyzeFor(fromHome, outgoing);
    expect(resultsOf(report)).toEqual({ spf: ["pass", true], dkim: [["pass", null, true]], dmarc: ["pass", true] });
    expect(gradeOf(report)).toBe("A");
    expect(report.surroundings.ptr).toMatchObject({ value: { confirmed: ["mail.a.example"] } });
    expect(report.surroundings.listings.known).toBe(true);
    const { authentication, notices } = toReportFields(report, checkCatalog);
    expect(authentication?.assumed?.says).toBe(
      "Assumed: your mail leaves from 203.0.113.7 and is signed by a.example with selector s2026",
    );
    expect(notices?.map(({ title }) => title)).toEqual(["Your outgoing server is assumed."]);
    expect(toReportMarkdown("test", report)).toContain("your mail leaves from 203.0.113.7 and is signed by");
    expect(toReportRows(report).map((row) => row.join(" "))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^SPF pass .*; assumed$/),
        expect.stringMatching(/^DKIM pass .*; assumed$/),
        expect.stringMatching(/^DMARC pass .*; assumed$/),
      ]),
    );
  });

  test("an unsigned message from this machine keeps the real connection in its timeline, and leaves TLS and signature details unknown", async () => {
    const { timeline, judgment } = await analyzeFor(fromHome, outgoing);
    expect(timeline).toEqual((await analyzeFor(fromHome, null)).timeline);
    const unseen = judgment.skipped.filter(({ why }) => why === "not-seen").map(({ check }) => check);
    expect(unseen).toEqual(expect.arrayContaining(["tls-used", "helo-name"]));
    expect(judgment.notApplicable.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["dkim-signature", "dkim-signed-headers"]),
    );
    expect(idsOf(judgment.findings)).toContain("source-address.assumed");
  });

  test("an unsigned message from this machine fails SPF for a wrong IP, as in real mail", async () => {
    const report = await analyzeFor(fromHome, { ...outgoing, host: "198.51.100.99" });
    expect(resultsOf(report).spf).toEqual(["fail", true]);
    expect(idsOf(report.judgment.findings)).toContain("ptr-record.missing");
  });

  test.each([
    ["missing", "key-missing", undefined],
    ["revoked", "key-revoked", { TXT: ["v=DKIM1; p="] }],
    ["malformed", "key-faulty", { TXT: ["v=DKIM1; p=nonsense!"] }],
  ])(
    "an unsigned message from this machine with a key that is %s fails DKIM with the finding of a real message",
    async (finding, why, entry) => {
      const key = "s2026._domainkey.a.example";
      const zone = entry ? withZone({ [key]: entry }) : withoutName(key);
      const report = await analyzeFor(zone(fromHome), outgoing);
      expect(resultsOf(report).dkim).toEqual([["permerror", why, true]]);
      expect(idsOf(report.judgment.findings)).toContain(`dkim-key.${finding}`);
    },
  );

  test("a message from this machine signed by another domain passes DMARC only through SPF", async () => {
    const other = { "s1._domainkey.b.example": bases.T.zone["s2026._domainkey.a.example"] ?? {} };
    const declared = { host: "198.51.100.99", domain: "b.example", selector: "s1" };
    const report = await analyzeFor(withZone(other)(fromHome), declared);
    expect(resultsOf(report)).toMatchObject({ dkim: [["pass", null, true]], dmarc: ["fail", true] });
  });

  test("an unsigned message from this machine leaves DKIM unknown if only the IP is set, and SPF if only the selector is set", async () => {
    const byAddress = await analyzeFor(fromHome, { ...outgoing, domain: null, selector: null });
    expect(resultsOf(byAddress)).toMatchObject({ spf: ["pass", true], dkim: "not-public" });
    const bySignature = await analyzeFor(fromHome, { ...outgoing, host: null });
    expect(resultsOf(bySignature)).toEqual({ spf: "not-public", dkim: [["pass", null, true]], dmarc: ["pass", true] });
  });

  test("an unsigned message from this machine is judged by its own signature, even a broken one", async () => {
    const own = await analyzeFor(atHome(bases.T), outgoing);
    expect(resultsOf(own)).toMatchObject({ dkim: [["pass", null, false]], dmarc: ["pass", false] });
    const changed: Letter = { ...atHome(bases.T), afterSigning: (message) => `${message}Changed.\r\n` };
    const broken = await analyzeFor(changed, outgoing);
    expect(resultsOf(broken).dkim).toEqual([["fail", "body-changed", false]]);
  });

  test("an unsigned message from this machine is judged by the IP of a configured host name", async () => {
    const report = await analyzeFor(fromHome, { ...outgoing, host: "mail.a.example" });
    expect(resultsOf(report).spf).toEqual(["pass", true]);
    expect(report.authentication.assumed).toMatchObject({ address: "203.0.113.7" });
  });

  test.each(["nowhere.a.example", "silent.a.example"])(
    "an unsigned message from this machine has no assumed IP if %s does not resolve, and says so",
    async (host) => {
      const zone = withZone({ "silent.a.example": "timeout", "inside.a.example": { A: ["10.0.0.1"] } });
      const report = await analyzeFor(zone(fromHome), { host, domain: null, selector: null });
      expect(resultsOf(report)).toEqual({ spf: "not-public", dkim: "not-public", dmarc: "not-public" });
      const { notices } = toReportFields(report, checkCatalog);
      expect(notices?.at(-1)?.text).toContain(`No public IP address was found for ${host} in DNS`);
    },
  );

  test("an unsigned message from this machine gets the same report from recorded DNS answers after the setting changed", async () => {
    const live = await analyzeFor(fromHome, { ...outgoing, host: "mail.a.example" });
    const analyst = withNobodyToAsk(analystWith(createZoneDns({})));
    const again = await analyzeFor(fromHome, null, { evidence: evidenceOf(live), analyst });
    expect(timeless(again)).toEqual(timeless(live));
  });
});

describe("the outgoing server setting does not apply", () => {
  test("the outgoing server setting does not apply to a public client without a login", async () => {
    const report = await analyzeFor(heardWith(stranger)(bases.T), outgoing);
    expect(report.authentication.assumed).toBeUndefined();
    expect(resultsOf(report).spf).toEqual(["fail", false]);
  });

  test("the outgoing server setting does not apply to a public client after a login, because any password is accepted", async () => {
    const report = await analyzeAfterLogin(all(heardWith(stranger), unsigned)(bases.T), outgoing);
    expect(report.authentication.assumed).toBeUndefined();
    expect(resultsOf(report).spf).toEqual(["fail", false]);
  });

  test("the outgoing server setting does not apply to mail from the internet that a private server forwards", async () => {
    const hop =
      "from evil.b.example ([198.51.100.99]) by mx.a.example with ESMTP id 1; Fri, 20 Nov 2026 10:00:00 +0000";
    const report = await analyzeFor(all(atHome, unsigned, withHeader("Received", hop))(bases.T), outgoing);
    expect(report.authentication.assumed).toBeUndefined();
  });

  test.each([
    ["a proxy's client", { via: { how: "proxy-v1" as const, address: "10.0.0.9" } }],
    ["an upload with a claimed address", { door: { kind: "upload" } as const }],
    ["mail that Assay sends to itself", { looped: true as const }],
  ])("the outgoing server setting does not apply to %s", async (_what, session) => {
    const report = await analyzeFor(fromHome, outgoing, { session });
    expect(report.authentication.assumed).toBeUndefined();
  });
});

test("a phishing message from this machine scores no better than from the outgoing server", async () => {
  const fromBrand = withHeader("From", "PayPal Service <service@paypal.com>");
  const policy = withZone({
    "paypal.com": { MX: [{ preference: 10, exchange: "mx.paypal.com" }], TXT: ["v=spf1 -all"] },
    "_dmarc.paypal.com": { TXT: ["v=DMARC1; p=reject"] },
  });
  const phishing = all(fromBrand, policy)(bases.T);
  const [assumed, real] = [
    await analyzeFor(all(atHome, unsigned)(phishing), outgoing),
    await analyzeFor(phishing, null),
  ];
  expect(resultsOf(assumed).dmarc).toEqual(["fail", true]);
  expect(assumed.judgment.suspicion).toEqual(real.judgment.suspicion);
  expect(assumed.judgment.score.composite).toBeLessThanOrEqual(real.judgment.score.composite ?? 0);
});
