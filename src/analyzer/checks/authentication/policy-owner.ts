// Who can change a domain's policy, and whether there is one to judge. A sender with a Gmail address is not asked to change
// Gmail's DNS.

import type { DmarcPolicy, DmarcTags } from "../../dns/dmarc.ts";
import { isPublicSuffix } from "../../mail/headers/registrable-domain.ts";
import type { Dmarc } from "../authentication-facts.ts";
import { notApplicable, skipped } from "../check.ts";
import type { Fact } from "../fact.ts";
import type { Parked } from "../facts.ts";
import { freemailProviderOf } from "../freemail-table.ts";
import type { CameThrough } from "../kind.ts";

/** Why the author cannot change what the domain publishes; null if possible. `kind` is known only for messages. */
export function whyNotTheAuthors(domain: string, kind: Fact<CameThrough>): string | null {
  const provider = kind.known ? freemailProviderOf(domain) : null;
  return provider === null ? null : `${domain} belongs to ${provider}, so the sender cannot change its records.`;
}

/** Null if a policy is expected. For a domain that sends no mail, parked-domain reports what is missing. `parked` is known only for bare domains. */
export function whyNotExpected(parked: Fact<Parked>) {
  if (!parked.known) return parked.why === "no-message" ? null : skipped(parked.why);
  return parked.value.isParked ? notApplicable("The domain sends no mail. See parked-domain.") : null;
}

export type AppliedPolicy = {
  readonly foundAt: string;
  /** `foundAt` with `_dmarc.` before it. */
  readonly name: string;
  readonly record: string;
  readonly tags: DmarcTags;
  readonly policy: DmarcPolicy;
};

/** The policy in force, if the sender can change it. Otherwise the reason why it is not judged. */
export function readAppliedPolicy(dmarc: Dmarc, kind: Fact<CameThrough>): AppliedPolicy | string {
  const notTheirs = whyNotTheAuthors(dmarc.domain, kind);
  if (notTheirs !== null) return notTheirs;
  const { foundAt, record, tags, policy } = dmarc;
  if (foundAt === null || record === null || tags === null) return "No DMARC record applies.";
  if (foundAt !== dmarc.domain && isPublicSuffix(foundAt))
    return `The policy comes from the registry of ${foundAt}, not from the sender.`;
  if (policy === null) return "The DMARC record has no valid policy.";
  return { foundAt, name: `_dmarc.${foundAt}`, record, tags, policy };
}
