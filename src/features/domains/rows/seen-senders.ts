// How the domains of a workspace's mail were seen to send. Recorded for every domain, so that one added to the monitor
// later is known at once without reading all reports. The number is limited, but rows of monitored domains are never
// removed for that. Rows are grouped by organizational domain, because a domain's history includes its subdomains, and
// because a stranger can invent any number of names below their own domain.

import { sql } from "kysely";
import type { History } from "../../../analyzer/checks/facts.ts";
import { isWithin } from "../../../analyzer/dns/answer.ts";
import { toKeyName } from "../../../analyzer/dns/signing-names.ts";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { SeenSender, SenderKind } from "../../../analyzer/reports/seen-senders.ts";
import { prepare } from "../../../platform/database/engine/prepared.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import type { SeenSendersTable } from "../tables.ts";

const dayMs = 86_400_000;
/** Anything not seen for this long is no longer watched. */
export const watchedForMs = 30 * dayMs;
/** Limit for one organization and kind. Housekeeping removes the oldest beyond it. */
export const maxOfKind = 100;

export type SenderNote = SeenSender & {
  /** Since it was last written. */
  readonly messages: number;
  readonly seenAt: number;
};

/** In key order, so that two transactions that write the same rows can't deadlock. */
export async function noteSenders(db: Db, workspaceId: string, notes: readonly SenderNote[]): Promise<void> {
  const rows = notes.map((note) => ({ ...note, organization: toRegistrableDomain(note.domain) }));
  for (const row of rows.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)))
    await noteSender(db, { ...row, workspaceId });
}

type Keyed = Pick<SeenSendersTable, "organization" | "kind" | "domain" | "value">;

function keyOf({ organization, kind, domain, value }: Keyed): string {
  return [organization, kind, domain, value].join(" ");
}

type Noted = SenderNote & { readonly organization: string; readonly workspaceId: string };

const noteSender = prepare<Noted>((db, told) =>
  db
    .insertInto("seen_senders")
    .values({
      workspace_id: told.workspaceId,
      organization: told.organization,
      kind: told.kind,
      domain: told.domain,
      value: told.value,
      fingerprint: told.fingerprint,
      unchanged_since: told.seenAt,
      first_seen_at: told.seenAt,
      last_seen_at: told.seenAt,
      messages: told.messages,
    })
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "organization", "kind", "domain", "value"]).doUpdateSet({
        messages: sql`seen_senders.messages + excluded.messages`,
        first_seen_at: sql`case when excluded.first_seen_at < seen_senders.first_seen_at
            then excluded.first_seen_at else seen_senders.first_seen_at end`,
        // Messages may be analyzed out of order.
        last_seen_at: ofNewest("last_seen_at"),
        fingerprint: ofNewest("fingerprint"),
        unchanged_since: sql`case when excluded.fingerprint = seen_senders.fingerprint
            then seen_senders.unchanged_since else ${ofNewest("unchanged_since")} end`,
      }),
    ),
);

function ofNewest<Column extends "last_seen_at" | "fingerprint" | "unchanged_since">(column: Column) {
  const [noted, kept] = [sql.ref(`excluded.${column}`), sql.ref(`seen_senders.${column}`)];
  return sql<
    SeenSendersTable[Column]
  >`case when excluded.last_seen_at >= seen_senders.last_seen_at then ${noted} else ${kept} end`;
}

type ListedSender = Pick<SeenSendersTable, "kind" | "value" | "messages"> & {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly isWatched: boolean;
};

/**
 * For the domain and its subdomains, most recently seen first. Selectors only for the domain itself, because that is
 * where their keys are published.
 */
