// Where a large provider refuses a message, no other virtue makes up for it.

import type { FindingId, Gate } from "../checks/check.ts";
import type { Kind } from "../checks/kind.ts";
import type { Finding } from "../checks/run.ts";

/** What holds a composite below the mean of its areas. */
export type Limit = {
  readonly value: number;
  readonly why: "ceiling" | "cap";
  readonly findings: readonly FindingId[];
};

type Cap = { readonly value: number; readonly holds: (finding: Finding, kind: Kind | null) => boolean };

const isOneOf =
  (...ids: readonly FindingId[]) =>
  ({ id }: Finding) =>
    ids.includes(id);

/** Receivers differ about these, and many only defer: they have a row of their own. */
const hasOwnRow = isOneOf("ptr-record.missing", "fcrdns.mismatch");
const largeProviders: ReadonlySet<Gate["provider"]> = new Set(["gmail", "outlook", "yahoo", "apple"]);

const refuses = (sender: Gate["sender"]) => (finding: Finding) =>
  !hasOwnRow(finding) &&
  finding.gates.some(
    (gate) => gate.sender === sender && !gate.may && largeProviders.has(gate.provider) && isRefusal(gate),
  );

/** A deferral, a junk verdict or "no mitigation" makes no cap. */
function isRefusal({ reply }: Gate): boolean {
  return /\b55\d\b|(?<!\bno )\brefusal\b/.test(reply);
}

export const caps: readonly Cap[] = [
  { value: 29, holds: isOneOf("attachment-refused.blocked", "attachment-refused.inside-archive") },
  {
    value: 39,
    holds: isOneOf("ip-blocklist.listed", "domain-blocklist.listed", "link-blocklist.listed"),
  },
  { value: 49, holds: refuses("any") },
  {
    value: 59,
    holds: isOneOf(
      "dmarc-result.unaligned",
      "dmarc-result.strict-only",
      "dmarc-result.unauthenticated",
      "freemail-from.elsewhere",
    ),
  },
  { value: 64, holds: hasOwnRow },
  { value: 64, holds: (finding, kind) => kind === "bulk" && refuses("bulk")(finding) },
];

/** A cap with the findings that bring it about. */
export type CapInForce = {
  readonly value: number;
  readonly holding: readonly Pick<Finding, "id" | "ownedBy" | "mendedBy">[];
};

/** The lowest first. */
export function findCaps(findings: readonly Finding[], kind: Kind | null): CapInForce[] {
  return caps.flatMap(({ value, holds }) => {
    const holding = findings.filter((finding) => holds(finding, kind));
    return holding.length > 0 ? [{ value, holding }] : [];
  });
}

/** Of those in force, the lowest that stays when these are mended: what follows from one of them alone goes with it. */
export function findCap(inForce: readonly CapInForce[], mended: ReadonlySet<FindingId>): Limit | null {
  for (const { value, holding } of inForce) {
    const left = holding.filter(
      ({ id, ownedBy }) => !mended.has(id) && (ownedBy === null || !mended.has(ownedBy)),
    );
    if (left.length > 0) return { value, why: "cap", findings: [...new Set(left.map(({ id }) => id))] };
  }
  return null;
}
