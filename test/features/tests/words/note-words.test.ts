import { expect, test } from "vitest";
import { type NoteFinding, toFixWords, toNote } from "../../../../src/features/tests/words/note-words.ts";

const spf = { name: "a.example", type: "TXT", value: "v=spf1 mx ~all", replaces: ["v=spf1 +all"] } as const;
const toFinding = (changes: Partial<NoteFinding>): NoteFinding => ({
  title: "SPF has no ending",
  summary: 'The SPF record for a.example ends without a verdict (no "all").',
  fix: "End it with `~all`: `v=spf1 ip4:192.0.2.1 ~all`.",
  records: [{ ...spf, replaces: [...spf.replaces] }],
  ...changes,
});

test("a note says what one person has to do, with the three parts of the record", () => {
  const note = toNote({ owner: "dns", domain: "a.example", findings: [toFinding({})], link: null });
  expect(note).toBe(
    [
      "A test of email from a.example found 1 issue to fix in DNS.",
      "",
      "SPF has no ending",
      'The SPF record for a.example ends without a verdict (no "all").',
      "Fix: End it with ~all.",
      "  Name: a.example",
      "  Type: TXT",
      "  Value: v=spf1 mx ~all",
      "  Replaces: v=spf1 +all",
    ].join("\n"),
  );
});

test("a note says what the fix cures, and how the score rises", () => {
  const cures = "Fixes SPF, DMARC, and the rejection at 4 providers: 49 → 61.";
  const note = toNote({ owner: "dns", domain: "a.example", findings: [toFinding({ cures })], link: null });
  expect(note).toContain(`(no "all").\n${cures}\nFix: End it with ~all.`);
});

test("several issues are listed in order, with shared records once and the report link at the end", () => {
  const findings = [toFinding({}), toFinding({ title: "SPF fails" }), toFinding({ title: "Third", records: [] })];
  const link = "https://assay.example/tests/tst_1";
  const note = toNote({ owner: "dns", domain: "a.example", findings, link });
  expect(note).toContain("3 issues to fix in DNS. Please start with the first one.\n\n1. SPF has no ending");
  expect(note.split("Value: v=spf1 mx ~all")).toHaveLength(2);
  expect(note).toContain("2. SPF fails");
  expect(note).toContain("The record above fixes this too.");
  expect(note.endsWith(`\n\nReport: ${link}`)).toBe(true);
});

test("a note stays short and plain for hostile content", () => {
  const hostile = toFinding({ summary: `a\u001b[31m\r\n\u202e${"x".repeat(50_000)}`, records: [] });
  const note = toNote({ owner: "content", domain: null, findings: Array(200).fill(hostile), link: null });
  expect(note.length).toBeLessThan(13_000);
  for (const control of ["\u001b", "\u202e", "\r"]) expect(note).not.toContain(control);
  expect(note).toContain("A test of our email found 200 issues");
});

test.each([
  ["Replace them with one record: `v=DMARC1; p=none`.", "Replace them with one record."],
  ["Replace it with `v=DMARC1; p=none`, or remove it.", "Replace it with this record, or remove it."],
  ["Remove `t=s` from `x.example`: `v=spf1 -all`, or sign.", "Remove `t=s` from `x.example`, or sign."],
  [
    "Optional: publish this TXT record at `_smtp._tls.a.example`: `v=TLSRPTv1; rua=mailto:x`.",
    "Optional: publish this TXT record at `_smtp._tls.a.example`.",
  ],
  ["Publish `mail.a.example. A 192.0.2.1`.", "Publish this record."],
  [
    "Ask the owner of x.example to publish this TXT record at `a.x.example` in their DNS, not in yours: `v=DMARC1;`. Or not.",
    "Ask the owner of x.example to publish this TXT record at `a.x.example` in their DNS, not in yours. Or not.",
  ],
  ["Add it to the record: `v=spf1 mx ~all`. Left out: a.", "Add it to the record. Left out: a."],
  ["Remove or correct `x`. Corrected record: `v=spf1 mx ~all`", "Remove or correct `x`."],
  ["Add it to the record: `v=spf1 mx ~all`", "Add it to the record."],
  [
    "Publish an SPF record for a.example that allows no senders: `v=spf1 -all`. Publish a DMARC record for a.example that rejects all mail: `v=DMARC1; p=reject`.",
    "Publish an SPF record for a.example that allows no senders. Publish a DMARC record for a.example that rejects all mail.",
  ],
  ["Let it begin with `v=spf1` and a space.", "Let it begin with `v=spf1` and a space."],
])("the note for the fix %s does not repeat the record", (fix, words) => {
  expect(toFixWords(fix, [spf])).toBe(words);
  expect(toFixWords(fix, [])).toBe(fix);
});
