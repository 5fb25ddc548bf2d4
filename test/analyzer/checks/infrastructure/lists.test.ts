import { known } from "../../../../src/analyzer/checks/fact.ts";
import { allowlist } from "../../../../src/analyzer/checks/infrastructure/allowlist.ts";
import { domainBlocklist } from "../../../../src/analyzer/checks/infrastructure/domain-blocklist.ts";
import { ipBlocklist } from "../../../../src/analyzer/checks/infrastructure/ip-blocklist.ts";
import type { Listing } from "../../../../src/analyzer/checks/infrastructure-facts.ts";
import { listRows } from "../../../../src/analyzer/dns/dnsbl-table.ts";
import { type Case, testCheck } from "../test-check.ts";
import {
  dedicated,
  domainListing,
  fromPrivate,
  fromUpload,
  kind,
  letter,
  listing,
  message,
  session,
  shared,
  silentRow,
} from "./facts.ts";

const zen = "zen.spamhaus.org";
const harm = listing(zen, {
  class: "major",
  meaning: "SBL: spam source, listed manually",
  text: "https://check.spamhaus.org/sbl/query/SBL123",
  delistUrl: "https://check.spamhaus.org/",
});
const range = listing(zen, { class: "policy", code: "127.0.0.11", meaning: "PBL: should send no mail" });
const spamCop = listing("bl.spamcop.net");
const networks = listing("dnsbl-3.uceprotect.net", { class: "broad" });
const clean = listing(zen, { class: "major", listed: false, code: null, meaning: null });

const findingOf = { major: "listed", policy: "policy", minor: "minor-list", broad: "broad" } as const;

/** Of each list that an operator may choose, each thing that it says. */
const everyList = listRows.flatMap((row): Case[] => {
  const zone = row.zones[0]?.replace("<key>", "_key") ?? "";
  if (row.kind !== "address") return [];
  return row.codes.map(({ code, class: weight, meaning }) => {
    const changed: Partial<Listing> = { class: weight, code, meaning, delistUrl: row.delistUrl };
    return {
      when: `judges ${row.name} by its weight: ${code}, ${meaning}`,
      facts: { session: session(), kind: kind(), dnsbl: [listing(zone, changed)] },
      finds: [findingOf[weight]],
    };
  });
});

testCheck(ipBlocklist, [
  {
    when: "passes an address that no list names",
    facts: { session: session(), kind: kind(), dnsbl: [clean] },
    says: "203.0.113.7 is on none of the blocklists that responded: Spamhaus ZEN.",
  },
  {
    when: "fails an address that a list names for harm",
    facts: { session: session(), kind: kind(), dnsbl: [harm] },
    finds: ["listed"],
    says: "203.0.113.7 is on Spamhaus ZEN (127.0.0.2: SBL: spam source, listed manually).",
    fix: "Find and fix the cause (https://check.spamhaus.org/sbl/query/SBL123), then request removal at https://check.spamhaus.org/.",
  },
  {
    when: "sends the customer of a shared service to the service",
    facts: { session: session(), kind: shared, dnsbl: [listing(zen, { class: "major", delistUrl: null })] },
    finds: ["listed"],
    fix: "Find and fix the cause, then request removal. On a shared IP, ask Mailer to move you.",
  },
  {
    when: "tells of a range that should send no mail",
    facts: { session: session(), kind: kind(), dnsbl: [range] },
    finds: ["policy"],
  },
  {
    when: "leaves the range out where the address is listed for harm",
    facts: { session: session(), kind: kind(), dnsbl: [harm, { ...range, of: "pbl.spamhaus.org" }] },
    finds: ["listed"],
  },
  {
    when: "counts a list and a part of it once",
    facts: { session: session(), kind: kind(), dnsbl: [harm, listing("sbl.spamhaus.org", { class: "major" })] },
    finds: ["listed"],
  },
  {
    when: "minds a small list for a server of one's own",
    facts: { session: session(), kind: kind(), dnsbl: [clean, spamCop] },
    finds: ["minor-list"],
    says: "203.0.113.7 is on SpamCop (127.0.0.2: seen sending spam).",
    fix: "Request removal at https://bl.spamcop.net/remove. Lists like this carry little weight.",
  },
  {
    when: "minds it for an address of one's own at a service",
    facts: { session: session(), kind: dedicated, dnsbl: [spamCop] },
    finds: ["minor-list"],
  },
  {
    when: "does not mind small lists at a shared service",
    facts: { session: session(), kind: shared, dnsbl: [spamCop, listing("dnsbl.dronebl.org")] },
    finds: ["shared"],
    says: "203.0.113.7, a shared IP of Mailer, is on SpamCop and DroneBL.",
  },
  {
    when: "does not mind a list of whole networks",
    facts: { session: session(), kind: kind(), dnsbl: [networks] },
    finds: ["broad"],
  },
  {
    when: "judges the lists that answered, whatever another did",
    facts: { session: session(), kind: kind(), dnsbl: [silentRow(zen, "refused"), spamCop] },
    finds: ["minor-list"],
  },
  {
    when: "is skipped where every list refused",
    facts: { session: session(), kind: kind(), dnsbl: [silentRow(zen, "refused")] },
    outcome: "skipped",
  },
  {
    when: "is skipped where no list is asked about such addresses",
    facts: { session: session(), kind: kind(), dnsbl: [] },
    outcome: "skipped",
  },
  {
    when: "is skipped where the operator asks none",
    facts: { session: session(), kind: kind() },
    unknown: { dnsbl: "off" },
    outcome: "skipped",
  },
  {
    when: "says nothing of a private address",
    facts: { session: fromPrivate, kind: kind() },
    unknown: { dnsbl: "not-public" },
    outcome: "skipped",
  },
  ...everyList,
]);

