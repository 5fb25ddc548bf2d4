// The authoritative side of the cache: what a domain says of its mail is asked of its own name servers, because a resolver
// may go on for hours with what it heard before. Records of mail and nothing else: what stands in the zone above, or is
// known by the resolver's word alone (that signatures are right), stays with the resolver. It is asked too where the
// servers say nothing by their own authority: they cannot be reached, or the name is an alias or delegated further.

import { whyUnknown } from "../checks/fact.ts";
import { type Dns, isWithin, type RecordType, toQuestionName } from "../dns/answer.ts";
import { gatherBothFamilies } from "./addresses-of.ts";
import { findZone } from "./zone.ts";

/** DNS as the servers at these addresses have it; null where none of them may be asked. */
export type OpenZone = (addresses: readonly string[]) => Dns | null;

const ofMail: readonly RecordType[] = ["TXT", "MX"];
/** One that answers is enough. */
const maxServers = 3;

export function askZoneFirst(domain: string, dns: Dns, openZone: OpenZone): Dns {
  let opening: Promise<Dns | null> | undefined;
  return {
    query: async (name, type) => {
      if (!ofMail.includes(type) || !isWithin(toQuestionName(name) ?? "", domain))
        return dns.query(name, type);
      opening ??= findServers(domain, dns).then(openZone);
      const answer = await (await opening)?.query(name, type);
      return answer === undefined || whyUnknown(answer) !== undefined ? dns.query(name, type) : answer;
    },
  };
}

async function findServers(domain: string, dns: Dns): Promise<string[]> {
  const top = await findZone(domain, dns);
  if (!top.known) return [];
  const gather = (name: string) => gatherBothFamilies(name, dns);
  const found = await Promise.all(top.value.servers.slice(0, maxServers).map(gather));
  return found.flatMap((addresses) => (addresses.known ? addresses.value.slice(0, 1) : []));
}
