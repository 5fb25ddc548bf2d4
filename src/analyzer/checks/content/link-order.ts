// A link with several issues is judged once, by the first check in this order: one cause, one owner. The conditions are
// in one place because each check has to know what earlier ones find.

import { toRegistrableDomain } from "../../mail/headers/registrable-domain.ts";
import type { Link, Links } from "../../mail/links/links.ts";
import { gmailRefuses } from "../../mail/mime/file-names.ts";
import type { Message } from "../../mail/mime/message.ts";
import { findDomain } from "../../mail/urls/patterns.ts";
import type { Dkim } from "../authentication-facts.ts";
import { notApplicable, type Raised, type Verdict } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { Own, Session } from "../facts.ts";
import { brandOfDomain, isOwnedBy } from "../impersonation/brands.ts";
import { findBrandDomainAbove } from "../impersonation/judge-domain.ts";
import { findImitated } from "../lookalike.ts";
import { mixedScriptsIn } from "../scripts.ts";
import { readClaim } from "./link-claim.ts";
import { type ListAnswers, type ListedDomain, listedDomains } from "./listed-links.ts";
import { isPrivateHost } from "./private-host.ts";
import { isOwn, type Senders, toSenders } from "./senders.ts";

/** The facts that the checks in this order need. */
type LinkFacts = {
  readonly links: Links;
  readonly message: Message;
  readonly uribl: Fact<ListAnswers>;
  readonly own: Fact<Own>;
  readonly dkim: Fact<Dkim>;
  readonly session: Fact<Session>;
};

type LinkContext = {
  readonly listed: ReadonlyMap<string, ListedDomain>;
  readonly findImitation: FindImitation;
  readonly senders: Senders;
};

type Condition = (link: Link, context: LinkContext) => boolean;

const order = [
  ["link-blocklist", ({ host }, { listed }) => host !== null && listed.size > 0 && findDomain(host, listed) !== null],
  ["link-credentials", ({ userinfo }) => userinfo !== null],
  [
    "link-address",
    (link, { senders }) =>
      numericForms.has(link.form) && !(isPrivateHost(link) && readClaim(link, senders).is === "broken"),
  ],
  ["link-lookalike", (link, { findImitation }) => findImitation(link) !== null],
  ["link-text", (link, { senders }) => readClaim(link, senders).is === "broken"],
  ["link-file", isProgram],
  ["link-shortener", isForeignShortener],
  ["link-redirector", isOpenRedirect],
  ["link-scheme", ({ scheme }) => scheme === "http"],
] as const satisfies readonly (readonly [string, Condition])[];

export type LinkCheck = (typeof order)[number][0];

export const linkOrder: readonly LinkCheck[] = order.map(([check]) => check);

const numericForms: ReadonlySet<Link["form"]> = new Set(["ipv4", "ipv6", "decimal", "octal", "hex"]);

/**
 * File types that Gmail blocks, without those that also end the URL of a web page: /wiki/Node.js, /whois/shop.com,
 * /ws/ISAPI.dll?item=1.
 */
const programEndings = gmailRefuses.difference(new Set("adp com dll ex ins js lib mjs sys".split(" ")));

/** Programs under /cgi-bin run on the server and return a page. */
function isProgram({ fileExtension, href }: Link): boolean {
  return fileExtension !== null && programEndings.has(fileExtension) && !/\/cgi(?:-bin|-win)?\//i.test(href);
}

function isForeignShortener(link: Link, { senders }: LinkContext): boolean {
  return link.shortener !== null && link.shortener.brand === null && !isOwn(link, senders);
}

function isOpenRedirect(link: Link, { senders }: LinkContext): boolean {
  const { redirector, target, orgDomain } = link;
  return redirector !== null && target !== null && target.orgDomain !== orgDomain && !isOwn(link, senders);
}

/** All links of a message, judged once for all checks in the order. */
export type JudgedLinks = {
  readonly context: LinkContext;
  /** The links that this check judges. */
  readonly of: (check: LinkCheck) => readonly Link[];
  /** Null when no check in the order finds an issue. */
  readonly judgeOf: (link: Link) => LinkCheck | null;
  /** Links with this check's issue that an earlier check judges. */
  readonly leftBy: (check: LinkCheck) => readonly Link[];
};

type Remembered = { readonly facts: LinkFacts; readonly judged: JudgedLinks };
const remembered = new WeakMap<Links, Remembered>();

