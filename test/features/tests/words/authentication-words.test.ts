// How a report states authentication in one line: "no DMARC record" is not "nothing is aligned".

import { expect, test } from "vitest";
import { type Dns, withoutRecords } from "../../../../src/analyzer/dns/answer.ts";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { toAuthentication } from "../../../../src/features/tests/contract/authentication.ts";
import { toReportRows } from "../../../../src/features/tests/formats/report-rows.ts";
import { toBadges } from "../../../../src/features/tests/words/authentication-chip-words.ts";
import { toConclusion } from "../../../../src/features/tests/words/authentication-conclusion-words.ts";
import { toSteps } from "../../../../src/features/tests/words/authentication-words.ts";
import {
  analystFor,
  analyzeLetter,
  analyzeWith,
  inputOf,
  type Letter,
  zoneOf,
} from "../../../analyzer/domain-cases/verdict-world.ts";

const noRecord = { "_dmarc.a.example": {} };
const unsigned: readonly [] = [];
const fromAuthor = { mailFrom: "ann@a.example", ip: "192.0.2.20" };
const broken = (signed: string) => `${signed}\r\nP.S.`;

test.each<[string, Letter, string]>([
  ["DKIM aligned", {}, "DMARC passes, DKIM is aligned with a.example"],
  ["both aligned", fromAuthor, "DMARC passes, SPF and DKIM are aligned with a.example"],
  [
    "DKIM passes without a DMARC record",
    { zone: noRecord },
    "DKIM passes for a.example; a.example has no DMARC record",
  ],
  [
    "both pass without a DMARC record",
    { ...fromAuthor, zone: noRecord },
    "SPF and DKIM pass for a.example; a.example has no DMARC record",
  ],
  [
    "another domain's SPF passes without a DMARC record",
    { sign: unsigned, zone: noRecord },
    "SPF passes, but not for a.example (not aligned); a.example has no DMARC record",
  ],
  ["another domain's SPF", { sign: unsigned }, "DMARC fails: SPF passes, but not for a.example (not aligned)"],
  [
    "nothing passes without a DMARC record",
    { sign: unsigned, ip: "192.0.2.99", zone: noRecord },
    "neither SPF nor DKIM passes; a.example has no DMARC record",
  ],
  ["nothing", { change: broken, ip: "192.0.2.99" }, "DMARC fails: neither SPF nor DKIM passes"],
  [
    "the DMARC record is unusable",
    { zone: { "_dmarc.a.example": { TXT: ["v=DMARC1; p=none", "v=DMARC1; p=none"] } } },
    "DKIM passes for a.example; a.example has no valid DMARC policy",
  ],
  [
    "no session",
    { sign: unsigned, ip: null, helo: null, mailFrom: "", zone: noRecord },
    "DKIM does not pass, and SPF was not checked; a.example has no DMARC record",
  ],
  ["no author", { from: null }, "there isn’t exactly one From domain to authenticate"],
  [
    "an unreadable author",
    { from: "Ann <ann@a.example>bob@b.example" },
    "there isn’t exactly one From domain to authenticate",
  ],
])("the conclusion is right: %s", async (_, letter, says) => {
  const { authentication } = await analyzeLetter(letter);
  expect(toConclusion(toAuthentication(authentication))).toBe(says);
});

test.each<[string, Letter, RegExp, string]>([
  ["aligned", { zone: noRecord }, /; DKIM passes for a\.example$/, "DMARC no record, DKIM aligned"],
  [
    "not aligned",
    { sign: unsigned, zone: noRecord },
    /; neither SPF nor DKIM passes for a\.example$/,
    "DMARC no record",
  ],
])("without a DMARC record, the terminal and the app say whether something is %s", async (_, letter, row, badge) => {
  const report = await analyzeLetter(letter);
  const shown = toReportRows(report).find(([name]) => name === "DMARC");
  expect(shown?.join(" ")).toMatch(row);
  const authentication = toAuthentication(report.authentication);
  const seen = { transport: { client_address: null, helo: null }, surroundings: null, from: null, findings: [] };
  const steps = toSteps(seen as unknown as Parameters<typeof toSteps>[0], authentication);
  expect(steps.find(({ id }) => id === "dmarc")?.badge).toBe(badge);
});

