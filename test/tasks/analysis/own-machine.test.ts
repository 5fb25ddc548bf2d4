// Mail from a private network or after a login, which an outgoing server may still pass on and sign.

import { describe, expect, test } from "vitest";
import { toReportFields } from "../../../src/api/report.ts";
import { toUncheckedNotices } from "../../../src/api/unchecked-words.ts";
import { checkCatalog } from "../../../src/checks/catalog.ts";
import type { Report } from "../../../src/reports/report.ts";
import { createZoneDns } from "../../../src/system/zone.ts";
import { analyzeMessage } from "../../../src/tasks/analysis/analyze-message.ts";
import { bases } from "../../fixtures/messages/fixture.ts";
import { all, heardWith, type Letter, unsigned } from "../../fixtures/messages/letter.ts";
import { analystWith, idsOf, inputOf } from "../../fixtures/messages/run.ts";

const stranger = { clientAddress: "198.51.100.99", helo: "laptop.b.example" };

async function analyzeAfterLogin(letter: Letter): Promise<Report> {
  const input = inputOf(letter);
  const [greeting, ...later] = input.session.transcript;
  if (greeting === undefined) throw new Error("The session has no greeting.");
  const login = [
    { ...greeting, from: "client" as const, line: "AUTH PLAIN [hidden]" },
    { ...greeting, line: "235 2.7.0 Authentication succeeded" },
  ];
  const session = { ...input.session, transcript: [greeting, ...login, ...later] };
  const { report } = await analyzeMessage({ ...input, session }, analystWith(createZoneDns(letter.zone)));
  if (report === null) throw new Error("The message was not recognized as a test.");
  return report;
}

describe("after a login from a public address", () => {
  const sent = all(heardWith(stranger), unsigned)(bases.T);

  test("SPF and reverse DNS are judged, and only the missing signature is excused", async () => {
    const report = await analyzeAfterLogin(sent);
    const ids = idsOf(report.judgment.findings);
    expect(ids).toEqual(expect.arrayContaining(["spf-result.fail", "ptr-record.missing"]));
    expect(ids).not.toContain("source-address.private");
    const unchecked = report.judgment.skipped.map(({ check }) => check);
    expect(unchecked).toEqual(expect.arrayContaining(["dkim-present", "dmarc-result"]));
    for (const check of ["spf-result", "spf-helo", "ptr-record", "helo-name", "ip-blocklist", "tls-used"])
      expect(unchecked).not.toContain(check);
  });

  test("the notice names only what was not judged", async () => {
    const { skipped, findings } = toReportFields(await analyzeAfterLogin(sent), checkCatalog);
    const [notice] = toUncheckedNotices({ skipped: skipped ?? [], findings: findings ?? [] });
    expect(notice).toMatchObject({
      title: "Authentication isn’t fully tested yet.",
      text: expect.stringContaining("so the score leaves out DKIM and DMARC."),
    });
  });

  test("a broken signature is judged", async () => {
    const changed: Letter = { ...bases.T, afterSigning: (message) => `${message}Changed.\r\n` };
    const report = await analyzeAfterLogin(heardWith(stranger)(changed));
    expect(report.authentication).toMatchObject({
      dkim: { value: { signatures: [{ result: "fail" }] } },
      dmarcResult: { value: { result: "fail" } },
    });
  });
});
