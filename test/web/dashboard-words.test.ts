// What the dashboard says of a week, in words.

import { describe, expect, test } from "vitest";
import type { Bounce } from "../../src/api/bounces.ts";
import type { DashboardSummary } from "../../src/api/dashboard.ts";
import type { DomainSummary } from "../../src/api/domains.ts";
import { byUrgency, toHeadline } from "../../src/web/dashboard/headline.ts";
import {
  toBounceGroups,
  toFigures,
  toPlacementSentence,
  toReading,
  toScoreSentence,
} from "../../src/web/dashboard/words.ts";

const now = "2026-11-21T12:00:00.000Z";
const window = { from: "2026-11-14T12:00:00.000Z", to: now };
const week = {
  window,
  ...{ deliverabilityScore: 90, inboxRate: 0.9, spamRate: 0.04, promoRate: 0.06 },
  ...{ testCount: 128, bounces7d: 0, complaints7d: 0 },
};
const well = {
  ...week,
  previous: week,
  ...{ trend: [], recentTests: [], topIssues: [], placement: [] },
  domains: { monitored: 0, failing: 0, drifted24h: 0 },
  newestFailed: null,
} as DashboardSummary;

const at = (provider: string, spamRate: number, observed = 0) => ({
  ...{ provider, spamRate, inboxRate: 1 - spamRate, promoRate: 0, tests: 128, observed },
});

const aDomain = (domain: string, told: Partial<DomainSummary> = {}) =>
  ({
    ...{ id: `dom_${domain}`, domain, spf: "pass", dkim: "pass", dmarc: "pass", bimi: "missing" },
    ...{ score: 90, checkedAt: now, lastDriftAt: null, unstable: false },
    ...told,
  }) as DomainSummary;

function say(changes: Partial<DashboardSummary>, domains: readonly DomainSummary[] = []) {
  const { exception, lead } = toHeadline({ ...well, ...changes }, byUrgency(domains, now));
  const sentence = exception ? exception.before + exception.text + exception.after : "Mail is well";
  return { sentence, lead, to: exception?.to ?? null };
}

