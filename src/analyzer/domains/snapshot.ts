// A snapshot of what a domain publishes, by mechanism, which the monitor compares. Record and verdict are known
// separately: if a provider's include does not answer, the domain's own record is known and only the verdict is
// missing. A mechanism without an answer keeps its previous state, because DNS trouble is no change of the domain.

import { isNotInUse, type Unknown } from "../checks/fact.ts";
import { isAboveInfo } from "../reports/causes.ts";
import {
  type DomainReport,
  findingsOf,
  isOf,
  type Mechanism,
  mechanisms,
  type VerdictMechanism,
  type VerdictWord,
  verdictMechanisms,
} from "../reports/domain-report.ts";
import { toVisible } from "../visible-text.ts";
import { readDkim } from "./dkim-meaning.ts";
import { readDane, readDnssec, readMx } from "./host-meanings.ts";
import { readBimi, readDmarc, readMtaSts, readTlsRpt } from "./policy-meanings.ts";
import { readSpf } from "./spf-meaning.ts";

export type Meaning = string | number | boolean | null | readonly Meaning[] | { readonly [name: string]: Meaning };

/** What a check learned about a mechanism. */
export type Reading = {
  /** Published lines for display; null: no record. */
  readonly record: string | null;
  /** Equal if nothing changed in meaning. Order of terms, spaces and tag case do not count. */
  readonly meaning: Meaning;
};

export type MechanismState = Reading & {
  /** Null if the mechanism has no verdict or was not fully checked. */
  readonly verdict: Exclude<VerdictWord, "error"> | null;
  /** Other inputs of the verdict. Only verdicts with the same basis are compared. */
  readonly basis: string | null;
  /** The most serious finding behind the verdict. */
  readonly fault: Fault | null;
  /** When DNS last answered. */
  readonly knownAt: number;
  /** False: DNS did not answer this time, so this is the previous state. */
  readonly isHeard: boolean;
};

type Fault = { readonly id: string; readonly says: string };

/** Null: never known. */
export type Snapshot = Readonly<Record<Mechanism, MechanismState | null>>;

/** Null: no answer. */
const readers: Readonly<Record<Mechanism, (report: DomainReport) => Reading | null>> = {
  spf: readSpf,
  dkim: readDkim,
  dmarc: readDmarc,
  bimi: readBimi,
  mx: readMx,
  mtaSts: readMtaSts,
  tlsRpt: readTlsRpt,
  dnssec: readDnssec,
  dane: readDane,
};

/** For a policy file or forty keys. Real records are shorter. */
const maxRecordLength = 40_000;
const maxFaultLength = 300;

/** `before`: the last known state (Watch.baseline); null at the first check. */
export function toSnapshot(report: DomainReport, before: Snapshot | null): Snapshot {
  const toEntry = (mechanism: Mechanism) => [mechanism, toState(mechanism, report, before?.[mechanism])];
  return Object.fromEntries(mechanisms.map(toEntry)) as Snapshot;
}

function toState(
  mechanism: Mechanism,
  report: DomainReport,
  before: MechanismState | null | undefined,
): MechanismState | null {
  const reading = readers[mechanism](report);
  if (reading === null) return before ? { ...before, isHeard: false } : null;
  return {
    record: reading.record?.slice(0, maxRecordLength) ?? null,
    meaning: reading.meaning,
    ...toVerdictState(mechanism, report),
    knownAt: report.analysis.startedAt,
    isHeard: true,
  };
}

type VerdictState = Pick<MechanismState, "verdict" | "basis" | "fault">;

function toVerdictState(mechanism: Mechanism, report: DomainReport): VerdictState {
  const none: VerdictState = { verdict: null, basis: null, fault: null };
  if (!isVerdictMechanism(mechanism)) return none;
  const { word, isWhole } = report.verdicts[mechanism];
  if (word === "error" || !isWhole || leavesOpen(mechanism, report)) return none;
  const [gravest] = findingsOf(mechanism, report.judgment).filter(isAboveInfo);
  const fault = gravest && { id: gravest.id, says: toVisible(gravest.says.slice(0, maxFaultLength)) };
  return { verdict: word, basis: toBasis(mechanism, report), fault: fault ?? null };
}

function isVerdictMechanism(mechanism: Mechanism): mechanism is VerdictMechanism {
  return verdictMechanisms.some((each) => each === mechanism);
}

/** Otherwise an unreachable logo server or a crashed check would look like a fixed issue. */
function leavesOpen(mechanism: Mechanism, { judgment: { skipped, partly } }: DomainReport): boolean {
  return [...skipped, ...partly].some(({ check, why }) => isOf(mechanism, check) && !isNotInUse(why));
}

/**
 * A new version may judge differently, and newly seen mail turns a parked domain into an active one. Neither is a
 * change of the domain.
 */
function toBasis(mechanism: Mechanism, { analysis, facts: { parked }, judgment }: DomainReport): string {
  const off = judgment.skipped.filter(({ check }) => isOf(mechanism, check)).map(({ check }) => check);
  const isParked = parked.known ? parked.value.isParked : (parked satisfies Unknown).why;
  return [analysis.version, `parked ${isParked}`, ...off].join("; ");
}
