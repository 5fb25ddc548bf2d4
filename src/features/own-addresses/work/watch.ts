// Looks up each own address once an hour, spread over the hour, and tells once when it is listed and once when it no longer
// is.

import type { ListState } from "../../../analyzer/checks/infrastructure-facts.ts";
import type { Dns } from "../../../analyzer/dns/answer.ts";
import { type BlocklistZone, findListRow } from "../../../analyzer/dns/dnsbl.ts";
import { createListTests, type ListTests } from "../../../analyzer/facts/list-tests.ts";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { toTimestamp, toTimestampOrNull } from "../../../platform/contract/primitives.ts";
import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { createId } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import type { System } from "../../../platform/system/system.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { raiseAlert } from "../../alerts/work/raise.ts";
import * as rows from "../rows.ts";
import { adviceOf, isTurn, perHourOf, toNextLookup, toTurn } from "../rules/lists.ts";
import type { AddressListingsTable, OwnAddressesTable } from "../tables.ts";
import { type Answer, askList, whyUnfit } from "./look-up.ts";

type Watching = Pick<Server, "store" | "config" | "system"> & { readonly uncachedDns: Dns };

const minuteMs = 60_000;
const hourMs = 3_600_000;
const patienceMs = 10_000;
/** All are begun within half an hour, so that late ones catch up. */
const minutesForAll = 30;
const fewest = 20;
/** Addresses at a time. Each asks all lists at once. */
const atOnce = 8;
/** Silent answers in a row, after which a list is left alone until the next minute, and called silent. */
const mostSilent = 3;
/** Lookups in a row. The servers of a list don't all change at once. */
const missesUntilGone = 2;
/** A list that was off for so long may be turned on again, and its listings are the same. */
const sameForMs = 7 * 24 * hourMs;

/** By zone as shown. Kept for all processes. */
type WatchedList = {
  /** The hour that `asked` counts, since 1970. */
  readonly hour: number;
  readonly asked: number;
  readonly askedBefore: number;
  /** Answers in a row that counted for nothing. */
  readonly failed: number;
  /** Why it failed its test, or several answers in a row. Null: its answers count. */
  readonly why: string | null;
};
type WatchedLists = Readonly<Record<string, WatchedList>>;

export async function readWatchedLists(db: Db): Promise<WatchedLists> {
  return JSON.parse((await readMeta(db, "watched_lists")) ?? "{}");
}

