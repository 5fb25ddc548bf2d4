import { expect, test } from "vitest";
import { whyUnknown } from "../../src/analyzer/checks/fact.ts";
import type { Dns } from "../../src/analyzer/dns/answer.ts";
import { unanswered } from "../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../src/analyzer/dns/zone.ts";
import { wellKnownSelectors } from "../../src/analyzer/facts/dkim-keys.ts";
import type { FetchDoor } from "../../src/analyzer/facts/fetch.ts";
import { maxQuestionsPerDomain } from "../../src/analyzer/facts/gather-domain.ts";
import { issuesOf } from "../../src/analyzer/reports/plan.ts";
import { gradeOf } from "../../src/analyzer/reports/report.ts";
import { toDomainText } from "../../src/features/tests/formats/domain-text.ts";
import { styleOf } from "../features/tests/command/letters.ts";
import {
  check,
  faultsOf,
  healthy,
  keyRecord,
  mx,
  policy,
  policyAt,
  without,
  wordsOf,
} from "./domain-cases/domain-world.ts";
import { broken, counting, troubles } from "./facts/asking.ts";

const revoked: Zone = { "s1._domainkey.a.example": { TXT: ["v=DKIM1; p="] } };

test("a well-configured domain has no issues", async () => {
  const report = await check(healthy);
  expect(faultsOf(report)).toEqual([]);
  expect(wordsOf(report)).toBe("spf=pass dkim=pass dmarc=pass bimi=missing");
  expect(report.judgment.score).toMatchObject({ composite: 100 });
  expect(report.judgment.skipped).toEqual([]);
});

test("a sending domain without a known DKIM key gets no A, and the report says what to do", async () => {
  const report = await check(without("google._domainkey.a.example", "s2._domainkey.a.example"));
  const { score, skipped, plan } = report.judgment;
  expect(wordsOf(report)).toBe("spf=pass dkim=missing dmarc=pass bimi=missing");
  expect(score.composite).toBeLessThan(90);
  expect([null, "B"]).toContain(gradeOf(report));
  expect(skipped).toContainEqual({ check: "dkim-key", why: "no-key" });
  expect(plan.map(({ finding }) => finding)).toEqual(["dkim-selectors.none-known"]);
  const text = toDomainText(report, styleOf(200));
  expect(text).toContain("Send a test message from a.example, or enter the selector");
  expect(text).not.toContain("Nothing to");
});

test("all issues that one DMARC record fixes are one issue, with the score after it", async () => {
  const record = "v=DMARC1; p=reject; sp=none; pct=50; fo=0:1; rua=dmarc@a.example";
  const { judgment } = await check({ ...healthy, "_dmarc.a.example": { TXT: [record], ttlSeconds: 3600 } });
  const proposing = judgment.findings.filter(({ records = [] }) => records.length > 0);
  expect(proposing.length).toBeGreaterThan(1);
  expect(issuesOf(judgment)).toHaveLength(1);
  expect(judgment.plan).toMatchObject([{ composite: 100 }]);
});

test("a domain with a null MX and no DMARC record has exactly one issue", async () => {
  const report = await check({ "a.example": { MX: [{ preference: 0, exchange: "." }], ttlSeconds: 3600 } });
  expect(faultsOf(report)).toEqual(["parked-domain.unprotected"]);
  expect(wordsOf(report)).toBe("spf=warn dkim=missing dmarc=warn bimi=missing");
});

test("a parked domain with a weak policy and no DMARC reports has exactly one issue", async () => {
  const zone: Zone = {
    "a.example": { A: ["203.0.113.80"], TXT: ["v=spf1 -all"], ttlSeconds: 3600 },
    "_dmarc.a.example": { TXT: ["v=DMARC1; p=none"], ttlSeconds: 3600 },
  };
  expect(faultsOf(await check(zone))).toEqual(["parked-domain.unprotected"]);
  const strict = { ...zone, "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject"], ttlSeconds: 3600 } };
  expect(faultsOf(await check(strict))).toEqual([]);
});

test("a new MX host that the MTA-STS policy does not list is the only issue", async () => {
  const zone: Zone = {
    ...healthy,
    "a.example": { ...(healthy["a.example"] as object), MX: [mx("mx1.a.example"), mx("mx2.a.example")] },
    "mx2.a.example": { A: ["203.0.113.26"], AAAA: ["2001:db8:25::2"] },
  };
  const report = await check(zone);
  expect(faultsOf(report)).toEqual(["mta-sts.mx-not-covered"]);
  expect(faultsOf(await check(zone, { fetchStranger: policy("*.a.example") }))).toEqual([]);
});

