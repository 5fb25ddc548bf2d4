import { type AuditChain, chainOf, countEntries, listEntries, readOnwards } from "../../platform/audit/rows/log.ts";
import { serverChain } from "../../platform/audit/rules/entry.ts";
import type { Scope } from "../../platform/database/scope.ts";
import { type Route, route } from "../../platform/route.ts";
import { requireFirst } from "../server/routes/health.ts";
import { type AuditEntry, exportAudit, listAudit } from "./contract.ts";
import { toAuditEntry, toExportLine } from "./work/entries.ts";

/** Counting more would take long. */
const mostCounted = 10_000;
const exportedAtOnce = 200;

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
    const read = async (after: number) => {
      await admitAgain();
      return await readOnwards(place, after, exportedAtOnce);
    };
    return new Response(toStream(read, { since, until }), {
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

type Span = { readonly since: number | undefined; readonly until: number | undefined };
type Rows = Awaited<ReturnType<typeof readOnwards>>;

/** Each page is read when the client has taken the one before. */
function toStream(read: (after: number) => Promise<Rows>, { since = 0, until = Infinity }: Span): ReadableStream {
  let after = 0;
  return new ReadableStream({
    pull: async (controller) => {
      for (;;) {
        const rows = await read(after);
        after = rows.at(-1)?.seq ?? after;
        const lines = rows.filter(({ at }) => at >= since && at < until).map(toExportLine);
        if (lines.length > 0) return controller.enqueue(new TextEncoder().encode(lines.join("")));
        if (rows.length < exportedAtOnce) return controller.close();
      }
    },
  });
}