export function createWatchChore(server: Watching): Chore {
  const { store, config, system, uncachedDns } = server;
  let tally = createTally({}, [], 0);
  const dns: Dns = {
    query: (name, type) => {
      tally.count(name);
      return uncachedDns.query(name, type);
    },
  };
  let tests: { readonly of: readonly BlocklistZone[]; readonly lists: ReadonlyMap<string, ListTests> } | undefined;
  return {
    id: "own addresses",
    everyMs: minuteMs,
    run: async (stopping, serve) => {
      const { dnsbls } = config;
      await rows.endUnwatched(store, new Set(dnsbls.map(({ zone }) => zone)));
      if (dnsbls.length === 0) return;
      const now = system.now();
      const counts = await rows.countByKind(store.read, now);
      const total = counts.ipv4 + counts.ipv6 + counts.domain;
      const due = await rows.listDueAddresses(store.read, now, Math.max(fewest, Math.ceil(total / minutesForAll)));
      if (due.length === 0) return;
      tally = createTally(await readWatchedLists(store.read), dnsbls, now);
      if (tests?.of !== dnsbls)
        tests = {
          of: dnsbls,
          lists: new Map(dnsbls.map((list) => [list.zone, createListTests([list], dns, system.now)])),
        };
      // The repeated test of a list that refuses would go on for all of the hour.
      const asked = [...tests.lists].filter(([zone]) => findListRow(zone)?.kind !== "allow" && !tally.isSpent(zone));
      const states = (await Promise.all(asked.map(([, list]) => list.states(patienceMs)))).flat();
      for (const [zone, kinds] of Map.groupBy(states, (state) => state.zone))
        tally.noteTest(zone, kinds.find(({ unfit }) => unfit === null) ? null : (kinds[0]?.unfit ?? null));
      const retested = new Map<string, ReturnType<typeof whyUnfit>>();

      const ask = async (row: OwnAddressesTable, state: ListState, isOpen: boolean): Promise<Answer | null> => {
        const { zone } = state;
        const turns = toTurn(counts[row.kind], perHourOf(zone));
        if (!isTurn(row.id, now, turns) || tally.isSpent(zone)) return null;
        const answer = await askList(row, state, dns);
        tally.note(zone, answer.is === "unknown" ? answer.why : null);
        if (answer.is === "unknown" || (answer.is === "listed") === isOpen) return answer;
        const asked = dnsbls.find((each) => each.zone === zone) ?? { zone, asked: zone };
        const key = `${zone} ${row.kind}`;
        const why = await retested.getOrInsertComputed(key, () => whyUnfit(asked, row.kind, dns, system.now));
        if (why === null) return answer;
        tally.noteTest(zone, why);
        return null;
      };

      const lookUp = async (row: OwnAddressesTable) => {
        const open = new Set(
          (await rows.listOpenOf(inWorkspace(store.read, row.workspace_id), row.id)).map(({ zone }) => zone),
        );
        const asked = states.filter((state) => state.with === row.kind && state.unfit === null);
        const isBelowOwn = await isBelowOwnDomain(inWorkspace(store.read, row.workspace_id), row);
        const answers = await Promise.all(
          asked.map((state) => {
            const { zone } = state;
            return isBelowOwn && !asksHost(zone) ? ({ zone, is: "clean" } as const) : ask(row, state, open.has(zone));
          }),
        );
        const heard = answers.filter((each) => each !== null);
        await store.write((db) => record(inWorkspace(db, row.workspace_id), row, heard, system));
      };

      for (let from = 0; from < due.length; from += atOnce) {
        stopping.throwIfAborted();
        const putBack = (row: OwnAddressesTable) => (_error: unknown, until: number) =>
          store.write((db) => rows.scheduleAddress(inWorkspace(db, row.workspace_id), row.id, { due_at: until }));
        await Promise.all(due.slice(from, from + atOnce).map((row) => serve(row.id, () => lookUp(row), putBack(row))));
      }
      await store.writeRelaxed((db) => writeMeta(db, "watched_lists", JSON.stringify(tally.result())));
    },
  };
}

/** Lists of registered domains would name such a domain once for itself and once for each of those below it. */
async function isBelowOwnDomain(scope: Scope, { kind, value }: OwnAddressesTable): Promise<boolean> {
  const registrable = toRegistrableDomain(value);
  return kind === "domain" && registrable !== value && (await rows.listValues(scope, [registrable])).length > 0;
}

function asksHost(zone: string): boolean {
  const row = findListRow(zone);
  return row?.kind === "domain" && row.asks === "host";
}

type Tally = {
  readonly count: (name: string) => void;
  readonly isSpent: (zone: string) => boolean;
  /** Null: it works. One answer may be lost on its way. */
  readonly note: (zone: string, why: string | null) => void;
  readonly noteTest: (zone: string, why: string | null) => void;
  readonly result: () => WatchedLists;
};

