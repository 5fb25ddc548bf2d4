// Removes old entries of the audit log.

import type { Store } from "../../database/store.ts";
import type { System } from "../../system/system.ts";
import { listChains } from "../rows/log.ts";
import { trimChain } from "../rows/trim.ts";

const dayMs = 86_400_000;

type Terms = {
  readonly store: Pick<Store, "read" | "write">;
  readonly system: Pick<System, "now" | "log">;
  readonly stopping: AbortSignal;
  readonly isSent: boolean;
};

/** `days`: 0 keeps them forever. */
export async function trimAuditLog({ store, system, stopping, isSent }: Terms, days: number): Promise<void> {
  if (days === 0) return;
  const now = system.now();
  const before = now - days * dayMs;
  for (const chain of await listChains(store.read)) {
    for (let isMore = true; isMore; ) {
      stopping.throwIfAborted();
      const { removed, unsent } = await store.write((db) => trimChain(db, chain, { before, now }));
      isMore = removed > 0;
      if (unsent > 0 && isSent)
        system.log.warn("audit log entries were removed by age before they could be sent to syslog", {
          log: chain,
          notSent: unsent,
        });
    }
  }
}
