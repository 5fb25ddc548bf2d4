// Converts a domain as typed or pasted to its name in DNS.

import { domainToASCII, domainToUnicode } from "node:url";
import ipaddr from "ipaddr.js";
import { findRegistrableDomain } from "../mail/headers/registrable-domain.ts";

type DomainReading =
  /** In A-labels and lower case, without a trailing dot. */
  { readonly ok: true; readonly domain: string } | { readonly ok: false; readonly problem: string };

const maxTyped = 2_000;

/** From a URL or email address, the domain is taken. */
export function readDomainName(typed: string): DomainReading {
  const name = toAsciiDomain(withoutAddress(typed.slice(0, maxTyped).trim()));
  if (name === undefined) return { ok: false, problem: "Not a domain name. It should look like example.com." };
  const broken = name.split(".").find(isBroken);
  if (broken !== undefined)
    return { ok: false, problem: `${broken} is not a valid internationalized name. Type the name as it is displayed.` };
  if (findRegistrableDomain(name) === null)
    return {
      ok: false,
      problem: `${name} cannot be registered as a domain. Enter a domain under it, like example.com under com.`,
    };
  return { ok: true, domain: name };
}

/**
 * A domain that sends mail: not the name of a record or of a website, but the domain that is meant, as `suggestion`. A
 * sender at that name, given as an email address, shows that the name is meant.
 */
export function readSendingDomain(typed: string): DomainReading & { readonly suggestion?: string } {
  const reading = readDomainName(typed);
  if (!reading.ok) return reading;
  const { domain } = reading;
  const isWeb = /[/?#]/.test(typed);
  const owner = findRecordOwner(domain);
  if (owner !== undefined)
    return { ok: false, problem: toRecordProblem(domain, owner), ...(owner !== null && { suggestion: owner }) };
  const meant = toSite(domain, isWeb);
  if (meant === domain || (typed.includes("@") && !isWeb)) return reading;
  const problem = `${domain} is the name of a website, and its mail usually comes from ${meant}. If your mail comes from ${domain}, enter an email address there, such as news@${domain}.`;
  return { ok: false, problem, suggestion: meant };
}

/** Without a dot at the end. Undefined for an address, and for what is no name. */
export function toAsciiDomain(value: string): string | undefined {
  if (/[\s/@:\\]/.test(value)) return undefined;
  const ascii = domainToASCII(value.replace(/\.$/, ""));
  const isName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
  return isName.test(ascii) && !ipaddr.isValid(ascii) ? ascii : undefined;
}

/** The domain of a record's name such as `_dmarc.`, null if it has none. Undefined for other names. */
export function findRecordOwner(name: string): string | null | undefined {
  const labels = name.split(".");
  const lastRecord = labels.findLastIndex((label) => label.startsWith("_"));
  if (lastRecord < 0) return undefined;
  const owner = toSite(labels.slice(lastRecord + 1).join("."), false);
  return findRegistrableDomain(owner) === null ? null : owner;
}

export function toRecordProblem(name: string, owner: string | null): string {
  return `${name} is the name of a DNS record. Enter ${owner === null ? "a domain like example.com" : `its domain, ${owner}`}.`;
}

/** The domain that a website's name belongs to. */
function toSite(name: string, isWeb: boolean): string {
  const registrable = findRegistrableDomain(name) ?? name;
  if (name === registrable || isWeb) return registrable;
  return name.replace(/^www\./, "");
}

/** An A-label that decodes to no name (RFC 5890 §2.3.2.1). */
function isBroken(label: string): boolean {
  return label.startsWith("xn--") && domainToUnicode(label) === label;
}

function withoutAddress(typed: string): string {
  const host = typed.replace(/^(?:[a-z][a-z0-9+.-]{0,30}:\/\/|mailto:)/i, "").replace(/[/?#].*$/s, "");
  return host.slice(host.lastIndexOf("@") + 1).replace(/:\d{1,5}$/, "");
}

// Records as a user enters them for a preview.

export const changeableTypes = ["TXT", "MX", "A", "AAAA", "CNAME", "PTR", "NS", "TLSA"] as const;
export type ChangeableType = (typeof changeableTypes)[number];

/** All records of a type at a name. No values means no records. */
export type GivenRecords = { readonly name: string; readonly type: ChangeableType; readonly values: readonly string[] };
