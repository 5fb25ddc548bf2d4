// A well-kept domain in a world of data, and the whole check run over it: in-process, with nobody on the network.

import { checkDomain } from "../../../src/analyzer/check-domain.ts";
import { known, unknown } from "../../../src/analyzer/checks/fact.ts";
import type { Dns } from "../../../src/analyzer/dns/answer.ts";
import { createZoneDns, type Zone } from "../../../src/analyzer/dns/zone.ts";
import type { FetchDoor } from "../../../src/analyzer/facts/fetch.ts";
import {
  allGuesses,
  type DomainEvidence,
  type DomainReport,
  type Guesses,
} from "../../../src/analyzer/reports/domain-report.ts";
import type { DomainContext } from "../../../src/analyzer/world.ts";
import { serveMark } from "../../features/mailboxes/work/mark-server.ts";
import { newRsaKey, toKeyRecord } from "../mail/signing/sign.ts";

export const now = Date.UTC(2026, 10, 20, 10, 0, 0);
export const keyRecord = toKeyRecord(newRsaKey(2_048));
export const otherKeyRecord = toKeyRecord(newRsaKey(2_048));
export const mx = (exchange: string) => ({ preference: 10, exchange });
const ttlSeconds = 3_600;

export const healthy: Zone = {
  "a.example": {
    A: ["203.0.113.80"],
    MX: [mx("mx1.a.example")],
    NS: ["ns1.a.example", "ns2.host.test"],
    SOA: [{ primary: "ns1.a.example", serial: 1, minimum: 300 }],
    TXT: ["v=spf1 mx include:_spf.esp.test -all", "some-service=proof"],
    ttlSeconds,
  },
  "mx1.a.example": { A: ["203.0.113.25"], AAAA: ["2001:db8:25::1"] },
  "ns1.a.example": { A: ["203.0.113.53"] },
  "ns2.host.test": { A: ["198.51.100.53"] },
  "_spf.esp.test": { TXT: ["v=spf1 ip4:198.51.100.0/24 -all"], ttlSeconds },
  "_dmarc.a.example": { TXT: ["v=DMARC1; p=reject; rua=mailto:dmarc@a.example"], ttlSeconds },
  "_smtp._tls.a.example": { TXT: ["v=TLSRPTv1; rua=mailto:tls@a.example"] },
  "mta-sts.a.example": { A: ["203.0.113.80"] },
  "_mta-sts.a.example": { TXT: ["v=STSv1; id=7"] },
  "google._domainkey.a.example": { TXT: [keyRecord], ttlSeconds },
  "s2._domainkey.a.example": { TXT: [otherKeyRecord], ttlSeconds },
};

export const without = (...names: readonly string[]): Zone =>
  Object.fromEntries(Object.entries(healthy).filter(([name]) => !names.includes(name)));

export const policyAt = "https://mta-sts.a.example/.well-known/mta-sts.txt";

export function policy(...hosts: readonly string[]): FetchDoor {
  const lines = ["version: STSv1", "mode: enforce", ...hosts.map((host) => `mx: ${host}`), "max_age: 604800"];
  const mark = serveMark("a.example", now);
  return async (url, request) => {
    if (/^https:\/\/a\.example\/.*\.(?:svg|pem)$/.test(url)) return await mark(url, request);
    if (url !== policyAt) throw new Error(`Nobody asks for ${url}.`);
    const headers = { "content-type": "text/plain" };
    return { ok: true, status: 200, headers, body: Buffer.from(lines.join("\r\n")), address: "203.0.113.80" };
  };
}

export type World = Partial<DomainContext> & {
  /** a.example unless told. */
  readonly domain?: string;
  readonly configured?: readonly string[];
  /** Of the signatures of mail that came from it. */
  readonly seen?: readonly string[];
  readonly guesses?: Guesses;
  /** IP addresses that the domain was seen sending from. */
  readonly senders?: readonly string[];
  readonly evidence?: DomainEvidence;
};

/** `zone`, or DNS of its own kind. */
export async function check(zone: Zone | Dns, world: World = {}): Promise<DomainReport> {
  const {
    domain = "a.example",
    configured = [],
    seen = [],
    guesses = allGuesses,
    senders = [],
    evidence = null,
    ...changes
  } = world;
  const analyst: DomainContext = {
    dns: isDns(zone) ? zone : createZoneDns(zone),
    now: () => now,
    fetchStranger: policy("mx1.a.example"),
    unchecked: null,
    askServer: async () => unknown("off"),
    lists: { states: async () => [{ zone: "dbl.test", with: "domain", unfit: null }] },
    budgetMs: 60_000,
    ...changes,
  };
  const history = known({ sameMessageId: 0, selectorsSeen: seen, keyFirstSeen: null });
  const own = known({ domains: [domain] });
  const { report, broken } = await checkDomain(
    { domain, configured, guesses, senders, history, own, evidence },
    analyst,
  );
  if (broken.length > 0) throw new Error(broken.map(({ why }) => why).join("\n"));
  return report;
}

function isDns(world: Zone | Dns): world is Dns {
  return typeof world.query === "function";
}

/** What is above info. */
export function faultsOf({ judgment }: DomainReport): string[] {
  return judgment.findings.filter(({ severity }) => severity !== "info" && severity !== "good").map(({ id }) => id);
}

/** `spf=pass dkim=missing …` */
export function wordsOf({ verdicts }: DomainReport): string {
  return Object.entries(verdicts)
    .map(([mechanism, { word }]) => `${mechanism}=${word}`)
    .join(" ");
}
