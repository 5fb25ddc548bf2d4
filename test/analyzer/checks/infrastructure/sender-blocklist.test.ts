import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import { senderBlocklist } from "../../../../src/analyzer/checks/infrastructure/sender-blocklist.ts";
import type { Listing, Row, SenderListing } from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import { testCheck } from "../test-check.ts";

const zen = "zen.spamhaus.org";
const spamCop = "bl.spamcop.net";

function on(address: string, zone: string, changes: Partial<Listing> = {}): Row<SenderListing> {
  const listed = { listed: true, class: "major", code: "127.0.0.2", meaning: "a source of spam" } as const;
  const value = { address, zone, text: null, delistUrl: null, ...listed, ...changes };
  return { of: `${address} at ${zone}`, fact: known(value) };
}
const off = (address: string, zone: string) => on(address, zone, { listed: false, code: null, meaning: null });
const minor = { class: "minor", code: "127.0.0.2", meaning: "reported" } as const;
const range = { class: "policy", code: "127.0.0.11", meaning: "should send no mail" } as const;

testCheck(senderBlocklist, [
  {
    when: "passes IPs that are on no blocklist",
    facts: { senderListings: [off("203.0.113.1", zen), off("203.0.113.2", zen)] },
    says: "No IP seen sending for the domain (203.0.113.1 and 203.0.113.2) is on any of the blocklists that responded: Spamhaus ZEN.",
  },
  {
    when: "reports an IP listed for abuse",
    facts: {
      senderListings: [
        off("203.0.113.1", zen),
        on("203.0.113.2", zen, { text: "spam seen", delistUrl: "https://check.spamhaus.org/" }),
      ],
    },
    finds: ["listed"],
    says: "203.0.113.2, which sends for the domain, is on Spamhaus ZEN (127.0.0.2: a source of spam).",
    fix: "Find and fix the cause (spam seen), then request removal at https://check.spamhaus.org/. If the IP belongs to an email service, ask the service.",
  },
  {
    when: "reports each IP once, with its worst listing",
    facts: {
      senderListings: [
        on("203.0.113.1", zen),
        on("203.0.113.1", spamCop, minor),
        on("203.0.113.2", spamCop, minor),
        on("203.0.113.2", zen, range),
        on("203.0.113.3", spamCop, minor),
        on("203.0.113.4", "dnsbl-3.uceprotect.net", { class: "broad" }),
      ],
    },
    finds: ["listed", "policy", "minor-list", "broad"],
  },
  {
    when: "judges the blocklists that answered if one did not",
    facts: {
      senderListings: [{ of: `203.0.113.1 at ${zen}`, fact: unknown("refused") }, on("203.0.113.1", spamCop, minor)],
    },
    finds: ["minor-list"],
  },
  {
    when: "is skipped if no blocklist answered",
    facts: { senderListings: [{ of: `203.0.113.1 at ${zen}`, fact: unknown("refused") }] },
    outcome: "skipped",
  },
  { when: "does not apply if no sender was seen", facts: { senderListings: [] }, outcome: "not-applicable" },
]);
