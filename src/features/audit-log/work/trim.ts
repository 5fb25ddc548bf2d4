// Removes old entries of the audit log.

import { listChains } from "../../../platform/audit/rows/log.ts";
import { trimChain } from "../../../platform/audit/rows/trim.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { System } from "../../../platform/system/system.ts";
import type { ServeRow } from "../../../platform/work/serve-row.ts";

/** A year, as PCI DSS 10.5.1 asks for. An export is kept for as long as its owner likes. */
export const auditKeptMs = 365 * 86_400_000;

type Terms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now">;
  readonly stopping: AbortSignal;
  readonly serve: ServeRow;
};

export async function trimAuditLog({ store, system, stopping, serve }: Terms): Promise<void> {
  const now = system.now();
  const before = now - auditKeptMs;
  const trim = async (chain: string) => {
    for (let isMore = true; isMore; ) {
      stopping.throwIfAborted();
      isMore = (await store.write((db) => trimChain(db, chain, { before, now }))) > 0;
    }
  };
  for (const chain of await listChains(store.read)) await serve(chain, () => trim(chain));
}
