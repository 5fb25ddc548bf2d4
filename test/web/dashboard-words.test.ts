// How the dashboard describes a week in words.

import { describe, expect, test } from "vitest";
import type { DashboardSummary } from "../../src/features/dashboard/contract.ts";
import { byUrgency, toHeadline } from "../../src/features/dashboard/page/headline.ts";
import {
  toBounceGroups,
  toFigures,
  toPlacementSentence,
  toReading,
  toScoreSentence,
} from "../../src/features/dashboard/page/words.ts";
import type { DomainSummary } from "../../src/features/domains/contract/domains.ts";
import type { Bounce } from "../../src/features/feedback/contract/bounces.ts";

const now = "2026-11-21T12:00:00.000Z";
const window = { from: "2026-11-14T12:00:00.000Z", to: now };
const week = {
  window,
  deliverabilityScore: 90,
  inboxRate: 0.9,
  spamRate: 0.04,
  promoRate: 0.06,
  testCount: 128,
  bounces7d: 0,
  complaints7d: 0,
};
const well = {
  ...week,
  previous: week,
  trend: [],
  recentTests: [],
  topIssues: [],
  placement: [],
  movedStreams: [],
  downMonitors: [],
  feedback: { open: 0, newest: [] },
  domains: { monitored: 0, failing: 0, drifted24h: 0 },
  newestFailed: null,
} as DashboardSummary;

const at = (provider: string, spamRate: number, observed = 0) => ({
  provider,
  spamRate,
  inboxRate: 1 - spamRate,
  promoRate: 0,
  tests: 128,
  observed,
});

const aDomain = (domain: string, told: Partial<DomainSummary> = {}) =>
  ({
    id: `dom_${domain}`,
    domain,
    spf: "pass",
    dkim: "pass",
    dmarc: "pass",
    bimi: "missing",
    score: 90,
    checkedAt: now,
    lastDriftAt: null,
    unstable: false,
    ...told,
  }) as DomainSummary;

function say(changes: Partial<DashboardSummary>, domains: readonly DomainSummary[] = []) {
  const { exception, lead } = toHeadline({ ...well, ...changes }, byUrgency(domains, now));
  const sentence = exception ? exception.before + exception.text + exception.after : "Your mail looks good";
  return { sentence, lead, to: exception?.to ?? null };
}

