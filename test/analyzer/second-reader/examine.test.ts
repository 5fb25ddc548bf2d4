import { expect, test } from "vitest";
import { analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import type { DnsAnswer } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { replayAnswers } from "../../../src/analyzer/facts/dns-evidence.ts";
import { outcomeOf, type SecondReading } from "../../../src/analyzer/reports/second-reading.ts";
import { examineAgain } from "../../../src/analyzer/second-reader/examine.ts";
import { toVisible } from "../../../src/analyzer/visible-text.ts";
import type { AnalysisContext } from "../../../src/analyzer/world.ts";
import { toInput } from "../../../src/features/tests/analysis/examinations.ts";
import { fixtures, letterOf } from "../../fixtures/messages/fixture.ts";
import { type Letter, toBytes } from "../../fixtures/messages/letter.ts";
import { newsletter } from "../../fixtures/messages/newsletter.ts";
import { analystWith, circumstances, inputOf } from "../../fixtures/messages/run.ts";
import { receivedAt, toSession } from "../../fixtures/messages/sender.ts";
import { transactional } from "../../fixtures/messages/transactional.ts";
import { withNobodyToAsk } from "../recorded.ts";
import { type AmbiguousName, ambiguousMessages } from "./ambiguous-messages.ts";

const nobody = analystWith(createZoneDns({}));

async function readTwice(
  raw: Uint8Array,
  {
    letter,
    analyst = nobody,
    again = analyst,
    frozen = [],
  }: {
    readonly letter?: Letter;
    readonly analyst?: AnalysisContext;
    readonly again?: AnalysisContext;
    readonly frozen?: readonly string[];
  } = {},
): Promise<SecondReading> {
  const session = toSession((letter ?? transactional).heard);
  const { report } = await analyzeMessage({ raw, session, receivedAt, circumstances, evidence: null }, analyst);
  if (report === null) throw new Error("The message was taken for something that is no test.");
  return await examineAgain(toInput({ raw, session, receivedAt, report }, again, frozen));
}

function readLetter(letter: Letter, changes: Parameters<typeof readTwice>[1] = {}) {
  return readTwice(toBytes(letter), { letter, analyst: analystWith(createZoneDns(letter.zone)), ...changes });
}

const issuesOf = ({ issues }: SecondReading) => issues.map(({ finding }) => finding);
const notAgreed = ({ compared }: SecondReading) =>
  compared.filter(({ outcome }) => outcome !== "agrees").map(({ thing, outcome }) => `${thing} ${outcome}`);

test.each([
  ["a receipt", transactional],
  ["a newsletter", newsletter],
])("both parsers agree about %s with only the recorded DNS answers", async (_, letter) => {
  const reading = await readLetter(letter, { again: withNobodyToAsk(nobody) });
  expect(notAgreed(reading)).toEqual([]);
  expect(outcomeOf(reading)).toBe("agree");
  expect([reading.asked, reading.issues, reading.differences]).toEqual([[], [], []]);
});

test("both parsers agree about every fixture, except for the known differences", async () => {
  const open: Record<string, unknown> = {};
  for (const fixture of fixtures) {
    const reading = await readLetter(letterOf(fixture));
    const causes = reading.differences.map(({ thing, cause }) => `${thing} ${cause}`);
    if (causes.length > 0 || reading.issues.length > 0) open[fixture.broken] = [...causes, ...issuesOf(reading)];
  }
  expect(open).toMatchInlineSnapshot(`
    {
      "a body that ends its lines in bare LF, and a signature that holds": [
        "dkim one-sided",
        "alignment follows",
        "one-sided-signature",
      ],
      "its key deleted": [
        "dkim result-word",
      ],
      "rsa-sha1 alone": [
        "lenient-signature",
      ],
    }
  `);
});

const expected: Readonly<Record<AmbiguousName, readonly string[]>> = {
  "an address without brackets after an encoded name": ["ambiguous-from"],
  "a list of two senders with a broken quote": ["ambiguous-from"],
  "a Content-Type without its semicolon": ["two-bodies", "hidden-attachment", "other-links"],
  "a multipart that is never closed": ["two-bodies", "other-links"],
  "a file that is neither inline nor attached": ["two-bodies", "hidden-attachment"],
  "base64 that goes on after its end": ["attachment-content"],
  "two boundaries in one field": ["two-bodies", "hidden-attachment"],
  "a boundary with a comment": ["two-bodies", "hidden-attachment"],
  "a quoted-printable soft break inside a character": ["two-bodies"],
  "two HTML parts in an alternative": ["two-bodies", "other-links"],
  "a clock with twelve hours": [],
};

test.each(Object.entries(expected))("the cause of the ambiguity of %s is named", async (name, issues) => {
  const reading = await readTwice(Buffer.from(ambiguousMessages[name as AmbiguousName], "latin1"));
  expect(issuesOf(reading)).toEqual(issues);
  for (const { bytes } of reading.issues) expect(bytes.map(({ text }) => text).join("")).not.toBe("");
  expect(reading.differences.map(({ cause }) => cause)).not.toContain("unknown");
});

test.each(["Garden Shop, <shop@a.example>", "Garden, Shop <shop@a.example>"])(
  "parsers that find the same name without an address see the same senders: %s",
  async (from) => {
    const reading = await readTwice(Buffer.from(`From: ${from}\r\n\r\nHi.\r\n`));
    expect(issuesOf(reading)).toEqual([]);
  },
);

test("the bytes that cause an issue are shown escaped and cut", async () => {
  const long = "x".repeat(5_000);
  const raw = `From: =?utf-8?Q?=00?= \u0007${long} real@bank.example\r\nSubject: Hi\r\n\r\nHi.\r\n`;
  const { issues } = await readTwice(Buffer.from(raw, "latin1"));
  expect(issues).toHaveLength(1);
  const [{ bytes, evidence } = { bytes: [], evidence: "" }] = issues;
  expect(bytes[0]?.text).toContain("\\u0007");
  expect(evidence).toBe(toVisible(evidence));
  expect(JSON.stringify(issues).length).toBeLessThan(2_000);
});

test("the bytes that cause an issue are shown as text if they are valid UTF-8", async () => {
  const raw = "From: =?utf-8?Q?=00?= Zoë real@bank.example\r\nSubject: Hi\r\n\r\nHi.\r\n";
  const { issues } = await readTwice(Buffer.from(raw));
  expect(issues[0]?.bytes[0]?.text).toContain("Zoë");
});

test("a signature over bare line feeds passes in only one parser", async () => {
  const fixture = fixtures.find(({ broken }) => broken.startsWith("a body that ends its lines in bare LF"));
  if (!fixture) throw new Error("There is no such fixture.");
  const letter = letterOf(fixture);
  const reading = await readLetter(letter);
  expect(issuesOf(reading)).toEqual(["one-sided-signature"]);
  expect(reading.issues[0]?.bytes[0]?.text).toMatch(/^DKIM-Signature:/);
});

test.each([
  ["second-parsing", "mailparser", "from"],
  ["second-verifying", "mailauth", "spf"],
] as const)("a timeout in %s is left out and reported, and the rest is compared", async (phase, by, thing) => {
  const reading = await readLetter(transactional, { frozen: [phase] });
  expect(reading.unread).toEqual([{ by, why: "It took too long or ran out of memory, and was stopped." }]);
  expect(issuesOf(reading)).toEqual(["stops-library"]);
  expect(reading.compared.find((one) => one.thing === thing)).toMatchObject({
    outcome: "not-compared",
    why: `The message could not be read by ${by}.`,
  });
  expect(outcomeOf(reading)).toBe("partly");
  expect(reading.compared.filter(({ outcome }) => outcome === "agrees").length).toBeGreaterThan(4);
});

test("a message that mailparser rejects keeps its authentication results", async () => {
  const part = "--b\r\nContent-Type: text/plain\r\n\r\nHi.\r\n";
  const raw = `From: a@b.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(1_200)}--b--\r\n`;
  const reading = await readTwice(Buffer.from(raw));
  expect(reading.unread).toMatchObject([
    { by: "mailparser", why: expect.stringMatching(/^It did not read the message: /) },
  ]);
  expect(reading.compared.find(({ thing }) => thing === "arc")?.outcome).toBe("agrees");
});

test("a result that lacks DNS answers in the second parser is not compared", async () => {
  const letter = { ...transactional };
  const analyst = analystWith(createZoneDns(letter.zone));
  const raw = toBytes(letter);
  const session = toSession(letter.heard);
  const { report } = await analyzeMessage(inputOf(letter), analyst);
  if (report === null) throw new Error("There is no report.");
  const forget = ({ name }: DnsAnswer) => !/_domainkey|_dmarc/.test(name);
  const analysis = { ...report.analysis, dns: report.analysis.dns.filter(forget) };
  const silent = analystWith(replayAnswers([]));
  const reading = await examineAgain(toInput({ raw, session, receivedAt, report: { ...report, analysis } }, silent));
  expect(notAgreed(reading).filter((one) => !one.endsWith("not-compared"))).toEqual([]);
  for (const about of ["dkim", "alignment"])
    expect(reading.compared.find(({ thing }) => thing === about)?.why).toMatch(/^DNS gave no answer/);
  expect(reading.asked.length).toBeGreaterThan(0);
  expect(reading.issues).toEqual([]);
});

test("a signature whose key DNS did not give is not said to pass in one parser", async () => {
  const changed = { ...transactional, afterSigning: (message: string) => `${message}More.\r\n` };
  const reading = await readLetter(changed, { analyst: analystWith(replayAnswers([])) });
  expect(issuesOf(reading)).toEqual([]);
  for (const about of ["dkim", "dmarc"])
    expect(reading.compared.find(({ thing }) => thing === about)?.why).toMatch(/^DNS gave no answer/);
});

test.each([
  ["a header field of 200 KB", `X-Long: ${"a\r\n ".repeat(50_000)}b\r\n`, /more than 65536 bytes/],
  ["200 signatures", "DKIM-Signature: v=1; d=a.example; s=s\r\n".repeat(200), /^It did not read .* 200 DKIM/],
])("mailauth is skipped for %s, which would take minutes", async (_, fields, why) => {
  const reading = await readTwice(Buffer.from(`${fields}From: a@a.example\r\n\r\nHi.\r\n`));
  expect(reading.unread).toMatchObject([{ by: "mailauth", why: expect.stringMatching(why) }]);
  expect(reading.compared.find(({ thing }) => thing === "from")?.outcome).toBe("agrees");
});

test("content beyond our own limits is not a difference", async () => {
  const raw = `${"X-Much: 1\r\n".repeat(12_000)}From: a@a.example\r\n\r\nHi.\r\n`;
  const reading = await readTwice(Buffer.from(raw));
  expect(new Set(reading.differences.map(({ cause }) => cause))).toEqual(new Set(["cut"]));
  expect(reading.issues).toEqual([]);
});
