import { expect, test } from "vitest";
import { watchFormat } from "../../../src/analyzer/domains/watch.ts";
import { mechanisms } from "../../../src/analyzer/reports/domain-report.ts";
import { snapshotOf } from "./watched-domain.ts";

/** As it is stored with every domain. When this must change, raise `watchFormat`: else all of them drift at the next release. */
const stored = {
  format: 1,
  meanings: {
    spf: {
      state: "read",
      terms: [
        "+ip4:203.0.113.0/25",
        "+ip4:198.51.100.7/32",
        "+ip6:20010db8000000000000000000000000/48",
        "+a:mail.a.example",
        "+include:_spf.crm.test",
        "+include:_spf.esp.test",
        "+mx",
        "~ip4:192.0.2.1/32",
        "-all",
      ],
      exp: null,
    },
    dmarc: {
      state: "read",
      at: "a.example",
      policy: "reject",
      sp: "quarantine",
      np: "quarantine",
      isTesting: false,
      adkim: "s",
      aspf: "r",
      psd: "u",
      rua: ["mailto:dmarc@a.example", "mailto:two@a.example"],
      ruf: ["mailto:f@a.example"],
      fo: ["1", "d"],
    },
    bimi: {
      state: "read",
      logo: "https://a.example/logo.svg",
      certificate: "https://a.example/mark.pem",
      avp: null,
      lps: [],
    },
    mx: { state: "hosts", tiers: [["mx1.a.example", "mx2.a.example"]] },
    mtaSts: { state: "read", mode: "enforce", mx: ["mx1.a.example", "mx2.a.example"], maxAgeSeconds: 604_800 },
    tlsRpt: { state: "read", rua: ["https://a.example/tls", "mailto:tls@a.example"] },
    dnssec: { state: "signed" },
    dane: { "mx1.a.example": true, "mx2.a.example": true },
  },
} as const;

test("the stored format of a snapshot equals that of the last release", async () => {
  const snapshot = await snapshotOf({});
  const { spf, dmarc, bimi, mx, mtaSts, tlsRpt, dnssec, dane, dkim } = Object.fromEntries(
    mechanisms.map((mechanism) => [mechanism, snapshot[mechanism]?.meaning]),
  );
  expect({ format: watchFormat, meanings: { spf, dmarc, bimi, mx, mtaSts, tlsRpt, dnssec, dane } }).toEqual(stored);
  const key = { fault: null, type: "rsa", isTesting: false, isStrict: false };
  expect(dkim).toMatchObject({ google: [key], s2: [key], k1: null, default: null });
  expect(JSON.stringify(dkim)).toMatch(/"fingerprint":"[0-9a-f]{32}"/);
});

test("a snapshot contains the verdict, records, and time of every mechanism", async () => {
  const snapshot = await snapshotOf({});
  expect(mechanisms.map((mechanism) => `${mechanism} ${snapshot[mechanism]?.verdict}`)).toEqual([
    "spf pass",
    "dkim pass",
    "dmarc pass",
    "bimi pass",
    "mx null",
    "mtaSts null",
    "tlsRpt null",
    "dnssec null",
    "dane null",
  ]);
  expect(snapshot.mx?.record).toBe("10 mx1.a.example\n10 mx2.a.example");
  expect(snapshot.dnssec?.record).toBe(`1 13 2 ${"ab".repeat(32)}`);
  expect(snapshot.dane?.record).toContain(`_25._tcp.mx1.a.example 3 1 1 ${"ab".repeat(32)}`);
});

test("a snapshot contains all records of a mechanism", async () => {
  const { dmarc, spf } = await snapshotOf({ dmarc: ["v=DMARC1; p=none", "v=DMARC1; p=reject"], spf: null });
  expect(dmarc?.record).toBe("v=DMARC1; p=none\nv=DMARC1; p=reject");
  expect(spf?.record).toBe(null);
});
