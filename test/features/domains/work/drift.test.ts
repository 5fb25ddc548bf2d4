// The domain monitor against a real name server whose zones change: from DNS packets to notices.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { changeKinds } from "../../../../src/analyzer/domains/change-kind-table.ts";
import type { DriftNotice } from "../../../../src/analyzer/domains/drift.ts";
import { lastKnown, parseWatch, type Watch } from "../../../../src/analyzer/domains/watch.ts";
import type { FetchDoor } from "../../../../src/analyzer/facts/fetch.ts";
import { verdictMechanisms } from "../../../../src/analyzer/reports/domain-report.ts";
import type { KeptReport } from "../../../../src/features/domains/rows/domain-checks.ts";
import { createSweepContext, type SweepContext } from "../../../../src/features/domains/work/sweep-context.ts";
import { type DomainFinding, watchDomain } from "../../../../src/features/domains/work/watch-domain.ts";
import { toDnsServers } from "../../../../src/platform/system/dns-servers.ts";
import {
  driftCases,
  type Edit,
  keptDomain,
  keptPolicy,
  policyCases,
  quietCases,
  senders,
} from "../../../analyzer/domain-cases/drift-cases-table.ts";
import { startDnsServer } from "../../../dns-server.ts";
import { hasKnot, type Knot, startKnot } from "../../../knot.ts";
import { serveMark } from "../../mailboxes/work/mark-server.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;
const allErrors = { spf: "error", dkim: "error", dmarc: "error", bimi: "error" };
const start = Date.UTC(2026, 10, 22, 8, 0, 0);

function toText(domain: string, ...edits: readonly Edit[]): string {
  const lines = Object.assign({}, keptDomain, ...edits) as Record<string, string | null>;
  return Object.values(lines)
    .filter((line) => line !== null)
    .join("\n")
    .replaceAll("{d}", domain);
}

/** One domain as its monitor sees it, an hour after the other. */
function monitor(domain: string, server: string, timeoutMs = 5_000) {
  let at = start;
  let watch: string | null = null;
  let kept: KeptReport | null = null;
  let policy: readonly string[] = keptPolicy;
  const mark = serveMark(domain, start);
  const fetchStranger: FetchDoor = async (url, request) => {
    if (!url.startsWith("https://mta-sts.")) return await mark(url, request);
    const body = Buffer.from(policy.join("\r\n").replaceAll("{d}", domain));
    return { ok: true, status: 200, headers: { "content-type": "text/plain" }, body, address: "203.0.113.80" };
  };
  let analyst = ask(server);
  function ask(address: string): SweepContext {
    const dns = { dnsServers: toDnsServers([address]), dnsTimeoutMs: timeoutMs, dnsTrusted: [], dnsbls: [] };
    const options = {
      ...dns,
      allowPrivateTargets: { all: true, networks: [] },
      budgetMs: 60_000,
      host: "mx.assay.example",
    };
    const askCertificate = async () => unknown("timeout");
    return { ...createSweepContext(options, () => at), fetchStranger, askCertificate };
  }
  const history = known({ sameMessageId: 0, selectorsSeen: ["k1", "k2"], keyFirstSeen: null });
  const input = { domain, configured: [], senders: [], history, own: known({ domains: [domain] }), evidence: null };

  async function look({ fresh = false } = {}): Promise<DomainFinding> {
    const finding = await watchDomain({ kind: "domain", input, watch, kept, fresh }, analyst);
    ({ watch, kept } = finding);
    expect(finding.broken).toEqual([]);
    return finding;
  }

  /** A sweep, with the second look that it asks for. */
  async function sweep(): Promise<DomainFinding[]> {
    at += hourMs;
    const findings = [await look()];
    for (let wanted = findings[0]?.confirmAt ?? null; wanted !== null; ) {
      at = Math.max(at + minuteMs, wanted);
      const again = await look();
      findings.push(again);
      wanted = again.confirmAt;
    }
    return findings;
  }

  return {
    look,
    sweep,
    /** From now on it asks another server. */
    turnTo: (address: string) => {
      analyst = ask(address);
    },
    pass: (milliseconds: number) => {
      at += milliseconds;
    },
    /** What was told in so many hours. */
    async hours(count: number): Promise<DriftNotice[]> {
      const notices: DriftNotice[] = [];
      for (let hour = 0; hour < count; hour++) notices.push(...(await sweep()).flatMap(({ notice }) => notice ?? []));
      return notices;
    },
    serve: (lines: readonly string[]) => {
      policy = lines;
    },
    watch: () => parseWatch(watch ?? "") as Watch,
    now: () => at,
  };
}

