// What is known beforehand of a monitored domain: how its mail was seen to be sent, and which domains are its workspace's.

import { known } from "../../checks/fact.ts";
import { listOwnDomains } from "../../store/domains/own-domains.ts";
import { readDomainHistory } from "../../store/domains/seen-senders.ts";
import type { Db } from "../../store/schema/schema.ts";
import type { DomainsTable } from "../../store/schema/watch.ts";
import { inWorkspace } from "../../store/scope.ts";
import type { DomainInput } from "../analysis/check-domain.ts";

export type Learned = Pick<DomainInput, "history" | "own" | "senders">;

export async function learnOfDomain(
  db: Db,
  { workspace_id, domain }: Pick<DomainsTable, "workspace_id" | "domain">,
  now: number,
): Promise<Learned> {
  const [{ history, addresses }, domains] = await Promise.all([
    readDomainHistory(inWorkspace(db, workspace_id), domain, now),
    listOwnDomains(db, workspace_id),
  ]);
  return {
    history: known(history),
    own: known({ domains }),
    senders: addresses.map(({ value }) => value),
  };
}
