import { describe, expect, test } from "vitest";
import { toSearchable } from "../../../../src/analyzer/mail/text/searchable.ts";
import type { ExpectedMatch, ExpectedTerms } from "../../../../src/features/monitors/contract/expected.ts";
import {
  type ArrivedMail,
  firstWindow,
  fits,
  judgeMissing,
  matchMail,
  nextWindow,
  periodOf,
  toSpanWords,
} from "../../../../src/features/monitors/rules/expected.ts";

const anything: ExpectedMatch = {
  inboxId: null,
  label: null,
  sender: null,
  subjectContains: null,
  subjectLacks: null,
  textContains: null,
};
const readWhole = (text: string) => toSearchable({ text, isCut: false });
const mail: ArrivedMail = {
  inboxId: "sdi_1",
  label: "backup",
  address: "backup@corp.example",
  subject: "Nightly backup: OK",
  text: readWhole("All volumes done."),
  isNotice: false,
};
const cut = { text: toSearchable({ text: "All volumes done.", isCut: true }) };
const minuteMs = 60_000;

test.each([
  ["backup@*", "backup@corp.example", true],
  ["*@corp.example", "Backup@CORP.example", true],
  ["backup@corp.example", "backup@corp.example", true],
  ["backup@corp.example", "backup@corp.example.evil.example", false],
  ["b*k*p@*", "backup@x.example", true],
  ["a*a", "a", false],
  ["*", "", true],
  ["*", null, false],
  ["**x**", "axb", true],
])("the pattern %s matches %s: %s", (pattern, value, isFitting) => {
  expect(fits(pattern, value)).toBe(isFitting);
});

test("a pattern with many asterisks is matched in linear time", () => {
  expect(fits(`${"*a".repeat(99)}*b`, "a".repeat(100_000))).toBe(false);
});

describe("a message for an expected mail monitor", () => {
  test.each<[string, Partial<ExpectedMatch>, Partial<ArrivedMail>, ReturnType<typeof matchMail>]>([
    ["that has the right sender and words", { sender: "backup@*", subjectContains: "ok" }, {}, "expected"],
    ["that has the right sender and other words", { sender: "backup@*", subjectContains: "done" }, {}, "wrong-words"],
    ["with a forbidden word", { subjectLacks: "BACKUP" }, {}, "wrong-words"],
    ["without a subject for required words", { subjectContains: "ok" }, { subject: null }, "wrong-words"],
    ["without a subject for forbidden words", { label: "backup", subjectLacks: "x" }, { subject: null }, "expected"],
    ["with the words in its text", { label: "backup", textContains: "volumes DONE" }, {}, "expected"],
    ["whose text lacks the words", { textContains: "volumes lost" }, {}, "wrong-words"],
    ["whose shortened text may contain the words", { textContains: "volumes lost" }, cut, "unclear"],
    ["whose shortened text contains the words", { textContains: "volumes done" }, cut, "expected"],
    [
      "whose shortened text has a wrong subject",
      { textContains: "volumes lost", subjectContains: "FAILED" },
      cut,
      "wrong-words",
    ],
    ["from another sender", { sender: "other@*" }, {}, null],
    ["with another label", { label: "receipt-*" }, {}, null],
    ["at another seed address", { inboxId: "sdi_2" }, {}, null],
    ["that is a bounce", { label: "backup" }, { isNotice: true }, null],
    ["that is a report from the given sender", { sender: "backup@*" }, { isNotice: true }, "expected"],
  ])("a message for an expected mail monitor is matched correctly: %s", (_, match, arrived, verdict) => {
    expect(matchMail({ ...anything, ...match }, { ...mail, ...arrived })).toBe(verdict);
  });
});

const nightly: ExpectedTerms = {
  schedule: {
    type: "daily",
    by: "02:30",
    days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
    timeZone: "Europe/Berlin",
    opensMinutes: 720,
  },
  graceMinutes: 30,
  match: anything,
  minCount: 1,
  alertOnOtherWords: true,
};

