// Names the senders of what reports count and of received mail, with what else is known of their addresses.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { type NamedSender, nameSender } from "../../../analyzer/senders/name-sender.ts";
import type { Server } from "../../../platform/server.ts";
import type { ListedSender } from "../../domains/rows/seen-senders.ts";
import type { GroupSums } from "../rows/report-sources.ts";

export type NamingTerms = Pick<Server, "senderTable" | "findSenderFacts">;

type Group = Pick<GroupSums, "sourceIp" | "spf" | "dkim">;
export type Named<Of> = Of & {
  readonly sender: NamedSender | null;
  readonly host: string | null;
  readonly country: string | null;
};

export async function nameGroups<Of extends Group>(
  groups: readonly Of[],
  domain: string,
  { senderTable, findSenderFacts }: NamingTerms,
): Promise<Named<Of>[]> {
  const facts = await findSenderFacts([...new Set(groups.flatMap(({ sourceIp }) => sourceIp ?? []))]);
  // Who passed SPF from an address also sent what proves nothing.
  const passed = new Map<string, string>();
  for (const { sourceIp, spf } of groups)
    if (sourceIp !== null && spf !== null && !passed.has(sourceIp)) passed.set(sourceIp, spf);
  // Many groups of a span prove the same.
  const names = new Map<string, NamedSender | null>();
  return groups.map((group) => {
    const { dkim, sourceIp: address } = group;
    const spf = group.spf ?? passed.get(address ?? "") ?? null;
    const { host = null, network = null, country = null } = facts.get(address ?? "") ?? {};
    const sender = names.getOrInsertComputed(JSON.stringify([spf, dkim, address]), () =>
      nameSender({ spf, dkim, address, host, network }, domain, senderTable),
    );
    return { ...group, sender, host, country };
  });
}

type Seen = Pick<ListedSender, "kind" | "value">;
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
