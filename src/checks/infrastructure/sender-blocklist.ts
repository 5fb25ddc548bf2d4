import { findListRow } from "../../dns/dnsbl.ts";
import { defineCheck, findOpen, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { DnsblClass, SenderListing } from "../infrastructure-facts.ts";
import { knownValues, whyNone } from "./rows.ts";

// A listing costs less here than in a test of a message from that very address: a domain sends from several, and which of
// them a service's customers share nobody can tell without a message.
export const senderBlocklist = defineCheck({
  id: "sender-blocklist",
  area: "infrastructure",
  label: "Sender IP blocklists",
  owner: "mail-server",
  asks: "whether an address that sends for the domain is on a blocklist",
  why: "Receivers that use the list refuse mail from there, whatever it says.",
  refs: ["RFC 5782", "list owners' pages"],
  needs: ["senderListings"],
  kinds: [],
  domain: "only",
  passes:
    "The addresses that were seen to send for the domain ({addresses}) are on none of the lists that answered: {lists}.",
  findings: {
    listed: {
      severity: "major",
      cost: 18,
      title: "Domain's sending IP blocklisted",
      says: "{ip}, which sends for the domain, is on {lists} ({codes}: {meanings}).",
      fix: "Find and stop the cause first[[ ({reason})]], then ask for removal[[ at {advice}]]. If the address is a service's, ask the service.",
    },
    policy: {
      severity: "minor",
      cost: 8,
      title: "Domain's IP on policy blocklist",
      says: "{ip}, which sends for the domain, is in a range that should not send mail directly ({lists}, {codes}).",
      fix: "Send through your provider's relay, or have the range's owner set a PTR and then ask for removal[[ at {advice}]].",
    },
    "minor-list": {
      severity: "minor",
      cost: 3,
      title: "Domain's IP on minor blocklist",
      says: "{ip}, which sends for the domain, is on {lists} ({codes}: {meanings}).",
      fix: "Ask for removal[[ at {advice}]]; such lists weigh little.",
    },
    broad: {
      severity: "info",
      cost: 0,
      title: "Domain's network on broad blocklist",
      says: "The network of {ip}, which sends for the domain, is on {lists}, which lists whole providers.",
      fix: "Nothing; do not pay for removal.",
    },
  },
  run({ senderListings: rows }) {
    const listings = knownValues(rows);
    if (rows.length === 0) return notApplicable("No address was seen to send for the domain lately.");
    if (listings.length === 0) return skipped(whyNone(rows));
    const byAddress = Map.groupBy(
      listings.filter(({ listed }) => listed),
      ({ address }) => address,
    );
    const found = [...byAddress.values()].flatMap(judge);
    if (found.length > 0) return found;
    const addresses = [...new Set(listings.map(({ address }) => address))];
    return passed({ addresses, lists: namesOf(listings) });
  },
  open: ({ senderListings }) =>
    findOpen(
      "senderListings",
      senderListings.map(({ fact }) => fact),
    ),
});

type Finding = "listed" | "policy" | "minor-list" | "broad";

const worstFirst: readonly (readonly [DnsblClass, Finding])[] = [
  ["major", "listed"],
  ["policy", "policy"],
  ["minor", "minor-list"],
  ["broad", "broad"],
];

/** One address on several lists is one fault; its worst listings tell which. */
function judge(listings: readonly SenderListing[]): Raised<Finding>[] {
  for (const [weight, finding] of worstFirst) {
    const telling = listings.filter((listing) => listing.class === weight);
    const [first] = telling;
    if (first === undefined) continue;
    const data = {
      ip: first.address,
      lists: namesOf(telling),
      codes: [...new Set(telling.map(({ code }) => code ?? "listed"))],
      meanings: [...new Set(telling.map(({ meaning }) => meaning ?? "listed"))],
      reason: telling.find(({ text }) => text !== null)?.text ?? null,
      advice: telling.find(({ delistUrl }) => delistUrl !== null)?.delistUrl ?? null,
    };
    return [{ finding, subject: first.address, data, evidence: { listings } }];
  }
  return [];
}

function namesOf(listings: readonly SenderListing[]): string[] {
  return [...new Set(listings.map(({ zone }) => findListRow(zone)?.name ?? zone))];
}