type Monitor = ReturnType<typeof monitor>;

const perCase = <T>(prefix: string, cases: readonly T[]) =>
  cases.map((one, index) => ({ ...one, domain: `${prefix}${index}.example` }));
const drifting = perCase("drift", [...driftCases, ...policyCases]);
const quiet = perCase("quiet", quietCases);
const others = ["fault", "silent", "flap", "gone", "mend", "refused", "recheck", "while", "same"].map(
  (name) => `${name}.example`,
);

if (!hasKnot)
  process.stderr.write(
    "Skipped: the monitor against a real name server, because knotd is not installed (Debian: knot).\n",
  );

describe.skipIf(!hasKnot)("drift with a real name server", () => {
  let knot: Knot;
  beforeAll(async () => {
    const zones = Object.fromEntries([
      ...drifting.map(({ domain, from = {} }) => [domain, toText(domain, from)]),
      ...[...quiet.map(({ domain }) => domain), ...others].map((domain) => [domain, toText(domain)]),
      ["esp.test", senders.join("\n")],
    ]);
    knot = await startKnot({ zones });
  });
  afterAll(async () => {
    await knot?.stop();
  });

  test.each(drifting)("$what is reported once, with the old and the new state", async (one) => {
    const monitored = monitor(one.domain, knot.address);
    monitored.serve(one.served ?? keptPolicy);
    expect((await monitored.look()).notice).toBeNull();
    expect(await monitored.hours(1)).toEqual([]);
    await knot.change(one.domain, toText(one.domain, one.from ?? {}, one.edit));
    monitored.serve(one.policy ?? keptPolicy);
    const notices = await monitored.hours(3);
    expect(notices.map(({ kind }) => kind)).toEqual(["drift"]);
    const [change, ...more] = notices[0]?.changes.filter(({ mechanism }) => mechanism === one.mechanism) ?? [];
    expect(more).toEqual([]);
    const { kind, direction, before, after, says } = change ?? {};
    expect({ kind, direction }).toEqual({ kind: one.kind, direction: one.direction });
    expectSide(before?.record, one.before);
    expectSide(after?.record, one.after);
    expect(says).toMatch(/\.$/);
  });

  test.each(quiet)("$what is not a change", async ({ domain, edit, policy }) => {
    const monitored = monitor(domain, knot.address);
    await monitored.look();
    await knot.change(domain, toText(domain, edit));
    monitored.serve(policy ?? keptPolicy);
    expect(await monitored.hours(3)).toEqual([]);
  });

  test("a report is stored again if it changed, after a day, and on request", async () => {
    const domain = "same.example";
    const monitored = monitor(domain, knot.address);
    const isWritten = async (asked = {}) => {
      const { report, checkedAt } = await monitored.look(asked);
      expect(checkedAt).toBe(monitored.now());
      return report !== null;
    };
    expect(await isWritten()).toBe(true);
    monitored.pass(hourMs);
    expect(await isWritten()).toBe(false);
    expect(await isWritten({ fresh: true })).toBe(true);
    await knot.change(domain, toText(domain, { spf: '@ TXT "v=spf1 ip4:192.0.2.99 -all"' }));
    monitored.pass(hourMs);
    expect(await isWritten()).toBe(true);
    monitored.pass(23 * hourMs);
    expect(await isWritten()).toBe(false);
    monitored.pass(hourMs);
    expect(await isWritten()).toBe(true);
    monitored.pass(-hourMs);
    expect(await isWritten()).toBe(true);
  });

  test("a change that is undone is reported twice: as drift, and as fixed", async () => {
    const domain = "mend.example";
    const monitored = monitor(domain, knot.address);
    await monitored.look();
    await knot.change(domain, toText(domain, { dmarc: null }));
    expect((await monitored.hours(2)).map(({ kind }) => kind)).toEqual(["drift"]);
    await knot.change(domain, toText(domain));
    const [mended, ...more] = await monitored.hours(3);
    expect(more).toEqual([]);
    expect(mended).toMatchObject({
      kind: "mended",
      changes: [{ mechanism: "dmarc", kind: "record_added", direction: "better" }],
    });
  });

  test("a change that is gone at the second check is not reported", async () => {
    const domain = "recheck.example";
    const monitored = monitor(domain, knot.address);
    await monitored.look();
    await knot.change(domain, toText(domain, { dmarc: null }));
    monitored.pass(hourMs);
    const first = await monitored.look();
    expect(first.notice).toBeNull();
    expect(first.confirmAt).not.toBeNull();
    await knot.change(domain, toText(domain));
    expect(await monitored.hours(3)).toEqual([]);
  });

  test("a record that keeps changing is reported once as unstable, then paused", async () => {
    const domain = "flap.example";
    const monitored = monitor(domain, knot.address);
    await monitored.look();
    const kinds: string[] = [];
    for (let hour = 0; hour < 14; hour++) {
      await knot.change(domain, toText(domain, hour % 2 === 0 ? { dmarc: null } : {}));
      kinds.push(...(await monitored.hours(1)).map(({ kind }) => kind));
    }
    expect(kinds).toEqual(["drift", "mended", "unstable"]);
  });

  async function expectPatience(domain: string, spoil: (monitored: Monitor) => Promise<void> | void): Promise<Monitor> {
    const monitored = monitor(domain, knot.address, 150);
    const first = await monitored.look();
    expect(first.words).toMatchObject({ spf: "pass", dkim: "pass", dmarc: "pass", bimi: "pass" });
    await spoil(monitored);
    for (let hour = 0; hour < 3; hour++) {
      const [finding] = await monitored.sweep();
      expect(finding).toMatchObject({ notice: null, confirmAt: null, words: allErrors });
      for (const mechanism of verdictMechanisms)
        expect(lastKnown(monitored.watch(), mechanism)).toEqual({ verdict: "pass", at: start });
    }
    return monitored;
  }

  /** All is as it was, and heard anew. */
  async function expectReturn(monitored: Monitor): Promise<void> {
    monitored.turnTo(knot.address);
    expect(await monitored.hours(2)).toEqual([]);
    const at = monitored.now();
    expect(lastKnown(monitored.watch(), "spf")).toEqual({ verdict: "pass", at });
  }

  test("a name server that is silent for three sweeps causes no drift, and the last verdicts keep their age", async () => {
    try {
      const monitored = await expectPatience("silent.example", () => knot.silence());
      knot.wake();
      await expectReturn(monitored);
    } finally {
      knot.wake();
    }
  });

  test("a zone that its server cannot load (SERVFAIL) causes no drift, and the last verdicts keep their age", async () => {
    const broken = await startKnot({ zones: { "fault.example": "@ SOA no sense" } });
    try {
      await expectReturn(await expectPatience("fault.example", ({ turnTo }) => turnTo(broken.address)));
    } finally {
      await broken.stop();
    }
  });

  test("a name server that refuses (REFUSED) causes no drift, and the last verdicts keep their age", async () => {
    const refusing = await startDnsServer({ behave: () => ({ rcode: 5 }) });
    const address = `${refusing.address}:${refusing.port}`;
    try {
      await expectReturn(await expectPatience("refused.example", ({ turnTo }) => turnTo(address)));
    } finally {
      await refusing.close();
    }
  });

  test("a name server that is down for three sweeps causes no drift, and the last verdicts keep their age", async () => {
    const gone = await startKnot({ zones: {} });
    await gone.stop();
    await expectReturn(await expectPatience("gone.example", ({ turnTo }) => turnTo(gone.address)));
  });

  test("a change during an outage is reported after the outage", async () => {
    const domain = "while.example";
    const monitored = monitor(domain, knot.address, 150);
    await monitored.look();
    await knot.silence();
    try {
      expect(await monitored.hours(1)).toEqual([]);
    } finally {
      knot.wake();
    }
    await knot.change(domain, toText(domain, { bimi: null }));
    const notices = await monitored.hours(2);
    expect(notices).toMatchObject([{ kind: "drift", changes: [{ mechanism: "bimi", kind: "record_removed" }] }]);
  });
});

function expectSide(record: string | null | undefined, wanted: string | null): void {
  if (wanted === null) expect(record).toBeNull();
  else expect(record).toContain(wanted);
}

test("the cases cover every kind of change that a zone can show", () => {
  // DNSSEC and DANE need a resolver that checks signatures; a verdict that changes by itself has no record of its own.
  const beyond = /^(?:dnssec|dane)_|^(?:verdict_changed|key_repaired|record_repaired|selector_added)$/;
  const wanted = Object.keys(changeKinds).filter((kind) => !beyond.test(kind));
  const had = new Set<string>([...driftCases, ...policyCases].map(({ kind }) => kind));
  expect(wanted.filter((kind) => !had.has(kind))).toEqual([]);
});
