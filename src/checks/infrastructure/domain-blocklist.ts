import { findListRow } from "../../dns/dnsbl.ts";
import { toAsciiDomain, toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import { defineCheck, findOpen, notApplicable, passed, type Raised, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { Facts, KnownFacts } from "../facts.ts";
import type { DomainListing } from "../infrastructure-facts.ts";
import type { CameThrough } from "../kind.ts";
import { fromDomainOf } from "../party.ts";
import { knownValues, whyNone } from "./rows.ts";

export const domainBlocklist = defineCheck({
  id: "domain-blocklist",
  area: "infrastructure",
  label: "Domain blocklists",
  owner: "mail-server",
  asks: "whether a sending domain is on a blocklist",
  why: "The From, DKIM and return path domains carry their reputation to every address that sends for them.",
  refs: ["RFC 5782", "Spamhaus DBL, SURBL and URIBL pages"],
  needs: ["uribl"],
  wants: ["message", "session", "kind"],
  kinds: "all",
  passes: "The lists that answered do not name {domains}.",
  findings: {
    listed: {
      severity: "critical",
      cost: 45,
      title: "Sending domain on a blocklist",
      says: "{domain}[[ ({role})]] is on {lists} ({codes}: {meanings}).",
      fix: "Stop what caused it, clean your list of recipients, then ask for removal[[ at {advice}]].",
      gates: [{ provider: "apple", sender: "any", reply: "550 5.7.1 (Spamhaus DBL)", when: "dbl" }],
    },
    abused: {
      severity: "major",
      cost: 18,
      title: "Domain listed as abused",
      says: "{domain}[[ ({role})]] is listed as abused ({lists}, {codes}): somebody uses your site or redirector.",
      fix: "Remove the foreign pages or close the open redirect, then ask for removal[[ at {advice}]].",
    },
    grey: {
      severity: "info",
      cost: 0,
      title: "Minor domain blocklist listing",
      says: "{domain}[[ ({role})]] is on {lists} ({meanings}).",
      fix: "Watch it; no action is needed for one listing.",
    },
  },
  run({ uribl, message, kind }) {
    const isBare = isBareDomain(message);
    const judged = toJudged({ uribl, message, kind });
    if (judged.length === 0)
      return uribl.some(({ fact }) => !fact.known)
        ? skipped(whyNone(uribl))
        : notApplicable("The message names no sending domain that a list could hold.");
    const found = [...toGroups(judged).values()].map((group) => toFinding(group, isBare));
    if (found.length > 0) return found;
    return passed({ domains: [...new Set(judged.map(({ domain }) => domain))] });
  },
  open: (facts) => {
    const domains = new Set([...toJudged(facts).map(({ domain }) => domain), ...toSending(facts)]);
    // A row without an answer has no roles; it names its domain before the list.
    const rows = facts.uribl.filter(({ of }) => domains.has(of.split(" ", 1)[0] ?? ""));
    return findOpen(
      "uribl",
      rows.map(({ fact }) => fact),
    );
  },
});

type BlocklistFacts = Pick<Facts, "uribl"> &
  Pick<KnownFacts, "message"> & { readonly kind: Fact<CameThrough> };

/** Whose answers are missed, though none came. */
function toSending({ message, session, kind }: BlocklistFacts & Pick<KnownFacts, "session">): string[] {
  const from = message.known ? fromDomainOf(message.value) : null;
  const returnPath = session.known ? (session.value.mailFrom ?? "") : "";
  const bounces = toAsciiDomain(returnPath.slice(returnPath.lastIndexOf("@") + 1));
  const hasService = kind.known && kind.value.esp !== null;
  return [from, hasService ? null : bounces].flatMap((domain) => domain ?? []);
}

function isBareDomain(message: BlocklistFacts["message"]): boolean {
  return !message.known && message.why === "no-message";
}

function toJudged({ uribl, message, kind }: BlocklistFacts): DomainListing[] {
  const fromDomain = message.known ? fromDomainOf(message.value) : null;
  // A service's own domains are its own concern: its customers cannot change them.
  const hasService = !kind.known || kind.value.esp !== null;
  return knownValues(uribl).filter(
    (row) => isBareDomain(message) || (roleOf(row) !== null && (!hasService || isOwn(row, fromDomain))),
  );
}

/** Those whose listing is the sender's, and what they are to a reader. */
const judgedRoles = [
  ["from", "the From domain"],
  ["dkim", "the domain that signs with DKIM"],
  ["mailfrom", "the domain of the return path"],
] as const;

function roleOf({ roles }: DomainListing): string | null {
  return judgedRoles.find(([role]) => roles.includes(role))?.[1] ?? null;
}

function isOwn({ domain, roles }: DomainListing, fromDomain: string | null): boolean {
  if (roles.includes("from")) return true;
  return fromDomain !== null && toRegistrableDomain(domain) === toRegistrableDomain(fromDomain);
}

/** One organisation's domain on several lists is one fault; its worst listing tells which. */
function toGroups(rows: readonly DomainListing[]): ReadonlyMap<string, readonly DomainListing[]> {
  const groups = new Map<string, DomainListing[]>();
  for (const row of rows.filter(({ listed }) => listed)) {
    const owner = toRegistrableDomain(row.domain);
    groups.set(owner, [...(groups.get(owner) ?? []), row]);
  }
  return groups;
}

const worstFirst = ["bad", "abused", "grey"] as const;
const findings = { bad: "listed", abused: "abused", grey: "grey" } as const;

function toFinding(rows: readonly DomainListing[], isBare: boolean): Raised<"listed" | "abused" | "grey"> {
  const worst = worstFirst.find((one) => rows.some((row) => row.class === one)) ?? "grey";
  const telling = rows.filter((row) => row.class === worst);
  const [first] = telling;
  const lists = [...new Set(telling.map(({ zone }) => findListRow(zone)?.name ?? zone))];
  return {
    finding: findings[worst],
    subject: first?.domain ?? "",
    data: {
      domain: first?.domain ?? "",
      role: first && !isBare ? roleOf(first) : null,
      lists,
      codes: [...new Set(telling.flatMap(({ code }) => code ?? []))],
      meanings: [...new Set(telling.map(({ meaning }) => meaning ?? "listed"))],
      advice: telling.find(({ delistUrl }) => delistUrl !== null)?.delistUrl ?? null,
    },
    holds: lists.includes("Spamhaus DBL") ? ["dbl"] : [],
    evidence: { listings: rows },
  };
}