test("a deadline skipped by a clock change is later, and the second one counts if it occurs twice", () => {
  const by = (at: string) => new Date(nextWindow(nightly, { by: Date.parse(at), expectedBy: 0 }, 0).by).toISOString();
  // 02:30 doesn't exist on 28 March 2027, and exists twice on 25 October 2026.
  expect(by("2027-03-27T02:00:00Z")).toBe("2027-03-28T01:30:00.000Z");
  expect(by("2027-03-28T02:00:00Z")).toBe("2027-03-29T00:30:00.000Z");
  expect(by("2026-10-24T02:00:00Z")).toBe("2026-10-25T01:30:00.000Z");
  expect(by("2026-10-25T02:00:00Z")).toBe("2026-10-26T01:30:00.000Z");
});

test("the first window starts after the monitor was created", () => {
  const now = Date.parse("2026-11-23T00:00:00Z");
  const { opensAt, by } = firstWindow(nightly, now);
  expect([opensAt >= now, new Date(by).toISOString()]).toEqual([true, "2026-11-24T01:30:00.000Z"]);
});

test("windows that passed during an outage are left out", () => {
  const last = { by: Date.parse("2026-11-20T01:30:00Z"), expectedBy: Date.parse("2026-11-20T02:00:00Z") };
  const next = nextWindow(nightly, last, Date.parse("2026-11-23T01:45:00Z"));
  // Its grace period isn't over.
  expect(new Date(next.by).toISOString()).toBe("2026-11-23T01:30:00.000Z");
});

test("the period is the longest time between two deadlines", () => {
  const weekdays = { ...nightly.schedule, days: ["mon", "tue", "wed", "thu", "fri"] } as ExpectedTerms["schedule"];
  const weekly = { ...nightly.schedule, days: ["wed"] } as ExpectedTerms["schedule"];
  const days = (schedule: ExpectedTerms["schedule"]) => periodOf({ schedule }) / 86_400_000;
  expect([nightly.schedule, weekdays, weekly].map(days)).toEqual([1, 3, 7]);
});

describe("a monitor without a message", () => {
  const window = { opensAt: 0, by: 60 * minuteMs, expectedBy: 90 * minuteMs };
  const facts = { now: 91 * minuteMs, window, outages: [], unread: false };
  test.each<[string, object, object]>([
    ["the monitor reports it as missing", {}, { outcome: "missing" }],
    ["the monitor waits before the deadline", { now: 89 * minuteMs }, { outcome: "wait", until: 90 * minuteMs }],
    ["the monitor waits for unread mail", { unread: true }, { outcome: "wait", until: 92 * minuteMs }],
    ["the monitor stops waiting for unread mail", { unread: true, now: 151 * minuteMs }, { outcome: "unread" }],
    [
      "an outage at the deadline gives an unknown result after extra time for senders",
      { outages: [{ from: 80 * minuteMs, to: 100 * minuteMs }], now: 161 * minuteMs },
      { outcome: "interrupted" },
    ],
    [
      "an earlier outage gives senders an extra hour",
      { outages: [{ from: 10 * minuteMs, to: 50 * minuteMs }] },
      { outcome: "wait", until: 110 * minuteMs },
    ],
    [
      "the extra hour ends with a missing message",
      { outages: [{ from: 10 * minuteMs, to: 50 * minuteMs }], now: 111 * minuteMs },
      { outcome: "missing" },
    ],
    ["an old outage doesn't matter", { outages: [{ from: -20, to: -10 }] }, { outcome: "missing" }],
  ])("if no message comes, the monitor decides correctly: %s", (_, differing, verdict) => {
    expect(judgeMissing({ ...facts, ...differing })).toEqual(verdict);
  });
});

test("durations are written in two units", () => {
  expect([10, 45 * minuteMs, 125 * minuteMs, 50 * 60 * minuteMs].map(toSpanWords)).toEqual([
    "1 minute",
    "45 minutes",
    "2 hours 5 minutes",
    "2 days 2 hours",
  ]);
});
