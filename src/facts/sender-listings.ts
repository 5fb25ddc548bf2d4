// What the operator's lists say of the addresses that a domain was seen to send from.

import { type Fact, known, unknown } from "../checks/fact.ts";
import type { ListState, Row, SenderListing } from "../checks/infrastructure-facts.ts";
import type { Dns } from "../dns/answer.ts";
import { findListRow } from "../dns/dnsbl.ts";
import { gatherListings } from "./blocklists.ts";

export const maxSenders = 20;
/** Ten lists for each of them; most stand in the cache from the hour before. */
export const maxSenderQuestions = 200;

/** `addresses`: the last seen first. */
export async function gatherSenderListings(
  addresses: readonly string[],
  lists: readonly ListState[],
  dns: Dns,
): Promise<Fact<readonly Row<SenderListing>[]>> {
  if (addresses.length === 0) return known([]);
  const zones = lists.filter((state) => state.with !== "domain" && findListRow(state.zone)?.kind !== "allow");
  if (zones.length === 0) return unknown("off");
  const rows = await Promise.all(
    addresses.slice(0, maxSenders).map(async (address) => {
      const { listings } = await gatherListings({ address, domains: [], zones }, dns);
      if (!listings.known) return [{ of: address, fact: listings }];
      return listings.value.map(({ of, fact }) => toRow(address, of, fact));
    }),
  );
  return known(rows.flat());
}

function toRow(
  address: string,
  zone: string,
  fact: Fact<Omit<SenderListing, "address">>,
): Row<SenderListing> {
  return { of: `${address} at ${zone}`, fact: fact.known ? known({ address, ...fact.value }) : fact };
}
