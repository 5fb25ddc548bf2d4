import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseReport } from "../../../src/analyzer/reports/stored-report.ts";

/** As 78746bf kept it, when a finding had its sentence for a title and no owner. */
const kept = readFileSync(join(import.meta.dirname, "../../fixtures/reports/titled-by-sentence.json"), "utf8");

test("a report of an earlier version has today's titles and owners, and its own sentences", () => {
  const report = parseReport(kept);
  const findings = report?.judgment.findings ?? [];
  expect(findings.length).toBeGreaterThan(15);
  const find = (id: string) => findings.find((one) => one.id === id);
  expect(find("ptr-record.missing")).toMatchObject({
    title: "No reverse DNS",
    owner: "mail-server",
    says: "198.51.100.99 has no reverse name.",
  });
  expect(find("image-alt.missing")?.occurrences).toMatchObject([
    { says: "The picture https://a.example/1.png has no alt text." },
    { says: "The picture https://a.example/2.png has no alt text." },
  ]);
  for (const { title, says } of findings) expect(says).not.toBe(title);
  expect(find("image-alt.missing")?.occurrences.some((one) => "title" in one)).toBe(false);
});

test("a finding that left the catalog has its sentence as title", () => {
  const retired = kept.replaceAll('"ptr-record.missing"', '"ptr-record.retired"');
  const finding = parseReport(retired)?.judgment.findings.find(({ id }) => id === "ptr-record.retired");
  const sentence = "198.51.100.99 has no reverse name.";
  expect(finding).toMatchObject({ title: sentence, says: sentence, owner: "mail-server" });
});

test("a report of this version is read unchanged", () => {
  const report = parseReport(kept);
  expect(parseReport(JSON.stringify(report))).toEqual(JSON.parse(JSON.stringify(report)));
});
