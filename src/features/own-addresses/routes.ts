import { isSendingAddress, toPlainAddress } from "../../analyzer/addresses.ts";
import { readSendingDomain } from "../../analyzer/dns/domain-name.ts";
import { auditedObject } from "../../platform/audit/rows/objects.ts";
import { recordChange } from "../../platform/audit/rows/recording.ts";
import { toTimestamp, toTimestampOrNull } from "../../platform/contract/primitives.ts";
import { Refusal } from "../../platform/errors.ts";
import { createId } from "../../platform/ids.ts";
import { type Route, route } from "../../platform/route.ts";
import * as api from "./contract.ts";
import * as rows from "./rows.ts";
import { adviceOf, freeZones, kindsOf } from "./rules/lists.ts";
import type { AddressListingsTable, OwnAddressesTable } from "./tables.ts";
import { toStanding } from "./words.ts";
import { toListingFields } from "./work/watch.ts";

const auditedOwnAddress = auditedObject({
  kind: "own-address",
  table: "own_addresses",
  columns: ["value", "ignored"],
  toName: ({ value }) => value,
});

const mostHistory = 200;

export const ownAddressRoutes: readonly Route[] = [
  route(api.listOwnAddresses, async ({ store: { read }, query }, server) => {
    const [page, total, open] = await Promise.all([
      rows.listAddresses(read, query),
      rows.countAddresses(read),
      rows.listOpenListings(read),
    ]);
    const byAddress = Map.groupBy(open, ({ address_id }) => address_id);
    const lists = await server.watchedLists();
    const [worst] = open;
    const named = worst && (await rows.readAddress(read, worst.address_id));
    const kinds = kindsOf(lists);
    const { says } = toStanding({
      total,
      ...(await rows.countTaken(read, kinds, server.system.now())),
      listed: byAddress.size,
      worst: worst && named ? { value: named.value, ...adviceOf(worst.zone, worst.class), class: worst.class } : null,
      lists,
    });
    const on = new Set(lists.map(({ zone }) => zone));
    return {
      says,
      items: page.map((row) => ({ ...toFields(row, kinds), listings: (byAddress.get(row.id) ?? []).map(toListing) })),
      total,
      listed: byAddress.size,
      lists,
      free: freeZones.filter((zone) => !on.has(zone)),
    };
  }),

  route(api.readOwnAddress, async ({ store: { read }, params: { id } }, server) => {
    const row = await rows.readAddress(read, id);
    if (!row) throw new Refusal("not_found", "Address not found.");
    const kinds = kindsOf(await server.watchedLists());
    return { ...toFields(row, kinds), history: (await rows.listListings(read, id, mostHistory)).map(toListing) };
  }),

  route(api.addOwnAddresses, async ({ store, body: { values } }, { system }) => {
    const typed = new Map(values.map((value) => readTyped(value)).map((each) => [each.value, each]));
    return await store.write(async (scope) => {
      const names = (await rows.listNames(scope)).filter(({ ignored }) => ignored === 0);
      const known = new Set(names.map(({ value }) => value));
      const added = [...typed.values()].filter(({ value }) => !known.has(value));
      if (known.size + added.length > rows.mostAddresses)
        throw new Refusal("conflict", `A workspace can have ${rows.mostAddresses} addresses.`, { field: "values" });
      const now = system.now();
      for (const each of typed.values())
        await rows.noteAddress(scope, { ...each, id: createId("ownAddress", now, system.random(16)) }, now);
      if (added.length > 0)
        recordChange({
          objectName: added
            .map(({ value }) => value)
            .slice(0, 10)
            .join(", "),
        });
      return { added: added.length };
    });
  }).recording({ action: "own-address.create", keep: ["values"], effect: "maybe" }),

  route(api.removeOwnAddress, async ({ store, params: { id } }) => {
    await store.write(async (scope) => {
      if (!(await rows.ignoreAddress(scope, id))) throw new Refusal("not_found", "Address not found.");
      recordChange();
    });
    return undefined;
  }).recording({ action: "own-address.delete", object: auditedOwnAddress }),
];

function readTyped(typed: string) {
  const plain = toPlainAddress(typed.trim());
  if (plain !== undefined) {
    if (!isSendingAddress(plain))
      throw new Refusal("invalid_request", `${plain} is not a public address.`, { field: "values" });
    return {
      value: plain,
      kind: plain.includes(":") ? ("ipv6" as const) : ("ipv4" as const),
      origin: "typed" as const,
    };
  }
  const reading = readSendingDomain(typed);
  if (!reading.ok)
    throw new Refusal("invalid_request", `${typed.trim().slice(0, 100)}: ${reading.problem}`, { field: "values" });
  return { value: reading.domain, kind: "domain" as const, origin: "typed" as const };
}

function toFields({ id, value, kind, origin, checked_at }: OwnAddressesTable, kinds: ReadonlySet<string>) {
  return { id, value, kind, origin, isWatched: kinds.has(kind), checkedAt: toTimestampOrNull(checked_at) };
}

function toListing(row: AddressListingsTable): api.AddressListing {
  return { ...toListingFields(row), confirmedAt: toTimestamp(row.seen_at) };
}