/** A resolver that checks signatures, in front of a zone whose signatures have expired. */
const refusing: Dns = {
  query: async (name, type) => {
    const isBelow = name === "a.example" || name.endsWith(".a.example");
    if (isBelow && type !== "DS") return unanswered(name, type, "servfail", 0);
    const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: "ab" };
    const answer = await createZoneDns({ "a.example": { DS: [ds] }, ".": { SOA: [root] } }).query(name, type);
    return { ...answer, authenticated: true };
  },
};
const root = { primary: "a.root.test", serial: 1, minimum: 300 };

test("expired DNSSEC signatures are reported, and the records that they invalidate are not judged", async () => {
  const report = await check(refusing, { unchecked: createZoneDns(healthy) });
  expect(faultsOf(report)).toEqual(["dnssec.bogus"]);
  expect(wordsOf(report)).toBe("spf=error dkim=error dmarc=error bimi=error");
  expect(report.judgment.skipped.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["spf-record", "dmarc-record", "dkim-selectors", "mx-hosts", "nameservers"]),
  );
  expect(report.judgment.findings.map(({ id }) => id)).toEqual(["dnssec.bogus"]);
});

test("expired DNSSEC signatures count as no answer if the resolver cannot turn validation off", async () => {
  expect(faultsOf(await check(refusing))).toEqual([]);
});

test("probed selectors without a key, or with a revoked one, cause no issue", async () => {
  expect(wellKnownSelectors.length).toBeGreaterThan(40);
  const report = await check({ ...healthy, ...revoked });
  expect(faultsOf(report)).toEqual([]);
  expect(wordsOf(report)).toContain("dkim=pass");
  const keys = report.facts.dkimKeys.known ? report.facts.dkimKeys.value : [];
  expect(keys.map(({ selector, revoked: isRevoked, source }) => [selector, isRevoked, source])).toEqual(
    expect.arrayContaining([
      ["google", false, "probed"],
      ["s1", true, "probed"],
    ]),
  );
  const seen = await check({ ...healthy, ...revoked }, { seen: ["google", "s1", "gone"] });
  expect(faultsOf(seen)).toEqual([]);
});

test.each(troubles)("if DNS is down (%s), every verdict is an error and the score is empty", async (status) => {
  const report = await check(broken(status));
  expect(wordsOf(report)).toBe("spf=error dkim=error dmarc=error bimi=error");
  expect(report.judgment.findings).toEqual([]);
  expect(report.judgment.score).toMatchObject({ composite: null, coverage: 0 });
});

test("a DKIM key is missing only if its selector was configured", async () => {
  const named = await check(healthy, { configured: ["gone"], seen: ["google"] });
  expect(faultsOf(named)).toEqual(["dkim-key.missing"]);
  expect(wordsOf(named)).toContain("dkim=fail");
  const keyless = without("google._domainkey.a.example", "s2._domainkey.a.example");
  expect(wordsOf(await check(keyless, { seen: ["gone"] }))).toContain("dkim=missing");
});

test("a new selector passes DKIM before any message has used it", async () => {
  for (const zone of [healthy, { ...healthy, ...revoked }])
    expect(wordsOf(await check(zone, { seen: ["s1"] }))).toContain("dkim=pass");
  const silent: Zone = { ...healthy, "s1._domainkey.a.example": "timeout" };
  expect(wordsOf(await check(silent, { seen: ["s1"] }))).toContain("dkim=error");
});

test("the DKIM verdict is an error if a configured selector does not answer", async () => {
  const zone: Zone = { ...healthy, "mine._domainkey.a.example": "timeout" };
  expect(wordsOf(await check(zone, { configured: ["google", "mine"] }))).toContain("dkim=error");
});

test("a wildcard record never counts as a DKIM key", async () => {
  const bare = without("google._domainkey.a.example", "s2._domainkey.a.example");
  for (const text of ["hello", keyRecord, "v=DKIM1; p="]) {
    const report = await check({ ...bare, "*._domainkey.a.example": { TXT: [text] } });
    expect(report.facts.dkimKeys).toEqual({ known: true, value: [] });
  }
});

test.each<[what: string, zone: Zone, words: string]>([
  ["no record", { "a.example": { MX: [mx("mx1.a.example")] } }, "spf=missing"],
  ["two records", { "a.example": { MX: [mx("mx1.a.example")], TXT: ["v=spf1 -all", "v=spf1 mx -all"] } }, "spf=fail"],
  [
    "a record with a wrong beginning",
    { "a.example": { MX: [mx("mx1.a.example")], TXT: ["v=spf1;mx -all"] } },
    "spf=fail",
  ],
  ["a weak policy", { "_dmarc.a.example": { TXT: ["v=DMARC1; p=none; rua=mailto:d@a.example"] } }, "dmarc=warn"],
  ["an unreadable record", { "_dmarc.a.example": { TXT: ["v=dmarc1; p=reject"] } }, "dmarc=fail"],
  ["a name that does not answer", { "_dmarc.a.example": "servfail" }, "dmarc=error"],
  ["an unusable logo", { "default._bimi.a.example": { TXT: ["v=BIMI1; l=http://a.example/l.svg"] } }, "bimi=warn"],
])("the verdict is right for %s", async (_, changed, words) => {
  expect(wordsOf(await check({ ...healthy, ...changed }))).toContain(words);
});

