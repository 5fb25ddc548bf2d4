// Drift with a real name server: its zone changes under the monitor, and only the clock is moved by hours.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { unknown } from "../../src/analyzer/checks/fact.ts";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import type { Watch } from "../../src/analyzer/domains/watch.ts";
import { readLastCheck } from "../../src/features/domains/rows/domain-checks.ts";
import { createSweepContext, type SweepContext } from "../../src/features/domains/work/sweep-context.ts";
import { createDomainWatcher, type DomainWatcherOptions } from "../../src/features/domains/work/watcher.ts";
import { openStore } from "../../src/platform/database/open.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { createDns } from "../../src/platform/system/dns-client.ts";
import type { DnsServer } from "../../src/platform/system/dns-udp.ts";
import { analystFor } from "../analyzer/domain-cases/verdict-world.ts";
import { newRsaKey, toKeyRecord } from "../analyzer/mail/signing/sign.ts";
import { startDnsServer } from "../dns-server.ts";
import { hourMs, insertWatched, nothingLearned, readWatched } from "../features/domains/work/watched-domains.ts";
import { createInProcessThread } from "../features/tests/analysis/in-process-thread.ts";
import { hasKnot, type Knot, startKnot } from "../knot.ts";
import { insertWorkspaces } from "../platform/database/nouns.ts";
import { silentLog } from "../platform/database/store-system.ts";

const key = toKeyRecord(newRsaKey(2_048));
const parts = (text: string) => (text.match(/.{1,200}/g) ?? []).map((part) => `"${part}"`).join(" ");

const healthy = {
  spf: '@ TXT "v=spf1 ip4:198.51.100.1 -all"',
  dmarc: '_dmarc TXT "v=DMARC1; p=reject; rua=mailto:d@a.test"',
  dkim: `s1._domainkey TXT ${parts(key)}`,
};

const hosts = ["@ NS ns", "ns A 127.0.0.1", "@ MX 10 mx", "mx A 198.51.100.1"];

const toZone = (changes: Partial<typeof healthy> = {}) =>
  [...hosts, ...Object.values({ ...healthy, ...changes })].join("\n");

/** The same, as the resolver has it. */
const toServed = (spf: string): Zone => ({
  "a.test": { NS: ["ns.a.test"], TXT: [spf], MX: [{ preference: 10, exchange: "mx.a.test" }] },
  "mx.a.test": { A: ["198.51.100.1"] },
  "ns.a.test": { A: ["127.0.0.1"] },
  "_dmarc.a.test": { TXT: ["v=DMARC1; p=reject; rua=mailto:d@a.test"] },
  "s1._domainkey.a.test": { TXT: [key] },
});

type Watched = {
  readonly hour: () => Promise<void>;
  /** The time of a second look passes. */
  readonly minutes: () => Promise<void>;
  readonly told: () => Promise<{ kind: string; changes: readonly { kind: string }[] }[]>;
  readonly row: () => ReturnType<typeof readWatched>;
  readonly kept: () => Promise<Watch>;
};

async function watch(
  resolver: DnsServer,
  {
    authority = resolver,
    learn = nothingLearned,
  }: { authority?: DnsServer } & Partial<Pick<DomainWatcherOptions, "learn">> = {},
): Promise<Watched> {
  let now = Date.UTC(2026, 10, 20, 10, 30);
  const store = await openTemporaryStore(() => now);
  await store.write(async (db) => {
    await insertWorkspaces(db, "wsp_a");
    await insertWatched(db, "a.test", { created_at: now, due_at: now });
  });
  const clock = { now: () => now };
  const sweeper = toAnalyst(resolver, authority, clock.now);
  const watcher = await createDomainWatcher({
    store,
    owner: "test",
    leaseMs: 60_000,
    publish: () => {},
    isMarked: () => false,
    learn,
    system: { ...clock, random: randomBytes, log: silentLog },
    thread: createInProcessThread(analystFor(undefined), () => sweeper),
  });
  const pass = async (ms: number) => {
    now += ms;
    await watcher.sweep();
  };
  await watcher.sweep();
  return {
    hour: () => pass(hourMs),
    minutes: () => pass(120_000),
    told: async () => {
      const rows = await store.read.selectFrom("domain_changes").selectAll().orderBy("id").execute();
      return rows.map(({ kind, changes }) => ({ kind, changes: JSON.parse(changes) }));
    },
    row: () => readWatched(store, "a.test"),
    kept: async () => JSON.parse((await readLastCheck(store.read, "a.test"))?.watch ?? ""),
  };
}

