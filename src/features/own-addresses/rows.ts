// Queries of own addresses and their listings.

import { type ExpressionBuilder, sql } from "kysely";
import type { AskedWith } from "../../analyzer/checks/infrastructure-facts.ts";
import type { Db, Schema } from "../../platform/database/schema.ts";
import type { Scope } from "../../platform/database/scope.ts";
import type { Store } from "../../platform/database/store.ts";
import { classes, type Origin } from "./rules/lists.ts";
import type { AddressListingsTable, OwnAddressesTable } from "./tables.ts";

/** In a workspace. */
export const mostAddresses = 2_000;
const dayMs = 86_400_000;
/** Longer than toNextLookup puts off. */
const longestPauseMs = dayMs / 12;
/** What was learned and isn't listed is no longer looked up once it was not seen for so long, and removed later. */
const lookedUpForMs = 30 * dayMs;
const keptForMs = 90 * dayMs;
const endedKeptMs = 365 * dayMs;

type Row = ExpressionBuilder<Schema, "own_addresses">;

const listingsOfRow = ({ selectFrom }: Row) =>
  selectFrom("address_listings").select("id").whereRef("address_id", "=", "own_addresses.id");

const isLookedUp = (now: number) => (eb: Row) =>
  eb.or([
    eb("origin", "=", "typed"),
    eb("seen_at", ">", now - lookedUpForMs),
    eb.exists(listingsOfRow(eb).where("until", "is", null)),
  ]);

export type FoundAddress = { readonly value: string; readonly kind: AskedWith; readonly origin: Origin };

type NewAddress = FoundAddress & { readonly id: string };

/** Typed ones come back if they were removed. Of learned ones, only the day is noted. */
export async function noteAddress(scope: Scope, { id, value, kind, origin }: NewAddress, now: number): Promise<void> {
  const isTyped = origin === "typed";
  await scope
    .insertInto("own_addresses", {
      id,
      value,
      kind,
      origin,
      created_at: now,
      seen_at: now,
      ignored: 0,
      due_at: now,
      checked_at: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["workspace_id", "value"])
        .doUpdateSet({ seen_at: now, ...(isTyped && { origin: "typed" as const, ignored: 0 }) }),
    )
    .execute();
}

export async function listNames(scope: Scope): Promise<Pick<OwnAddressesTable, "value" | "ignored" | "seen_at">[]> {
  return await scope.selectFrom("own_addresses").select(["value", "ignored", "seen_at"]).execute();
}

