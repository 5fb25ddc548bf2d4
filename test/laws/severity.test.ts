// An issue has one severity in every format of a report: the headline, the cards and the list in the app, the
// terminal, JSON, Markdown, JUnit, and SARIF. The score agrees with it.

import { expect, test } from "vitest";
import { analyzeMessage } from "../../src/analyzer/analyze-message.ts";
import { checkCatalog } from "../../src/analyzer/checks/catalog.ts";
import { type Report, toResultWords } from "../../src/analyzer/reports/report.ts";
import { type Finding, toJudgmentFields } from "../../src/features/tests/contract/judgment.ts";
import { toReportFields } from "../../src/features/tests/contract/report.ts";
import { toSharedTest } from "../../src/features/tests/contract/report-page.ts";
import type { TestReport } from "../../src/features/tests/contract/tests.ts";
import { toJudgmentText } from "../../src/features/tests/formats/judgment-text.ts";
import { toJunit } from "../../src/features/tests/formats/junit.ts";
import { toReportMarkdown } from "../../src/features/tests/formats/markdown.ts";
import { toSarif } from "../../src/features/tests/formats/sarif.ts";
import { toStyle } from "../../src/features/tests/formats/style.ts";
import { openReportPages } from "../../src/features/tests/routes/report-page.ts";
import { faultsOf } from "../../src/features/tests/rules/issues.ts";
import { toVerdict } from "../../src/features/tests/words/verdict-words.ts";
import { bases, fixtures, letterOf } from "../fixtures/messages/fixture.ts";
import { gallery, galleryAnalyst, galleryInput } from "../fixtures/messages/gallery.ts";
import { all, type Letter, unsigned, withName } from "../fixtures/messages/letter.ts";
import { situations } from "../fixtures/messages/quiet.ts";
import { analyze } from "../fixtures/messages/run.ts";
import { builtWeb } from "../web/web-world.ts";

type Told = readonly (readonly [title: string, severity: string])[];

const style = toStyle({ columns: null, colour: false, environment: { LANG: "C.UTF-8" } });

/** Nothing authenticates it, so a consequence is worse than its causes. */
const withoutProof: readonly Letter[] = (["p=none", "p=quarantine", "p=reject"] as const).map((policy) =>
  all(
    unsigned,
    withName("a.example", { TXT: ["v=spf1 -all"] }),
    withName("_dmarc.a.example", { TXT: [`v=DMARC1; ${policy}`] }),
  )(bases.T),
);

async function allReports(): Promise<(readonly [string, Report])[]> {
  const letters = [
    ...Object.entries(bases),
    ...fixtures.map((one) => [`fixture ${one.number}`, letterOf(one)] as const),
    ...situations.map((one) => [one.name, letterOf(one)] as const),
    ...withoutProof.map((letter, index) => [`without proof ${index}`, letter] as const),
  ];
  const reports: (readonly [string, Report])[] = [];
  for (const [name, letter] of letters) reports.push([name, await analyze(letter)]);
  for (const prepared of gallery) {
    const { report } = await analyzeMessage(galleryInput(prepared), galleryAnalyst);
    if (report !== null) reports.push([prepared.id, report]);
  }
  return reports;
}

const reports = await allReports();

function toTest(report: Report): TestReport {
  const fields = toReportFields(report, checkCatalog);
  return {
    ...fields,
    ...toResultWords(report),
    composite: report.judgment.score.composite,
    coverage: report.judgment.score.coverage,
    kind: report.judgment.kind?.kind ?? "personal",
    id: "tst_0",
    label: null,
    sample: false,
    subject: report.subject,
    from: report.from,
    received_at: "2026-11-26T00:00:00.000Z",
    status: "analyzed",
    failure: null,
    size_bytes: 1,
    transport: { looped: false, source: "smtp", client_address: "192.0.2.1", helo: null, transcript: [] },
  } as unknown as TestReport;
}

function toShared(shown: TestReport) {
  return toSharedTest(shown, { catalog: checkCatalog, mask: (text) => text, redactsBody: false });
}

function inJson(report: Report): Told {
  const { findings, plan } = toJudgmentFields(report, checkCatalog);
  return faultsOf({ findings, plan } as unknown as TestReport).map(toTold);
}

