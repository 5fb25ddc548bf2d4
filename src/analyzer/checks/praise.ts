// A report never praises a thing that another check of the same report finds fault with. Passed checks and good findings
// about such a thing are withheld, but count as checked.

import type { FindingId } from "./check.ts";
import { type Finding, findingsIn, isFault, type Outcome } from "./run.ts";
import { type About, things } from "./things-table.ts";

type Data = Readonly<Record<string, unknown>>;
/** Names of things of one kind; null for all of them. */
type Names = ReadonlySet<string> | null;
type Fault = { readonly id: FindingId; readonly names: Names };

/** Faults that rule out praise, by kind of thing. */
type Faults = ReadonlyMap<string, readonly Fault[]>;

type Praise = {
  /** All findings, without good ones about a thing that has a fault. */
  readonly findings: readonly Finding[];
  readonly passes: readonly { readonly check: string; readonly says: string }[];
  /** Checks whose praise another finding contradicts. */
  readonly withheld: readonly { readonly check: string; readonly because: FindingId }[];
};

export function sortPraise(outcomes: readonly Outcome[]): Praise {
  const faults = faultsByThing(outcomes);
  const passes: Praise["passes"][number][] = [];
  const withheld: Praise["withheld"][number][] = [];
  for (const one of outcomes) {
    if (one.outcome !== "passed") continue;
    const { check, says, data = {} } = one;
    const because = findFault(`${check}.passed`, check, data, faults);
    if (because === null) passes.push({ check, says });
    else withheld.push({ check, because });
  }
  const findings = findingsIn(outcomes).filter((finding) => {
    if (finding.severity !== "good") return true;
    const { id, check } = finding;
    const because = findFault(id, check, dataOf(finding), faults);
    if (because !== null) withheld.push({ check, because });
    return because === null;
  });
  return { findings, passes, withheld };
}

function faultsByThing(outcomes: readonly Outcome[]): Faults {
  const faults = new Map<string, Fault[]>();
  for (const finding of findingsIn(outcomes).filter(isFault))
    for (const about of thingsOf(finding.id, finding.check)) {
      const alike = faults.get(about.kind) ?? [];
      faults.set(about.kind, alike);
      alike.push({ id: finding.id, names: namesOf(about, dataOf(finding)) });
    }
  return faults;
}

function findFault(sentence: string, check: string, data: Data, faults: Faults): FindingId | null {
  if (faults.size === 0) return null;
  for (const about of thingsOf(sentence, check)) {
    const alike = faults.get(about.kind);
    if (alike === undefined) continue;
    const names = namesOf(about, data);
    const fault = alike.find((one) => isShared(one.names, names));
    if (fault) return fault.id;
  }
  return null;
}

const nothing: readonly About[] = [];

function thingsOf(sentence: string, check: string): readonly About[] {
  return things.get(sentence) ?? things.get(check) ?? nothing;
}

function isShared(one: Names, other: Names): boolean {
  return one === null || other === null || !one.isDisjointFrom(other);
}

function dataOf({ evidence, subject }: Finding): Data {
  const { link } = evidence;
  const ofLink = typeof link === "object" && link !== null ? link : {};
  return { ...(subject === null ? {} : { subject }), ...ofLink, ...evidence };
}

function namesOf({ by, isMailbox = false }: About, data: Data): Names {
  if (by === undefined) return null;
  const given = by.flatMap((name) => (name.startsWith("=") ? [name.slice(1)] : toTexts(data[name])));
  const names = given.map((name) => (isMailbox ? name.slice(name.lastIndexOf("@") + 1) : name).toLowerCase());
  return names.length === 0 ? null : new Set(names);
}

function toTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string" && one !== "");
}