test("a verdict says if one of its DNS answers is missing", async () => {
  const whole = await check(healthy);
  expect(whole.verdicts.spf).toEqual({ word: "pass", isWhole: true });
  const report = await check({ ...healthy, "_spf.esp.test": "timeout" });
  expect(report.verdicts.spf).toEqual({ word: "pass", isWhole: false });
});

test("a blocklisted domain is reported", async () => {
  const zone: Zone = { ...healthy, "a.example.dbl.test": { A: ["127.0.0.2"] } };
  const report = await check(zone);
  expect(report.judgment.findings.filter(({ check }) => check === "domain-blocklist")).toHaveLength(1);
});

test("the BIMI logo and certificate are judged, and re-judging stored evidence fetches nothing", async () => {
  const record = "v=BIMI1; l=https://a.example/logo.svg; a=https://a.example/mark.pem";
  const zone: Zone = { ...healthy, "default._bimi.a.example": { TXT: [record] } };
  const gone = { ok: true, status: 404, headers: {}, body: Buffer.alloc(0), address: "203.0.113.80" } as const;
  const fetchStranger: FetchDoor = async (url, request) =>
    url === policyAt ? policy("mx1.a.example")(url, request) : gone;
  const report = await check(zone, { fetchStranger });
  expect(faultsOf(report)).toEqual(["bimi-certificate.unusable", "bimi-logo.not-found"]);
  expect(report.verdicts.bimi).toEqual({ word: "warn", isWhole: true });
  const evidence = JSON.parse(JSON.stringify(report.analysis));
  const again = await check({}, { evidence, fetchStranger: () => Promise.reject(new Error("Fetched.")) });
  expect(faultsOf(again)).toEqual(faultsOf(report));
});

test("a logo server that does not answer is no issue, and the BIMI verdict is marked incomplete", async () => {
  const zone: Zone = { ...healthy, "default._bimi.a.example": { TXT: ["v=BIMI1; l=https://a.example/l.svg"] } };
  const fetchStranger: FetchDoor = async (url, request) =>
    url === policyAt ? policy("mx1.a.example")(url, request) : { ok: false, failure: "timeout", problem: "No answer." };
  const report = await check(zone, { fetchStranger });
  expect(faultsOf(report)).toEqual([]);
  expect(report.verdicts.bimi).toEqual({ word: "pass", isWhole: false });
});

test("a blocklisted sending IP is reported, and again when stored evidence is re-judged", async () => {
  const lists = { states: async () => [{ zone: "bl.test", with: "ipv4", unfit: null } as const] };
  const zone: Zone = { ...healthy, "9.113.0.203.bl.test": { A: ["127.0.0.2"], TXT: ["spam"] } };
  expect(faultsOf(await check(zone, { lists }))).toEqual([]);
  const report = await check(zone, { lists, senders: ["203.0.113.8", "203.0.113.9", "2001:db8::9"] });
  expect(faultsOf(report)).toEqual(["sender-blocklist.minor-list"]);
  expect(report.judgment.partly).toEqual([]);
  const evidence = JSON.parse(JSON.stringify(report.analysis));
  expect(faultsOf(await check({}, { evidence }))).toEqual(["sender-blocklist.minor-list"]);
});

test("a blocklist that does not answer for an IP is no issue, and the others are judged", async () => {
  const lists = { states: async () => [{ zone: "bl.test", with: "ipv4", unfit: null } as const] };
  const zone: Zone = { ...healthy, "9.113.0.203.bl.test": "servfail" };
  const report = await check(zone, { lists, senders: ["203.0.113.8", "203.0.113.9"] });
  expect(faultsOf(report)).toEqual([]);
  expect(report.judgment.partly).toMatchObject([{ check: "sender-blocklist", why: "servfail" }]);
});

test("an MTA-STS policy on a host without an address is reported, and nothing is fetched", async () => {
  const fetchStranger = () => Promise.reject(new Error("Fetched."));
  const report = await check(without("mta-sts.a.example"), { fetchStranger });
  expect(faultsOf(report)).toEqual(["mta-sts.policy-invalid"]);
});