export function judgeLinks({ links, message, uribl, own, dkim, session }: LinkFacts): JudgedLinks {
  const facts = { links, message, uribl, own, dkim, session };
  const before = remembered.get(links);
  if (before && isSame(before.facts, facts)) return before.judged;
  const judged = judge(facts);
  remembered.set(links, { facts, judged });
  return judged;
}

/** A DNS preview passes different facts with the same links. */
function isSame(one: LinkFacts, other: LinkFacts): boolean {
  return (
    one.message === other.message &&
    one.uribl === other.uribl &&
    one.own === other.own &&
    one.dkim === other.dkim &&
    one.session === other.session
  );
}

function judge({ links, message, uribl, own, dkim, session }: LinkFacts): JudgedLinks {
  const senders = toSenders(message, dkim, session);
  const findImitation = createFindImitation(senders, own.known ? own.value.domains : []);
  const context: LinkContext = { listed: listedDomains(uribl), senders, findImitation };
  const judges = new Map(links.list.map((link) => [link, findJudge(link, context)]));
  const judgeOf = (link: Link) => judges.get(link) ?? null;
  const leftBy = (check: LinkCheck) => {
    const place = linkOrder.indexOf(check);
    const condition: Condition | undefined = order[place]?.[1];
    return links.list.filter((link) => {
      const judge = judgeOf(link);
      return judge !== null && linkOrder.indexOf(judge) < place && condition?.(link, context);
    });
  };
  return { context, judgeOf, leftBy, of: (check) => links.list.filter((link) => judgeOf(link) === check) };
}

/** A check doesn't pass while a link has its issue, even if an earlier check judges that link. */
export function conclude<Finding extends string>(
  check: LinkCheck,
  { leftBy }: JudgedLinks,
  raised: readonly Raised<Finding>[],
): Verdict<Finding> {
  if (raised.length > 0 || leftBy(check).length === 0) return raised;
  return notApplicable("Another check reports a more serious issue with the same link.");
}

/** `placeholders` judges links with an unreplaced merge tag. */
function findJudge(link: Link, context: LinkContext): LinkCheck | null {
  if (link.placeholder !== null) return null;
  return order.find(([, condition]: readonly [LinkCheck, Condition]) => condition(link, context))?.[0] ?? null;
}

/** Links without those that contain an unreplaced merge tag. */
export function finishedLinks({ list }: Links): Link[] {
  return list.filter(({ placeholder }) => placeholder === null);
}

// Decides whether a link host imitates another (UTS #39): several alphabets in one label, invisible characters, or the
// look of a well-known domain.

/** Completes "A link host …"; null for an ordinary host. */
type FindImitation = (link: Link) => string | null;

/** Other checks judge the sender's own domain. Each host is judged once. */
function createFindImitation(senders: Senders, ownDomains: readonly string[]): FindImitation {
  const known = new Map<string, string | null>();
  return (link) => {
    const { host, unicodeHost } = link;
    if (host === null || isOwn(link, senders)) return null;
    const written = hostAsWritten(link);
    const before = known.get(written);
    if (before !== undefined) return before;
    const imitation = judgeHost(host, unicodeHost ?? host, written, ownDomains);
    known.set(written, imitation);
    return imitation;
  };
}

function judgeHost(host: string, unicodeHost: string, written: string, ownDomains: readonly string[]): string | null {
  const scripts = unicodeHost.split(".").flatMap((label) => mixedScriptsIn(label) ?? []);
  if (scripts.length > 0) return `mixes ${[...new Set(scripts)].join(" and ")} letters`;
  if (/\p{Default_Ignorable_Code_Point}/u.test(written)) return "contains invisible characters";
  const spelled = findSpelled(host);
  if (spelled !== null) return `poses as ${spelled}`;
  const other = findImitated(host, written, ownDomains);
  return other === null ? null : `looks like ${other}`;
}

/** Content networks and security gateways that legitimately put another host name before their own. */
const proxies = new Set(
  "akamaized.net akamaihd.net cdn.cloudflare.net cloudflare.net edgekey.net edgesuite.net fastly.net mcas.ms translate.goog".split(
    " ",
  ),
);

/** A known brand's domain as the start of another host name: dhl.com.parcel-fee.example. */
function findSpelled(host: string): string | null {
  const organization = toRegistrableDomain(host);
  const domain = proxies.has(organization) ? null : findBrandDomainAbove(host, organization);
  const brand = domain === null ? null : brandOfDomain(domain);
  return brand === null || isOwnedBy(brand, host, "service") ? null : domain;
}

function hostAsWritten({ href }: Link): string {
  return /^(?:https?:)?[/\\]{0,8}([^/?#\\]{0,300})/i.exec(href)?.[1] ?? "";
}
