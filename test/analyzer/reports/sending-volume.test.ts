// Rules for senders of 5,000 or more messages a day are notes for smaller senders, and apply in full to larger
// ones.

import { expect, test } from "vitest";
import { analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import type { Volume } from "../../../src/analyzer/checks/volume.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import type { Judgment } from "../../../src/analyzer/reports/judgment.ts";
import type { Report } from "../../../src/analyzer/reports/report.ts";
import { parseReport } from "../../../src/analyzer/reports/stored-report.ts";
import { bases, fixtures, letterOf } from "../../fixtures/messages/fixture.ts";
import {
  all,
  inHtml,
  inText,
  type Letter,
  unsigned,
  withoutHeader,
  withoutName,
} from "../../fixtures/messages/letter.ts";
import { analystWith, circumstances, inputOf } from "../../fixtures/messages/run.ts";

async function reportOf(letter: Letter, volume: Volume): Promise<Report> {
  const said = { ...circumstances, kindOverride: "bulk" as const, volume };
  const analyst = analystWith(createZoneDns(letter.zone));
  const { report } = await analyzeMessage({ ...inputOf(letter), circumstances: said }, analyst);
  if (report === null) throw new Error("The letter was taken for something that is no test.");
  return report;
}

const judge = async (letter: Letter, volume: Volume) => (await reportOf(letter, volume)).judgment;
const folders = ({ placement }: Judgment) =>
  Object.fromEntries((placement?.predictions ?? []).map(({ provider, folder }) => [provider, folder]));
const foldersIfLarge = ({ placement }: Judgment) =>
  Object.fromEntries(
    (placement?.predictions ?? []).map(({ provider, folder, ifLarge }) => [provider, ifLarge?.folder ?? folder]),
  );
const findingOf = ({ findings }: Judgment, id: string) => findings.find((one) => one.id === id);

const newsletter = bases.N;
const withoutPolicy = withoutName("_dmarc.a.example")(newsletter);
const withoutHeaders = withoutHeader("List-Unsubscribe", "List-Unsubscribe-Post")(newsletter);

/** In neither of its parts. */
const withoutLink = all(
  inHtml("Unsubscribe with one click", "Our shop"),
  inHtml("https://www.a.example/u/9f27c4d1b6", "https://www.a.example/shop"),
  inText("Unsubscribe with one click", "Our shop"),
)(newsletter);

test("a newsletter to 300 recipients without a DMARC record is not rejected or capped", async () => {
  const [unknown, small, large] = [
    await judge(withoutPolicy, null),
    await judge(withoutPolicy, "small"),
    await judge(withoutPolicy, "large"),
  ];
  expect(unknown.score.limit).toMatchObject({ value: 64, why: "cap" });
  expect(unknown.placement?.predictions[0]).toMatchObject({ ifLarge: { folder: "rejected" } });
  expect(small.score.limit?.why).not.toBe("cap");
  expect(small.score.composite).toBeGreaterThan(64);
  expect(folders(small)).toMatchObject({ gmail: expect.not.stringMatching(/rejected|spam/) });
  expect(small.placement?.predictions[0]?.ifLarge).toBeUndefined();
  // The record is worth having for anybody.
  expect(findingOf(small, "dmarc-record.missing")).toMatchObject({ severity: "major" });
  expect(large.score).toEqual(unknown.score);
  expect(large.placement?.predictions[0]).toMatchObject({
    folder: "rejected",
    smtpReply: expect.stringContaining("550 5.7.40"),
  });
  expect(large.placement?.predictions[0]?.ifLarge).toBeUndefined();
});

test("unsubscribe headers are a free note for a small sender", async () => {
  const small = await judge(withoutHeaders, "small");
  expect(findingOf(small, "list-unsubscribe.missing")).toMatchObject({
    severity: "info",
    cost: 0,
    gain: 0,
    says: expect.stringContaining("once you send 5,000 or more messages a day"),
  });
  expect(small.score.composite).toBe((await judge(newsletter, "small")).score.composite);
  expect(small.plan.map(({ finding }) => finding)).not.toContain("list-unsubscribe.missing");
  expect(folders(small)).toMatchObject({ yahoo: "inbox" });
  const large = await judge(withoutHeaders, "large");
  expect(findingOf(large, "list-unsubscribe.missing")).toMatchObject({ severity: "major" });
  expect(folders(large)).toMatchObject({ yahoo: "spam" });
});

test("a missing unsubscribe link is an issue for every sender", async () => {
  const small = await judge(withoutLink, "small");
  expect(findingOf(small, "unsubscribe-link.missing")).toMatchObject({ severity: "major" });
  expect(small.plan.map(({ finding }) => finding)).toContain("unsubscribe-link.missing");
});

test("an unsigned newsletter of a small sender is judged like other unsigned mail", async () => {
  const letter = unsigned(newsletter);
  expect(findingOf(await judge(letter, "small"), "dkim-present.missing")).toMatchObject({ severity: "major" });
  for (const volume of ["large", null] as const)
    expect(findingOf(await judge(letter, volume), "dkim-present.missing-bulk")).toMatchObject({ severity: "critical" });
});

test("the report of a small sender contains no bulk sender rule, and that of a large one all", async () => {
  const letters = [newsletter, withoutPolicy, withoutHeaders, ...fixtures.map(letterOf)];
  for (const [index, letter] of letters.entries()) {
    const [unknown, small, large] = [
      await judge(letter, null),
      await judge(letter, "small"),
      await judge(letter, "large"),
    ];
    const told = (small.placement?.predictions ?? []).flatMap(({ reasons }) => reasons.map(({ text }) => text));
    expect(told.join("\n"), `${index}`).not.toMatch(/from senders of (?:many|more)/);
    expect(small.tallies.flatMap(({ items }) => items).filter(({ rule }) => rule === "gmail.dmarc")).toMatchObject([
      { standing: "not-applicable" },
    ]);
    expect(small.score.composite ?? 0, `${index}`).toBeGreaterThanOrEqual(unknown.score.composite ?? 0);
    for (const { placement } of [small, large])
      expect(placement?.predictions.some(({ ifLarge }) => ifLarge)).toBe(false);
    expect(large.score).toEqual(unknown.score);
    expect(folders(large), `${index}`).toEqual(foldersIfLarge(unknown));
    // What is read off the rules for anybody stays.
    for (const [provider, folder] of Object.entries(folders(unknown)))
      if (folder === "rejected") expect(folders(small)[provider], `${index}`).toBe("rejected");
  }
});

test("fixing every issue of a small sender brings it to the best score", async () => {
  const broken = all(unsigned, withoutName("_dmarc.a.example"))(newsletter);
  const { plan, score } = await judge(broken, "small");
  expect(score.composite ?? 0).toBeLessThan(plan.at(-1)?.composite ?? 0);
});

test("an old report without a sending volume is read as unknown", async () => {
  const report = await reportOf(newsletter, "small");
  expect(parseReport(JSON.stringify(report))?.judgment.volume).toBe("small");
  const { volume: _, ...judgment } = report.judgment;
  expect(parseReport(JSON.stringify({ ...report, judgment }))?.judgment.volume).toBeUndefined();
});