describe("the sentence of the dashboard", () => {
  test("the sentence of the dashboard says that mail looks good, and the number of tests", () => {
    expect(say({})).toEqual({
      sentence: "Your mail looks good",
      lead: "128 tests in the last 7 days. Nothing stands out.",
      to: null,
    });
  });

  const backup = { id: "mon_1", name: "Nightly backup", since: now, says: "No matching message arrived." };
  const shop = { id: "dom_1", domain: "shop.example" };
  const reported = { id: "fbp_1", domain: shop, title: "DKIM fails for selector s1", openedAt: now };
  const news = {
    id: "str_1",
    name: "shop.example, news",
    lastMove: { score: 77.2, usualScore: 89, points: -11.8, causes: null },
  } as DashboardSummary["movedStreams"][number];

  test("the sentence of the dashboard never says that mail looks good with a monitor down, a reported problem, or a low score", () => {
    expect(say({ downMonitors: [backup] })).toEqual({
      sentence: "Monitor “Nightly backup” is down",
      lead: "128 tests in the last 7 days. No matching message arrived.",
      to: "/monitors/mon_1",
    });
    expect(say({ feedback: { open: 1, newest: [reported] } })).toEqual({
      sentence: "1 problem in reports about shop.example",
      lead: "128 tests in the last 7 days. DKIM fails for selector s1.",
      to: "/domains/dom_1#feedback",
    });
    expect(say({ movedStreams: [news] })).toEqual({
      sentence: "Unusually low score in shop.example, news",
      lead: "128 tests in the last 7 days. It scored 12 points lower than usual.",
      to: "/streams/str_1",
    });
    expect(say({ downMonitors: [backup, backup], movedStreams: [news, news] })).toMatchObject({
      sentence: "2 monitors are down",
      lead: "128 tests in the last 7 days. Also: unusually low scores in 2 streams.",
    });
    const higher = { ...news, lastMove: { score: 89, usualScore: 77.2, points: 11.8, causes: null } } as typeof news;
    expect(say({ movedStreams: [higher] }).sentence).toBe("Your mail looks good");
  });

  const outlook = [at("gmail", 0.05), at("outlook", 0.42, 128)];
  const silent = { testCount: 0, deliverabilityScore: null, inboxRate: null, spamRate: null, promoRate: null };
  const recent = (status: string) =>
    [{ id: "tst_1", status, received_at: "2026-11-03T12:00:00.000Z" }] as DashboardSummary["recentTests"];
  const failedAt = (received_at: string) =>
    ({ ...recent("failed")[0], received_at }) as DashboardSummary["newestFailed"];
  const failing = { monitored: 3, failing: 1, drifted24h: 0 };
  const broken = aDomain("quillworks.example", { spf: "fail", dmarc: "missing" });

  test.each<[string, Partial<DashboardSummary>, readonly DomainSummary[], string]>([
    ["observed spam", { placement: outlook }, [], "42% of mail went to spam at Outlook.com"],
    [
      "spam that was partly observed",
      { placement: [at("outlook", 0.42, 12)] },
      [],
      "42% of mail would probably go to spam or be rejected at Outlook.com",
    ],
    [
      "predicted spam",
      { placement: [at("outlook", 0.3)] },
      [],
      "30% of mail would probably go to spam or be rejected at Outlook.com",
    ],
    [
      "spam in two places",
      { placement: [at("gmail", 0.3, 128), at("generic", 0.4, 128), at("yahoo", 0)] },
      [],
      "At least 30% of mail went to spam at other mailbox providers and Gmail",
    ],
    [
      "spam nearly everywhere",
      { spamRate: 0.604, placement: [at("gmail", 0.6), at("outlook", 0.7), at("yahoo", 0.5)] },
      [],
      "60.4% of mail would probably go to spam or be rejected",
    ],
    [
      "spam next to a low score",
      { deliverabilityScore: 61, placement: outlook },
      [],
      "42% of mail went to spam at Outlook.com",
    ],
    ["a low score", { deliverabilityScore: 48 }, [], "Low average score: 48 of 100"],
    ["a falling score", { previous: { ...week, deliverabilityScore: 96.4 } }, [], "Average score down 6.4 to 90"],
    [
      "no problem for a slightly lower score",
      { previous: { ...week, deliverabilityScore: 92.9 } },
      [],
      "Your mail looks good",
    ],
    ["bounces and complaints", { bounces7d: 6, complaints7d: 1 }, [], "6 bounces and 1 complaint in the last 7 days"],
    ["no mail", { ...silent, recentTests: recent("analyzed") }, [], "No mail in the last 7 days. Send a test"],
    [
      "the first message",
      { ...silent, recentTests: recent("received") },
      [],
      "A message has arrived. Analyzing it now",
    ],
    [
      "a failed analysis without other tests",
      { ...silent, newestFailed: failedAt("2026-11-03T12:00:00.000Z") },
      [],
      "A message arrived, but its analysis failed",
    ],
    [
      "a failed analysis of the week after older tests",
      { ...silent, recentTests: recent("analyzed"), newestFailed: failedAt("2026-11-20T12:00:00.000Z") },
      [],
      "A message arrived, but its analysis failed",
    ],
    [
      "no failed analysis that is as old as the other tests",
      { ...silent, recentTests: recent("analyzed"), newestFailed: failedAt("2026-11-02T12:00:00.000Z") },
      [],
      "No mail in the last 7 days. Send a test",
    ],
    ["a missing score", { deliverabilityScore: null }, [], "No score this week"],
    ["a failing domain", { domains: failing }, [broken], "quillworks.example fails DNS checks"],
    ["a failing domain that is not in the list", { domains: failing }, [], "1 domain fails DNS checks"],
    ["failing domains", { domains: { ...failing, failing: 3 } }, [broken], "3 domains fail DNS checks"],
    [
      "a changed domain",
      { domains: { monitored: 1, failing: 0, drifted24h: 1 } },
      [aDomain("a.example", { lastDriftAt: "2026-11-21T11:00:00.000Z" })],
      "DNS records changed at a.example",
    ],
  ])("the sentence of the dashboard names %s", (_what, changes, domains, sentence) => {
    expect(say(changes, domains).sentence).toBe(sentence);
  });

  test("the sentence of the dashboard names the worst problem with a link, and lists the others below", () => {
    const all = { placement: outlook, bounces7d: 2, previous: { ...week, deliverabilityScore: 96 } };
    expect(say({ ...all, domains: failing }, [broken])).toEqual({
      sentence: "quillworks.example fails DNS checks",
      lead: "128 tests in the last 7 days. SPF fails, DMARC is missing. Also: 42% spam at Outlook.com, a score drop of 6, and 2 bounces.",
      to: "/domains/dom_quillworks.example",
    });
    expect(say({ placement: outlook, bounces7d: 2 })).toEqual({
      sentence: "42% of mail went to spam at Outlook.com",
      lead: "128 tests in the last 7 days. Also: 2 bounces.",
      to: "#providers",
    });
  });
});

