// Fills in what rows of reports from earlier versions prove. Until then, their senders are named by reverse DNS or not at all.

import { saysForwarded, toProved } from "../../../analyzer/senders/name-sender.ts";
import type { Server } from "../../../platform/server.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { listUnproved, listUnprovedReports, noteProved, type UnprovedRow } from "../rows/old-sources.ts";

const reportsAtOnce = 200;

export function createOldSourcesChore({ store }: Pick<Server, "store">): Chore {
  let after: string | null = null;
  let hasMore = false;
  return {
    id: "old report rows",
    everyMs: 60_000,
    run: async (stopping, serve) => {
      const reports = await listUnprovedReports(store.readInWorker, after, reportsAtOnce);
      // One that fails is tried again after all others.
      after = reports.at(-1)?.id ?? null;
      hasMore = reports.length === reportsAtOnce;
      for (const { id, domain } of reports) {
        stopping.throwIfAborted();
        await serve(id, async () => {
          const rows = await listUnproved(store.readInWorker, id);
          await store.write((db) =>
            noteProved(
              db,
              id,
              rows.map((row) => toProof(row, domain)),
            ),
          );
        });
      }
    },
    hasMore: async () => hasMore,
  };
}

function toProof({ number, dkim, spf, reasons, header_from }: UnprovedRow, domain: string | null) {
  const { spf: proved_spf, dkim: proved_dkim } = toProved(
    { dkim: read(dkim), spf: read(spf) },
    domain ?? header_from ?? "",
  );
  return {
    number,
    proved_spf,
    proved_dkim,
    forwarded: saysForwarded(read<{ type: string; comment?: string | null }>(reasons)) ? 1 : 0,
  };
}

/** A damaged list proves nothing. */
function read<Item = { domain: string; result: string | null }>(json: string): readonly Item[] {
  try {
    const items: unknown = JSON.parse(json);
    return Array.isArray(items) ? items : [];
  } catch {
    return [];
  }
}