export async function listSenders(scope: Scope, domain: string, now: number): Promise<ListedSender[]> {
  const byName = new Map<string, ListedSender>();
  for (const row of await readRows(scope, domain)) {
    const name = `${row.kind} ${row.value}`;
    const same = byName.get(name);
    byName.set(name, {
      kind: row.kind,
      value: row.value,
      messages: row.messages + (same?.messages ?? 0),
      firstSeenAt: Math.min(row.first_seen_at, same?.firstSeenAt ?? row.first_seen_at),
      lastSeenAt: same?.lastSeenAt ?? row.last_seen_at,
      isWatched: same?.isWatched ?? isWatched(row, now),
    });
  }
  return [...byName.values()];
}

type LastSeen = { readonly value: string; readonly lastSeenAt: number };

type DomainHistory = {
  /** In the form that checks need. */
  readonly history: History;
  /** Those still watched, most recently seen first. */
  readonly selectors: readonly LastSeen[];
  readonly returnPaths: readonly LastSeen[];
  readonly addresses: readonly LastSeen[];
  readonly heloNames: readonly LastSeen[];
};

/** What is known about a domain's mail when it is to be checked. */
export async function readDomainHistory(scope: Scope, domain: string, now: number): Promise<DomainHistory> {
  const rows = (await readRows(scope, domain)).filter((row) => isWatched(row, now));
  const of = (kind: SenderKind) => {
    const values = new Map<string, number>();
    for (const row of rows.filter((row) => row.kind === kind))
      if (!values.has(row.value)) values.set(row.value, row.last_seen_at);
    return [...values].map(([value, lastSeenAt]) => ({ value, lastSeenAt }));
  };
  const selectors = of("selector");
  return {
    history: {
      sameMessageId: 0,
      selectorsSeen: selectors.map(({ value }) => value),
      keyFirstSeen: toKeyFirstSeen(rows),
    },
    selectors,
    returnPaths: of("return_path"),
    addresses: of("address"),
    heloNames: of("helo"),
  };
}

/** Up to when it was last seen, because the key may have changed since. */
function toKeyFirstSeen(rows: readonly SeenSendersTable[]): History["keyFirstSeen"] {
  const [newest] = rows
    .filter(({ kind }) => kind === "selector")
    .sort((left, right) => right.unchanged_since - left.unchanged_since);
  const name = newest && toKeyName(newest.value, newest.domain);
  return newest && name ? { name, agoMs: newest.last_seen_at - newest.unchanged_since } : null;
}

function isWatched({ last_seen_at }: Pick<SeenSendersTable, "last_seen_at">, now: number): boolean {
  return last_seen_at > now - watchedForMs;
}

/** Four kinds at their limit, plus what arrived since the last housekeeping. */
const maxRead = 1_000;

async function readRows(scope: Scope, domain: string): Promise<SeenSendersTable[]> {
  const rows = await scope
    .selectFrom("seen_senders")
    .selectAll()
    .where("organization", "=", toRegistrableDomain(domain))
    .orderBy("last_seen_at", "desc")
    .orderBy("kind")
    .orderBy("domain")
    .orderBy("value")
    .limit(maxRead)
    .execute();
  return rows.filter((row) => (row.kind === "selector" ? row.domain === domain : isWithin(row.domain, domain)));
}

type ProvenSenders = {
  readonly addresses: ReadonlySet<string>;
  /** Written as `selector domain`. */
  readonly selectors: ReadonlySet<string>;
};

/** For the domain and its whole organization. Third-party claims about them are compared with these. */
export async function listProvenSenders(scope: Scope, domain: string): Promise<ProvenSenders> {
  const rows = await scope
    .selectFrom("seen_senders")
    .select(["kind", "domain", "value"])
    .where("organization", "=", toRegistrableDomain(domain))
    .where("kind", "in", ["address", "selector"])
    .orderBy("last_seen_at", "desc")
    .orderBy("kind")
    .orderBy("domain")
    .orderBy("value")
    .limit(maxRead)
    .execute();
  const of = (kind: SenderKind) => rows.filter((row) => row.kind === kind);
  return {
    addresses: new Set(of("address").map(({ value }) => value)),
    selectors: new Set(of("selector").map(({ value, domain }) => `${value} ${domain}`)),
  };
}
