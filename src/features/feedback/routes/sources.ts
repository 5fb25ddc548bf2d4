import { toCsvLine } from "../../../analyzer/reports/csv.ts";
import { isSenderKey } from "../../../analyzer/senders/name-sender.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { toTimestamp } from "../../../platform/contract/primitives.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import { Refusal } from "../../../platform/errors.ts";
import { type Route, route } from "../../../platform/route.ts";
import type { Server } from "../../../platform/server.ts";
import { auditedDomain } from "../../domains/audited.ts";
import { listSenders } from "../../domains/rows/seen-senders.ts";
import { requireDomain } from "../../domains/work/domains.ts";
import { answerDownload } from "../../tests/routes/download.ts";
import * as api from "../contract/domain-sources.ts";
import { listMarks } from "../rows/source-marks.ts";
import { markSender } from "../work/mark-sender.ts";
import { type NamingTerms, nameSeen } from "../work/name-groups.ts";
import { mostGroups, readDomainSources, readSourceWords, readTrends } from "../work/sources.ts";

type Asked = {
  readonly store: WorkspaceStore;
  readonly params: { readonly id: string };
  readonly query: { readonly days: number };
};

async function readSources(
  { store, params: { id }, query: { days } }: Asked,
  server: NamingTerms & Pick<Server, "system">,
  most?: number,
) {
  const row = await requireDomain(store.read, id);
  return await readDomainSources(store, row, { now: server.system.now(), days, most }, server);
}

export const sourceRoutes: readonly Route[] = [
  route(api.readDomainSources, (call, server) => readSources(call, server)),

  route(api.readSourceTrends, async ({ store, params: { id }, query: { days } }, server) => {
    const row = await requireDomain(store.read, id);
    return await readTrends(store, row, { now: server.system.now(), days }, server);
  }),

  route(api.readSourceWords, async ({ store, params: { id }, query }, { system }) => {
    const row = await requireDomain(store.read, id);
    return await readSourceWords(store, row, { now: system.now(), ...query });
  }),

  route(api.downloadDomainSources, async (call, server) => {
    const sources = await readSources(call, server, mostGroups);
    return answerDownload({
      name: `assay-senders-${sources.domain}-${sources.to}.csv`,
      type: "text/csv; charset=utf-8; header=present",
      content: Buffer.from(toCsv(sources)),
    });
  }).recording({ action: "export.senders", object: auditedDomain, keep: ["days"], effect: "none" }),

  route(api.listDomainSenders, async ({ store: { read }, params: { id } }, server) => {
    const { domain } = await requireDomain(read, id);
    const seen = await nameSeen(await listSenders(read, domain, server.system.now()), domain, server);
    return {
      items: seen.map(({ firstSeenAt, lastSeenAt, isWatched, ...rest }) => ({
        ...rest,
        firstSeenAt: toTimestamp(firstSeenAt),
        lastSeenAt: toTimestamp(lastSeenAt),
        watched: isWatched,
      })),
    };
  }),

  route(api.markSource, async ({ store, params: { id }, body: { key, mark, note } }, server) => {
    const row = await requireDomain(store.read, id);
    const isKnown = isSenderKey(key, server.senderTable) || (await listMarks(store.read, row.id)).has(key);
    if (!isKnown) throw new Refusal("not_found", "There is no sender with this key.", { field: "key" });
    return await store.write(async (scope) => {
      recordChange();
      return await markSender(scope, id, { key, mark, note }, server.system.now());
    });
  }).recording({ action: "domain.source", object: auditedDomain, keep: ["key", "mark", "note"] }),
];

const columns = [
  "sender",
  "key",
  "kind",
  "named_by",
  "mark",
  "note",
  "address",
  "reverse_dns",
  "country",
  "messages",
  "passed",
  "dkim_aligned",
  "spf_aligned",
  "forwarded",
  "first_day",
  "last_day",
  "needs",
  "says",
] as const;

function toCsv({ senders, sources, others }: api.DomainSources): string {
  const byKey = new Map(senders.map((sender) => [sender.key, sender]));
  const lines = sources.map((source) => {
    const sender = source.sender === null ? undefined : byKey.get(source.sender);
    return toCsvLine([
      sender?.name ?? source.name,
      source.sender,
      sender?.kind ?? null,
      sender?.by ?? null,
      sender?.mark ?? null,
      sender?.note ?? null,
      source.sourceIp,
      source.host,
      source.country,
      source.messages,
      source.passed,
      source.dkimAligned,
      source.spfAligned,
      source.forwarded,
      source.firstDay,
      source.lastDay,
      sender?.needs ?? null,
      sender?.says ?? null,
    ]);
  });
  const rest = ["(others)", null, null, null, null, null, null, null, null, others.messages, others.passed];
  const last = toCsvLine([...rest, others.dkimAligned, others.spfAligned, null, null, null, null, null]);
  return [toCsvLine(columns), ...lines, ...(others.messages > 0 ? [last] : [])].join("");
}
