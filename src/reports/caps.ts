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

export function findCap(findings: readonly Finding[], kind: Kind | null): Limit | null {
  for (const { value, holds } of caps) {
    const holding = findings.filter((finding) => holds(finding, kind));
    if (holding.length > 0) return { value, why: "cap", findings: [...new Set(holding.map(({ id }) => id))] };
  }
  return null;
}
