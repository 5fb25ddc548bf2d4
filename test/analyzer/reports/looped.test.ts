// A message that Assay sends to itself is judged by its content, and not by Assay's own sending or setup.

import { expect, test } from "vitest";
import { analyzeMessage } from "../../../src/analyzer/analyze-message.ts";
import { known } from "../../../src/analyzer/checks/fact.ts";
import { createZoneDns } from "../../../src/analyzer/dns/zone.ts";
import { toReturnPath, toSendToken } from "../../../src/analyzer/mail/send-token.ts";
import { claimedSession, type SmtpSession } from "../../../src/analyzer/mail/session/session.ts";
import { gradeOf } from "../../../src/analyzer/reports/report.ts";
import { composeSample } from "../../../src/features/sending/work/compose-sample.ts";
import { aboveInfo, analystWith, idsOf } from "../../fixtures/messages/run.ts";
import { receivedAt } from "../../fixtures/messages/sender.ts";

const key = Buffer.alloc(32, 1);
const sendId = `snd_${"0".repeat(26)}`;
const token = toSendToken(sendId, key);
const rcptTo = "box@seed.localhost";

type Given = { readonly html?: string; readonly domain?: string; readonly looped?: boolean };

async function sendToItself({ html, domain = "seed.localhost", looped = true }: Given = {}) {
  const raw = await composeSample({
    sender: { name: null, local: "box", domain, address: `box@${domain}` },
    to: rcptTo,
    subject: "A sample from Assay",
    html,
    text: undefined,
    sentAt: receivedAt - 2_000,
    messageId: `<${token}@${domain}>`,
    token,
    baseUrl: "http://127.0.0.1:36187",
  });
  const session: SmtpSession = {
    ...claimedSession({
      clientAddress: "127.0.0.1",
      helo: "mx.seed.localhost",
      mailFrom: toReturnPath(sendId, "seed.localhost", key),
      rcptTo: [rcptTo],
    }),
    door: { kind: "smtp" },
    protocol: "ESMTP",
    dataStartedAt: receivedAt,
    dataEndedAt: receivedAt,
    ...(looped && { looped }),
  };
  const circumstances = {
    label: null,
    kindOverride: null,
    history: known({ sameMessageId: 0, selectorsSeen: [], keyFirstSeen: null }),
    own: known({ domains: [] }),
  };
  const input = { raw, session, receivedAt, circumstances, evidence: null };
  const { report } = await analyzeMessage(input, analystWith(createZoneDns({})));
  if (report === null) throw new Error("It was taken for no test.");
  return report;
}

const quoting = (report: Awaited<ReturnType<typeof sendToItself>>) =>
  JSON.stringify([report.judgment.findings, report.judgment.passes]);

test("Assay's own address, port, return path, and unsigned seed address are neither issues nor merits", async () => {
  const report = await sendToItself();
  expect(idsOf(aboveInfo(report))).toEqual([]);
  expect(quoting(report)).not.toMatch(/127\.0\.0\.1|36187|bounce\+/);
  const { notApplicable, skipped } = report.judgment;
  const namesOf = (list: readonly { readonly check: string }[]) => list.map(({ check }) => check);
  expect(namesOf(notApplicable)).toEqual(expect.arrayContaining(["list-unsubscribe", "message-id"]));
  expect(namesOf(skipped)).toEqual(expect.arrayContaining(["spf-record", "dkim-present", "dmarc-result"]));
  expect(report.judgment.score.composite).toBe(100);
  expect(gradeOf(report)).toBeNull();
});

test("the content is judged as usual, including links to other IP addresses and ports", async () => {
  const html = `<p>Hello. <a href="http://203.0.113.9:8081/offer">Read our offer</a> today, it is worth it.</p>`;
  const ids = idsOf(aboveInfo(await sendToItself({ html })));
  expect(ids).toEqual(expect.arrayContaining(["link-address.numeric", "text-part.missing"]));
});

test("the DNS of the sender's own domain is judged even without authentication", async () => {
  const ids = idsOf(aboveInfo(await sendToItself({ domain: "goodshop.com" })));
  expect(ids).toContain("from-domain.not-found");
  expect(ids).not.toContain("dmarc-result.unauthenticated");
});

test("a message from another server gets the findings that the same message from Assay does not", async () => {
  const ids = idsOf((await sendToItself({ looped: false })).judgment.findings);
  expect(ids).toContain("link-address.private");
  expect(ids).not.toContain("dkim-present.missing-bulk");
});

test("the DNS of a reserved domain is not judged", async () => {
  const report = await sendToItself({ domain: "app.test", looped: false });
  const { judgment, authentication } = report;
  expect(idsOf(judgment.findings)).not.toContain("from-domain.not-found");
  expect(authentication.dmarc).toEqual({ known: false, why: "reserved-name" });
  expect(judgment.score.composite).toBeGreaterThan(80);
  expect(gradeOf(report)).toBeNull();
});
