// If one of several blocklists or hosts doesn't answer, the others are judged and the missing one is named.

import { expect, test } from "vitest";
import type { Check, Lack } from "../../../src/analyzer/checks/check.ts";
import { listUnsubscribe } from "../../../src/analyzer/checks/compliance/list-unsubscribe.ts";
import { linkBlocklist } from "../../../src/analyzer/checks/content/link-blocklist.ts";
import { linkHostExists } from "../../../src/analyzer/checks/content/link-host-exists.ts";
import { known } from "../../../src/analyzer/checks/fact.ts";
import type { FactName, Facts, KnownFacts } from "../../../src/analyzer/checks/facts.ts";
import { domainBlocklist } from "../../../src/analyzer/checks/infrastructure/domain-blocklist.ts";
import { ipBlocklist } from "../../../src/analyzer/checks/infrastructure/ip-blocklist.ts";
import { runChecks } from "../../../src/analyzer/checks/run.ts";
import { mxRow } from "./compliance/facts.ts";
import { given } from "./content/given.ts";
import { domainListing, kind, listing, message, session, silentRow } from "./infrastructure/facts.ts";

type Given = { readonly [Name in FactName]?: Facts[Name] };

function openIn(check: Check, of: FactName, facts: Given): Lack[] {
  const knownFacts = Object.entries(facts).map(([name, value]) => [name, known(value)]);
  const subject = { on: "message", kind: "bulk", facts: Object.fromEntries(knownFacts) as KnownFacts } as const;
  const [outcome] = runChecks([check], subject, (_, error) => {
    throw error;
  });
  if (!outcome || !("lacks" in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.lacks.filter(({ lacks }) => lacks === of);
}

const client = { session: session(), kind: kind() };
const clean = listing("bl.spamcop.net", { listed: false });

test("an IP blocklist that refuses is listed as unanswered if another one answers", () => {
  expect(openIn(ipBlocklist, "dnsbl", { ...client, dnsbl: [clean] })).toEqual([]);
  const refused = silentRow("zen.spamhaus.org", "refused");
  expect(openIn(ipBlocklist, "dnsbl", { ...client, dnsbl: [refused, clean] })).toEqual([
    { lacks: "dnsbl", why: "refused" },
  ]);
});

test("an IP blocklist that refuses is listed as unanswered if another one has a listing", () => {
  const refused = silentRow("zen.spamhaus.org", "refused");
  const dnsbl = [refused, listing("bl.spamcop.net")];
  expect(openIn(ipBlocklist, "dnsbl", { ...client, dnsbl })).toHaveLength(1);
});

test("a domain blocklist is listed as unanswered if it was asked about the sender", () => {
  const sender = domainListing("a.example", { listed: false });
  const ofSender = silentRow("a.example at multi.surbl.org");
  const ofLink = silentRow("shop.example at multi.surbl.org");
  const facts = { message, kind: kind() };
  expect(openIn(domainBlocklist, "uribl", { ...facts, uribl: [sender, ofLink] })).toEqual([]);
  expect(openIn(domainBlocklist, "uribl", { ...facts, uribl: [sender, ofSender] })).toEqual([
    { lacks: "uribl", why: "timeout" },
  ]);
});

test("a domain blocklist is listed as unanswered if it was asked about the return path only", () => {
  const sender = domainListing("a.example", { listed: false });
  const ofBounces = silentRow("bounce.a.example at dbl.spamhaus.org");
  const facts = { message, kind: kind(), session: session({ mailFrom: "b@bounce.a.example" }) };
  expect(openIn(domainBlocklist, "uribl", { ...facts, uribl: [sender, ofBounces] })).toHaveLength(1);
});

test("a domain blocklist is listed as unanswered for links if it was asked about a link", () => {
  const { links } = given('<a href="https://shop.example/">Shop</a><a href="https://b.example/">B</a>');
  const linked = domainListing("shop.example", { roles: ["link"], listed: false });
  const ofSender = silentRow("a.example at dbl.spamhaus.org");
  const ofLink = silentRow("b.example at dbl.spamhaus.org");
  expect(openIn(linkBlocklist, "uribl", { links, uribl: [linked, ofSender] })).toEqual([]);
  expect(openIn(linkBlocklist, "uribl", { links, uribl: [linked, ofLink] })).toHaveLength(1);
});

test("a linked host without a DNS answer is listed as unanswered", () => {
  const there = { of: "a.example", fact: known({ host: "a.example", exists: true }) };
  expect(openIn(linkHostExists, "linkHosts", { linkHosts: [there] })).toEqual([]);
  expect(openIn(linkHostExists, "linkHosts", { linkHosts: [there, silentRow("b.example")] })).toEqual([
    { lacks: "linkHosts", why: "timeout" },
  ]);
});

test("only a List-Unsubscribe host without a DNS answer is listed as unanswered", () => {
  const { message } = given("<p>News</p>", { headers: ["List-Unsubscribe: <https://leave.example/u>"] });
  const other = mxRow("other.example", "timeout");
  const facts = (row: typeof other) => ({ message, mx: [row, other] });
  expect(openIn(listUnsubscribe, "mx", facts(mxRow("leave.example", "timeout")))).toHaveLength(1);
  expect(openIn(listUnsubscribe, "mx", facts(mxRow("leave.example", {})))).toEqual([]);
});
