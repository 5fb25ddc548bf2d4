// Whether blocklists list a domain or the addresses that it sends from.

import type { Feature } from "../../../platform/server.ts";
import { listOpenListings, listValues } from "../rows.ts";
import { adviceOf, kindsOf } from "../rules/lists.ts";
import { toStanding } from "../words.ts";
import { findAddresses } from "./learn.ts";

export const ownAddressStanding: NonNullable<Feature["standing"]> = {
  blocklists: async ({ id, domain }, { read, readInWorker }, { watchedLists, system, ...naming }) => {
    const [found, lists, open] = await Promise.all([
      findAddresses(readInWorker, { id, domain, now: system.now() }, naming),
      watchedLists(),
      listOpenListings(read),
    ]);
    const known = await listValues(
      read,
      found.map(({ value }) => value),
    );
    const byId = new Map(known.map((row) => [row.id, row]));
    const listings = open.filter(({ address_id }) => byId.has(address_id));
    const [worst] = listings;
    const named = worst && byId.get(worst.address_id);
    const kinds = kindsOf(lists);
    const taken = known.filter(({ kind }) => kinds.has(kind));
    const words = toStanding({
      total: known.length,
      taken: taken.length,
      checked: taken.filter(({ checked_at }) => checked_at !== null).length,
      listed: new Set(listings.map(({ address_id }) => address_id)).size,
      worst: worst && named ? { value: named.value, ...adviceOf(worst.zone, worst.class), class: worst.class } : null,
      lists,
    });
    return { ...words, page: named ? `/addresses/${named.id}` : "/addresses" };
  },
};
