// Which issue a finding goes back to: itself, the one that it follows from, or what keeps SPF or DKIM from passing.

import type { FindingId, Proof } from "../checks/check.ts";
import { bySeverity, type Finding } from "../checks/run.ts";

/** Something that a person should look at. */
export function isAboveInfo({ severity }: Pick<Finding, "severity">): boolean {
  return severity !== "info" && severity !== "good";
}

export function isGrave({ severity }: Pick<Finding, "severity">): boolean {
  return severity === "critical" || severity === "major";
}

type Owned = Pick<Finding, "id" | "severity" | "ownedBy">;

/**
 * Each with the issue at the end of its chain of owners. A finding whose owner was not found, or is only a remark beside
 * an issue, is an issue itself: nothing else on the list would lead to it. Of a circle the first one is the owner.
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

/** What keeps SPF, or DKIM, from passing: once all of it is fixed, it passes. */
export function flawsOf(proof: Proof, findings: readonly Finding[]): Finding[] {
  return findings.filter((one) => one.ownedBy === null && isGrave(one) && one.id.startsWith(`${proof}-`));
}

/** The issues to fix to be rid of it, the most severe first. Any of them may be enough where SPF or DKIM would do. */
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
