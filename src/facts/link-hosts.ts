// Whether the hosts that a message's links name exist, by DNS alone: no address is fetched.

import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { LinkHost, Row } from "../checks/infrastructure-facts.ts";
import { type Dns, toQuestionName } from "../dns/answer.ts";
import type { NamedDomain } from "./listed-domains.ts";

/** One question each. A message that links to more places is judged by the first. */
export const maxLinkHosts = 6;

/** `others`: what is asked for elsewhere, such as the host of List-Unsubscribe, which is judged with its header. */
export async function gatherLinkHosts(
  contentDomains: readonly NamedDomain[],
  others: readonly string[],
  dns: Dns,
): Promise<Row<LinkHost>[]> {
  const linked = contentDomains.filter(({ roles }) => roles.includes("link")).map(({ domain }) => domain);
  const asked = linked.filter((host) => !others.includes(host) && isAskable(host)).slice(0, maxLinkHosts);
  return Promise.all(asked.map(async (host) => ({ of: host, fact: await gatherHost(host, dns) })));
}

async function gatherHost(host: string, dns: Dns): Promise<Fact<LinkHost>> {
  const answer = await dns.query(host, "A");
  const why = whyUnknown(answer);
  return why === undefined ? known({ host, exists: answer.status !== "nxdomain" }) : unknown(why);
}

/** No top-level domain is a number. */
const isAddress = /:|(?:^|\.)\d+$/;

/** Names of DNS: no addresses, no single labels. */
function isAskable(host: string): boolean {
  return host.includes(".") && !isAddress.test(host) && toQuestionName(host) !== null;
}
