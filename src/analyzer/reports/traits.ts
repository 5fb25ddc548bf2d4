// What stays the same from message to message of one stream, in a form that is small enough to keep with each test: the
// template, the sending host, the signing keys, the sender's DNS records, and Assay's version. Where one of them
// changes, something happened.

import { toQuestionKey } from "../dns/answer.ts";
import type { HeaderSection } from "../mail/headers/fields.ts";
import { toAsciiDomain, toFromDomain, toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import { hashText, similarityOf } from "../mail/html/structure.ts";
import type { Links } from "../mail/links/links.ts";
import type { SmtpSession } from "../mail/session/session.ts";
import { isTrouble, meaningOf } from "./compare-dns.ts";
import headers from "./compared-headers.json" with { type: "json" };
import type { Report } from "./report.ts";

export type Traits = {
  /** A sketch of the HTML's layout. Null for a message without HTML. */
  readonly template: string | null;
  /** Which headers the message has that mean something to receivers. Missing in old traits. */
  readonly headers?: readonly string[];
  /** What is unusual about the links, of all of them together. Missing in old traits. */
  readonly links?: readonly LinkTrait[];
  /** The sending host without numbers, because a provider's hosts are alike. Null if unknown. */
  readonly host: string | null;
  /** `selector.domain` of each signature. */
  readonly selectors: readonly string[];
  /** Hashes of the sender's DNS records, by name and type. */
  readonly dns: Readonly<Record<string, string>>;
  /** Assay's version. */
  readonly version: string;
};

type LinkTrait = "address" | "unencrypted";

export const traitNames = ["template", "headers", "links", "host", "selectors", "dns", "rules"] as const;
type TraitName = (typeof traitNames)[number];

type Traced = {
  readonly report: Report;
  readonly section: HeaderSection;
  readonly session: SmtpSession;
  readonly structure: string | null;
  readonly links: Pick<Links, "list">;
};

export function toTraits({ report, section, session, structure, links }: Traced): Traits {
  const { dkim } = report.authentication;
  const signatures = dkim.known ? dkim.value.signatures.filter(({ assumed }) => !assumed) : [];
  const selectors = signatures.flatMap(({ selector, domain }) =>
    selector !== null && domain !== null ? [`${selector}.${domain}`.toLowerCase()] : [],
  );
  return {
    template: structure,
    headers: toHeaderTrait(section),
    links: toLinkTrait(links),
    host: toHostTrait(report, session),
    selectors: [...new Set(selectors)].sort().slice(0, maxSelectors),
    dns: toDnsTrait(report, session),
    version: report.analysis.version,
  };
}

const numericHost = /^(?:\[|\d{1,3}(?:\.\d{1,3}){3}$)/;

/** Not the hosts, because an editor links to other ones in each issue. */
function toLinkTrait({ list }: Pick<Links, "list">): LinkTrait[] {
  return [
    ...(list.some(({ host }) => host !== null && numericHost.test(host)) ? ["address" as const] : []),
    ...(list.some(({ href }) => /^http:/i.test(href)) ? ["unencrypted" as const] : []),
  ];
}

const maxSelectors = 8;

const tracedHeaders: ReadonlySet<string> = new Set(headers.traced);

function toHeaderTrait({ fields }: HeaderSection): string[] {
  const names = fields.map(({ name }) => name.toLowerCase());
  const traced = names.filter((name) => tracedHeaders.has(name) || /^list-[a-z]{1,20}$/.test(name));
  return [...new Set(traced)].sort();
}

/** `mta12.eu.example.com` becomes `mta#.eu.example.com`. If the name can't be looked up, the network counts. */
function toHostTrait({ surroundings: { ptr }, authentication }: Report, { clientAddress }: SmtpSession): string | null {
  if (authentication.assumed?.address) return null;
  const name = ptr.known ? ptr.value.confirmed[0] : undefined;
  if (name !== undefined) return name.toLowerCase().replace(/\d+/g, "#").slice(0, 253);
  // A name that is gone is a change of DNS and not of the host.
  if (ptr.known) return null;
  if (clientAddress === null) return null;
  return clientAddress.includes(":")
    ? `${clientAddress.split(":").slice(0, 3).join(":")}::/48`
    : `${clientAddress.split(".").slice(0, 3).join(".")}.0/24`;
}

/** Types of records that mean something to receivers and don't rotate, as addresses do. */
const tracedTypes: ReadonlySet<string> = new Set(["TXT", "MX", "CNAME", "PTR"]);
const maxRecords = 40;

/**
 * Only names of the sender's own domains and its IP address. What an included provider changes isn't the sender's
 * change.
 */
function toDnsTrait({ from, authentication, analysis }: Report, { mailFrom }: SmtpSession): Traits["dns"] {
  const { dkim } = authentication;
  const own = new Set(
    [
      from === null ? null : toFromDomain(from),
      mailFrom === null ? null : toAsciiDomain(mailFrom.slice(mailFrom.lastIndexOf("@") + 1)),
      ...(dkim.known ? dkim.value.signatures.map(({ domain }) => domain) : []),
    ].flatMap((domain) => (domain ? [toRegistrableDomain(domain.toLowerCase())] : [])),
  );
  const entries = analysis.dns
    .filter((answer) => tracedTypes.has(answer.type) && !isTrouble(answer))
    .filter(({ name, type }) => type === "PTR" || own.has(toRegistrableDomain(name.toLowerCase())))
    .map((answer) => [toQuestionKey(answer.name, answer.type), hashText(meaningOf(answer)).toString(36)] as const);
  // By name, because the order of lookups depends on how fast DNS answers.
  entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return Object.fromEntries(entries.slice(0, maxRecords));
}

export type Mark = {
  readonly what: TraitName;
  /** In a sentence. */
  readonly says: string;
};

/** Below this share of common layout elements, it is another template. A changed section leaves more. */
const sameTemplate = 0.7;

export function isSameTemplate(one: string, other: string): boolean {
  return similarityOf(one, other) >= sameTemplate;
}

/** What changed from one message of a stream to the next. What is unknown on one side didn't change. */
export function compareTraits(before: Traits, after: Traits): Mark[] {
  return [
    ...compareTemplates(before.template, after.template),
    ...compareHeaders(before.headers, after.headers),
    ...compareLinks(before.links, after.links),
    ...compareHosts(before.host, after.host),
    ...compareSelectors(before.selectors, after.selectors),
    ...compareRecords(before.dns, after.dns),
    ...(before.version === after.version
      ? []
      : [mark("rules", `Assay was updated from ${before.version} to ${after.version}.`)]),
  ];
}

function mark(what: TraitName, says: string): Mark {
  return { what, says };
}

function compareTemplates(before: string | null, after: string | null): Mark[] {
  if (before === null && after === null) return [];
  if (before === null) return [mark("template", "The message now has an HTML part.")];
  if (after === null) return [mark("template", "The message no longer has an HTML part.")];
  return isSameTemplate(before, after) ? [] : [mark("template", "The HTML template changed.")];
}

function compareHeaders(before: readonly string[] | undefined, after: readonly string[] | undefined): Mark[] {
  if (!before || !after) return [];
  const gone = before.filter((name) => !after.includes(name));
  const added = after.filter((name) => !before.includes(name));
  return [
    ...(added.length > 0 ? [mark("headers", `New header: ${added.join(", ")}.`)] : []),
    ...(gone.length > 0 ? [mark("headers", `Header no longer present: ${gone.join(", ")}.`)] : []),
  ];
}

const linkWords: Readonly<Record<LinkTrait, readonly [begins: string, ends: string]>> = {
  address: ["Some links now open an IP address.", "Links no longer open an IP address."],
  unencrypted: ["Some links now use http://.", "Links no longer use http://."],
};

function compareLinks(before: Traits["links"], after: Traits["links"]): Mark[] {
  if (!before || !after) return [];
  return (["address", "unencrypted"] as const).flatMap((trait) => {
    const [begins, ends] = linkWords[trait];
    if (before.includes(trait) === after.includes(trait)) return [];
    return [mark("links", after.includes(trait) ? begins : ends)];
  });
}

function compareHosts(before: string | null, after: string | null): Mark[] {
  if (before === null || after === null || before === after) return [];
  return [mark("host", `The sending host changed from ${before} to ${after}.`)];
}

function compareSelectors(before: readonly string[], after: readonly string[]): Mark[] {
  const gone = before.filter((selector) => !after.includes(selector));
  const added = after.filter((selector) => !before.includes(selector));
  if (gone.length === 0 && added.length === 0) return [];
  if (gone.length === 0) return [mark("selectors", `New DKIM signature: ${added.join(", ")}.`)];
  if (added.length === 0) return [mark("selectors", `DKIM signature no longer present: ${gone.join(", ")}.`)];
  return [mark("selectors", `The DKIM selector changed from ${gone.join(", ")} to ${added.join(", ")}.`)];
}

function compareRecords(before: Traits["dns"], after: Traits["dns"]): Mark[] {
  const changed = Object.keys(after).filter((key) => before[key] !== undefined && before[key] !== after[key]);
  if (changed.length === 0) return [];
  const shown = changed.slice(0, shownRecords).join(", ");
  const more = changed.length - shownRecords;
  return [mark("dns", `DNS changed: ${shown}${more > 0 ? ` and ${more} more` : ""}.`)];
}

const shownRecords = 3;
