import { expect, test } from "vitest";
import { readHeaderSection } from "../../../../src/analyzer/mail/headers/fields.ts";
import { toJudgedTime } from "../../../../src/analyzer/mail/headers/judged-time.ts";
import { toJudgedWords } from "../../../../src/analyzer/words/kind-words.ts";

const now = Date.UTC(2026, 10, 25, 10);
const received = (date: string) => `Received: from a.example by mx.b.example with ESMTP id 1; ${date}\r\n`;
const judge = (headers: string, session: Parameters<typeof toJudgedTime>[1] = { door: { kind: "upload" } }) => {
  const { at, from } = toJudgedTime(readHeaderSection(Buffer.from(`${headers}\r\nHello`)), session, now);
  return [new Date(at).toISOString().slice(0, 16), from];
};

test("an uploaded file is judged by the date of its newest Received header", () => {
  const headers = received("Mon, 3 Jun 2024 10:00:00 +0000") + received("Mon, 3 Jun 2024 09:59:00 +0000");
  expect(judge(headers)).toEqual(["2024-06-03T10:00", "received"]);
});

test.each([
  ["in the future", "Mon, 3 Jun 2030 10:00:00 +0000"],
  ["before email existed", "Sat, 3 Jun 1989 10:00:00 +0000"],
  ["unreadable", "yesterday"],
  ["missing", ""],
])("a topmost Received header with a date that is %s is unusable, and so are those below it", (_, date) => {
  const unusable = ["2026-11-25T10:00", "unusable"];
  expect(judge(received(date) + received("Mon, 3 Jun 2024 09:59:00 +0000"))).toEqual(unusable);
  expect(judge(received(date))).toEqual(unusable);
  expect(toJudgedWords(now, "unusable")).toBe(
    "Evaluated as of 2026-11-25 (when it was uploaded or analyzed, because its newest Received header has no usable date).",
  );
});

test("the time is unknown without a Received header", () => {
  expect(judge("")).toEqual(["2026-11-25T10:00", "arrival"]);
});

test("a header slightly ahead of our clock means now", () => {
  expect(judge(received("Wed, 25 Nov 2026 10:05:00 +0000"))).toEqual(["2026-11-25T10:00", "received"]);
});

test("a time entered by the user overrides headers, but is never later than now", () => {
  const headers = received("Mon, 3 Jun 2024 10:00:00 +0000");
  const said = Date.UTC(2024, 5, 5);
  expect(judge(headers, { door: { kind: "upload" }, saidReceivedAt: said })).toEqual(["2024-06-05T00:00", "said"]);
  expect(judge(headers, { door: { kind: "upload" }, saidReceivedAt: now * 2 })).toEqual(["2026-11-25T10:00", "said"]);
});

test("a message received by us is judged by its arrival, whatever its headers claim", () => {
  const headers = received("Mon, 3 Jun 2024 10:00:00 +0000");
  expect(judge(headers, { door: { kind: "smtp" } })).toEqual(["2026-11-25T10:00", "session"]);
});
