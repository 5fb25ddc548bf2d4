// Exactly one check reports each SPF result, over every case of the RFC 7208 test suite.

import { describe, expect, test } from "vitest";
import { spfIncludes } from "../../../../src/analyzer/checks/authentication/spf-includes.ts";
import { spfLookups } from "../../../../src/analyzer/checks/authentication/spf-lookups.ts";
import { spfRecord } from "../../../../src/analyzer/checks/authentication/spf-record.ts";
import { spfResult } from "../../../../src/analyzer/checks/authentication/spf-result.ts";
import { spfSyntax } from "../../../../src/analyzer/checks/authentication/spf-syntax.ts";
import { spfVoidLookups } from "../../../../src/analyzer/checks/authentication/spf-void-lookups.ts";
import type { SpfCause } from "../../../../src/analyzer/checks/authentication-facts.ts";
import { known } from "../../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import { type Outcome, runChecks } from "../../../../src/analyzer/checks/run.ts";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { checkMailFrom } from "../../../../src/analyzer/facts/spf.ts";
import { gatherSpfRecord } from "../../../../src/analyzer/facts/spf-record.ts";
import { readSpfSuite } from "../../facts/spf-suite.ts";
import { kindOf, messageOf, sessionOf } from "./spf-facts.ts";

const owners: Readonly<Record<SpfCause, string>> = {
  several: "spf-record",
  syntax: "spf-syntax",
  lookups: "spf-lookups",
  voids: "spf-void-lookups",
  includes: "spf-includes",
};
const checks = [spfRecord, spfResult, spfSyntax, spfLookups, spfVoidLookups, spfIncludes];

const suite = readSpfSuite();

test.skipIf(suite.length === 0)("the test suite covers every kind of permerror", async () => {
  const asked = suite.flatMap(({ zone, cases }) =>
    cases.map(({ client }) => checkMailFrom({ ...client, receiver: "assay.example", now: 0 }, createZoneDns(zone))),
  );
  const causes = new Set((await Promise.all(asked)).flatMap(({ cause }) => cause ?? []));
  expect([...causes].sort()).toEqual(Object.keys(owners).sort());
});

describe.each(suite)("$description", ({ zone, cases }) => {
  test.each(cases)("an SPF error is named by the right check in the RFC 7208 test $name", async ({ client }) => {
    const dns = createZoneDns(zone);
    const domain = client.mailFrom.slice(client.mailFrom.lastIndexOf("@") + 1) || client.helo;
    const spf = await checkMailFrom({ ...client, receiver: "assay.example", now: 0 }, dns);
    const facts: Partial<KnownFacts> = {
      spf: known(spf),
      spfRecord: await gatherSpfRecord(domain, dns),
      message: known(messageOf(`From: ann@${domain}\r\n`)),
      session: known(sessionOf({ clientAddress: client.address, mailFrom: client.mailFrom })),
      kind: known(kindOf()),
    };
    const outcomes = run(facts);
    const told = outcomes.filter(isTold).map(({ check }) => check);
    if (spf.cause !== null) expect(told, spf.problem ?? "").toContain(owners[spf.cause]);
    if (/^(?:fail|softfail|neutral)$/.test(spf.result)) expect(told).toContain("spf-result");
    if (spf.result === "temperror" || spf.cause !== null) expect(told).not.toContain("spf-result");
    // Nobody loses a point by what DNS keeps silent about.
    const silent = Object.fromEntries(Object.keys(zone).map((name) => [name, "timeout" as const]));
    const dead = createZoneDns(silent);
    expect(
      run({
        ...facts,
        spf: known(await checkMailFrom({ ...client, receiver: "assay.example", now: 0 }, dead)),
        spfRecord: await gatherSpfRecord(domain, dead),
      }).filter((outcome) => isTold(outcome) && !told.includes(outcome.check)),
    ).toEqual([]);
  });
});

function run(facts: Partial<KnownFacts>): Outcome[] {
  const unknown = { known: false, why: "timeout" } as const;
  const all = { mx: unknown, own: unknown, message: unknown, ...facts } as KnownFacts;
  return runChecks(checks, { on: "message", kind: "transactional", facts: all }, (_, error) => {
    throw error;
  });
}

function isTold(outcome: Outcome): boolean {
  return outcome.outcome === "found" && outcome.findings.some(({ cost }) => cost >= 18);
}
