import { describe, expect, test } from "vitest";
import {
  type ArrivedMail,
  type ExpectedMatch,
  type ExpectedTerms,
  firstWindow,
  fits,
  judgeMissing,
  matchMail,
  nextWindow,
  periodOf,
  toSearchable,
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
])("the pattern %s for %s: %s", (pattern, value, isFitting) => {
  expect(fits(pattern, value)).toBe(isFitting);
});

test("a pattern of many stars takes no longer than its text", () => {
  expect(fits(`${"*a".repeat(99)}*b`, "a".repeat(100_000))).toBe(false);
});

describe("a message", () => {
  test.each<[string, Partial<ExpectedMatch>, Partial<ArrivedMail>, ReturnType<typeof matchMail>]>([
    ["matches its sender and words", { sender: "backup@*", subjectContains: "ok" }, {}, "expected"],
    ["with other words is from there", { sender: "backup@*", subjectContains: "done" }, {}, "wrong-words"],
    ["with a word that must be missing", { subjectLacks: "BACKUP" }, {}, "wrong-words"],
    ["without a subject has no words", { subjectContains: "ok" }, { subject: null }, "wrong-words"],
    ["without a subject lacks words", { label: "backup", subjectLacks: "x" }, { subject: null }, "expected"],
    ["is searched in its text", { label: "backup", textContains: "volumes DONE" }, {}, "expected"],
    ["whose text lacks the words has other words", { textContains: "volumes lost" }, {}, "wrong-words"],
    ["whose text was cut may have the words", { textContains: "volumes lost" }, cut, "unclear"],
    ["whose text was cut after the words has them", { textContains: "volumes done" }, cut, "expected"],
    [
      "whose text was cut and whose subject is wrong has other words",
      { textContains: "volumes lost", subjectContains: "FAILED" },
      cut,
      "wrong-words",
    ],
    ["from elsewhere is none", { sender: "other@*" }, {}, null],
    ["at another label is none", { label: "receipt-*" }, {}, null],
    ["at another inbox is none", { inboxId: "sdi_2" }, {}, null],
    ["that bounced is none", { label: "backup" }, { isNotice: true }, null],
    ["that is a report from a named sender", { sender: "backup@*" }, { isNotice: true }, "expected"],
  ])("%s", (_, match, arrived, verdict) => {
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

test("a deadline that the clocks skip is later, and of one that comes twice the second counts", () => {
  const by = (at: string) => new Date(nextWindow(nightly, { by: Date.parse(at), expectedBy: 0 }, 0).by).toISOString();
  // 02:30 doesn't exist on 28 March 2027, and exists twice on 25 October 2026.
  expect(by("2027-03-27T02:00:00Z")).toBe("2027-03-28T01:30:00.000Z");
  expect(by("2027-03-28T02:00:00Z")).toBe("2027-03-29T00:30:00.000Z");
  expect(by("2026-10-24T02:00:00Z")).toBe("2026-10-25T01:30:00.000Z");
  expect(by("2026-10-25T02:00:00Z")).toBe("2026-10-26T01:30:00.000Z");
});

test("the first window opens after the monitor was created", () => {
  const now = Date.parse("2026-11-23T00:00:00Z");
  const { opensAt, by } = firstWindow(nightly, now);
  expect([opensAt >= now, new Date(by).toISOString()]).toEqual([true, "2026-11-24T01:30:00.000Z"]);
});

test("windows that passed in an outage are left out", () => {
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

describe("when nothing came", () => {
  const window = { opensAt: 0, by: 60 * minuteMs, expectedBy: 90 * minuteMs };
  const facts = { now: 91 * minuteMs, window, outages: [], unread: false };
  test.each<[string, object, object]>([
    ["it is missing", {}, { outcome: "missing" }],
    ["it isn't yet", { now: 89 * minuteMs }, { outcome: "wait", until: 90 * minuteMs }],
    ["unread mail is waited for", { unread: true }, { outcome: "wait", until: 92 * minuteMs }],
    ["but not forever", { unread: true, now: 151 * minuteMs }, { outcome: "unread" }],
    [
      "an outage at the deadline makes it unknown, once senders had time",
      { outages: [{ from: 80 * minuteMs, to: 100 * minuteMs }], now: 161 * minuteMs },
      { outcome: "interrupted" },
    ],
    [
      "an outage before gives senders an hour",
      { outages: [{ from: 10 * minuteMs, to: 50 * minuteMs }] },
      { outcome: "wait", until: 110 * minuteMs },
    ],
    [
      "and then it is missing",
      { outages: [{ from: 10 * minuteMs, to: 50 * minuteMs }], now: 111 * minuteMs },
      { outcome: "missing" },
    ],
    ["an old outage doesn't matter", { outages: [{ from: -20, to: -10 }] }, { outcome: "missing" }],
  ])("%s", (_, differing, verdict) => {
    expect(judgeMissing({ ...facts, ...differing })).toEqual(verdict);
  });
});

test("spans are said in two units", () => {
  expect([10, 45 * minuteMs, 125 * minuteMs, 50 * 60 * minuteMs].map(toSpanWords)).toEqual([
    "1 minute",
    "45 minutes",
    "2 hours 5 minutes",
    "2 days 2 hours",
  ]);
});