const dnswl = "list.dnswl.org";
const allow = (level: "none" | "low" | "medium" | "high" | null) => ({
  of: dnswl,
  fact: known({ zone: dnswl, listed: level !== null, level, category: null }),
});

testCheck(allowlist, [
  {
    when: "says without praise or blame that nobody vouches",
    facts: { session: session(), dnswl: [allow(null)] },
    says: "203.0.113.7 is not on any allowlist, which is normal.",
  },
  { when: "does not praise a listing without trust", facts: { session: session(), dnswl: [allow("none")] } },
  {
    when: "tells of trust",
    facts: { session: session(), dnswl: [allow("medium")] },
    finds: ["listed"],
    says: "203.0.113.7 is on DNSWL (medium trust).",
  },
  {
    when: "is skipped where the list refused",
    facts: { session: session(), dnswl: [silentRow(dnswl, "refused")] },
    outcome: "skipped",
  },
  {
    when: "is skipped where none is asked",
    facts: { session: session() },
    unknown: { dnswl: "off" },
    outcome: "skipped",
  },
  { when: "says nothing of an upload", facts: { session: fromUpload }, outcome: "skipped" },
]);

const notNamed = domainListing("a.example", { listed: false, code: null, meaning: null });
const abusedSite = { class: "abused", code: "127.0.1.104", meaning: "abused: botnet" } as const;
const watched = { zone: "multi.uribl.com", class: "grey", code: "127.0.0.4", meaning: "grey" } as const;
const services = domainListing("mailer.example", { roles: ["dkim", "mailfrom"] });

testCheck(domainBlocklist, [
  {
    when: "passes a domain that no list names",
    facts: { uribl: [notNamed], message, kind: kind() },
    says: "None of the blocklists that responded includes a.example.",
  },
  {
    when: "fails a From domain that a list names",
    facts: { uribl: [domainListing("a.example")], message, kind: kind() },
    finds: ["listed"],
    says: "a.example (the From domain) is on Spamhaus DBL (127.0.1.2: spam domain).",
    fix: "Fix the cause, clean your recipient list, then request removal at https://check.spamhaus.org/.",
  },
  {
    when: "counts one domain on two lists, by two of its names, once",
    facts: {
      uribl: [
        domainListing("news.a.example"),
        domainListing("a.example", { zone: "multi.surbl.org", code: "127.0.0.64", meaning: "abuse", delistUrl: null }),
        domainListing("a.example", watched),
      ],
      message: letter("ann@news.a.example").message,
      kind: kind(),
    },
    finds: ["listed"],
    says: "news.a.example (the From domain) is on Spamhaus DBL and SURBL (127.0.1.2 and 127.0.0.64: spam domain and abuse).",
  },
  {
    when: "tells of a domain that was broken into",
    facts: { uribl: [domainListing("a.example", abusedSite)], message, kind: kind() },
    finds: ["abused"],
  },
  {
    when: "does not mind a domain that is merely watched",
    facts: { uribl: [domainListing("a.example", watched)], message, kind: kind() },
    finds: ["grey"],
  },
  {
    when: "fails a signing domain of somebody else where no service is known",
    facts: { uribl: [notNamed, services], message, kind: kind() },
    finds: ["listed"],
    says: "mailer.example (the DKIM signing domain) is on Spamhaus DBL (127.0.1.2: spam domain).",
  },
  { when: "leaves a service's own domains to it", facts: { uribl: [notNamed, services], message, kind: shared } },
  {
    when: "judges the sender's own envelope domain at a service",
    facts: { uribl: [notNamed, domainListing("bounce.a.example", { roles: ["mailfrom"] })], message, kind: shared },
    finds: ["listed"],
  },
  {
    when: "leaves linked domains to link-blocklist",
    facts: { uribl: [notNamed, domainListing("x.example", { roles: ["link"] })], message, kind: kind() },
  },
  {
    when: "is skipped where no list told of a sending domain",
    facts: { uribl: [silentRow("a.example at dbl.spamhaus.org", "refused")], message, kind: kind() },
    outcome: "skipped",
  },
  {
    when: "says nothing of a message that names no domain",
    facts: { uribl: [], message, kind: kind() },
    outcome: "not-applicable",
  },
  {
    when: "judges a bare domain, whatever it is named as",
    facts: { uribl: [domainListing("a.example", { roles: [] })] },
    unknown: { message: "no-message", kind: "no-message" },
    finds: ["listed"],
    says: "a.example is on Spamhaus DBL (127.0.1.2: spam domain).",
  },
]);
