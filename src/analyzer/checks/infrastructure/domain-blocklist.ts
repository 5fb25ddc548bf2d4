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
  helpPage: "fix-blocklists",
  label: "Domain blocklists",
  owner: "mail-server",
  asks: "whether a sending domain is on a blocklist",
  why: "A domain's reputation follows it to every IP that sends for it. This check covers the From, DKIM, and return-path domains.",
  refs: ["RFC 5782", "Spamhaus DBL, SURBL and URIBL pages"],
  needs: ["uribl"],
  wants: ["message", "session", "kind"],
  passes: "None of the blocklists that responded includes {domains}.",
  findings: {
    listed: {
      severity: "critical",
      title: "Sending domain on a blocklist",
      says: "{domain}[[ ({role})]] is on {lists} ({codes}: {meanings}).",
      fix: "Fix the cause, clean your recipient list, then request removal[[ at {advice}]].",
      gates: [{ provider: "apple", sender: "any", reply: "550 5.7.1 (Spamhaus DBL)", when: "dbl" }],
    },
    abused: {
      severity: "major",
      title: "Domain listed as abused",
      says: "{domain}[[ ({role})]] is listed as abused ({lists}, {codes}). Someone is misusing its website or redirector.",
      fix: "Remove the injected pages or close the open redirect, then request removal[[ at {advice}]].",
    },
    grey: {
      severity: "info",
      title: "Minor domain blocklist listing",
      says: "{domain}[[ ({role})]] is on {lists} ({meanings}).",
      fix: "Keep an eye on it. A single listing needs no action.",
    },
  },
  run({ uribl, message, kind }) {
    const isBare = isBareDomain(message);
    const judged = toJudged({ uribl, message, kind });
    if (judged.length === 0)
      return uribl.some(({ fact }) => !fact.known)
        ? skipped(whyNone(uribl))
        : notApplicable("The message has no sending domain that could be on a blocklist.");
    const found = [...toGroups(judged).values()].map((group) => toFinding(group, isBare));
    if (found.length > 0) return found;
    return passed({ domains: [...new Set(judged.map(({ domain }) => domain))] });
  },
  open: (facts) => {
    const domains = new Set([...toJudged(facts).map(({ domain }) => domain), ...toSending(facts)]);
    // A row without an answer has no roles. Its name begins with the domain.
    const rows = facts.uribl.filter(({ of }) => domains.has(of.split(" ", 1)[0] ?? ""));
    return findOpen(
      "uribl",
      rows.map(({ fact }) => fact),
    );
  },
});

type BlocklistFacts = Pick<Facts, "uribl"> & Pick<KnownFacts, "message"> & { readonly kind: Fact<CameThrough> };

/** The sending domains. If a list does not respond for one of them, its answer counts as missing. */
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
  // Customers of an email service cannot fix listings of its domains.
  const hasService = !kind.known || kind.value.esp !== null;
  return knownValues(uribl).filter(
    (row) => isBareDomain(message) || (roleOf(row) !== null && (!hasService || isOwn(row, fromDomain))),
  );
}

/** The roles in which a listing is the sender's problem, with the words for them. */
const judgedRoles = [
  ["from", "the From domain"],
  ["dkim", "the DKIM signing domain"],
  ["mailfrom", "the return-path domain"],
] as const;

function roleOf({ roles }: DomainListing): string | null {
  return judgedRoles.find(([role]) => roles.includes(role))?.[1] ?? null;
}

function isOwn({ domain, roles }: DomainListing, fromDomain: string | null): boolean {
  if (roles.includes("from")) return true;
  return fromDomain !== null && toRegistrableDomain(domain) === toRegistrableDomain(fromDomain);
}

/** An organization's domain on several lists is one issue, as severe as its worst listing. */
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
