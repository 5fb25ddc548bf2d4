// Asks the lists about one address. A list that refuses, doesn't answer, or lists everything or nothing says nothing.
// Because a list may begin to do so at any time, it is tested again before a new listing or an end counts.

import { unknown } from "../../../analyzer/checks/fact.ts";
import type { AskedWith, ListState } from "../../../analyzer/checks/infrastructure-facts.ts";
import type { Dns } from "../../../analyzer/dns/answer.ts";
import type { BlocklistZone } from "../../../analyzer/dns/dnsbl.ts";
import { gatherListings } from "../../../analyzer/facts/blocklists.ts";
import { createListTests } from "../../../analyzer/facts/list-tests.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import type { AddressListingsTable, OwnAddressesTable } from "../tables.ts";

export type Answer =
  | { readonly zone: string; readonly is: "clean" }
  | { readonly zone: string; readonly is: "unknown"; readonly why: string }
  | ({ readonly zone: string; readonly is: "listed" } & Pick<
      AddressListingsTable,
      "class" | "code" | "meaning" | "says"
    >);

const maxTextLength = 300;
/** A test that takes longer ends in the background. */
const patienceMs = 10_000;

type Named = Pick<OwnAddressesTable, "value" | "kind">;

export async function askList({ value, kind }: Named, state: ListState, dns: Dns): Promise<Answer> {
  const { zone } = state;
  const questions =
    kind === "domain"
      ? { address: null, domains: [{ domain: value, roles: ["from"] }] }
      : { address: value, domains: [] };
  const gathered = await gatherListings({ ...questions, zones: [state] }, dns);
  const rows = kind === "domain" ? gathered.domains : gathered.listings;
  const fact = rows.known ? (rows.value[0]?.fact ?? unknown("unused")) : rows;
  if (!fact.known) return { zone, is: "unknown", why: fact.why };
  const { listed, class: weight, code, meaning, text } = fact.value;
  if (!listed) return { zone, is: "clean" };
  const says = text === null ? null : toVisibleCut(text, maxTextLength);
  return { zone, is: "listed", class: weight, code: code ?? "", meaning: meaning ?? "", says };
}

/** No sender has them. */
const nobodys = { ipv4: "192.0.2.1", ipv6: "2001:db8::1" };

/**
 * Tests a list now, whatever an earlier test said. Null: it works. A wildcard hides from the tests of RFC 5782 behind the
 * test entry itself (RFC 4592 §2.2.2), but lists an address that no sender has.
 */
export async function whyUnfit(zone: BlocklistZone, kind: AskedWith, dns: Dns, now: () => number) {
  const states = await createListTests([zone], dns, now).states(patienceMs);
  const state = states.find((each) => each.with === kind);
  // A list of one's own is known to take domains only while its test entry is there.
  const unfit = state ? state.unfit : "servfail";
  if (unfit !== null || kind === "domain") return unfit;
  const answer = await askList({ value: nobodys[kind], kind }, { zone: zone.zone, with: kind, unfit: null }, dns);
  return answer.is === "listed" ? "servfail" : null;
}
