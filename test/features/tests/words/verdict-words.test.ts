// The headline of a report: at most 20 words in every possible case, and in good English.

import { expect, test } from "vitest";
import { isAboveInfo } from "../../../../src/analyzer/reports/causes.ts";
import type { Report } from "../../../../src/analyzer/reports/report.ts";
import { toOpenSender, toVerdict } from "../../../../src/features/tests/words/verdict-words.ts";
import { bases, fixtures, letterOf } from "../../../fixtures/messages/fixture.ts";
import { analyze } from "../../../fixtures/messages/run.ts";

type Judged = Parameters<typeof toVerdict>[0];
type Placed = Judged["placed"][number];
type Folder = Placed["folder"];

const mostWords = 20;
const providers = ["gmail", "outlook", "yahoo", "icloud", "generic"];

function toLine(judged: Partial<Judged>): string {
  const phrases = toVerdict({ placed: [], issues: [], isWellChecked: true, openSender: null, ...judged });
  return phrases.map(({ text }) => `${text}.`).join(" ");
}

const predicted = (...folders: readonly Folder[]): Placed[] =>
  folders.map((folder, at) => ({ provider: providers[at] ?? "", folder, isObserved: false, ifLarge: null }));
const issues = (...severities: readonly string[]) => severities.map((severity) => ({ severity }));
const many = (count: number) => issues(...Array.from({ length: count }, () => "major"));
const inbox = predicted("inbox", "inbox", "inbox", "inbox", "inbox");
const tabbed = predicted("promotions", "inbox", "inbox", "inbox", "inbox");

test.each([
  [[], "Nothing to fix."],
  [issues("minor"), "1 minor issue."],
  [issues("minor", "minor"), "2 minor issues."],
  [issues("major"), "1 major issue."],
  [issues("minor", "major"), "2 issues, 1 major."],
  [issues("major", "critical", "minor", "critical"), "4 issues, 2 critical."],
  [many(2), "2 major issues."],
  [many(17), "17 major issues."],
])("the headline counts %j as “%s”", (issues, said) => {
  expect(toLine({ placed: inbox, issues })).toBe(`Likely inbox at all 5 providers. ${said}`);
});

test.each<[string, readonly Placed[], string]>([
  ["unknown", [], "Placement unknown."],
  [
    "spam at some providers",
    predicted("spam", "inbox", "spam", "inbox", "spam"),
    "Likely spam at 3 of 5 providers, inbox at 2.",
  ],
  ["spam at all providers", predicted("spam", "spam"), "Likely spam at all 2 providers."],
  ["one provider", predicted("inbox"), "Likely inbox at 1 provider."],
  [
    "rejected and spam",
    predicted("rejected", "rejected", "spam", "inbox", "inbox"),
    "Likely rejected at 2 and spam at 1 of 5 providers, inbox at 2.",
  ],
  [
    "rejected above a volume",
    inbox.map((one, at) => ({ ...one, ifLarge: at < 2 ? "rejected" : null })),
    "Likely inbox at all 5 providers, but rejected by 2 above 5,000 a day.",
  ],
  [
    "open",
    predicted("spam", "inbox").map((one) => ({ ...one, isOpen: true })),
    "Could go to the inbox or spam at all 2 providers.",
  ],
  [
    "open at some providers",
    inbox.map((one, at) => ({ ...one, isOpen: at > 2 })),
    "Could go to the inbox or spam at 2 of 5 providers, inbox at 3.",
  ],
  ["promotions", tabbed, "Likely inbox at 4 providers, Promotions at Gmail."],
  ["only promotions", predicted("promotions"), "Likely inbox at 1 provider."],
  [
    "promotions, and rejected above a volume",
    tabbed.map((one, at) => ({ ...one, ifLarge: at < 2 ? "rejected" : null })),
    "Likely inbox at 4 providers, Promotions at Gmail, but rejected by 2 at high volume.",
  ],
  [
    "spam above an unpublished volume",
    inbox.map((one) => ({ ...one, ifLarge: one.provider === "yahoo" ? "spam" : null })),
    "Likely inbox at all 5 providers, but spam at Yahoo at high volume.",
  ],
  [
    "seen",
    predicted("spam", "inbox").map((one) => ({ ...one, isObserved: true })),
    "Seen in spam at 1 of 2 providers.",
  ],
  [
    "partly observed and partly predicted",
    predicted("spam", "inbox", "rejected", "spam").map((one, at) => ({ ...one, isObserved: at < 2 })),
    "Seen in spam at 1 of 2, likely rejected at 1 of 2 others.",
  ],
  ["awaited", predicted("pending").map((one) => ({ ...one, isObserved: true })), "Not seen yet."],
])("the headline states the placement if it is %s", (_case, placed, said) => {
  expect(toLine({ placed })).toBe(`${said} Nothing to fix.`);
});

