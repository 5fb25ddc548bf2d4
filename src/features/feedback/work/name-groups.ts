// Names the senders of what reports count and of received mail, with what else is known of their addresses.

import { setImmediate as nextRound } from "node:timers/promises";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { SenderKind as SeenKind } from "../../../analyzer/reports/seen-senders.ts";
import { type NamedSender, nameSender } from "../../../analyzer/senders/name-sender.ts";
import type { Server } from "../../../platform/server.ts";
import type { GroupSums } from "../rows/report-sources.ts";

export type NamingTerms = Pick<Server, "senderTable" | "findSenderFacts">;

type Group = Pick<GroupSums, "sourceIp" | "spf" | "dkim">;
export type Named<Of> = Of & {
  readonly sender: NamedSender | null;
  readonly host: string | null;
  readonly country: string | null;
};

/** More would take seconds. Those with the fewest messages are without a name. */
const mostAddresses = 5_000;
/** So many take a few milliseconds. */
const namedAtOnce = 250;

/** `groups`: most messages first. */
export async function nameGroups<Of extends Group>(
  groups: readonly Of[],
  domain: string,
  { senderTable, findSenderFacts }: NamingTerms,
): Promise<Named<Of>[]> {
  const addresses = firstAddresses(groups);
  const facts = await findSenderFacts([...addresses]);
  const nameOf = ({ spf, dkim, sourceIp: address }: Group): NamedSender | null => {
    if (address !== null && !addresses.has(address)) return null;
    const { host = null, network = null } = facts.get(address ?? "") ?? {};
    return nameSender({ spf, dkim, address, host, network }, domain, senderTable);
  };
  // Many groups of a span prove the same.
  const names = new Map<string, NamedSender | null>();
  const named: Named<Of>[] = [];
  for (const group of groups) {
    const key = `${group.spf}\n${group.dkim}\n${group.sourceIp}`;
    const known = names.get(key);
    const sender = known === undefined ? nameOf(group) : known;
    names.set(key, sender);
    const { host = null, country = null } = facts.get(group.sourceIp ?? "") ?? {};
    named.push({ ...group, sender, host, country });
    if (known === undefined && names.size % namedAtOnce === 0) await nextRound();
  }
  return named;
}

function firstAddresses(groups: readonly Group[]): ReadonlySet<string> {
  const all = new Set(groups.flatMap(({ sourceIp }) => sourceIp ?? []));
  return new Set([...all].slice(0, mostAddresses));
}

type Seen = { readonly kind: SeenKind; readonly value: string };
type NameOfSeen = Pick<NamedSender, "name" | "kind" | "by" | "evidence">;

/** Selectors and HELO names can be chosen freely, so they name no sender. */
export async function nameSeen<Of extends Seen>(
  seen: readonly Of[],
  domain: string,
  { senderTable, findSenderFacts }: NamingTerms,
): Promise<(Of & { readonly sender: NameOfSeen | null })[]> {
  const facts = await findSenderFacts(seen.filter(({ kind }) => kind === "address").map(({ value }) => value));
  const own = toRegistrableDomain(domain);
  const toEvidence = ({ kind, value }: Seen) => {
    const { host = null, network = null } = facts.get(value) ?? {};
    if (kind === "address") return { spf: null, dkim: null, address: value, host, network };
    const isOther = kind === "return_path" && toRegistrableDomain(value) !== own;
    return { spf: isOther ? value : null, dkim: null, address: null, host: null, network: null };
  };
  return seen.map((each) => {
    const named = nameSender(toEvidence(each), domain, senderTable);
    if (named === null || named.by === "nothing") return { ...each, sender: null };
    const { name, kind, by, evidence } = named;
    return { ...each, sender: { name, kind, by, evidence } };
  });
}
