import { expect, test } from "vitest";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import type { TestReport } from "../../src/features/tests/contract/tests.ts";
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
      // All issues with one record propose the same one.
      "spf-end.no-verdict": [
        "sender.example TXT v=spf1 ip4:192.0.2.1 ip4:198.51.100.9 ~all",
        "sender.example TXT seen=1",
      ],
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
      "spf-record.several": ["sender.example TXT v=spf1 ip4:192.0.2.1 ip4:198.51.100.9 a -all"],
      "dmarc-reports.none": ["_dmarc.sender.example TXT v=DMARC1; p=none; rua=mailto:dmarc@sender.example"],
      "dmarc-obsolete.tags": ["_dmarc.sender.example TXT v=DMARC1; p=none; rua=mailto:dmarc@sender.example"],
      "helo-resolves.no-address": ["mail.sender.example A 192.0.2.1"],
    },
  },
  {
    // One of two records trusts a domain that is not there, which the merged one must not.
    zone: {
      "sender.example": {
        ...host,
        TXT: ["v=spf1 include:_spf.missing.example -all", "v=spf1 include:_spf.there.example ~all"],
      },
      "_spf.there.example": { TXT: ["v=spf1 ip4:198.51.100.0/24 -all"] },
      "there.example": { A: ["192.0.2.9"] },
      "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@sender.example"] },
    },
    raw: aLetter("Two records"),
    proposals: {
      "spf-record.several": ["sender.example TXT v=spf1 ip4:192.0.2.1 include:_spf.there.example ~all"],
      "helo-resolves.no-address": ["mail.sender.example A 192.0.2.1"],
    },
  },
  {
    // Eleven look-ups: which of them to take out only its owner knows.
    zone: {
      "sender.example": {
        ...host,
        TXT: [`v=spf1 ${Array.from({ length: 11 }, (_, at) => `include:s${at}.there.example`).join(" ")} -all`],
      },
      ...Object.fromEntries(
        Array.from({ length: 11 }, (_, at) => [`s${at}.there.example`, { TXT: ["v=spf1 ip4:198.51.100.7 -all"] }]),
      ),
      "_dmarc.sender.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@sender.example"] },
    },
    raw: aLetter("Too many look-ups"),
    proposals: { "helo-resolves.no-address": ["mail.sender.example A 192.0.2.1"] },
  },
  {
    zone: {
      "quillworks.example": { A: ["192.0.2.8"], TXT: ["v=spf1 -all"] },
      "q1._domainkey.quillworks.example": { TXT: ["v=DKIM1; t=y; k=rsa; p=AAAA"] },
      "_dmarc.quillworks.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@quillworks.example"] },
    },
    raw: brokenLetter,
    proposals: {
      // Without its test flag the key still is none.
      "helo-resolves.no-address": ["mail.sender.example A 192.0.2.1"],
    },
  },
];

test("a fix suggests records at the right name, and keeps other values there", async () => {
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
    // Where its name has no address, the name that the reverse record leads to needs the same one.
    const address = proposals["helo-resolves.no-address"];
    const expected = address ? { ...proposals, "ptr-record.missing": address } : proposals;
    expect(Object.fromEntries(told.filter(([, rows]) => rows.length > 0))).toEqual(expected);
    const several = report.findings?.find(({ id }) => id === "spf-record.several")?.fix ?? "";
    if (JSON.stringify(zone).includes("missing"))
      expect(several).toContain(
        "`v=spf1 ip4:192.0.2.1 include:_spf.there.example ~all` (left out because it does not point to a valid record: `include:_spf.missing.example`)",
      );
  }
});
