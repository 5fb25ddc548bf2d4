import { expect, test } from "vitest";
import type { TestReport } from "../../src/api/tests.ts";
import type { Zone } from "../../src/system/zone.ts";
import { toProposedRecords } from "../../src/web/report/proposed-records.ts";
import { startHttpWorld } from "../http/http-world.ts";
import { aLetter, brokenLetter } from "./letters.ts";

const host = { A: ["192.0.2.8"], MX: [{ preference: 1, exchange: "mx.sender.example" }] };

/** Mail of the world comes from 192.0.2.1 as mail.sender.example. */
const cases: readonly {
  readonly zone: Zone;
  readonly raw: Uint8Array;
  readonly proposals: Readonly<Record<string, readonly string[]>>;
}[] = [
  {
    zone: {
      "sender.example": { ...host, TXT: ["seen=1", "v=spf1 ip4:198.51.100.9"] },
      "mail.sender.example": { A: ["192.0.2.1"], TXT: ["v=spf1 -all"] },
    },
    raw: aLetter("Records at two names"),
    proposals: {
      "spf-result.neutral": [
        "sender.example TXT v=spf1 ip4:192.0.2.1 ip4:198.51.100.9 ~all",
        "sender.example TXT seen=1",
      ],
      "spf-end.no-verdict": ["sender.example TXT v=spf1 ip4:198.51.100.9 ~all", "sender.example TXT seen=1"],
      "spf-helo.fail": ["mail.sender.example TXT v=spf1 ip4:192.0.2.1 -all"],
      "dmarc-record.missing": ["_dmarc.sender.example TXT v=DMARC1; p=none; rua=mailto:dmarc@sender.example"],
    },
  },
  {
    zone: {
      "sender.example": { ...host, TXT: ["v=spf1 ip4:198.51.100.9 -all", "v=spf1 a -all"] },
      "_dmarc.sender.example": { TXT: ["v=DMARC1; p=none; pct=50"] },
    },
    raw: aLetter("Records that say too much"),
    proposals: {
      "spf-record.several": ["sender.example TXT v=spf1 ip4:198.51.100.9 a -all"],
      "dmarc-policy.none": ["_dmarc.sender.example TXT v=DMARC1; p=quarantine; pct=50"],
      "dmarc-reports.none": [
        "_dmarc.sender.example TXT v=DMARC1; p=none; pct=50; rua=mailto:dmarc@sender.example",
      ],
      "dmarc-obsolete.tags": ["_dmarc.sender.example TXT v=DMARC1; p=none"],
      "helo-resolves.no-address": ["mail.sender.example A 192.0.2.1"],
    },
  },
  {
    zone: {
      "quillworks.example": { A: ["192.0.2.8"], TXT: ["v=spf1 -all"] },
      "q1._domainkey.quillworks.example": { TXT: ["v=DKIM1; t=y; k=rsa; p=AAAA"] },
      "_dmarc.quillworks.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@quillworks.example"] },
    },
    raw: brokenLetter,
    proposals: {
      "dkim-testing.flag": ["q1._domainkey.quillworks.example TXT v=DKIM1; k=rsa; p=AAAA"],
      "helo-resolves.no-address": ["mail.sender.example A 192.0.2.1"],
    },
  },
];

test("a repair proposes its records at the name that it is about, and keeps what else stands there", async () => {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace);
  for (const { zone, raw, proposals } of cases) {
    world.internet.zone = zone;
    const id = await world.receive(workspace, null, raw);
    await world.analyzeAll();
    const report = (await world.ask("GET", `/api/tests/${id}`, { token, workspace })).json as TestReport;
    const told = (report.findings ?? []).map((finding) => {
      const rows = toProposedRecords(report, finding);
      return [finding.id, rows.map(({ name, type, value }) => `${name} ${type} ${value}`)] as const;
    });
    expect(Object.fromEntries(told.filter(([, rows]) => rows.length > 0))).toEqual(proposals);
  }
});
