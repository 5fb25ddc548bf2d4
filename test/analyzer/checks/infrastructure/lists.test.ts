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
    when: "passes an IP that is on no blocklist",
    facts: { session: session(), kind: kind(), dnsbl: [clean] },
    says: "203.0.113.7 is on none of the blocklists that responded: Spamhaus ZEN.",
  },
  {
    when: "finds an IP listed for abuse",
    facts: { session: session(), kind: kind(), dnsbl: [harm] },
    finds: ["listed"],
    says: "203.0.113.7 is on Spamhaus ZEN (127.0.0.2: SBL: spam source, listed manually).",
    fix: "Find and fix the cause (https://check.spamhaus.org/sbl/query/SBL123), then request removal at https://check.spamhaus.org/.",
  },
  {
    when: "refers the customer of a shared service to the service",
    facts: { session: session(), kind: shared, dnsbl: [listing(zen, { class: "major", delistUrl: null })] },
    finds: ["listed"],
    fix: "Find and fix the cause, then request removal. On a shared IP, ask Mailer to move you.",
  },
  {
    when: "reports a range that should send no mail",
    facts: { session: session(), kind: kind(), dnsbl: [range] },
    finds: ["policy"],
  },
  {
    when: "leaves out the range if the IP is listed for abuse",
    facts: { session: session(), kind: kind(), dnsbl: [harm, { ...range, of: "pbl.spamhaus.org" }] },
    finds: ["listed"],
  },
  {
    when: "counts a blocklist and a part of it once",
    facts: { session: session(), kind: kind(), dnsbl: [harm, listing("sbl.spamhaus.org", { class: "major" })] },
    finds: ["listed"],
  },
  {
    when: "reports a small blocklist for the sender's own server",
    facts: { session: session(), kind: kind(), dnsbl: [clean, spamCop] },
    finds: ["minor-list"],
    says: "203.0.113.7 is on SpamCop (127.0.0.2: seen sending spam).",
    fix: "Request removal at https://bl.spamcop.net/remove. Lists like this carry little weight.",
  },
  {
    when: "reports a small blocklist for the sender's own IP at a service",
    facts: { session: session(), kind: dedicated, dnsbl: [spamCop] },
    finds: ["minor-list"],
  },
  {
    when: "reports small blocklists only as a note for a shared service",
    facts: { session: session(), kind: shared, dnsbl: [spamCop, listing("dnsbl.dronebl.org")] },
    finds: ["shared"],
    says: "203.0.113.7, a shared IP of Mailer, is on SpamCop and DroneBL.",
  },
  {
    when: "reports a blocklist of whole networks only as a note",
    facts: { session: session(), kind: kind(), dnsbl: [networks] },
    finds: ["broad"],
  },
  {
    when: "judges the blocklists that answered, whatever another one did",
    facts: { session: session(), kind: kind(), dnsbl: [silentRow(zen, "refused"), spamCop] },
    finds: ["minor-list"],
  },
  {
    when: "is skipped if every blocklist refused",
    facts: { session: session(), kind: kind(), dnsbl: [silentRow(zen, "refused")] },
    outcome: "skipped",
  },
  {
    when: "is skipped if no blocklist has such addresses",
    facts: { session: session(), kind: kind(), dnsbl: [] },
    outcome: "skipped",
  },
  {
    when: "is skipped if the operator uses no blocklist",
    facts: { session: session(), kind: kind() },
    unknown: { dnsbl: "off" },
    outcome: "skipped",
  },
  {
    when: "is skipped for a private IP",
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
    when: "passes an IP that is not on the allowlist, without praise",
    facts: { session: session(), dnswl: [allow(null)] },
    says: "203.0.113.7 is not on any allowlist, which is normal.",
  },
  { when: "does not praise a listing without trust", facts: { session: session(), dnswl: [allow("none")] } },
  {
    when: "reports a listing with trust",
    facts: { session: session(), dnswl: [allow("medium")] },
    finds: ["listed"],
    says: "203.0.113.7 is on DNSWL (medium trust).",
  },
  {
    when: "is skipped if the allowlist refused",
    facts: { session: session(), dnswl: [silentRow(dnswl, "refused")] },
    outcome: "skipped",
  },
  {
    when: "is skipped if no allowlist is used",
    facts: { session: session() },
    unknown: { dnswl: "off" },
    outcome: "skipped",
  },
  { when: "is skipped for an upload", facts: { session: fromUpload }, outcome: "skipped" },
]);

const notNamed = domainListing("a.example", { listed: false, code: null, meaning: null });
const abusedSite = { class: "abused", code: "127.0.1.104", meaning: "abused: botnet" } as const;
const watched = { zone: "multi.uribl.com", class: "grey", code: "127.0.0.4", meaning: "grey" } as const;
const services = domainListing("mailer.example", { roles: ["dkim", "mailfrom"] });

testCheck(domainBlocklist, [
  {
    when: "passes a domain that is on no blocklist",
    facts: { uribl: [notNamed], message, kind: kind() },
    says: "None of the blocklists that responded includes a.example.",
  },
  {
    when: "finds a listed From domain",
    facts: { uribl: [domainListing("a.example")], message, kind: kind() },
    finds: ["listed"],
    says: "a.example (the From domain) is on Spamhaus DBL (127.0.1.2: spam domain).",
    fix: "Fix the cause, clean your recipient list, then request removal at https://check.spamhaus.org/.",
  },
  {
    when: "counts two listings of one domain once",
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
    when: "reports a compromised domain",
    facts: { uribl: [domainListing("a.example", abusedSite)], message, kind: kind() },
    finds: ["abused"],
  },
  {
    when: "reports a suspicious domain only as a note",
    facts: { uribl: [domainListing("a.example", watched)], message, kind: kind() },
    finds: ["grey"],
  },
  {
    when: "finds a listed signing domain of another owner if no service is known",
    facts: { uribl: [notNamed, services], message, kind: kind() },
    finds: ["listed"],
    says: "mailer.example (the DKIM signing domain) is on Spamhaus DBL (127.0.1.2: spam domain).",
  },
  { when: "ignores a service's own domains", facts: { uribl: [notNamed, services], message, kind: shared } },
  {
    when: "judges the sender's own return path domain at a service",
    facts: { uribl: [notNamed, domainListing("bounce.a.example", { roles: ["mailfrom"] })], message, kind: shared },
    finds: ["listed"],
  },
  {
    when: "leaves linked domains to link-blocklist",
    facts: { uribl: [notNamed, domainListing("x.example", { roles: ["link"] })], message, kind: kind() },
  },
  {
    when: "is skipped if no blocklist answered for a sending domain",
    facts: { uribl: [silentRow("a.example at dbl.spamhaus.org", "refused")], message, kind: kind() },
    outcome: "skipped",
  },
  {
    when: "does not apply to a message without domains",
    facts: { uribl: [], message, kind: kind() },
    outcome: "not-applicable",
  },
  {
    when: "judges a domain without a message in any role",
    facts: { uribl: [domainListing("a.example", { roles: [] })] },
    unknown: { message: "no-message", kind: "no-message" },
    finds: ["listed"],
    says: "a.example is on Spamhaus DBL (127.0.1.2: spam domain).",
  },
]);
