import { expect, test } from "vitest";
import { type DomainReport, toDomainGist } from "../../../src/analyzer/reports/domain-report.ts";
import { check, healthy, now } from "../domain-cases/domain-world.ts";

/** As if it had been fetched and seen at that time. */
function at(report: DomainReport, time: number): DomainReport {
  const certificate = { startsAt: now, endsAt: now + 1, seenAt: time };
  const rows = [{ host: "mx.a.example", certificate: { known: true, value: { certificate } } }];
  const { analysis } = report;
  return { ...report, analysis: { ...analysis, certificates: rows as never, startedAt: time, durationMs: 1 } };
}

test("two checks with the same result have the same hash, whenever they ran", async () => {
  const [one, other] = [await check(healthy), await check(healthy)];
  expect(toDomainGist(at(one, now))).toBe(toDomainGist(at(other, now + 3_600_000)));
});

test("another record, or another text that looks like a time, changes the hash", async () => {
  const withText = (text: string) =>
    check({ ...healthy, "a.example": { ...(healthy["a.example"] as object), TXT: ["v=spf1 -all", text] } });
  const texts = ["", "other", '"seenAt":1,', '"seenAt":2,', '\\"seenAt":1', '\\"seenAt":2'];
  const gists = await Promise.all(texts.map(async (text) => toDomainGist(await withText(text))));
  expect(new Set(gists).size).toBe(texts.length);
});
