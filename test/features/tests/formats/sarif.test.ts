import { expect, test } from "vitest";
import type { JudgedSubject } from "../../../../src/features/tests/formats/gate-text.ts";
import { toSarif } from "../../../../src/features/tests/formats/sarif.ts";
import { analyze, faulty } from "../command/letters.ts";
import { finding, hostile, judgment } from "./judgments.ts";

type Result = {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: Record<string, unknown>[];
  properties: Record<string, unknown>;
};
type Rule = { id: string; helpUri?: string; help: { text: string }; shortDescription: { text: string } };
type Run = {
  tool: { driver: { name: string; rules: Rule[] } };
  invocations: { toolExecutionNotifications: { level: string; message: { text: string } }[] }[];
  results: Result[];
  properties: { judged: object[] };
};

/** As a reader of the file sees it. */
function runOf(judged: readonly JudgedSubject[]): Run {
  const log = JSON.parse(JSON.stringify(toSarif(judged)));
  expect(log).toMatchObject({ version: "2.1.0", $schema: expect.stringContaining("sarif-2.1.0") });
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

const named = (findings: Parameters<typeof judgment>[0]): JudgedSubject => ({
  name: "mail/a.eml",
  path: "mail/a.eml",
  report: { judgment: judgment(findings) },
});

test("every result has its rule, with a help text and a link to its source", async () => {
  const { report } = await analyze(faulty);
  const { tool, results } = runOf([{ name: "a.eml", path: "a.eml", report }]);
  const { rules } = tool.driver;
  expect(results.length).toBeGreaterThan(15);
  for (const { ruleId, ruleIndex, message } of results) {
    expect(rules[ruleIndex]?.id).toBe(ruleId);
    expect(message.text).not.toBe("");
  }
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  const [dmarc] = rules.filter(({ id }) => id.startsWith("dmarc-record."));
  expect(dmarc).toMatchObject({
    helpUri: expect.stringMatching(/^https:\/\/www\.rfc-editor\.org\/rfc\/rfc9989/),
    shortDescription: { text: "No DMARC record" },
    help: { text: expect.stringContaining("Unless there is exactly one record") },
  });
});

test("an issue is at its line of the message, or at the first line", () => {
  const at = (evidence: Record<string, unknown>) => ({
    occurrences: [{ subject: null, says: "It.", fix: null, evidence }],
  });
  const { results } = runOf([
    named({
      findings: [
        finding("date-header.unreadable", at({ line: 7, offset: 120 })),
        finding("message-id.repeated", at({ fields: [{ line: 3 }, { line: 9 }] })),
        finding("message-id.missing", at({})),
        finding("html-structure.broken", { ...at({ line: 40 }), area: "rendering" }),
      ],
    }),
  ]);
  const lines = results.map(({ locations: [location] }) => location);
  expect(lines).toEqual(
    [7, 3, 1, 1].map((startLine) => ({
      physicalLocation: { artifactLocation: { uri: "mail/a.eml" }, region: { startLine } },
    })),
  );
});

test("severe issues are errors, minor ones warnings, and consequences notes", () => {
  const { results } = runOf([
    named({
      findings: [
        finding("a.a", { severity: "critical" }),
        finding("a.b", { severity: "major" }),
        finding("a.c", { severity: "minor" }),
        finding("a.d", { severity: "info" }),
        finding("a.e", { severity: "critical", ownedBy: "a.a" }),
        finding("a.f", { severity: "good" }),
      ],
    }),
  ]);
  expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ["a.a", "error"],
    ["a.b", "error"],
    ["a.c", "warning"],
    ["a.d", "note"],
    ["a.e", "note"],
  ]);
});

test("each occurrence is a result", () => {
  const occurrences = ["one", "two"].map((subject) => ({
    subject,
    says: `The link ${subject}.`,
    fix: null,
    evidence: {},
  }));
  const { results } = runOf([named({ findings: [finding("a.a", { occurrences })] })]);
  expect(results.map(({ message, properties }) => [message.text.split("\n")[0], properties.subject])).toEqual([
    ["The link one.", "one"],
    ["The link two.", "two"],
  ]);
});

test("a file has its relative or absolute path, and a domain its name", () => {
  const findings = [finding("a.a")];
  const paths = ["./new mail/ü#1.eml", "/var/mail/a b.eml", "a:b.eml", "\ud800.eml"];
  const files = paths.map((path) => ({ name: path, path, report: { judgment: judgment({ findings }) } }));
  const { results } = runOf([
    ...files,
    { name: "a.example", path: null, report: { judgment: judgment({ findings }) } },
  ]);
  const uris = results.map(({ locations: [location] }) => location);
  expect(uris.slice(0, 4)).toMatchObject(
    ["new%20mail/%C3%BC%231.eml", "file:///var/mail/a%20b.eml", "a%3Ab.eml", "%EF%BF%BD.eml"].map((uri) => ({
      physicalLocation: { artifactLocation: { uri } },
    })),
  );
  expect(uris[4]).toEqual({ logicalLocations: [{ fullyQualifiedName: "a.example" }] });
});

test("incomplete checks and the score of each file are included", () => {
  const { invocations, properties } = runOf([
    named({ skipped: [{ check: "dkim-key", why: "servfail" }] }),
    { name: "bounce.eml", path: "bounce.eml", report: null },
  ]);
  expect(invocations[0]?.toolExecutionNotifications).toMatchObject([
    { level: "note", message: { text: "dkim-key was not checked: DNS failed." } },
  ]);
  expect(properties.judged).toEqual([
    { name: "mail/a.eml", kind: null, composite: 100, grade: "A", coverage: 1 },
    { name: "bounce.eml", kind: null, composite: null, grade: null, coverage: null },
  ]);
});

test("hostile text creates no link, placeholder, or invalid text", () => {
  const occurrences = [{ subject: hostile, says: hostile, fix: hostile, evidence: { line: "7", fields: hostile } }];
  const judged = {
    name: hostile,
    path: null,
    report: { judgment: judgment({ findings: [finding("a.a", { occurrences })] }) },
  };
  const { results } = runOf([judged]);
  const text = JSON.stringify(results);
  expect(text.isWellFormed()).toBe(true);
  for (const piece of ["](", "\u202e", "\u001b"]) expect(results[0]?.message.text).not.toContain(piece);
  expect(results[0]?.message.text).toContain("{{0}}");
});
