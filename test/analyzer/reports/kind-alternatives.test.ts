import { expect, test } from "vitest";
import { known, unknown } from "../../../src/analyzer/checks/fact.ts";
import type { KindFact } from "../../../src/analyzer/checks/kind.ts";
import { checks } from "../../../src/analyzer/checks/list.ts";
import { toLinks } from "../../../src/analyzer/mail/links/links.ts";
import { parseMessage } from "../../../src/analyzer/mail/mime/parse.ts";
import { judgeMessage, type MessageFacts } from "../../../src/analyzer/reports/judgment.ts";
import { sureKind } from "../checks/sure-kind.ts";

const message = parseMessage(
  Buffer.from(
    "From: Ann <ann@a.example>\r\nTo: bob@b.example\r\nSubject: Friday\r\nList-Unsubscribe: <https://a.example/u>\r\n\r\nSee you.\r\n",
  ),
);

function judge(kind: Partial<KindFact>) {
  const rest = { overridden: false, forwarded: unknown("off"), mailingList: false, esp: null };
  const fact: KindFact = { ...sureKind("personal"), ...rest, ...kind };
  const facts = {
    message: known(message),
    links: known(toLinks(null, message.text?.text ?? "")),
    kind: { known: true as const, value: fact },
  } satisfies MessageFacts;
  return judgeMessage(facts, checks, (_, error) => {
    throw error;
  }).judgment;
}

test("a finding that only an unsubscribe header causes costs nothing", () => {
  const letter = judge({});
  const marked = judge({ kind: "bulk", scoredAs: "personal" });
  const bulk = judge({ kind: "bulk", scoredAs: "bulk" });
  expect(marked.score).toEqual(letter.score);
  expect(marked.plan).toEqual(letter.plan);
  const notes = marked.findings.filter(({ id }) => !letter.findings.some((one) => one.id === id));
  expect(notes.map(({ id }) => id).sort()).toEqual(
    bulk.findings
      .map(({ id }) => id)
      .filter((id) => !letter.findings.some((one) => one.id === id))
      .sort(),
  );
  expect(notes.length).toBeGreaterThan(0);
  for (const note of notes) expect(note).toMatchObject({ severity: "info", cost: 0, gain: 0, gates: [] });
});

test("an uncertain kind shows the scores under the other kinds", () => {
  expect(judge({ confidence: 0.9 }).alternatives).toEqual([]);
  const { alternatives } = judge({ confidence: 0.4 });
  expect(alternatives.map(({ kind }) => kind)).toEqual(["bulk", "transactional"]);
  const bulk = judge({ kind: "bulk", scoredAs: "bulk" });
  expect(alternatives[0]?.composite).toBe(bulk.score.composite);
});
