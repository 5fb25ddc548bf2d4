// How Home describes a week in words.

import { describe, expect, test } from "vitest";
import type { DashboardSummary } from "../../src/features/dashboard/contract.ts";
import { toFine, toHeadline, toLines, toNeedWords } from "../../src/features/dashboard/page/needs.ts";
import { toFigures, toPlacementSentence, toReading, toScoreSentence } from "../../src/features/dashboard/page/words.ts";

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
  needsYou: { tests: 0, newest: [], search: "needs:you" },
  streams: [],
  movedStreams: [],
  monitors: { up: 0 },
  downMonitors: [],
  feedback: { open: 0, newest: [] },
  domains: { monitored: 0, failing: 0, drifted24h: 0, fine: 0, worst: [] },
  newestFailed: null,
} satisfies DashboardSummary as DashboardSummary;

const passing = { spf: "pass", dkim: "pass", dmarc: "pass", bimi: "missing" } as const;
const say = (changes: Partial<DashboardSummary>) => {
  const summary = { ...well, ...changes };
  return toHeadline(summary, toLines(summary).length);
};
const needing = (tests: number) => ({ needsYou: { ...well.needsYou, tests } });
const silent = { testCount: 0, deliverabilityScore: null };
const recent = (status: string, to: readonly string[] = ["a@seed.example"], received_at = "2026-11-03T12:00:00.000Z") =>
  ({ recentTests: [{ id: "tst_1", status, to, received_at }] }) as unknown as Partial<DashboardSummary>;
const backup = { id: "mon_1", name: "Nightly backup", since: now, says: "No matching message arrived." };

test.each<[string, Partial<DashboardSummary>, string, RegExp]>([
  ["messages", needing(4), "4 of 128 messages need you.", /^Each has a critical or major issue, or .* somewhere\.$/],
  ["one message", needing(1), "1 of 128 messages needs you.", /^It has a critical/],
  ["the only message", { ...needing(1), testCount: 1 }, "1 message needs you.", /^It has/],
  [
    "messages and a monitor",
    { ...needing(4), downMonitors: [backup] },
    "4 of 128 messages need you.",
    /1 other thing needs you, too\.$/,
  ],
  ["a monitor", { downMonitors: [backup] }, "One thing needs you.", /^128 messages .*, none of which needs you\.$/],
  ["bounces and a monitor", { bounces7d: 2, downMonitors: [backup] }, "2 things need you.", /./],
  [
    "nothing",
    {},
    "Nothing needs you.",
    /^128 messages in the last 7 days: no critical or major issues found, and none likely in spam\.$/,
  ],
  ["no mail", { ...silent, ...recent("analyzed") }, "No mail in the last 7 days.", /^The last message was on /],
  [
    "only uploads",
    { ...silent, ...recent("analyzed", [], "2026-11-20T12:00:00.000Z") },
    "Only uploads in the last 7 days.",
    /^They aren’t counted here/,
  ],
  ["the first message", { ...silent, ...recent("received") }, "A message has arrived.", /analyzing/],
])("the sentence of Home is about %s", (_what, changes, text, lead) => {
  expect(say(changes)).toMatchObject({ text, lead: expect.stringMatching(lead) });
});