describe("the sentence of the dashboard", () => {
  test("says that mail is well, and how many tests say so", () => {
    expect(say({})).toEqual({
      sentence: "Mail is well",
      lead: "128 tests in seven days. Nothing stands out.",
      to: null,
    });
  });

  const outlook = [at("gmail", 0.05), at("outlook", 0.42, 12)];
  const silent = {
    testCount: 0,
    deliverabilityScore: null,
    inboxRate: null,
    spamRate: null,
    promoRate: null,
  };
  const recent = (status: string) =>
    [{ id: "tst_1", status, received_at: "2026-11-03T12:00:00.000Z" }] as DashboardSummary["recentTests"];
  const failedAt = (received_at: string) =>
    ({ ...recent("failed")[0], received_at }) as DashboardSummary["newestFailed"];
  const failing = { monitored: 3, failing: 1, drifted24h: 0 };
  const broken = aDomain("quillworks.example", { spf: "fail", dmarc: "missing" });

  test.each<[string, Partial<DashboardSummary>, readonly DomainSummary[], string]>([
    ["seen spam", { placement: outlook }, [], "Mail is well, except at Outlook.com"],
    [
      "predicted spam",
      { placement: [at("outlook", 0.3)] },
      [],
      "Mail is well, except probably at Outlook.com",
    ],
    [
      "spam in two places",
      { placement: [at("gmail", 0.3, 1), at("generic", 0.4, 1), at("yahoo", 0)] },
      [],
      "Mail is well, except at other mailbox hosts and Gmail",
    ],
    [
      "spam nearly everywhere",
      { spamRate: 0.6, placement: [at("gmail", 0.6), at("outlook", 0.7), at("yahoo", 0.5)] },
      [],
      "Most mail would probably go to spam",
    ],
    [
      "spam beside a low score",
      { deliverabilityScore: 61, placement: outlook },
      [],
      "Mail goes to spam at Outlook.com",
    ],
    ["a low score", { deliverabilityScore: 48 }, [], "The score is low: 48 of 100"],
    ["a fall", { previous: { ...week, deliverabilityScore: 96.4 } }, [], "The score fell by 6.4 to 90"],
    ["a small fall", { previous: { ...week, deliverabilityScore: 92.9 } }, [], "Mail is well"],
    [
      "returned mail",
      { bounces7d: 6, complaints7d: 1 },
      [],
      "Mail is well, except for six bounces and one complaint",
    ],
    ["no mail", { ...silent, recentTests: recent("analyzed") }, [], "No mail in seven days. Send a test"],
    [
      "the first message",
      { ...silent, recentTests: recent("received") },
      [],
      "A message has arrived. Its report is being written",
    ],
    [
      "nothing but failed tests",
      { ...silent, newestFailed: failedAt("2026-11-03T12:00:00.000Z") },
      [],
      "Mail has come, but its analysis failed",
    ],
    [
      "failed tests of the week behind older ones",
      { ...silent, recentTests: recent("analyzed"), newestFailed: failedAt("2026-11-20T12:00:00.000Z") },
      [],
      "Mail has come, but its analysis failed",
    ],
    [
      "failed tests that are as old as all others",
      { ...silent, recentTests: recent("analyzed"), newestFailed: failedAt("2026-11-02T12:00:00.000Z") },
      [],
      "No mail in seven days. Send a test",
    ],
    ["nothing judged", { deliverabilityScore: null }, [], "No test of the week has a score"],
    ["a failing domain", { domains: failing }, [broken], "quillworks.example fails its DNS checks"],
    ["one that cannot be named", { domains: failing }, [], "One domain fails its DNS checks"],
    [
      "failing domains",
      { domains: { ...failing, failing: 3 } },
      [broken],
      "Three domains fail their DNS checks",
    ],
    [
      "a changed domain",
      { domains: { monitored: 1, failing: 0, drifted24h: 1 } },
      [aDomain("a.example", { lastDriftAt: "2026-11-21T11:00:00.000Z" })],
      "Mail is well, but records of a.example changed",
    ],
  ])("names %s", (_what, changes, domains, sentence) => {
    expect(say(changes, domains).sentence).toBe(sentence);
  });

  test("names the worst, leads to its proof, and keeps the others for the line below", () => {
    const all = { placement: outlook, bounces7d: 2, previous: { ...week, deliverabilityScore: 96 } };
    expect(say({ ...all, domains: failing }, [broken])).toEqual({
      sentence: "quillworks.example fails its DNS checks",
      lead: "128 tests in seven days. SPF fails, DMARC is missing. Also: spam at Outlook.com, a score that fell by 6 and two bounces.",
      to: "/domains/dom_quillworks.example",
    });
    expect(say({ placement: outlook, bounces7d: 2 })).toEqual({
      sentence: "Mail is well, except at Outlook.com",
      lead: "128 tests in seven days. At Outlook.com 42% of them go to spam. Also: two bounces.",
      to: "#providers",
    });
  });
});

describe("a figure of the week", () => {
  const changesOf = (
    previous: Partial<DashboardSummary["previous"]>,
    changes: Partial<DashboardSummary> = {},
  ) =>
    toFigures({ ...well, ...changes, previous: { ...week, ...previous } }).map(
      ({ name, value, change: { tone, words } }) => `${name} ${value}: ${words}, ${tone ?? "neither"}`,
    );

  test("is better or worse by what it counts, and promotions are neither", () => {
    const before = { deliverabilityScore: 88.6, inboxRate: 0.948, spamRate: 0.01, promoRate: 0.042 };
    expect(changesOf({ ...before, bounces7d: 8 }, { bounces7d: 5, complaints7d: 1 })).toEqual([
      "Deliverability score 90: 1.4 higher, good",
      "Inbox 90%: 4.8 points lower, major",
      "Promotions 6%: 1.8 points higher, neither",
      "Spam 4%: 3 points higher, major",
      "Bounces, complaints 5 and 1: 2 fewer, good",
    ]);
  });

  test("that nobody knows is no nought, and has no change", () => {
    const none = { deliverabilityScore: null, inboxRate: null, spamRate: null, promoRate: null };
    expect(changesOf(none)).toContain("Deliverability score 90: no tests the week before, neither");
    expect(changesOf({}, none)).toContain("Spam –: not known, neither");
    expect(changesOf({})).toContain("Spam 4%: no change, neither");
  });
});

