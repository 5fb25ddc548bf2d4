import { findListRow } from "../../dns/dnsbl.ts";
import { defineCheck, findOpen, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { DnsblClass, SenderListing } from "../infrastructure-facts.ts";
import { knownValues, whyNone } from "./rows.ts";

// A listing costs less here than in a test of a message from that address. A domain sends from several, and only a
// message shows which of them are shared with other customers of a service.
export const senderBlocklist = defineCheck({
  id: "sender-blocklist",
  helpPage: "fix-blocklists",
  label: "Sender IP blocklists",
  owner: "mail-server",
  asks: "whether an IP that sends for the domain is on a blocklist",
  why: "Receivers that use the blocklist reject all mail from that IP.",
  refs: ["RFC 5782", "list owners' pages"],
  needs: ["senderListings"],
  kinds: [],
  domain: "only",
  passes: "No IP seen sending for the domain ({addresses}) is on any of the blocklists that responded: {lists}.",
  findings: {
    listed: {
      severity: "major",
      title: "Domain's sending IP blocklisted",
      says: "{ip}, which sends for the domain, is on {lists} ({codes}: {meanings}).",
      fix: "Find and fix the cause[[ ({reason})]], then request removal[[ at {advice}]]. If the IP belongs to an email service, ask the service.",
    },
    policy: {
      severity: "minor",
      cost: 8,
      title: "Domain's IP on policy blocklist",
      says: "{ip}, which sends for the domain, is in a range that should not send mail directly ({lists}, {codes}).",
      fix: "Send through your provider's relay. Or have the owner of the range set a PTR record, then request removal[[ at {advice}]].",
    },
    "minor-list": {
      severity: "minor",
      cost: 3,
      title: "Domain's IP on minor blocklist",
      says: "{ip}, which sends for the domain, is on {lists} ({codes}: {meanings}).",
      fix: "Request removal[[ at {advice}]]. Lists like this carry little weight.",
    },
    broad: {
      severity: "info",
      title: "Domain's network on broad blocklist",
      says: "The network that contains {ip}, which sends for the domain, is on {lists}. Such listings cover entire providers.",
      fix: "No action needed. Do not pay for removal.",
    },
  },
  run({ senderListings: rows }) {
    const listings = knownValues(rows);
    if (rows.length === 0) return notApplicable("No IP was seen sending for the domain recently.");
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

/** An address on several lists is one issue, as severe as its worst listing. */
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
