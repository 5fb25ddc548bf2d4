// Finds the issue that causes a finding: itself, the one it follows from, or what keeps SPF or DKIM from passing.

import type { FindingId, Proof } from "../checks/check.ts";
import { bySeverity, type Finding } from "../checks/run.ts";

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
  if (finding.cost > 0) return [finding.id];
  const flaws = finding.mendedBy.flatMap((proof) => flawsOf(proof, findings)).sort(bySeverity);
  const ids = [...new Set(flaws.map(({ id }) => id))].filter((id) => id !== finding.id);
  return ids.length > 0 ? ids : [finding.id];
}
