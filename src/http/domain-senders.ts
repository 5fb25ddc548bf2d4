import { type DomainSender, listDomainSenders } from "../api/domain-senders.ts";
import { toTimestamp } from "../api/primitives.ts";
import { Refusal } from "../errors.ts";
import { readDomainName } from "../store/own-domains.ts";
import { type ListedSender, listSenders } from "../store/seen-senders.ts";
import { type Route, route } from "./route.ts";

export const domainSenderRoutes: readonly Route[] = [
  route(listDomainSenders, async ({ store: { read }, params: { id } }, { system }) => {
    const domain = await readDomainName(read, id);
    if (domain === undefined) throw new Refusal("not_found", "There is no such domain.");
    return { items: (await listSenders(read, domain, system.now())).map(toDomainSender) };
  }),
];

function toDomainSender({ firstSeenAt, lastSeenAt, isWatched, ...sender }: ListedSender): DomainSender {
  return {
    ...sender,
    firstSeenAt: toTimestamp(firstSeenAt),
    lastSeenAt: toTimestamp(lastSeenAt),
    watched: isWatched,
  };
}