/** Counts the queries of each list in this hour, tests and texts included. */
function createTally(before: WatchedLists, zones: readonly BlocklistZone[], now: number): Tally {
  const hour = Math.floor(now / hourMs);
  const lists = new Map(
    zones.map(({ zone }) => {
      const last = before[zone];
      const asked = last?.hour === hour ? last.asked : 0;
      const askedBefore = last?.hour === hour ? last.askedBefore : last?.hour === hour - 1 ? last.asked : 0;
      return [zone, { hour, asked, askedBefore, failed: last?.failed ?? 0, why: last?.why ?? null, silent: 0 }];
    }),
  );
  return {
    count: (name) => {
      for (const [zone, list] of lists) if (name.endsWith(`.${zone}`)) list.asked++;
    },
    isSpent: (zone) => {
      const list = lists.get(zone);
      return list !== undefined && (list.silent >= mostSilent || list.asked >= perHourOf(zone));
    },
    note: (zone, why) => {
      const list = lists.get(zone);
      if (!list) return;
      list.silent = why === null ? 0 : list.silent + 1;
      list.failed = why === null ? 0 : list.failed + 1;
      if (why === null || list.failed >= mostSilent) list.why = why;
    },
    noteTest: (zone, why) => {
      const list = lists.get(zone);
      if (list && (why !== null || list.failed < mostSilent)) list.why = why;
    },
    result: () => Object.fromEntries([...lists].map(([zone, { silent: _, ...list }]) => [zone, list])),
  };
}

/** In one transaction with the alerts, so that none is lost or repeated. */
async function record(scope: Scope, row: OwnAddressesTable, answers: readonly Answer[], system: Told): Promise<void> {
  const now = system.now();
  const isHeard = answers.some((answer) => answer.is !== "unknown");
  const columns = { due_at: toNextLookup(row.id, now), ...(isHeard && { checked_at: now }) };
  if (!(await rows.scheduleAddress(scope, row.id, columns))) return;
  const open = new Map((await rows.listOpenOf(scope, row.id)).map((listing) => [listing.zone, listing]));
  for (const answer of answers) {
    const listing = open.get(answer.zone);
    if (answer.is === "listed") await recordListed(scope, row, { answer, listing }, system);
    if (answer.is === "clean" && listing) await recordMiss(scope, row, listing, system);
  }
}

type Told = Pick<System, "now" | "random">;
type Found = {
  readonly answer: Extract<Answer, { readonly is: "listed" }>;
  readonly listing: AddressListingsTable | undefined;
};

async function recordListed(scope: Scope, row: OwnAddressesTable, { answer, listing }: Found, system: Told) {
  const now = system.now();
  const { is: _, zone, ...found } = answer;
  const asked = { addressId: row.id, zone, after: now - sameForMs };
  const last = listing ?? (await rows.findTurnedOff(scope, asked));
  if (last) return await rows.updateListing(scope, last.id, { ...found, seen_at: now, until: null, misses: 0 });
  const id = createId("addressListing", now, system.random(16));
  const added = { id, address_id: row.id, zone, since: now, seen_at: now, until: null, misses: 0, ...found };
  await rows.insertListing(scope, added);
  await tell(scope, row, added, system);
}

async function recordMiss(scope: Scope, row: OwnAddressesTable, listing: AddressListingsTable, system: Told) {
  const misses = listing.misses + 1;
  const until = misses >= missesUntilGone ? system.now() : null;
  await rows.updateListing(scope, listing.id, { misses, until });
  if (until !== null) await tell(scope, row, { ...listing, until }, system);
}

async function tell(
  scope: Scope,
  { id, value }: OwnAddressesTable,
  listing: Omit<AddressListingsTable, "workspace_id">,
  system: Told,
): Promise<void> {
  // It is about the neighbors, so there is nothing to do.
  if (listing.class === "broad") return;
  const state = listing.until === null ? "listed" : "delisted";
  const data = { address: { id, value }, state, listing: toListingFields(listing) } as const;
  await raiseAlert(scope, { type: "address.listed", data }, system);
}

/** What the API and alerts say of a listing. */
export function toListingFields({
  zone,
  class: weight,
  code,
  meaning,
  says,
  since,
  until,
}: Omit<AddressListingsTable, "workspace_id">) {
  return {
    zone,
    ...adviceOf(zone, weight),
    class: weight,
    code,
    meaning,
    says,
    since: toTimestamp(since),
    until: toTimestampOrNull(until),
  };
}
