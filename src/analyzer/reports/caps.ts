// If a large provider rejects a message, nothing else can offset it.

import type { FindingId, Gate } from "../checks/check.ts";
import { consequenceOf } from "../checks/gate-reply.ts";
import type { Kind } from "../checks/kind.ts";
import type { Finding } from "../checks/run.ts";

/** What keeps the composite below the mean of its areas. */
export type Limit = {
  readonly value: number;
  readonly why: "ceiling" | "cap";
  readonly findings: readonly FindingId[];
};

/**
 * The cap applies to the findings that it lists, or to all others for which a large provider rejects mail of such
 * senders.
 */
type Cap = { readonly value: number } & (
  | { readonly findings: readonly FindingId[] }
  | { readonly refusedTo: Gate["sender"]; readonly except: readonly FindingId[] }
);

/** Receivers differ about these, and many only defer, so they have a separate row. */
const ownRow: readonly FindingId[] = ["ptr-record.missing", "fcrdns.mismatch"];

/** The lowest first, because the first match counts. */
export const caps: readonly Cap[] = [
  {
    value: 29,
    findings: [
      "attachment-refused.blocked",
      "attachment-refused.inside-archive",
      "attachment-virus.found",
      "attachment-virus.in-message",
    ],
  },
  { value: 39, findings: ["ip-blocklist.listed", "domain-blocklist.listed", "link-blocklist.listed"] },
  { value: 49, refusedTo: "any", except: ownRow },
  {
    value: 59,
    findings: [
      "dmarc-result.policy-reject",
      "dmarc-result.policy-quarantine",
      "dmarc-result.unaligned",
      "dmarc-result.strict-only",
      "dmarc-result.unauthenticated",
      "freemail-from.elsewhere",
    ],
  },
  { value: 64, findings: ownRow },
  { value: 64, refusedTo: "bulk", except: ownRow },
  // For a domain: whether its mail is signed is unknown, and unknown is never an A.
  { value: 89, findings: ["dkim-selectors.none-known"] },
];

export const largeProviders: readonly Gate["provider"][] = ["gmail", "outlook", "yahoo", "apple"];

function holds(cap: Cap, { id, gates }: Finding, kind: Kind | null): boolean {
  if ("findings" in cap) return cap.findings.includes(id);
  if (cap.except.includes(id) || (cap.refusedTo === "bulk" && kind !== "bulk")) return false;
  return gates.some((gate) => gate.sender === cap.refusedTo && isRefusal(gate));
}

function isRefusal(gate: Gate): boolean {
  return !gate.may && largeProviders.includes(gate.provider) && consequenceOf(gate) === "refusal";
}

/** Whether a large provider rejects mail of this kind because of the finding. */
export function isRefused({ gates }: Pick<Finding, "gates">, kind: Kind | null): boolean {
  return gates.some((gate) => (gate.sender === "any" || kind === "bulk") && isRefusal(gate));
}

/** The large providers that reject the message for these findings, as far as one message can show it. */
export function refusersOf(findings: readonly Pick<Finding, "gates">[], isLarge: boolean): Set<Gate["provider"]> {
  const gates = findings.flatMap((finding) => finding.gates);
  const isSure = (gate: Gate) => (gate.sender === "any" || isLarge) && isRefusal(gate);
  return new Set(gates.filter(isSure).map(({ provider }) => provider));
}

/** A cap and the findings that cause it. */
export type CapInForce = {
  readonly value: number;
  readonly holding: readonly Pick<Finding, "id" | "ownedBy" | "mendedBy">[];
};

/** The lowest first. */
export function findCaps(findings: readonly Finding[], kind: Kind | null): CapInForce[] {
  return caps.flatMap((cap) => {
    const holding = findings.filter((finding) => holds(cap, finding, kind));
    return holding.length > 0 ? [{ value: cap.value, holding }] : [];
  });
}

/** The lowest active cap that remains when these findings are fixed, with everything that only follows from them. */
export function findCap(inForce: readonly CapInForce[], mended: ReadonlySet<FindingId>): Limit | null {
  const left = inForce.flatMap(({ value, holding }) =>
    holding
      .filter(({ id, ownedBy }) => !mended.has(id) && (ownedBy === null || !mended.has(ownedBy)))
      .map(({ id }) => ({ value, id })),
  );
  const [lowest] = left;
  if (lowest === undefined) return null;
  // Two caps may have the same value. The score then stays there until both are lifted.
  const findings = left.filter(({ value }) => value === lowest.value).map(({ id }) => id);
  return { value: lowest.value, why: "cap", findings: [...new Set(findings)] };
}