test("domains stand in the order of their urgency, and each says why", () => {
  const stated = byUrgency(
    [
      aDomain("well.example"),
      aDomain("silent.example", { dkim: "error" }),
      aDomain("new.example", { spf: null, dkim: null, dmarc: null, bimi: null, checkedAt: null }),
      aDomain("weak.example", { dmarc: "warn" }),
      aDomain("drifted.example", { lastDriftAt: "2026-11-21T10:00:00.000Z", dmarc: "warn" }),
      aDomain("old.example", { lastDriftAt: "2026-11-20T11:59:00.000Z" }),
      aDomain("bare.example", { spf: "missing", dmarc: "missing", dkim: "missing" }),
      aDomain("worse.example", { score: 20, spf: "fail", dkim: "fail" }),
    ],
    now,
  );
  expect(
    stated.map(({ domain, state }) => [
      domain.domain,
      state.word,
      state.line.replace(/ (?=\S*\d).*| Nov.*/, ""),
    ]),
  ).toEqual([
    ["worse.example", "Failing", "SPF and DKIM fail"],
    ["bare.example", "Failing", "SPF and DMARC are missing"],
    ["drifted.example", "Changed", "Its records changed,"],
    ["weak.example", "Warning", "DMARC can be better"],
    ["silent.example", "Not known", "DNS did not answer for DKIM"],
    ["new.example", "Not known", "Not checked yet"],
    ["well.example", "Well", "Checked"],
    ["old.example", "Well", "No change since"],
  ]);
});

test("bounces that say the same are told once, permanent ones and complaints first", () => {
  const recipient = (address: string, told = {}) => ({
    ...{ address, status: "5.1.1", action: "failed", class: "user_unknown", hard: true, diagnostic: null },
    ...told,
  });
  const aBounce = (recipients: readonly object[], told = {}) =>
    ({
      kind: "bounce",
      receivedAt: now,
      recipients,
      reportingMta: null,
      feedbackType: null,
      ...told,
    }) as Bounce;
  const full = { status: "4.2.2", class: "mailbox_full", hard: false };
  const groups = toBounceGroups(
    [
      aBounce([recipient("a@full.example", full)]),
      aBounce([recipient("b@gone.example")]),
      aBounce([recipient("c@gone.example")]),
      aBounce([], { kind: "complaint", feedbackType: "constructor", reportingMta: "feedback.example" }),
      aBounce([], { kind: "complaint", feedbackType: "abuse" }),
      aBounce([]),
      aBounce([recipient("old@gone.example")], { receivedAt: "2026-11-14T11:59:59.999Z" }),
    ],
    window.from,
  );
  expect(groups.map(({ title, tone, count }) => [title, tone, count])).toEqual([
    ["No such mailbox at gone.example", "major", 2],
    ["One reader complained about a message", "major", 1],
    ["One reader reported a message as spam", "major", 1],
    ["Mailbox full at full.example", "minor", 1],
    ["Returned, and the reason is not clear", "minor", 1],
  ]);
  expect(groups[0]?.line).toMatch(/^5\.1\.1, permanent, 2 times, /);
});

test("thirty days are told in a sentence, and a day without tests is no nought", () => {
  const none = { tests: 0, score: null, inboxRate: null, spamRate: null, promoRate: null };
  const trend = [
    { date: "2026-11-18", tests: 2, score: 82, inboxRate: 0.8, spamRate: 0.2, promoRate: 0 },
    { date: "2026-11-19", ...none },
    { date: "2026-11-20", tests: 1, score: 89.5, inboxRate: 0.9, spamRate: 0.1, promoRate: 0 },
    { date: "2026-11-21", ...none, tests: 1 },
  ];
  expect(toScoreSentence(trend)).toMatch(
    /^Mean score of each day: between 82 and 89\.5, last 89\.5 on .*20.*\. 1 day is without tests\.$/,
  );
  expect(toPlacementSentence(trend)).toMatch(
    /^Placement of each day: inbox between 80% and 90%, spam at most 20%, on .*18.*\. 1 day is without tests\.$/,
  );
  expect(toReading(trend[0], "score")).toMatch(/18.*: score 82 from 2 tests$/);
  expect(toReading(trend[1], "placement")).toMatch(/19.*: no tests$/);
  expect(toReading(trend[2], "placement")).toMatch(/20.*: inbox 90%, promotions 0% and spam 10%$/);
  expect(toReading(trend[3], "score")).toMatch(/21.*: no score from 1 test$/);
  expect(toScoreSentence([])).toBe("Score of each day: none in 30 days.");
});
