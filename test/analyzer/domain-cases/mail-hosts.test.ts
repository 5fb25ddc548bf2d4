import { expect, test } from "vitest";
import { known, unknown } from "../../../src/analyzer/checks/fact.ts";
import { rememberCertificates } from "../../../src/features/domains/work/sweep-context.ts";
import { check, faultsOf, healthy } from "./domain-world.ts";

const seenAt = Date.UTC(2026, 0, 1);
const ending = { startsAt: seenAt - 80 * 86_400_000, endsAt: seenAt + 5 * 86_400_000, seenAt };

test("an MX host that many domains share is probed once an hour", async () => {
  const asked: string[] = [];
  let now = 0;
  const ask = rememberCertificates(
    async (host) => {
      asked.push(host);
      return known({ certificate: null, problem: null });
    },
    () => now,
  );
  await Promise.all([ask("mx.a.example"), ask("mx.a.example"), ask("mx.b.example")]);
  now = 3_599_999;
  await ask("mx.a.example");
  expect(asked).toEqual(["mx.a.example", "mx.b.example"]);
  now = 3_600_000;
  await ask("mx.a.example");
  expect(asked).toHaveLength(3);
});

test("after fifty silent hosts in a row, no host is probed for an hour", async () => {
  let asked = 0;
  let now = 0;
  const ask = rememberCertificates(
    async () => {
      asked += 1;
      return unknown("timeout");
    },
    () => now,
  );
  for (let n = 0; n < 60; n++) expect(await ask(`mx${n}.example`)).toEqual(unknown("timeout"));
  expect(asked).toBe(50);
  now = 3_600_000;
  await ask("mx60.example");
  expect(asked).toBe(51);
});

test("the MX hosts of a domain are probed if allowed, and re-judging a report probes none", async () => {
  const asked: string[] = [];
  const askCertificate = async (host: string) => {
    asked.push(host);
    return known({ certificate: ending, problem: null });
  };
  const report = await check(healthy, { askCertificate });
  expect(asked).toContain("mx1.a.example");
  expect(faultsOf(report)).toContain("mx-hosts.certificate-expiring");
  const before = asked.length;
  const again = await check(healthy, { askCertificate, evidence: report.analysis });
  expect(again.judgment).toEqual(report.judgment);
  expect(asked).toHaveLength(before);
  expect(faultsOf(await check(healthy))).not.toContain("mx-hosts.certificate-expiring");
});
