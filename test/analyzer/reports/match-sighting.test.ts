import { describe, expect, test } from "vitest";
import { type Candidate, matchSighting, toMatchKeys } from "../../../src/analyzer/reports/match-sighting.ts";
import type { Sighting } from "../../../src/analyzer/reports/sighting.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const arrivedAt = 1_000 * hourMs;

const seen: Sighting = {
  folder: "inbox",
  folderName: "INBOX",
  arrivedAt,
  assayIds: ["id-1"],
  bodyTokens: ["assay-token-1"],
  messageId: "m@x.example",
  from: "ann@x.example",
  subject: "News",
  evidence: { authenticationResults: [], headers: [] },
};

function candidate(id: string, changes: Partial<Candidate> & { readonly ageMs?: number }): Candidate {
  const { ageMs = 0, ...rest } = changes;
  const plain = { marks: [], messageId: null, from: null, subject: null, isTaken: false };
  return { id, receivedAt: arrivedAt - ageMs, ...plain, ...rest };
}

const words = { from: "Ann <ann@x.example>", subject: "News" };

describe("a message seen in a seed mailbox", () => {
  test.each<[string, Partial<Candidate> & { ageMs?: number }, string | null]>([
    ["has its X-Assay-Id", { marks: ["id-1"] }, "assay-id"],
    ["has its token in the body", { marks: ["assay-token-1"] }, "body-token"],
    ["has its Message-ID", { messageId: "m@x.example" }, "message-id"],
    ["has its sender and subject", words, "from-and-subject"],
    [
      "has its sender and subject with other spaces and case",
      { from: "ANN@X.EXAMPLE", subject: " News " },
      "from-and-subject",
    ],
    ["has nothing in common with it", { marks: ["id-2"], messageId: "n@x.example" }, null],
    ["has only its sender", { ...words, subject: "Other" }, null],
    ["has only its subject", { ...words, from: "ben@x.example" }, null],
    ["arrived four days after it", { marks: ["id-1"], ageMs: 96 * hourMs }, "assay-id"],
    ["arrived four days before it", { messageId: "m@x.example", ageMs: -96 * hourMs }, "message-id"],
    ["arrived a week after it", { marks: ["id-1"], messageId: "m@x.example", ageMs: 168 * hourMs }, null],
    ["has a token from two days ago", { marks: ["assay-token-1"], ageMs: 30 * hourMs }, null],
    ["has its sender and subject within half an hour", { ...words, ageMs: 30 * minuteMs }, "from-and-subject"],
    ["has its sender and subject too late", { ...words, ageMs: 30 * minuteMs + 1 }, null],
    ["has a sender and subject that were already seen", { ...words, isTaken: true }, null],
    ["is another copy with a reliable mark", { marks: ["id-1"], isTaken: true }, "assay-id"],
  ])("a message seen in a seed mailbox that %s is matched correctly", (_what, changes, matchedBy) => {
    expect(matchSighting(seen, [candidate("tst_1", changes)])?.matchedBy ?? null).toBe(matchedBy);
  });

  test("a message seen in a seed mailbox is matched by the most reliable mark, even if another test is closer in time", () => {
    const match = matchSighting(seen, [
      candidate("tst_near", { messageId: "m@x.example", ...words }),
      candidate("tst_sure", { marks: ["id-1"], ageMs: hourMs }),
    ]);
    expect(match).toEqual({ testId: "tst_sure", matchedBy: "assay-id", candidates: 1 });
  });

  test("a message seen in a seed mailbox is matched to the closest in time of equal candidates, with their number", () => {
    const match = matchSighting(seen, [
      candidate("tst_1", { ...words, ageMs: 9 * minuteMs }),
      candidate("tst_2", { ...words, ageMs: -2 * minuteMs }),
      candidate("tst_3", { ...words, ageMs: 5 * minuteMs }),
    ]);
    expect(match).toEqual({ testId: "tst_2", matchedBy: "from-and-subject", candidates: 3 });
  });

  test("a message seen in a seed mailbox is matched to the newer of two equally close tests", () => {
    const both = [candidate("tst_1", words), candidate("tst_2", words)];
    for (const some of [both, both.toReversed()])
      expect(matchSighting(seen, some)).toMatchObject({ testId: "tst_2", candidates: 2 });
  });

  test("a message seen in a seed mailbox is not matched by words without subject or sender", () => {
    for (const lacking of [{ subject: null }, { subject: " " }, { from: null }, { from: "nobody" }]) {
      const bare = { ...seen, ...lacking };
      expect(matchSighting(bare, [candidate("tst_1", { ...words, ...lacking })])).toBeNull();
    }
  });

  test("a message seen in a seed mailbox shares a key with each test that it matches", () => {
    const keys = toMatchKeys({ ...seen, marks: ["id-1", "assay-token-1"] });
    for (const test of [{ marks: ["id-1"] }, { messageId: "m@x.example" }, { ...words, subject: "  News" }]) {
      const of = toMatchKeys({ marks: [], messageId: null, from: null, subject: null, ...test });
      expect(of.filter((key) => keys.includes(key))).toHaveLength(1);
    }
    expect(keys).toHaveLength(4);
  });
});
