import { type AuditChain, chainOf, countEntries, listEntries } from "../../platform/audit/rows/log.ts";
import { serverChain } from "../../platform/audit/rules/entry.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { type Route, route } from "../../platform/route.ts";
import { requireFirst } from "../server/routes/health.ts";
import { type AuditEntry, exportAudit, listAudit } from "./contract.ts";
import { exportLines, toAuditEntry } from "./work/entries.ts";

/** Counting more would take long. */
const mostCounted = 10_000;

export const auditRoutes: readonly Route[] = [
  route(listAudit, async ({ store, query }) => {
    const { log, limit, offset, cursor, ...filter } = query;
    const place = await toChain(store.readInWorker, log);
    const rows = await listEntries(place, filter, { limit: limit + 1, offset, before: cursor });
    const total = await countEntries(place, filter, mostCounted + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map((row): AuditEntry => toAuditEntry(row)),
      total: Math.min(total, mostCounted),
      totalIsExact: total <= mostCounted,
      limit,
      offset,
      next: last === undefined ? null : String(last.seq),
    };
  }),

  route(exportAudit, async ({ store, workspaceId, query: { log, since, until }, admitAgain }, { system }) => {
    const place = await toChain(store.readInWorker, log);
    const name = `assay-audit-${log === "server" ? log : workspaceId}-${new Date(system.now()).toISOString().slice(0, 10)}`;
    const pages = exportLines(place, { since, until }, admitAgain);
    // Each is read when the client has taken the one before.
    const pull = async (controller: ReadableStreamDefaultController) => {
      const { value, done } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value));
    };
    return new Response(new ReadableStream({ pull }), {
      headers: {
        "content-type": "application/x-ndjson; charset=utf-8",
        "content-disposition": `attachment; filename="${name}.jsonl"`,
        "content-security-policy": "sandbox",
      },
    });
  }).recording({ action: "export.audit", effect: "none" }),
];

/** The server's log is the operator's, not a tenant's. */
async function toChain(scope: Scope, log: "workspace" | "server"): Promise<AuditChain> {
  const own = chainOf(scope);
  if (log === "workspace") return own;
  await requireFirst(scope);
  return { ...own, chain: serverChain };
}
