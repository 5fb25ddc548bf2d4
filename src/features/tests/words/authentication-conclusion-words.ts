// The results of SPF, DKIM and DMARC in half a sentence. Providers require an aligned pass even if the domain has no
// DMARC record, so "no record" alone says nothing about the message. The sentence always says whether SPF or DKIM is
// aligned.

import { toList, toSentence } from "../../../analyzer/words/plain-words.ts";
import type { Authentication } from "../contract/authentication.ts";

type Proofs = Pick<Authentication, "spf" | "dkim" | "unknown">;

export function toConclusion({ dmarc, ...proofs }: Proofs & Pick<Authentication, "dmarc">): string {
  if (dmarc === null) return `${toPassWords(proofs)}; DMARC was not checked`;
  const { result, domain, aligned_by, records, assumed } = dmarc;
  if (domain === null) return "there isn’t exactly one From domain to authenticate";
  if (result === "pass")
    return `DMARC passes${assumed ? " (assumed)" : ""}, ${toProofs(aligned_by, "is", "are")} aligned with ${domain}`;
  if (result === "permerror") return "the From header is ambiguous, so DMARC can’t pass";
  const aligned = toAlignment(aligned_by, proofs, domain);
  if (result === "fail") return `DMARC fails${assumed ? " (assumed)" : ""}: ${aligned}`;
  if (result === "temperror") return `${aligned}; the DMARC result is unknown`;
  return `${aligned}; ${domain} has ${records.length > 0 ? "no valid DMARC policy" : "no DMARC record"}`;
}

/** "DKIM passes for a.example", or why nothing does. */
function toAlignment(alignedBy: readonly string[], proofs: Proofs, domain: string): string {
  if (alignedBy.length > 0) return `${toProofs(alignedBy, "passes", "pass")} for ${domain}`;
  const words = toPassWords(proofs);
  return toPassing(proofs).length === 0 ? words : `${words}, but not for ${domain} (not aligned)`;
}

function toPassWords(proofs: Proofs): string {
  const passing = toPassing(proofs);
  if (passing.length > 0) return toProofs(passing, "passes", "pass");
  const open = toOpen(proofs);
  if (open.length === 2) return "SPF and DKIM were not checked";
  if (open.length === 0) return "neither SPF nor DKIM passes";
  return open[0] === "spf"
    ? "DKIM does not pass, and SPF was not checked"
    : "SPF does not pass, and DKIM was not checked";
}

function toPassing({ spf, dkim }: Proofs): string[] {
  const isSigned = dkim.some(({ result }) => result === "pass");
  return [...(spf?.result === "pass" ? ["spf"] : []), ...(isSigned ? ["dkim"] : [])];
}

function toOpen({ spf, dkim, unknown }: Proofs): string[] {
  const isOpen = unknown.some(({ what }) => what === "dkim") || dkim.some(({ result }) => result === "temperror");
  return [...(spf === null || spf.result === "temperror" ? ["spf"] : []), ...(isOpen ? ["dkim"] : [])];
}

export function toProofs(mechanisms: readonly string[], one: string, many: string): string {
  return `${toList(mechanisms.map((name) => name.toUpperCase()))} ${mechanisms.length > 1 ? many : one}`;
}

export type Client = { readonly address: string | null; readonly helo: string | null };

type Said = { readonly client_address?: string | null; readonly helo?: string | null };

/** The assumed outgoing server, the client as Assay saw it, or as a trusted receiver recorded it. */
export function toClient(
  { transport }: { readonly transport: Said },
  { recorded, assumed }: Pick<Authentication, "recorded" | "assumed">,
): Client {
  if (assumed?.address) return { address: assumed.address, helo: null };
  return {
    address: transport.client_address ?? recorded?.client_address ?? null,
    helo: transport.helo ?? recorded?.helo ?? null,
  };
}

export const neitherNor = "This doesn’t count for or against the message.";

const policyWords = {
  none: "asks for no action",
  quarantine: "asks receivers to send such mail to spam",
  reject: "asks receivers to reject such mail",
} as const;

/** By result, for the DMARC step. */
export const dmarcConclusions: Readonly<
  Record<string, (dmarc: NonNullable<Authentication["dmarc"]>, all: Authentication) => string>
> = {
  pass: ({ aligned_by, domain }) => `Yes: ${toProofs(aligned_by, "is", "are")} aligned with ${domain}.`,
  fail: ({ domain, policy }) =>
    `No: no SPF or DKIM pass is aligned with ${domain}. Its DMARC policy ${policyWords[policy ?? "none"]}.`,
  none: ({ domain, records, aligned_by }, all) => {
    if (domain === null) return "The From header does not have exactly one domain to check. Each receiver decides.";
    const lack = records.length > 0 ? "no valid DMARC record" : "no DMARC record";
    const aligned = toSentence(toAlignment(aligned_by, all, domain));
    return `${domain} has ${lack}, so each receiver decides. ${aligned}.`;
  },
  temperror: ({ domain, explanation }) =>
    domain === null && explanation !== null
      ? `${explanation}.`
      : `A DNS lookup failed, so the result is unknown. ${neitherNor}`,
  permerror: ({ explanation }) =>
    explanation ?? "Receivers may read different authors in the From header, so DMARC can’t pass.",
};