const toTold = ({ title, severity }: Pick<Finding, "title" | "severity">) => [title, severity] as const;

function inText(report: Report): Told {
  return [...toJudgmentText(report, style).matchAll(/^ *\d+ {2}✗ (\w+) +(?:\+[\d.]+)? +(.+)$/gm)].map(
    ([, severity = "", title = ""]) => [title, severity === "note" ? "info" : severity],
  );
}

function inMarkdown(report: Report): Told {
  return [...toReportMarkdown("x", report).matchAll(/^\d+\. \*\*(.+)\*\* \((\w+)/gm)].map(
    ([, title = "", severity = ""]) => [title.replace(/\\(.)/g, "$1"), severity],
  );
}

/** A case has the severity of its check's first issue. */
function inJunit(report: Report): ReadonlyMap<string, string> {
  const xml = toJunit([{ name: "x", path: null, report }]);
  const cases = xml.matchAll(/name="([^"]+)">\n?<failure message="[^"]*" type="(\w+)"/g);
  return new Map([...cases].map(([, check = "", severity = ""]) => [check, severity]));
}

function inSarif(report: Report): ReadonlyMap<string, string> {
  type Result = { ruleId: string; properties: { severity: string; ownedBy?: string } };
  const { runs } = toSarif([{ name: "x", path: null, report }]) as { runs: { results: Result[] }[] };
  const results = (runs[0]?.results ?? []).filter(({ properties }) => properties.ownedBy === undefined);
  return new Map(results.map(({ ruleId, properties }) => [ruleId, properties.severity]));
}

test.each(reports)("an issue has the same severity in every format: %s", (_, report) => {
  const told = inJson(report);
  expect(inText(report)).toEqual(told);
  expect(inMarkdown(report)).toEqual(told.slice(0, 15));
  const issues = report.judgment.findings.filter(
    ({ ownedBy, severity }) => ownedBy === null && severity !== "good" && severity !== "info",
  );
  const worst = new Map<string, string>();
  for (const { check, severity } of issues) worst.set(check, worst.get(check) ?? severity);
  expect(inJunit(report)).toEqual(worst);
  const sarif = inSarif(report);
  for (const { id, severity } of issues) expect(sarif.get(id)).toBe(severity);
});

test.each(reports)("the headline, cards, and list in the app have the same counts: %s", async (_, report) => {
  const pages = openReportPages(await builtWeb());
  if (!pages) throw new Error("The web app was not built.");
  const shown = toTest(report);
  const page = { note: "", foot: [], content: { shows: "share" as const, test: toShared(shown) } };
  const html = pages.render(page, { title: "x" });
  const issues = faultsOf(shown);
  const listed = new Map(
    [...html.matchAll(/class="finding (?:card-f )?(\w+)" id="(finding-[^"]+)"/g)].map(([, severity, id]) => [
      id,
      severity,
    ]),
  );
  for (const { id, severity } of issues) expect(listed.get(`finding-${id.replace(".", "-")}`)).toBe(severity);
  const cards = [...html.matchAll(/class="finding card-f (\w+)"/g)].map(([, severity]) => severity);
  expect(cards).toEqual(issues.slice(0, 3).map(({ severity }) => severity));
  const [, phrase] = toVerdict({ placed: [], issues, openSender: null, isWellChecked: true });
  const worst = (["critical", "major", "minor"] as const).find((one) =>
    issues.some(({ severity }) => severity === one),
  );
  if (worst !== undefined && phrase !== undefined) {
    const count = issues.filter(({ severity }) => severity === worst).length;
    expect(phrase.text).toMatch(
      count === issues.length || worst === "minor" ? new RegExp(`^${issues.length} ${worst}`) : `${count} ${worst}`,
    );
    expect(html).toContain(phrase.text.split(" ").slice(1).join(" "));
  }
});

test.each(reports)("the score agrees with the most severe issue: %s", (_, { judgment }) => {
  const severities = judgment.findings.filter(({ ownedBy }) => ownedBy === null).map(({ severity }) => severity);
  const { composite } = judgment.score;
  if (severities.includes("critical")) expect(composite).toBeLessThan(70);
  if (severities.includes("major")) expect(composite).toBeLessThan(90);
});
