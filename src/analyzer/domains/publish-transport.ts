// Proposes MX records (unchanged), MTA-STS with its policy file, and TLS reporting.

import { findMx } from "../checks/infrastructure/mail-domain.ts";
import type { MtaSts } from "../checks/infrastructure-facts.ts";
import { isMtaStsRecord, matchesMtaSts } from "../dns/mta-sts.ts";
import { isTlsRptRecord, parseTlsRpt } from "../dns/tls-rpt.ts";
import { type Evidence, findAnswer, type Row, textsAt, toPlain, toRootedName, toTextRow } from "./publishable.ts";

export function publishMx(evidence: Evidence): Row[] {
  const { domain, facts } = evidence;
  const answer = findAnswer(evidence, domain, "MX");
  const found = facts.mx.known ? findMx(facts.mx.value, domain) : facts.mx;
  const literals = new Set(found.known ? found.value.hosts.filter((host) => host.literal).map(({ name }) => name) : []);
  // Behind a CNAME the records belong to another domain.
  if (answer === undefined || (answer.aliases ?? []).length > 0) return [];
  return answer.records.flatMap((record): Row[] => {
    if (record.type !== "MX") return [];
    const value = `${record.preference} ${toRootedName(record.exchange)}`;
    const row = { name: domain, type: "MX" } as const;
    if (literals.has(record.exchange.toLowerCase()))
      return [
        {
          ...row,
          value: "",
          status: "change",
          why: `MX ${value} points to an IP address. It must point to a host name.`,
        },
      ];
    return [{ ...row, value, status: "present", why: "Receives the domain's mail." }];
  });
}

/** Hosts that receive the domain's mail. */
function hostsOf({ domain, facts: { mx } }: Evidence): string[] {
  const found = mx.known ? findMx(mx.value, domain) : mx;
  if (!found.known || found.value.nullMx) return [];
  return found.value.hosts.flatMap(({ name, literal }) => (literal ? [] : name));
}

export function publishTlsRpt(evidence: Evidence): Row | null {
  const { domain, facts } = evidence;
  if (!facts.tlsrpt.known) return null;
  const name = `_smtp._tls.${domain}`;
  const present = textsAt(evidence, name).filter(isTlsRptRecord);
  if (present.length === 0 && hostsOf(evidence).length === 0) return null;
  const usable = present.find((text) => parseTlsRpt(text).ok);
  const mailbox = `tls-reports@${domain}`;
  const why = "Senders report here when TLS to the domain's mail servers fails.";
  return toTextRow(evidence, {
    name,
    value: usable ?? `v=TLSRPTv1; rua=mailto:${mailbox}`,
    present,
    why: usable === undefined ? `${why} Create the mailbox ${mailbox}, or use another one.` : why,
  });
}

export function publishMtaSts(evidence: Evidence): Row | null {
  const { domain, facts } = evidence;
  const hosts = hostsOf(evidence);
  if (!facts.mtasts.known) return null;
  const name = `_mta-sts.${domain}`;
  const present = textsAt(evidence, name).filter(isMtaStsRecord);
  if (present.length === 0 && hosts.length === 0) return null;
  const { value: sts } = facts.mtasts;
  const isServed = isPolicyServed(sts, hosts);
  const url = `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
  const only = present.length === 1 ? present[0] : undefined;
  const isRight = only !== undefined && sts.id !== null && isServed;
  return toTextRow(evidence, {
    name,
    value: isRight ? only : `v=STSv1; id=${toNextId(sts.id)}`,
    present,
    why: isServed
      ? `Tells senders that the policy is at ${url}.`
      : [`First serve this as text/plain at ${url}:`, ...toPolicyLines(sts, hosts)].join("\n"),
  });
}

/** If the policy server did not answer, the policy may still be right. */
function isPolicyServed({ id, policy }: MtaSts, hosts: readonly string[]): boolean {
  if (id === null) return false;
  if (!policy.known) return true;
  const { policy: served } = policy.value;
  if (served === null) return false;
  return hosts.every((host) => served.mx.some((pattern) => matchesMtaSts(host, pattern))) || served.mode !== "enforce";
}

/** An existing mode stays; a new policy starts with testing. */
function toPolicyLines({ policy }: MtaSts, hosts: readonly string[]): string[] {
  const served = policy.known ? policy.value.policy : null;
  const patterns = served?.mx ?? [];
  const added = hosts.filter((host) => !patterns.some((pattern) => matchesMtaSts(host, pattern)));
  return [
    "version: STSv1",
    `mode: ${served?.mode ?? "testing"}`,
    ...[...patterns, ...added].map((host) => `mx: ${toPlain(host)}`),
    `max_age: ${served?.maxAgeSeconds ?? 604_800}`,
  ];
}

/** RFC 8461 §3.1: senders fetch the policy again when the ID changes; at most 32 characters. */
function toNextId(id: string | null): string {
  if (id === null) return "1";
  return /^\d{1,31}$/.test(id) ? String(BigInt(id) + 1n) : `${id.slice(0, 31)}1`;
}