describe("a number on the dashboard", () => {
  const changesOf = (previous: Partial<DashboardSummary["previous"]>, changes: Partial<DashboardSummary> = {}) =>
    toFigures({ ...well, ...changes, previous: { ...week, ...previous } }).map(
      ({ name, value, change: { tone, words } }) => `${name} ${value}: ${words}, ${tone ?? "neither"}`,
    );

  test("a number on the dashboard improves or worsens by its meaning, and promotions are neutral", () => {
    const before = { deliverabilityScore: 88.6, inboxRate: 0.948, spamRate: 0.01, promoRate: 0.042 };
    expect(changesOf({ ...before, bounces7d: 8 }, { bounces7d: 5, complaints7d: 1 })).toEqual([
      "Deliverability score 90: 1.4 higher, good",
      "Inbox 90%: 4.8 points lower, major",
      "Promotions 6%: 1.8 points higher, neither",
      "Spam or rejected 4%: 3 points higher, major",
      "Bounces / complaints 5 / 1: 2 fewer, good",
    ]);
  });

  test("a number on the dashboard that is unknown is not shown as zero, and has no change", () => {
    const none = { deliverabilityScore: null, inboxRate: null, spamRate: null, promoRate: null };
    expect(changesOf(none)).toContain("Deliverability score 90: No data the week before, neither");
    expect(changesOf({}, none)).toContain("Spam or rejected –: No data, neither");
    expect(changesOf({})).toContain("Spam or rejected 4%: No change, neither");
  });
});

test("domains are sorted by urgency, and each shows its reason", () => {
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
    stated.map(({ domain, state }) => [domain.domain, state.word, state.line.replace(/ (?=\S*\d).*| Nov.*/, "")]),
  ).toEqual([
    ["worse.example", "Failing", "SPF and DKIM fail"],
    ["bare.example", "Failing", "SPF and DMARC are missing"],
    ["drifted.example", "Changed", "Records changed"],
    ["weak.example", "Warning", "DMARC could be improved"],
    ["silent.example", "Unknown", "No DNS response for DKIM"],
    ["new.example", "Unknown", "Not checked yet"],
    ["well.example", "OK", "Checked"],
    ["old.example", "OK", "No change since"],
  ]);
});

test("equal bounces are shown once, permanent ones and complaints first", () => {
  const recipient = (address: string, told = {}) => ({
    address,
    status: "5.1.1",
    action: "failed",
    class: "user_unknown",
    hard: true,
    diagnostic: null,
    ...told,
  });
  const aBounce = (recipients: readonly object[], told = {}) =>
    ({ kind: "bounce", receivedAt: now, recipients, reportingMta: null, feedbackType: null, ...told }) as Bounce;
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
    ["Mailbox doesn’t exist at gone.example", "major", 2],
    ["One recipient complained about a message", "major", 1],
    ["One recipient reported a message as spam", "major", 1],
    ["Mailbox full at full.example", "minor", 1],
    ["Bounced for an unknown reason", "minor", 1],
  ]);
  expect(groups[0]?.line).toMatch(/^5\.1\.1, permanent, 2 times, /);
});

test("thirty days are summarized in a sentence, and a day without tests is not zero", () => {
  const none = { tests: 0, score: null, inboxRate: null, spamRate: null, promoRate: null };
  const trend = [
    { date: "2026-11-18", tests: 2, score: 82, inboxRate: 0.8, spamRate: 0.2, promoRate: 0 },
    { date: "2026-11-19", ...none },
    { date: "2026-11-20", tests: 1, score: 89.5, inboxRate: 0.9, spamRate: 0.1, promoRate: 0 },
    { date: "2026-11-21", ...none, tests: 1 },
  ];
  expect(toScoreSentence(trend)).toMatch(
    /^Daily average score: between 82 and 89\.5, most recently 89\.5 on .*20.*\. 1 day without tests\.$/,
  );
  expect(toPlacementSentence(trend)).toMatch(
    /^Daily placement: inbox between 80% and 90%, up to 20% spam \(.*18.*\)\. 1 day without tests\.$/,
  );
  expect(toReading(trend[0], "score")).toMatch(/18.*: score 82 from 2 tests$/);
  expect(toReading(trend[1], "placement")).toMatch(/19.*: no tests$/);
  expect(toReading(trend[2], "placement")).toMatch(/20.*: inbox 90%, promotions 0%, and spam 10%$/);
  expect(toReading(trend[3], "score")).toMatch(/21.*: no score from 1 test$/);
  expect(toScoreSentence([])).toBe("Daily average score: no data in the last 30 days.");
});
