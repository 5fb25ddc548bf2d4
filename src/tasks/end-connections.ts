// The connections of a workspace that was deleted: what the providers gave is given back, one after the other. The row goes first,
// because whoever gives back looks whether another lives of the same consent.

import { isOauthProvider } from "../integrations/list.ts";
import { listIntegrations, removeIntegration } from "../store/integrations.ts";
import type { WorkspaceStore } from "../store/scope.ts";
import type { System } from "../system/system.ts";
import { type ConnectionTerms, endGrant } from "./connections.ts";
import { openOauth } from "./integration-secrets.ts";

export type EndTerms = Pick<ConnectionTerms, "store" | "sealer" | "oauth"> & {
  readonly system: Pick<System, "fetchStranger" | "log">;
};

/** Of one workspace; answers how many were ended: one, or none when all are. */
export type EndConnection = (place: Pick<WorkspaceStore, "read" | "write">) => Promise<number>;

export async function endConnection(
  { read, write }: Parameters<EndConnection>[0],
  terms: EndTerms,
): Promise<number> {
  for (const row of await listIntegrations(read)) {
    const { id, provider } = row;
    if (!isOauthProvider(provider)) continue;
    await write((scope) => removeIntegration(scope, id));
    const secret = openOauth(terms.sealer, row);
    if (secret === undefined || !(await endGrant(terms, provider, secret)))
      terms.system.log.warn(
        "What a provider gave a deleted workspace was not given back: it ends in the account's own settings there.",
        { provider },
      );
    return 1;
  }
  return 0;
}