/** Servers of the zone are asked at the port of the one on loopback. */
function toAnalyst(resolver: DnsServer, authority: DnsServer, now: () => number): SweepContext {
  // Long enough for a loaded machine, because a late answer is no answer.
  const dnsTimeoutMs = 1_000;
  const options = {
    dnsServers: [resolver],
    dnsTimeoutMs,
    dnsTrusted: [],
    dnsbls: [],
    budgetMs: 5_000,
    host: "mx.assay.example",
    allowPrivateTargets: { all: false, networks: [] },
  };
  return {
    ...createSweepContext(options, now),
    askCertificate: async () => unknown("timeout"),
    openZone: (addresses) =>
      addresses.length === 0
        ? null
        : createDns({ servers: [authority], timeoutMs: dnsTimeoutMs, maxCachedAnswers: 0, direct: true, now }),
  };
}

async function openTemporaryStore(now: () => number): Promise<Store> {
  const folder = mkdtempSync(join(tmpdir(), "assay-drift-"));
  const system = { now, random: randomBytes, log: silentLog };
  const store = await openStore({ databaseFile: join(folder, "assay.db") }, system);
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return store;
}

async function serve(zone = toZone()): Promise<Knot & { readonly server: DnsServer }> {
  const knot = await startKnot({ zones: { "a.test": zone } });
  onTestFinished(knot.stop);
  return { ...knot, server: { host: "127.0.0.1", port: knot.port } };
}

const title = hasKnot ? "a domain on a real name server" : "a domain on a real name server (knot is not installed)";

describe.skipIf(!hasKnot)(title, () => {
  test("a domain with a weakened policy is reported once, after a second check", async () => {
    const knot = await serve();
    const { hour, minutes, told, row } = await watch(knot.server);
    await hour();
    expect(await told()).toEqual([]);
    expect(await row()).toMatchObject({ spf: "pass", dkim: "pass", dmarc: "pass" });
    await knot.change("a.test", toZone({ dmarc: healthy.dmarc.replace("p=reject", "p=none") }));
    await hour();
    expect(await told()).toEqual([]);
    await minutes();
    const [drift, ...others] = await told();
    expect(others).toEqual([]);
    expect(drift).toMatchObject({ kind: "drift", changes: [{ mechanism: "dmarc", kind: "policy_loosened" }] });
    for (let hours = 0; hours < 3; hours++) await hour();
    expect(await told()).toHaveLength(1);
    expect((await row()).last_drift_at).not.toBeNull();
  });

  test("a domain that loses its probed key is reported once, and again when the key is back", async () => {
    const knot = await serve();
    const { hour, minutes, told } = await watch(knot.server);
    await hour();
    await knot.change("a.test", toZone({ dkim: "" }));
    await hour();
    await minutes();
    await hour();
    expect(await told()).toMatchObject([{ kind: "drift", changes: [{ mechanism: "dkim" }] }]);
    await knot.change("a.test", toZone());
    await hour();
    await minutes();
    await hour();
    expect((await told()).map(({ kind }) => kind)).toEqual(["drift", "mended"]);
  });

  test("a domain whose record is back within a minute is not reported", async () => {
    const knot = await serve();
    const { hour, minutes, told } = await watch(knot.server);
    await knot.change("a.test", toZone({ spf: '@ TXT "v=spf1 +all"' }));
    await hour();
    await knot.change("a.test", toZone());
    await minutes();
    await hour();
    expect(await told()).toEqual([]);
  });

  test("a domain without answers for two sweeps is not reported, and keeps its last verdict", async () => {
    const knot = await serve();
    const { hour, minutes, told, row, kept } = await watch(knot.server);
    const before = await kept();
    await knot.silence();
    for (let hours = 0; hours < 2; hours++) {
      await hour();
      await minutes();
      expect(await row()).toMatchObject({ spf: "error", dkim: "error", dmarc: "error" });
    }
    const meanwhile = await kept();
    expect(meanwhile.known).toEqual(before.known);
    expect(meanwhile.known).toMatchObject({ spf: { verdict: "pass" }, dmarc: { verdict: "pass" } });
    knot.wake();
    await hour();
    expect(await row()).toMatchObject({ spf: "pass", dkim: "pass", dmarc: "pass" });
    expect(await told()).toEqual([]);
  });

  test("a domain is not reported while only an outdated resolver shows a change", async () => {
    const knot = await serve();
    const stale = await startDnsServer({ zone: toServed("v=spf1 ip4:198.51.100.1 -all") });
    onTestFinished(stale.close);
    const { hour, minutes, told } = await watch({ host: stale.address, port: stale.port }, { authority: knot.server });
    stale.setZone(toServed("v=spf1 +all"));
    await hour();
    await minutes();
    expect(await told()).toEqual([]);
    await knot.change("a.test", toZone({ spf: '@ TXT "v=spf1 +all"' }));
    await hour();
    await minutes();
    expect(await told()).toMatchObject([{ kind: "drift", changes: [{ mechanism: "spf" }] }]);
  });
});