const folders: readonly Folder[] = ["inbox", "promotions", "spam", "rejected", "pending", "missing"];
const countWords = (line: string) => line.split(/\s+/).length;

test("the headline has at most 20 words for any placement and issues", () => {
  let longest = "";
  for (let seed = 1; seed < 400; seed++) {
    // Digits of the seed, so that every run tries the same.
    const pick = <T>(list: readonly T[], at: number) => list[(seed * (7 + at * 4) + (seed >> at)) % list.length] as T;
    const placed = Array.from({ length: pick([0, 1, 2, 5, 8], 1) }, (_, at) => ({
      provider: providers[at] ?? `imap:${at}`,
      folder: pick(folders, at + 2),
      isObserved: pick([true, false, false], at),
      ifLarge: pick([null, null, "rejected", "spam"] as const, at),
    }));
    const count = pick([0, 1, 2, 17, 120], 3);
    const line = toLine({
      placed,
      issues: issues(...Array.from({ length: count }, (_, at) => pick(["critical", "major", "minor"], at))),
      isWellChecked: pick([true, false], 6),
      openSender: pick([null, "SPF", "SPF or DKIM"] as const, 7),
    });
    expect(line).toMatch(/^[A-Z].*\.$/);
    if (countWords(line) > countWords(longest)) longest = line;
  }
  expect(countWords(longest), longest).toBeLessThanOrEqual(mostWords);
});

function lineOf({ judgment }: Report): string {
  const found = judgment.findings.filter((one) => isAboveInfo(one) && one.ownedBy === null);
  return toLine({
    placed: (judgment.placement?.predictions ?? []).map(({ provider, folder, ifLarge }) => ({
      provider,
      folder,
      isObserved: false,
      ifLarge: ifLarge?.folder ?? null,
    })),
    issues: found,
  });
}

test("the headline has at most 20 words for every fixture, and praises no message with issues", async () => {
  for (const fixture of fixtures) {
    const line = lineOf(await analyze(letterOf(fixture)));
    expect(countWords(line), line).toBeLessThanOrEqual(mostWords);
    expect(line, fixture.broken).toMatch(/\d+ (?:(?:minor|major|critical) )?issues?\b/);
  }
  for (const letter of Object.values(bases))
    expect(lineOf(await analyze(letter))).toMatch(
      /^Likely inbox at (?:all \d providers|\d providers, Promotions at Gmail)\. Nothing to fix\.$/,
    );
});

test("the headline has the color of the most severe issue, whichever comes first", () => {
  const toneOf = (...severities: readonly string[]) =>
    toVerdict({ placed: [], issues: issues(...severities), isWellChecked: true, openSender: null }).at(-1)?.tone;
  expect(toneOf()).toBe("good");
  expect(toneOf("minor")).toBe("minor");
  expect(toneOf("minor", "major")).toBe("major");
  expect(toneOf("major", "critical", "minor")).toBe("critical");
});

test("the headline promises no inbox to an unknown sender", () => {
  expect(toLine({ placed: inbox, openSender: "SPF or DKIM" })).toMatch(
    /^Likely inbox at all 5 providers, if SPF or DKIM passes\./,
  );
  expect(toLine({ placed: inbox, openSender: toOpenSender({ spf: null, dkim: "none" }) })).toMatch(/, if SPF passes\./);
  expect(toLine({ placed: predicted("spam", "inbox"), openSender: "SPF or DKIM" })).not.toContain("if SPF");
});
