// Finds the issue that causes a finding: itself, the one it follows from, or what keeps SPF or DKIM from passing.

import type { FindingId, Proof } from "../checks/check.ts";
import { severities } from "../checks/check.ts";
import { bySeverity, type Finding, type Outcome } from "../checks/run.ts";

/** True for anything worse than a note. */
export function isAboveInfo({ severity }: Pick<Finding, "severity">): boolean {
  return severity !== "info" && severity !== "good";
}

export function isGrave({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "critical" || severity === "major";
}

type Owned = Pick<Finding, "id" | "severity" | "ownedBy">;

/**
 * Each finding with the issue at the end of its chain of owners. A finding is its own issue if its owner was not found
 * or is only a note, because nothing else in the list would lead to it. In a cycle, the first finding is the owner.
 */
export function withRoots<Found extends Owned>(findings: readonly Found[]): Found[] {
  if (findings.every(({ ownedBy }) => ownedBy === null)) return [...findings];
  const byId = Map.groupBy(findings, ({ id }) => id);
  const ownerOf = (id: FindingId): FindingId | null => {
    const alike = byId.get(id) ?? [];
    if (alike.some(({ ownedBy }) => ownedBy === null)) return null;
    const owner = alike[0]?.ownedBy ?? null;
    return owner !== null && byId.has(owner) ? owner : null;
  };
  const rootOf = (first: FindingId): FindingId => {
    const path = [first];
    for (let owner = ownerOf(first); owner !== null; owner = ownerOf(owner)) {
      const at = path.indexOf(owner);
      if (at >= 0) return [...byId.keys()].find((id) => path.includes(id, at)) ?? owner;
      path.push(owner);
    }
    return path.at(-1) ?? first;
  };
  return findings.map((one) => {
    if (one.ownedBy === null) return one;
    const root = byId.has(one.ownedBy) ? rootOf(one.ownedBy) : one.id;
    const isListed = !isAboveInfo(one) || (byId.get(root) ?? []).some(isAboveInfo);
    return { ...one, ownedBy: root === one.id || !isListed ? null : root };
  });
}

/** The issues that keep SPF or DKIM from passing. With all of them fixed, it passes. */
export function flawsOf(proof: Proof, findings: readonly Finding[]): Finding[] {
  return findings.filter((one) => one.ownedBy === null && isGrave(one) && one.id.startsWith(`${proof}-`));
}

/** The issues that fix a finding, the most severe first. If either SPF or DKIM is enough, any of them may do. */
export function causesOf(finding: Finding, findings: readonly Finding[]): FindingId[] {
  if (finding.ownedBy !== null) {
    const owner = findings.find(({ id, ownedBy }) => id === finding.ownedBy && ownedBy === null);
    return owner ? causesOf(owner, findings) : [finding.ownedBy];
  }
  if (finding.cost > 0 && (finding.standsAlone || !isExplained(finding, findings))) return [finding.id];
  const flaws = finding.mendedBy.flatMap((proof) => flawsOf(proof, findings)).sort(bySeverity);
  const ids = [...new Set(flaws.map(({ id }) => id))].filter((id) => id !== finding.id);
  return ids.length > 0 ? ids : [finding.id];
}

/** Each finding with the issue that fixing also fixes it. Among several, the most severe. */
export function withOwners(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const [cause = finding.id] = causesOf(finding, findings);
    return { ...finding, ownedBy: cause === finding.id ? null : cause };
  });
}

/**
 * An issue is as severe as the worst finding that fixing it also fixes. Every view of a report takes the severity from
 * here, so that all show and count the same. `owned`: see `withOwners`.
 */
export function raiseOwners<Found extends Owned>(owned: readonly Found[]): readonly Found[] {
  const worst = new Map<FindingId, number>();
  for (const { ownedBy, severity } of owned) {
    if (ownedBy === null) continue;
    const rank = severities.indexOf(severity);
    worst.set(ownedBy, Math.min(worst.get(ownedBy) ?? rank, rank));
  }
  if (worst.size === 0) return owned;
  return owned.map((one) => {
    const rank = worst.get(one.id) ?? severities.length;
    const severity = severities[rank];
    const isRaised = one.ownedBy === null && isAboveInfo(one) && rank < severities.indexOf(one.severity);
    return isRaised && severity !== undefined ? { ...one, severity } : one;
  });
}

/** The same, with the owners as they were. */
export function raise(findings: readonly Finding[]): Finding[] {
  const raised = raiseOwners(withOwners(findings));
  return findings.map((one, index) => ({ ...one, severity: raised[index]?.severity ?? one.severity }));
}

/** DMARC fails, and the domain asks receivers to act on that. SPF or DKIM alone would fix it. */
export function isEnforcedFailure({ id }: { readonly id: string }): boolean {
  return id === "dmarc-result.policy-reject" || id === "dmarc-result.policy-quarantine";
}

/** A failed DMARC policy that ends once the SPF or DKIM issues that explain it are fixed. */
function isExplained(finding: Finding, findings: readonly Finding[]): boolean {
  return isEnforcedFailure(finding) && finding.mendedBy.some((proof) => flawsOf(proof, findings).length > 0);
}

/** If nothing ties a message to its domain, the failed policy comes first: the message may be a forgery. */
export function standAlone(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.map((one) =>
    one.outcome === "found"
      ? {
          ...one,
          findings: one.findings.map((each) => (isEnforcedFailure(each) ? { ...each, standsAlone: true } : each)),
        }
      : one,
  );
}

/** Whether SPF passes with these fixes. Without saying how, fixing DMARC also means that one of the two passes. */
export function isAuthenticated(chosen: ReadonlySet<FindingId>, proven: readonly Proof[]): boolean {
  return proven.includes("spf") || [...chosen].some((id) => isEnforcedFailure({ id }));
}

/** Some providers reject for missing DKIM only while SPF also fails. */
export function asProven(findings: readonly Finding[], isAuthenticated: boolean): Finding[] {
  if (!isAuthenticated) return [...findings];
  return findings.map((one) => ({ ...one, gates: one.gates.filter(({ when }) => when !== "spf-fails") }));
}

/** A failed DMARC policy does not count on top of the SPF and DKIM issues that explain it. */
function countsAsGrave(finding: Finding, findings: readonly Finding[]): boolean {
  return finding.cost > 0 && !isExplained(finding, findings);
}

export const proofs: readonly Proof[] = ["spf", "dkim"];

/** Findings that disappear when these pass. */
export function mendedBy(findings: readonly Finding[], proven: readonly Proof[]): Set<FindingId> {
  const ended = findings.filter((one) => one.mendedBy.some((proof) => proven.includes(proof)));
  return new Set(ended.map(({ id }) => id));
}

export type Grave = Pick<Finding, "id" | "check">;

/** Without those that cost nothing, each once. */
export function distinct(findings: readonly Finding[], severity: Finding["severity"]): Grave[] {
  const alike = findings.filter((one) => one.severity === severity && countsAsGrave(one, findings));
  return [...new Map(alike.map((one) => [one.id, one])).values()];
}