test("the summary repeats the results for SPF, DKIM, and DMARC, with the best of several signatures", async () => {
  const { authentication } = await analyzeLetter({ sign: unsigned });
  const told = toAuthentication(authentication);
  const seen = { transport: { client_address: null, helo: null }, surroundings: null, from: null, findings: [] };
  const test = seen as unknown as Parameters<typeof toSteps>[0];
  expect(toBadges(test, told)).toEqual([
    { name: "spf", tone: "minor", word: "pass, other domain" },
    { name: "dkim", tone: "major", word: "missing" },
    { name: "dmarc", tone: "critical", word: "fail" },
  ]);
  const badges = toSteps(test, told).map(({ badge }) => badge);
  expect(badges).toEqual(["Unknown", "SPF pass, other domain", "DKIM missing", "DMARC fail"]);
  const signed = toAuthentication((await analyzeLetter({})).authentication);
  const [own] = signed.dkim;
  if (!own) throw new Error("not signed");
  const failing = { ...own, result: "fail" as const, aligned: false };
  const [, dkim] = toBadges(test, { ...signed, dkim: [failing, own] });
  expect(dkim).toEqual({ name: "dkim", tone: "good", word: "pass" });
  const unread = { ...own, result: "temperror" as const };
  const [, open] = toBadges(test, { ...signed, dkim: [failing, unread] });
  expect(open).toEqual({ name: "dkim", tone: "unknown", word: "not checked" });
  const [, failed] = toBadges(test, { ...signed, dkim: [failing, { ...unread, aligned: false }] });
  expect(failed).toEqual({ name: "dkim", tone: "critical", word: "fail" });
});

test.each(["timeout", "servfail", "private"] as const)(
  "a DNS lookup that ends with %s isn't shown as a missing record",
  async (status) => {
    const zone = createZoneDns(zoneOf({}));
    const dns: Dns = {
      query: async (name, type) => ({ ...(await zone.query(name, type)), ...withoutRecords(status) }),
    };
    const { authentication } = await analyzeWith(inputOf({}), analystFor(dns));
    const seen = { from: null, findings: [], transport: { client_address: null, helo: null } };
    const steps = toSteps({ ...seen, surroundings: null } as never, toAuthentication(authentication));
    const shown = steps.flatMap(({ answers }) => answers).join("\n");
    expect(shown).not.toMatch(/no .*record/);
    expect(shown).toContain("unknown");
    const dkim = steps.find(({ id }) => id === "dkim-0")?.concludes;
    expect(dkim).toMatch(/^Unknown: .+ This doesn’t count for or against the message\.$/);
    const two = await analyzeWith(inputOf({ from: "Ann <ann@a.example>bob@a.example" }), analystFor(dns));
    const dmarc = toSteps({ ...seen, surroundings: null } as never, toAuthentication(two.authentication)).find(
      ({ id }) => id === "dmarc",
    );
    expect(dmarc?.concludes).toMatch(/^The From header cannot be read, /);
  },
);

test("a From header without a domain isn't shown as a missing record", async () => {
  const { authentication } = await analyzeLetter({ from: "Shop <a@x,example>", sign: unsigned });
  const seen = { from: null, findings: [], transport: { client_address: null, helo: null } };
  const steps = toSteps({ ...seen, surroundings: null } as never, toAuthentication(authentication));
  expect(steps.find(({ id }) => id === "dmarc")?.answers).toEqual(["nothing to look up"]);
});

test("an IP recorded by a trusted server is judged like one that we saw", async () => {
  const { authentication } = await analyzeLetter({ ip: null, helo: null });
  const recorded = { by: "mx.a.example", client_address: "192.0.2.7", helo: "mail.a.example" };
  const verdicts = { spf: null, dkim: null, dmarc: null, differences: [] };
  const [caller] = toSteps(
    {
      from: null,
      findings: [],
      transport: { client_address: null, helo: null },
      surroundings: { ptr: { known: true, value: { names: [], confirmed: [] } } } as never,
    },
    { ...toAuthentication(authentication), recorded: { ...recorded, ...verdicts } },
  );
  expect(caller).toMatchObject({
    badge: "Missing",
    said: "EHLO mail.a.example",
    concludes: "No reverse DNS. Many receivers reject at this point.",
  });
});
