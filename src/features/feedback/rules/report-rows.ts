// Rows of DMARC reports as evidence: which source a row is from, and whether its messages look forwarded.

import { toPlainAddress } from "../../../analyzer/addresses.ts";
import { espOfDomain } from "../../../analyzer/checks/esp.ts";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { ReportedSignature, ReportedSpf } from "../../../analyzer/mail/reports/mail-class.ts";

export type FeedbackRow = {
  readonly day: number;
  readonly reporter: string;
  readonly sourceIp: string | null;
  readonly headerFrom: string | null;
  readonly dkim: readonly ReportedSignature[];
  readonly spf: readonly ReportedSpf[];
  /** The types of the reasons why a policy wasn't applied. */
  readonly reasons: readonly string[];
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  readonly messages: number;
};

export type Source = {
  /** Identifies it over time. */
  readonly key: string;
  /** For people. */
  readonly name: string;
};

export function isPassed({ dkimAligned, spfAligned }: Pick<FeedbackRow, "dkimAligned" | "spfAligned">): boolean {
  return dkimAligned || spfAligned;
}

/**
 * The sending service or domain that SPF or DKIM authenticated, or else the network of the address. A name that didn't
 * pass is not used, because anyone can write it. Null for the small rows that reports sum up.
 */
export function toSource({ sourceIp, dkim, spf }: FeedbackRow, ownDomain: string): Source | null {
  const passing = [...spf, ...dkim].filter(({ result }) => result === "pass");
  for (const { domain } of passing) {
    const service = espOfDomain(domain);
    if (service !== null) return { key: `service:${service.name}`, name: service.name };
  }
  const own = toRegistrableDomain(ownDomain);
  const other = passing.map(({ domain }) => toRegistrableDomain(domain)).find((domain) => domain !== own);
  if (other !== undefined) return { key: `domain:${other}`, name: other };
  const network = sourceIp === null ? null : toNetwork(sourceIp);
  return network === null ? null : { key: `network:${network}`, name: network };
}

export function isService(sourceKey: string): boolean {
  return sourceKey.startsWith("service:");
}

/** The /24 of an IPv4 address, the /48 of an IPv6 address. Null if it isn't one. */
function toNetwork(address: string): string | null {
  const plain = toPlainAddress(address);
  if (plain === undefined) return null;
  if (!plain.includes(":")) return `${plain.split(".").slice(0, 3).join(".")}.0/24`;
  const [head = "", tail] = plain.split("::");
  const groups = head === "" ? [] : head.split(":");
  const rest = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length);
  const whole = [...groups, ...Array.from({ length: missing }, () => "0"), ...rest];
  return `${whole
    .slice(0, 3)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/48`;
}

/** Signatures of the domain's own organization, with the results that say something. */
export function ownSignatures({ dkim }: FeedbackRow, ownDomain: string): (ReportedSignature & { selector: string })[] {
  const own = toRegistrableDomain(ownDomain);
  return dkim.flatMap((signature) => {
    const { selector, domain, result } = signature;
    if (selector === null || result === "temperror" || result === "none") return [];
    return toRegistrableDomain(domain) === own ? [{ ...signature, selector }] : [];
  });
}

const forwardingReasons: ReadonlySet<string> = new Set(["forwarded", "trusted_forwarder", "mailing_list"]);

/**
 * The receiver says so, or an own signature came through a server that SPF authenticates for another domain. `senders`:
 * the sources that use each selector directly, as `selector domain`.
 */
export function looksForwarded(
  row: FeedbackRow,
  source: Source | null,
  ownDomain: string,
  senders: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (row.spfAligned) return false;
  if (row.reasons.some((reason) => forwardingReasons.has(reason))) return true;
  if (source === null) return false;
  return ownSignatures(row, ownDomain).some(({ selector, domain }) => {
    const direct = senders.get(`${selector} ${domain}`);
    return direct !== undefined && !direct.has(source.key);
  });
}

/** A source that sends at least this share of a selector's passing mail uses it directly. Forwarders send less. */
const directShare = 0.1;

/** Which sources send mail with each selector themselves. */
export function findDirectSenders(rows: readonly FeedbackRow[], ownDomain: string): Map<string, ReadonlySet<string>> {
  const volumes = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const source = toSource(row, ownDomain);
    if (source === null) continue;
    for (const { selector, domain, result } of ownSignatures(row, ownDomain)) {
      if (result !== "pass") continue;
      const bySource = volumes.getOrInsertComputed(`${selector} ${domain}`, () => new Map<string, number>());
      bySource.set(source.key, (bySource.get(source.key) ?? 0) + row.messages);
    }
  }
  return new Map(
    [...volumes].map(([selector, bySource]) => {
      const total = [...bySource.values()].reduce((sum, messages) => sum + messages, 0);
      const direct = [...bySource].filter(([, messages]) => messages >= total * directShare);
      return [selector, new Set(direct.map(([key]) => key))];
    }),
  );
}
