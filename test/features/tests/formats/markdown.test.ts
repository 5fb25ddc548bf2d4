import { marked } from "marked";
import { expect, test } from "vitest";
import type { Report } from "../../../../src/analyzer/reports/report.ts";
import { toReportMarkdown } from "../../../../src/features/tests/formats/markdown.ts";
import { finding, judgment } from "./judgments.ts";

const unknown = { known: false, why: "no-session" } as const;

function reportOf(changes: Partial<Report> = {}): Report {
  const authentication = { spf: unknown, dkim: unknown, dmarcResult: unknown } as unknown as Report["authentication"];
  return { from: "ann@a.example", subject: "Hi", authentication, judgment: judgment({}), ...changes } as Report;
}

const hostile = [
  "<script>alert(1)</script>",
  "[click](https://evil.example)",
  "![x](https://evil.example/x.png)",
  "https://evil.example www.evil.example",
  "a | b | c",
  "`code` **bold** _it_ ~~gone~~",
  "line\n# heading\r\n- item",
  "&lt;b&gt; @everyone #1 $x$",
  "\u202e\u200b\x1b[31m",
];

test.each(hostile)("the sender text %j never becomes Markdown markup", async (text) => {
  const found = finding("mime-version.missing", { says: text, fix: `Do \`${text}\` and ${text}`, title: text });
  const markdown = toReportMarkdown(
    text,
    reportOf({ subject: text, from: text, judgment: judgment({ findings: [found] }) }),
  );
  const html = await marked(markdown, { gfm: true });
  const used = new Set([...html.matchAll(/<\/?([a-z][a-z0-9]*)/g)].map(([, tag]) => tag));
  for (const tag of [
    "h2",
    "h3",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "ol",
    "ul",
    "li",
    "p",
    "strong",
    "code",
    "br",
    "pre",
  ])
    used.delete(tag);
  expect([...used], markdown).toEqual([]);
  expect([...html.matchAll(/<h\d/g)].length).toBeLessThanOrEqual(4);
  expect(html.match(/<td>/g)?.length, markdown).toBe(10);
  expect(markdown).not.toMatch(/[^\P{Cc}\n]|[\u202e\u200b]/u);
});

test("incomplete checks are named, and a missing result is not a pass", () => {
  const skipped = [{ check: "spf-result", why: "no-session" as const }];
  const markdown = toReportMarkdown("x", reportOf({ judgment: judgment({ skipped }) }));
  expect(markdown).toContain("| SPF | not checked |\n| DKIM | not checked |\n| DMARC | not checked |");
  expect(markdown).toContain("### Not checked\n\n- The message did not arrive over SMTP");
  expect(markdown).toMatch(/: SPF [^\n]*\n/);
});

test("a record to publish is a code block, and long lists are cut", () => {
  const records = [{ name: "a.example", type: "TXT", value: "v=spf1 ```` -all", replaces: [] }] as const;
  const findings = Array.from({ length: 20 }, (_, index) => finding("mime-version.missing", { records, gain: index }));
  const markdown = toReportMarkdown("x", reportOf({ judgment: judgment({ findings }) }));
  expect(markdown).toContain("   `````text\n   a.example TXT v=spf1 ```` -all\n   `````\n");
  expect(markdown).toContain("### 20 issues to fix");
  expect(markdown).toContain("\nAnd 5 more.\n");
});
