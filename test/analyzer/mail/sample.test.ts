// The sample is judged like any other message. It loses points only for its content, because its sender is the
// well-configured one of the fixtures.

import { expect, test } from "vitest";
import { analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import { known } from "../../../src/analyzer/checks/fact.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { toSendToken } from "../../../src/analyzer/mail/send-token.ts";
import { composeSample } from "../../../src/features/sending/work/compose-sample.ts";
import { aboveInfo, analystWith, idsOf } from "../../fixtures/messages/run.ts";
import {
  ownHost,
  receivedAt,
  recipient,
  signature,
  signedNames,
  toSession,
  zone,
} from "../../fixtures/messages/sender.ts";
import { toSignature } from "./signing/sign.ts";

const key = Buffer.alloc(32, 1);
const token = toSendToken(`snd_${"0".repeat(26)}`, key);
const circumstances = {
  label: null,
  kindOverride: null,
  history: known({ sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null }),
  own: known({ domains: [] }),
};

async function scoreOf(baseUrl: string) {
  const bytes = await composeSample({
    sender: { name: "Harrow Lane Books", local: "hello", domain: "a.example", address: "hello@a.example" },
    to: recipient,
    subject: "How well does our mail arrive?",
    html: undefined,
    text: undefined,
    sentAt: receivedAt - 4_000,
    messageId: `<${token}@a.example>`,
    token,
    baseUrl,
  });
  const message = Buffer.from(bytes).toString("latin1");
  const signed = `${toSignature(message, { ...signature, names: signedNames })}\r\n${message}`;
  const session = toSession({ ...ownHost, mailFrom: `bounce+${token}@seed.example` });
  const seedZone = {
    "seed.example": { MX: [{ preference: 10, exchange: "mx.seed.example" }], TXT: ["v=spf1 ip4:203.0.113.0/28 -all"] },
    "mx.seed.example": { A: ["198.51.100.40"] },
    "assay.a.example": { A: ["198.51.100.20"] },
  };
  const raw = Buffer.from(signed, "latin1");
  const analyst = analystWith(createZoneDns({ ...zone, ...seedZone }));
  const { report } = await analyzeMessage({ raw, session, receivedAt, circumstances, evidence: null }, analyst);
  return report;
}

test("the sample message of a well-configured sender has at least 95 points", async () => {
  const report = await scoreOf("https://assay.a.example");
  if (report === null) throw new Error("It was taken for no test.");
  expect(report.judgment.kind).toMatchObject({ kind: "bulk" });
  expect(idsOf(aboveInfo(report))).toEqual([]);
  expect(report.judgment.score.composite).toBeGreaterThanOrEqual(95);
});
