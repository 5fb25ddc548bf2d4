// How the domains of a workspace's mail were seen to send. Of every domain and not of the monitored ones alone, so that one
// that is added later is known at once, without a look through the reports of all its messages; bounded for that, and
// what belongs to a monitored domain is never what goes. Rows are grouped by organisation, because a domain is told what
// those below it used, and because names below one's own cost a stranger nothing.

import { sql } from "kysely";
import type { History } from "../../checks/facts.ts";
import { isWithin } from "../../dns/answer.ts";
import { toKeyName } from "../../dns/signing-names.ts";
import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { SeenSender, SenderKind } from "../../reports/seen-senders.ts";
import { prepare } from "../engine/prepared.ts";
import type { Db } from "../schema/schema.ts";
import type { SeenSendersTable } from "../schema/watch.ts";
import type { Scope } from "../scope.ts";

const dayMs = 86_400_000;
/** What was not seen for that long is watched no more. */
export const watchedForMs = 30 * dayMs;
/** Of one organisation and kind; housekeeping removes the oldest beyond it. */
export const maxOfKind = 100;

export type SenderNote = SeenSender & {
  /** Since it was last written. */
  readonly messages: number;
};

/** In the order of the key: two transactions that write the same rows then never wait for one another in a circle. */
export async function noteSenders(
  db: Db,
  workspaceId: string,
  notes: readonly SenderNote[],
  seenAt: number,
): Promise<void> {
  const rows = notes.map((note) => ({ ...note, organization: toRegistrableDomain(note.domain) }));
  for (const row of rows.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)))
    await noteSender(db, { ...row, workspaceId, seenAt });
}

type Keyed = Pick<SeenSendersTable, "organization" | "kind" | "domain" | "value">;

function keyOf({ organization, kind, domain, value }: Keyed): string {
  return [organization, kind, domain, value].join(" ");
}

type Noted = SenderNote & {
  readonly organization: string;
  readonly workspaceId: string;
  readonly seenAt: number;
};

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
        // Messages may be analysed in another order than they came in.
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

export type ListedSender = Pick<SeenSendersTable, "kind" | "value" | "messages"> & {
  readonly firstSeenAt: number;
  readonly lastSeenAt: number;
  readonly isWatched: boolean;
};

/** Of the domain and of those below it, the last seen first; selectors of the domain alone, because there their keys stand. */
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
  /** As checks ask for it. */
  readonly history: History;
  /** Each is watched still, the last seen first. */
  readonly selectors: readonly LastSeen[];
  readonly returnPaths: readonly LastSeen[];
  readonly addresses: readonly LastSeen[];
  readonly heloNames: readonly LastSeen[];
};

/** What is known of mail from a domain, when it is to be checked. */
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

/** Up to when it was last seen: what became of the key since then nobody knows. */
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

/** Four kinds up to their bound, and what came since housekeeping last looked. */
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
  return rows.filter((row) =>
    row.kind === "selector" ? row.domain === domain : isWithin(row.domain, domain),
  );
}

export type ProvenSenders = {
  readonly addresses: ReadonlySet<string>;
  /** As `selector domain`. */
  readonly selectors: ReadonlySet<string>;
};

/** Of the domain and all of its organisation: what others tell of them is held against it. */
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
