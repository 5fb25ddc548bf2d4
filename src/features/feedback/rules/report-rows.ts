// Rows of DMARC reports as evidence: which source a row is from, and whether its messages look forwarded.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { OverrideReason, ReportedSignature, ReportedSpf } from "../../../analyzer/mail/reports/mail-class.ts";
import { type NamedSender, saysForwarded } from "../../../analyzer/senders/name-sender.ts";

export type FeedbackRow = {
  readonly day: number;
  readonly reporter: string;
  readonly sourceIp: string | null;
  readonly headerFrom: string | null;
  readonly dkim: readonly ReportedSignature[];
  readonly spf: readonly ReportedSpf[];
  /** Why a policy wasn't applied. */
  readonly reasons: readonly OverrideReason[];
  readonly dkimAligned: boolean;
  readonly spfAligned: boolean;
  readonly messages: number;
  /** Null for the small rows that reports sum up. */
  readonly source: NamedSender | null;
};

export function isPassed({ dkimAligned, spfAligned }: Pick<FeedbackRow, "dkimAligned" | "spfAligned">): boolean {
  return dkimAligned || spfAligned;
}

export function isService(sourceKey: string): boolean {
  return sourceKey.startsWith("service:");
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

/**
 * The receiver says so, or an own signature came through a server that SPF authenticates for another domain. `senders`:
 * the sources that use each selector directly, as `selector domain`.
 */
export function looksForwarded(
  row: FeedbackRow,
  ownDomain: string,
  senders: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  if (row.spfAligned) return false;
  const { source } = row;
  if (saysForwarded(row.reasons)) return true;
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
    const { source } = row;
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