export async function ignoreAddress(scope: Scope, id: string): Promise<boolean> {
  await scope.deleteFrom("address_listings").where("address_id", "=", id).execute();
  const { numUpdatedRows } = await scope
    .updateTable("own_addresses")
    .set({ ignored: 1 })
    .where("id", "=", id)
    .where("ignored", "=", 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function readAddress(scope: Scope, id: string): Promise<OwnAddressesTable | undefined> {
  const rows = scope.selectFrom("own_addresses").selectAll().where("id", "=", id);
  return await rows.where("ignored", "=", 0).executeTakeFirst();
}

const rank = sql<number>`case class ${sql.join(
  classes.map((name, index) => sql`when ${sql.lit(name)} then ${sql.lit(index)}`),
  sql` `,
)} else ${sql.lit(classes.length)} end`;

type ListedAddress = OwnAddressesTable & { readonly rank: number | null };

/** The worst first, then those that were just added. */
export async function listAddresses(scope: Scope, page: { limit: number; offset: number }): Promise<ListedAddress[]> {
  return await scope
    .selectFrom("own_addresses")
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom("address_listings")
        .select(({ fn }) => fn.min<number>(rank).as("rank"))
        .whereRef("address_id", "=", "own_addresses.id")
        .where("until", "is", null)
        .as("rank"),
    )
    .where("ignored", "=", 0)
    .orderBy("rank", (order) => order.asc().nullsLast())
    .orderBy("id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .$castTo<ListedAddress>()
    .execute();
}

export async function listValues(scope: Scope, values: readonly string[]): Promise<OwnAddressesTable[]> {
  if (values.length === 0) return [];
  const some = scope.selectFrom("own_addresses").selectAll().where("value", "in", values);
  return await some.where("ignored", "=", 0).execute();
}

export async function countAddresses(scope: Scope): Promise<number> {
  const all = scope.selectFrom("own_addresses").select(({ fn }) => fn.countAll<number>().as("total"));
  return Number((await all.where("ignored", "=", 0).executeTakeFirstOrThrow()).total);
}

/** Those that are looked up on lists that take the kinds. */
export async function countTaken(scope: Scope, kinds: ReadonlySet<AskedWith>, now: number) {
  if (kinds.size === 0) return { taken: 0, checked: 0 };
  const counted = await scope
    .selectFrom("own_addresses")
    .select(({ fn }) => [fn.countAll<number>().as("taken"), fn.count<number>("checked_at").as("checked")])
    .where("ignored", "=", 0)
    .where("kind", "in", [...kinds])
    .where(isLookedUp(now))
    .executeTakeFirstOrThrow();
  return { taken: Number(counted.taken), checked: Number(counted.checked) };
}

export async function listOpenListings(scope: Scope): Promise<AddressListingsTable[]> {
  const open = scope.selectFrom("address_listings").selectAll().where("until", "is", null);
  return await open.orderBy(rank).orderBy("since").orderBy("id").execute();
}

/** Newest first. */
export async function listListings(scope: Scope, addressId: string, limit: number): Promise<AddressListingsTable[]> {
  const listings = scope.selectFrom("address_listings").selectAll().where("address_id", "=", addressId);
  return await listings.orderBy("since", "desc").orderBy("id", "desc").limit(limit).execute();
}

// The work of all workspaces.

const lookedUp = (db: Db, now: number) =>
  db.selectFrom("own_addresses").where("ignored", "=", 0).where(isLookedUp(now));

export async function listDueAddresses(db: Db, now: number, limit: number): Promise<OwnAddressesTable[]> {
  // A later one was set before the clock was set back.
  const due = lookedUp(db, now)
    .selectAll()
    .where(({ eb, or }) => or([eb("due_at", "<=", now), eb("due_at", ">", now + longestPauseMs)]));
  return await due.orderBy("due_at").orderBy("id").limit(limit).execute();
}

export async function countByKind(db: Db, now: number): Promise<Readonly<Record<AskedWith, number>>> {
  const rows = await lookedUp(db, now)
    .select(({ fn }) => ["kind", fn.countAll<number>().as("number")])
    .groupBy("kind")
    .execute();
  const counts = Object.fromEntries(rows.map(({ kind, number }) => [kind, Number(number)]));
  return { ipv4: 0, ipv6: 0, domain: 0, ...counts };
}

/** It isn't known when a listing ends on a list that was turned off. It is over for us, and not told. */
export async function endUnwatched(
  { read, write }: Pick<Store, "read" | "write">,
  zones: ReadonlySet<string>,
): Promise<void> {
  const open = (db: Db) => db.selectFrom("address_listings").where("until", "is", null);
  const off = (await open(read).select("zone").distinct().execute()).filter(({ zone }) => !zones.has(zone));
  for (const { zone } of off)
    await write((db) =>
      db
        .updateTable("address_listings")
        .set(({ ref }) => ({ until: ref("seen_at") }))
        .where("until", "is", null)
        .where("zone", "=", zone)
        .execute(),
    );
}

export async function listOpenOf(scope: Scope, addressId: string): Promise<AddressListingsTable[]> {
  const open = scope.selectFrom("address_listings").selectAll().where("address_id", "=", addressId);
  return await open.where("until", "is", null).execute();
}

/** The last one that ended only because its list was turned off. */
export async function findTurnedOff(
  scope: Scope,
  { addressId, zone, after }: { readonly addressId: string; readonly zone: string; readonly after: number },
): Promise<AddressListingsTable | undefined> {
  const ended = scope.selectFrom("address_listings").selectAll().where("address_id", "=", addressId);
  const off = ended.where("zone", "=", zone).whereRef("until", "=", "seen_at").where("until", ">", after);
  return await off.orderBy("since", "desc").executeTakeFirst();
}

export async function insertListing(scope: Scope, row: Omit<AddressListingsTable, "workspace_id">): Promise<void> {
  await scope.insertInto("address_listings", row).execute();
}

export async function updateListing(
  scope: Scope,
  id: string,
  columns: Partial<Pick<AddressListingsTable, "seen_at" | "until" | "misses" | "class" | "code" | "meaning" | "says">>,
): Promise<void> {
  await scope.updateTable("address_listings").set(columns).where("id", "=", id).execute();
}

/** False if it was removed meanwhile. */
export async function scheduleAddress(
  scope: Scope,
  id: string,
  columns: Pick<OwnAddressesTable, "due_at"> & { readonly checked_at?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await scope
    .updateTable("own_addresses")
    .set(columns)
    .where("id", "=", id)
    .where("ignored", "=", 0)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

export async function removeOld(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("address_listings")
    .where("until", "<=", now - endedKeptMs)
    .execute();
  await db
    .deleteFrom("own_addresses")
    .where(({ eb, or }) => or([eb("origin", "!=", "typed"), eb("ignored", "=", 1)]))
    .where("seen_at", "<=", now - keptForMs)
    .where((eb) => eb.not(eb.exists(listingsOfRow(eb))))
    .execute();
}