test("a policy server that does not answer is no issue", async () => {
  const silent = async () => ({ ok: false, failure: "timeout", problem: "No answer." }) as const;
  const report = await check(healthy, { fetchStranger: silent });
  expect(faultsOf(report)).toEqual([]);
  expect(report.judgment.skipped).toEqual([{ check: "mta-sts", why: "silent" }]);
});

test("re-judging stored evidence gives the same report without DNS or HTTP requests", async () => {
  const zone: Zone = { ...healthy, ...revoked, "_dmarc.a.example": "timeout", "*.esp.test": "servfail" };
  const servers = async (address: string) => ({ known: true, value: address === "203.0.113.53" }) as const;
  const first = await check(zone, { configured: ["google"], seen: ["s1"], askServer: servers });
  const evidence = JSON.parse(JSON.stringify(first.analysis));
  const nobody: Dns = { query: () => Promise.reject(new Error("Somebody was asked.")) };
  const again = await check(nobody, { evidence, fetchStranger: () => Promise.reject(new Error("Fetched.")) });
  const bare = ({ analysis: _, ...rest }: typeof first) => rest;
  expect(bare(again)).toEqual(bare(first));
  expect(again.analysis.dns).toEqual(first.analysis.dns);
  const bogus = await check(refusing, { unchecked: createZoneDns(healthy) });
  const bogusAgain = await check(nobody, { evidence: JSON.parse(JSON.stringify(bogus.analysis)) });
  expect(bare(bogusAgain)).toEqual(bare(bogus));
});

test("a lame name server is reported only if another name server is reachable", async () => {
  const lame = async (address: string) => ({ known: true, value: address !== "198.51.100.53" }) as const;
  const report = await check(healthy, { askServer: lame });
  expect(faultsOf(report)).toEqual(["nameservers.lame"]);
  const none = async () => ({ known: true, value: false }) as const;
  expect(faultsOf(await check(healthy, { askServer: none }))).toEqual([]);
});

test("a domain needs a limited number of DNS queries, usually about a hundred", async () => {
  const ordinary = counting(createZoneDns(healthy));
  await check(ordinary);
  expect(new Set(ordinary.asked).size).toBeLessThan(130);
  const hosts = Array.from({ length: 40 }, (_, index) => `mx${index}.a.example`);
  const terms = hosts.map((host) => `include:${host} a:${host}`).join(" ");
  const greedy = counting(
    createZoneDns({
      "a.example": { MX: hosts.map(mx), NS: hosts, TXT: [`v=spf1 ${terms} -all`] },
      "*.a.example": { TXT: ["v=spf1 a mx ptr -all"], A: ["203.0.113.1"] },
    }),
  );
  const report = await check(greedy, { seen: hosts });
  expect(greedy.asked.length).toBeLessThanOrEqual(maxQuestionsPerDomain);
  expect(report.analysis.dns.filter((answer) => whyUnknown(answer) === "budget").length).toBeLessThan(50);
});

test("a single query shows that a domain has no DKIM keys to guess", async () => {
  const bare = without("google._domainkey.a.example", "s2._domainkey.a.example");
  const dns = counting(createZoneDns(bare));
  expect(wordsOf(await check(dns))).toContain("dkim=missing");
  expect(dns.asked.filter((question) => question.includes("._domainkey."))).toHaveLength(1);
});

test("later checks query only the selectors that an earlier probe found", async () => {
  const dns = counting(createZoneDns(healthy));
  const report = await check(dns, { guesses: { found: ["google", "gone"], all: false } });
  expect(wordsOf(report)).toContain("dkim=pass");
  const asked = dns.asked.filter((question) => /^(?!probe-).*\._domainkey\./.test(question));
  expect(new Set(asked)).toEqual(new Set(["google._domainkey.a.example TXT", "gone._domainkey.a.example TXT"]));
  const keys = report.facts.dkimKeys.known ? report.facts.dkimKeys.value : [];
  expect(keys.map(({ selector }) => selector)).toEqual(["google"]);
});

test("the DKIM verdict is an error if a known key does not answer", async () => {
  const zone: Zone = { ...healthy, "s2._domainkey.a.example": "timeout" };
  for (const all of [true, false])
    expect(wordsOf(await check(zone, { guesses: { found: ["google", "s2"], all } }))).toContain("dkim=error");
  expect(wordsOf(await check(zone))).toContain("dkim=pass");
});

test("the DKIM verdict does not claim a missing key while DNS does not answer", async () => {
  const zone: Zone = { ...healthy, "_domainkey.a.example": "timeout" };
  expect(wordsOf(await check(zone, { guesses: { found: [], all: false } }))).toContain("dkim=error");
});
