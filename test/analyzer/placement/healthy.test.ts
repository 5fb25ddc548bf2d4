// Healthy mail is not predicted as spam: the fixtures as they are sent, and the sample gallery as files without
// DNS.

import { expect, test } from "vitest";
import { judgeFile } from "../../../scripts/placement/judge-file.ts";
import { ordinaryMail } from "../../../scripts/placement/ordinary-mail-table.ts";
import { predictPlacement } from "../../../src/analyzer/placement/predict.ts";
import { weighWords } from "../../../src/analyzer/placement/text-model.ts";
import { readWords } from "../../../src/analyzer/placement/text-words.ts";
import { authorDomain, toBytes } from "../../../src/analyzer/samples/letter.ts";
import { preparedMessages } from "../../../src/analyzer/samples/messages-table.ts";
import { bases } from "../../fixtures/messages/fixture.ts";
import { situations } from "../../fixtures/messages/quiet.ts";
import { analyze } from "../../fixtures/messages/run.ts";

const readerSees = ["inbox", "promotions"];

test.each(Object.entries(bases))("fixture %s is predicted in the inbox of all providers", async (_, letter) => {
  const { judgment } = await analyze(letter);
  for (const { provider, folder } of judgment.placement?.predictions ?? [])
    expect(readerSees, provider).toContain(folder);
});

test.each(situations.map((one) => [one.name, one] as const))(
  "the healthy message %s is not predicted in spam or rejected",
  async (_, { base, change }) => {
    const { judgment } = await analyze(change(bases[base]));
    for (const { provider, folder } of judgment.placement?.predictions ?? [])
      expect(readerSees, provider).toContain(folder);
  },
);

test.each(preparedMessages.map(({ id, letter }) => [id, letter] as const))(
  "the sample %s as a file is not predicted as spam for its words",
  async (mark, letter) => {
    const sentAt = Date.UTC(2026, 10, 20, 10);
    const raw = toBytes(letter, { to: "reader@receiver.example", sentAt, mark }, authorDomain);
    const { predictions } = predictPlacement(await judgeFile(raw, sentAt));
    for (const { provider, odds } of predictions) expect(odds.spam, provider).toBeLessThan(0.5);
  },
);

test("ordinary offers, receipts, and notices get few spam points for their words", () => {
  const points = ordinaryMail.map(([subject, text]) => weighWords(readWords(subject, text)));
  expect(Math.max(...points)).toBeLessThan(1);
});
