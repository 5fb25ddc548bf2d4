// Whether the hosts that a message's links and its List-Unsubscribe name exist, by DNS alone: no address is fetched.

import { toPlainAddress } from "../addresses.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import type { LinkHost, Row } from "../checks/infrastructure-facts.ts";
import { type Dns, toQuestionName } from "../dns/answer.ts";
import { findAddresses } from "../mail/links.ts";
import type { Message } from "../mail/message.ts";
import { readWebAddress } from "../mail/web-address.ts";
import type { NamedDomain } from "./listed-domains.ts";

/** One question each. A message that links to more places is judged by the first. */
export const maxLinkHosts = 8;

export async function gatherLinkHosts(
  message: Message,
  contentDomains: readonly NamedDomain[],
  dns: Dns,
): Promise<Row<LinkHost>[]> {
  const roles = new Map<string, LinkHost["roles"][number][]>();
  const note = (host: string, role: LinkHost["roles"][number]) => {
    const noted = roles.get(host) ?? [];
    if (!noted.includes(role)) roles.set(host, [...noted, role]);
  };
  for (const host of unsubscribeHosts(message)) note(host, "unsubscribe");
  for (const named of contentDomains) if (named.roles.includes("link")) note(named.domain, "link");
  const asked = [...roles].filter(([host]) => isAskable(host)).slice(0, maxLinkHosts);
  return Promise.all(
    asked.map(async ([host, named]) => ({ of: host, fact: await gatherHost(host, named, dns) })),
  );
}

async function gatherHost(host: string, roles: LinkHost["roles"], dns: Dns): Promise<Fact<LinkHost>> {
  const answer = await dns.query(host, "A");
  const why = whyUnknown(answer);
  return why === undefined ? known({ host, roles, exists: answer.status !== "nxdomain" }) : unknown(why);
}

const maxHeaderLength = 4_000;

function unsubscribeHosts({ headers }: Message): string[] {
  const value = headers.find(({ key }) => key === "list-unsubscribe")?.value.slice(0, maxHeaderLength) ?? "";
  return findAddresses(value).flatMap(({ start, end }) => readWebAddress(value.slice(start, end)).host ?? []);
}

/** Names of DNS: no addresses, no single labels. */
function isAskable(host: string): boolean {
  return host.includes(".") && toPlainAddress(host) === undefined && toQuestionName(host) !== null;
}
