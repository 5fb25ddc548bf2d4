// What a domain published, by mechanism, as far as it is known: what the monitor compares. The record and the verdict are
// known apart: while a provider's include does not answer, the domain's own record is heard all the same, and only its
// verdict is not. Trouble is no state of a domain, so that a mechanism that was not heard keeps what was known before.

import type { Unknown } from "../checks/fact.ts";
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

export type Meaning =
  | string
  | number
  | boolean
  | null
  | readonly Meaning[]
  | { readonly [name: string]: Meaning };

/** A mechanism as it was heard. */
export type Reading = {
  /** Lines, as published, for a person; null: there is none. */
  readonly record: string | null;
  /** Equal when nothing changed in meaning: the order of terms, spaces and case of tags do not count. */
  readonly meaning: Meaning;
};

export type MechanismState = Reading & {
  /** Null for a mechanism that has no word of its own, or when it was not wholly checked. */
  readonly verdict: Exclude<VerdictWord, "error"> | null;
  /** What the verdict rests on beside what is published: only verdicts of one basis can be compared. */
  readonly basis: string | null;
  /** The gravest fault that the verdict tells of. */
  readonly fault: Fault | null;
  /** When it was last heard. */
  readonly knownAt: number;
  /** False: it was not heard this time, and is what was known before. */
  readonly isHeard: boolean;
};

type Fault = { readonly id: string; readonly says: string };

/** Null: never known. */
export type Snapshot = Readonly<Record<Mechanism, MechanismState | null>>;

/** Null: it was not heard. */
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

/** Of a policy text, or of forty keys; nobody's own are as long. */
const maxRecordLength = 40_000;
const maxFaultLength = 300;

/** `before`: what was last known (Watch.baseline); null at the first check. */
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

/** A server of logos that is silent, or a check of ours that broke, would else look as if a fault had been mended. */
function leavesOpen(mechanism: Mechanism, { judgment: { skipped, partly } }: DomainReport): boolean {
  return [...skipped, ...partly].some(({ check, why }) => isOf(mechanism, check) && why !== "off");
}

/** A new release judges otherwise, mail that was seen makes a parked domain one in use: the domain has changed nothing. */
function toBasis(mechanism: Mechanism, { analysis, facts: { parked }, judgment }: DomainReport): string {
  const off = judgment.skipped.filter(({ check }) => isOf(mechanism, check)).map(({ check }) => check);
  const isParked = parked.known ? parked.value.isParked : (parked satisfies Unknown).why;
  return [analysis.version, `parked ${isParked}`, ...off].join("; ");
}