test("Home has a line for each thing that isn't a message, with what to do", () => {
  const failed = (received_at: string) => ({ received_at }) as DashboardSummary["newestFailed"];
  const moved = (points: number) =>
    ({
      id: "str_1",
      name: "shop.example · news",
      lastMove: { score: 89 + points, usualScore: 89, points, causes: null },
    }) as DashboardSummary["movedStreams"][number];
  const lines = toLines({
    ...well,
    downMonitors: [backup],
    domains: {
      monitored: 9,
      failing: 3,
      drifted24h: 1,
      fine: 5,
      worst: [
        { ...passing, id: "dom_1", domain: "quillworks.example", spf: "fail", dmarc: "missing" },
        { ...passing, id: "dom_2", domain: "inkwell.example", dkim: "fail" },
        { ...passing, id: "dom_4", domain: "silent.example", spf: "error", dmarc: "error" },
        { ...passing, id: "dom_3", domain: "harbour.example" },
      ],
    },
    feedback: {
      open: 3,
      newest: [
        {
          id: "fbp_1",
          domain: { id: "dom_1", domain: "shop.example" },
          title: "DKIM fails for selector s1",
          openedAt: now,
        },
      ],
    },
    newestFailed: failed("2026-11-20T12:00:00.000Z"),
    movedStreams: [moved(-12), moved(12)],
    bounces7d: 2,
    complaints7d: 1,
  });
  expect(lines.map(({ title, says, to }) => [title, says, to].filter((part) => part !== null).join(" | "))).toEqual([
    "Monitor “Nightly backup” is down | No matching message arrived. | /monitors/mon_1",
    "quillworks.example: SPF fails, DMARC is missing | Publish the records that its page proposes. | /domains/dom_1",
    "inkwell.example: DKIM fails | Publish the records that its page proposes. | /domains/dom_2",
    "silent.example: no DNS response for SPF and DMARC | /domains/dom_4",
    "harbour.example: DNS records changed | In the last 24 hours. Check that you made the change. | /domains/dom_3",
    "1 more domain fails DNS checks | /domains",
    "shop.example: DKIM fails for selector s1 | Receivers reported it. | /domains/dom_1#feedback",
    "2 more problems in reports | /feedback",
    "The analysis of a message failed | Analyze it again, or download it. | /tests?q=status:failed",
    "shop.example · news scored 12 points lower than usual | /streams/str_1",
    "2 bounces and 1 complaint | In the last 7 days. | /feedback/bounces",
  ]);
  expect(toLines({ ...well, newestFailed: failed("2026-11-02T12:00:00.000Z"), movedStreams: [moved(12)] })).toEqual([]);
});

test("Home names what is fine, and what a message needs first", () => {
  expect(
    toFine({ ...well, domains: { ...well.domains, fine: 3 }, monitors: { up: 1 } }).map(({ text }) => text),
  ).toEqual(["3 domains", "1 monitor"]);
  expect(toFine(well)).toEqual([]);
  const need = (lost: string[], title?: string) =>
    toNeedWords({
      issue: title === undefined ? null : { id: "a.b", title },
      lost,
    } as DashboardSummary["needsYou"]["newest"][number]);
  expect(need(["gmail"], "No reverse DNS")).toBe("No reverse DNS");
  expect(need(["yahoo"])).toBe("Likely spam at Yahoo and AOL");
  expect(need(["gmail", "yahoo"])).toBe("Likely spam at 2 providers");
});

describe("a number on Home", () => {
  const changesOf = (previous: Partial<DashboardSummary["previous"]>, changes: Partial<DashboardSummary> = {}) =>
    toFigures({ ...well, ...changes, previous: { ...week, ...previous } }).map(
      ({ name, value, change: { tone, words } }) => `${name} ${value}: ${words}, ${tone ?? "neither"}`,
    );

  test("a number on Home improves or worsens by its meaning, and promotions are neutral", () => {
    const before = { deliverabilityScore: 88.6, inboxRate: 0.948, spamRate: 0.01, promoRate: 0.042 };
    expect(changesOf({ ...before, bounces7d: 8 }, { bounces7d: 5, complaints7d: 1 })).toEqual([
      "Deliverability score 90: 1.4 higher, good",
      "Inbox 90%: 4.8 points lower, major",
      "Promotions 6%: 1.8 points higher, neither",
      "Spam or rejected 4%: 3 points higher, major",
      "Bounces / complaints 5 / 1: 2 fewer, good",
    ]);
  });

  test("a number on Home that is unknown is not shown as zero, and has no change", () => {
    const none = { deliverabilityScore: null, inboxRate: null, spamRate: null, promoRate: null };
    expect(changesOf(none)).toContain("Deliverability score 90: No data the week before, neither");
    expect(changesOf({}, none)).toContain("Spam or rejected –: No data, neither");
    expect(changesOf({})).toContain("Spam or rejected 4%: No change, neither");
  });
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
  const open = { date: "2026-11-22", tests: 1, score: 80, inboxRate: 0.2, spamRate: 0.2, promoRate: 0 };
  expect(toReading(open, "placement")).toMatch(/: inbox 20%, promotions 0%, spam 20%, and inbox or spam 60%$/);
  expect(toReading(trend[3], "score")).toMatch(/21.*: no score from 1 test$/);
  expect(toScoreSentence([])).toBe("Daily average score: no data in the last 30 days.");
});
