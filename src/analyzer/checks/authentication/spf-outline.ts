// The tree of an SPF record as findings show it, and searches in it.

import type { SpfNode, SpfRecord } from "../authentication-facts.ts";
import type { Raised } from "../check.ts";
import type { Why } from "../fact.ts";

type SpfOutline = {
  readonly domain: string;
  /** The include or redirect that leads here; null at the top. */
  readonly term: string | null;
  readonly record: string | null;
  /** Lookups of this term and of everything below it. */
  readonly lookups: number;
  readonly below: readonly SpfOutline[];
};

const maxShownRecord = 500;

export function outlineTree({ domain, via, record, children, ...node }: SpfNode): SpfOutline {
  return {
    domain,
    term: via,
    record: record?.slice(0, maxShownRecord) ?? null,
    lookups: costOf({ via, ...node }),
    below: children.map(outlineTree),
  };
}

/** The lookups that each include and redirect of the record itself costs, most expensive first. */
export function listCosts({ tree }: SpfRecord): string[] {
  const dearest = [...(tree?.children ?? [])].sort((left, right) => costOf(right) - costOf(left));
  return dearest.map((node) => `${node.via} (${costOf(node)})`);
}

function costOf({ via, lookups }: Pick<SpfNode, "via" | "lookups">): number {
  return via === null ? lookups : lookups + 1;
}

export type SpfPlace = {
  readonly node: SpfNode;
  /** The node whose record leads here; null at the top. */
  readonly parent: SpfNode | null;
  /** The term of the domain's own record that leads here; null at the top. */
  readonly through: string | null;
  /** The domains from the top down to this one. */
  readonly path: readonly string[];
};

/** Every record in the tree, the domain's own first. */
export function walkTree(record: SpfRecord): SpfPlace[] {
  const { tree } = record;
  const visit = (place: SpfPlace): SpfPlace[] => [
    place,
    ...place.node.children.flatMap((node) =>
      visit({ node, parent: place.node, through: place.through ?? node.via, path: [...place.path, node.domain] }),
    ),
  ];
  return tree === null ? [] : visit({ node: tree, parent: null, through: null, path: [tree.domain] });
}

/** Terms of the record, or of several merged records, that lead to no record, to several, or into a loop. */
export function lostTerms({ tree, merged = null }: Pick<SpfRecord, "tree" | "merged">): ReadonlySet<string> {
  const lost = ((merged ?? tree)?.children ?? []).filter(
    (child) =>
      hasLoop(child) ||
      (child.isFree.known && child.isFree.value) ||
      (child.recordCount.known && child.recordCount.value !== 1),
  );
  return new Set(lost.flatMap(({ via }) => via ?? []));
}

function hasLoop({ isLoop, children }: SpfNode): boolean {
  return isLoop || children.some(hasLoop);
}

/** Why the tree is incomplete; null if it is complete. */
export function whyNotWhole(record: SpfRecord): Why | null {
  for (const { node } of walkTree(record)) {
    const open = [node.recordCount, node.isFree].find((fact) => !fact.known);
    if (open !== undefined && !open.known) return open.why;
  }
  return record.isWhole ? null : "budget";
}

/** A record may repeat the same term a thousand times. */
export function oncePerSubject<Found extends Raised>(found: readonly Found[]): readonly Found[] {
  return [...new Map(found.map((each) => [`${each.finding} ${each.subject}`, each])).values()];
}
