// Names the senders of what reports count, with what else is known of their addresses.

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
