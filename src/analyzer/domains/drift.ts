// Compares two snapshots of a domain by meaning. Each mechanism has at most one change. What either snapshot does not
// know is not compared.

import { toInnerTitle } from "../checks/inner-title.ts";
import { wordsById } from "../checks/list.ts";
import { type Mechanism, mechanisms, type VerdictWord } from "../reports/domain-report.ts";
import { toVisibleCut } from "../visible-text.ts";
import {
  type ChangeKind,
  type ChangeWords,
  changeKinds,
  type Direction,
  type NoticeKind,
} from "./change-kind-table.ts";
import { diffBimi, diffDmarc, diffMtaSts, diffPresence, diffTlsRpt, listNames } from "./diff-policies.ts";
import { type DkimMeaning, diffDkim } from "./dkim-meaning.ts";
import { type DaneMeaning, type DnssecMeaning, diffDane, diffDnssec, diffMx, type MxMeaning } from "./host-meanings.ts";
import { isKeyed, isSame, linesOfKey, type Trace, toHash, toTraces } from "./parts.ts";
import type { BimiMeaning, DmarcMeaning, MtaStsMeaning, TlsRptMeaning } from "./policy-meanings.ts";
import type { Meaning, MechanismState, Snapshot } from "./snapshot.ts";
import type { SpfMeaning } from "./spf-meaning.ts";

// Describes changes of an SPF record.

const what = "The SPF record";

function diffSpf(before: SpfMeaning, after: SpfMeaning): ChangeWords {
  if (before.state !== "read" || after.state !== "read")
    return diffPresence(what, before.state, after.state) ?? otherwise("changed");
  const [end, newEnd] = [before.terms.at(-1) ?? "", after.terms.at(-1) ?? ""];
  const senders = toSenders(before.terms, after.terms);
  if (end !== newEnd) return describeEnd(end, newEnd, senders);
  if (senders !== null) return senders;
  if (before.exp !== after.exp) return otherwise("has a different explanation for rejected senders (exp=)");
  return otherwise("evaluates some senders differently, because the order or qualifiers of its terms changed");
}

function otherwise(says: string): ChangeWords {
  return { kind: "record_changed", direction: "neutral", says: `${what} ${says}` };
}

/** How strict an ending is. A redirect leaves that to another record. */
const strictness: Readonly<Record<string, number>> = { "+all": 0, "?all": 1, "~all": 2, "-all": 3 };

const effects: Readonly<Record<string, string>> = {
  "+all": "so any host on the internet passes",
  "?all": "so it says nothing about unlisted senders",
  "~all": "so unlisted senders only get softfail",
  "-all": "so unlisted senders fail",
};

function describeEnd(end: string, newEnd: string, senders: ChangeWords | null): ChangeWords {
  const [one, other] = [strictness[end], strictness[newEnd]];
  const effect = effects[newEnd] === undefined ? "" : `, ${effects[newEnd]}`;
  const more = senders === null || other === 0 ? "" : `; ${senders.says.replace(`${what} `, "it ")}`;
  const says = `${what} now ends with ${quote(newEnd)} instead of ${quote(end)}${effect}${more}`;
  if (one === undefined || other === undefined) return { kind: "record_changed", direction: "neutral", says };
  const direction: Direction = other < one ? "worse" : "better";
  return { kind: other < one ? "all_loosened" : "all_tightened", direction, says };
}

function toSenders(before: readonly string[], after: readonly string[]): ChangeWords | null {
  const [one, other] = [allowed(before), allowed(after)];
  const added = other.filter((term) => !one.includes(term));
  const removed = one.filter((term) => !other.includes(term));
  if (added.length + removed.length === 0) return null;
  const says = [
    ...(added.length > 0 ? [`now allows ${listTerms(added)}`] : []),
    ...(removed.length > 0 ? [`no longer allows ${listTerms(removed)}`] : []),
  ].join(", and ");
  const kind = added.length === 0 ? "senders_removed" : removed.length === 0 ? "senders_added" : "senders_changed";
  return { kind, direction: "neutral", says: `${what} ${says}` };
}

function allowed(terms: readonly string[]): readonly string[] {
  return terms.filter((term) => term.startsWith("+") && term !== "+all");
}

function listTerms(terms: readonly string[]): string {
  return listNames(terms.map((term) => quote(term.replace(/^\+/, "").replace(/\/(?:32|128)$/, ""))));
}

function quote(term: string): string {
  return `"${toVisibleCut(term, 80)}"`;
}

type Side = { readonly verdict: VerdictWord | null; readonly record: string | null };

export type Change = {
  readonly mechanism: Mechanism;
  readonly kind: ChangeKind;
  readonly direction: Direction;
  /** For users. */
  readonly says: string;
  readonly before: Side;
  readonly after: Side;
};

/** Reported once. */
export type DriftNotice = { readonly kind: NoticeKind; readonly changes: readonly Change[] };

export function compareSnapshots(before: Snapshot, after: Snapshot): Change[] {
  return mechanisms.flatMap((mechanism) => {
    const [one, other] = [before[mechanism], after[mechanism]];
    const change = one && other ? compareStates(mechanism, one, other) : null;
    return change ?? [];
  });
}

function compareStates(mechanism: Mechanism, before: MechanismState, after: MechanismState): Change | null {
  const keys = findChanged(toTraces(mechanism, before), toTraces(mechanism, after));
  if (keys.length === 0) return null;
  const isSameRecord = !isKeyed(mechanism) && toHash(before.meaning) === toHash(after.meaning);
  const change = isSameRecord
    ? describeVerdict(mechanism, before, after)
    : withVerdict(mechanism, describers[mechanism](before.meaning, after.meaning, keys), before, after);
  const { kind, direction } = change;
  const says = withUndo(change, before);
  const sides = { before: toSide(mechanism, before, keys), after: toSide(mechanism, after, keys) };
  return { mechanism, kind, direction, says, ...sides };
}

/** For mechanisms with keys, returns the keys. */
function findChanged(before: ReadonlyMap<string, Trace | null>, after: ReadonlyMap<string, Trace | null>): string[] {
  return [...before].flatMap(([part, trace]) => {
    const now = after.get(part);
    return trace && now && !isSame(trace, now) ? [part.slice(part.indexOf("/") + 1)] : [];
  });
}

function toSide(mechanism: Mechanism, { verdict, record }: MechanismState, keys: readonly string[]): Side {
  if (!isKeyed(mechanism)) return { verdict, record };
  const lines = keys.flatMap((key) => linesOfKey(mechanism, key, record));
  return { verdict, record: lines.length === 0 ? null : lines.join("\n") };
}

type Describer = (before: Meaning, after: Meaning, keys: readonly string[]) => ChangeWords;

/** Each meaning in a snapshot was written by its mechanism's reader (snapshot.ts). */
const describers: Readonly<Record<Mechanism, Describer>> = {
  spf: (before, after) => diffSpf(before as SpfMeaning, after as SpfMeaning),
  dkim: (before, after, keys) => diffDkim(before as DkimMeaning, after as DkimMeaning, keys),
  dmarc: (before, after) => diffDmarc(before as DmarcMeaning, after as DmarcMeaning),
  bimi: (before, after) => diffBimi(before as BimiMeaning, after as BimiMeaning),
  mx: (before, after) => diffMx(before as MxMeaning, after as MxMeaning),
  mtaSts: (before, after) => diffMtaSts(before as MtaStsMeaning, after as MtaStsMeaning),
  tlsRpt: (before, after) => diffTlsRpt(before as TlsRptMeaning, after as TlsRptMeaning),
  dnssec: (before, after) => diffDnssec(before as DnssecMeaning, after as DnssecMeaning),
  dane: (before, after, keys) => diffDane(before as DaneMeaning, after as DaneMeaning, keys),
};

/** The record is unchanged, so something it refers to has changed. */
function describeVerdict(mechanism: Mechanism, before: MechanismState, after: MechanismState): ChangeWords {
  const direction = toVerdictDirection(before, after);
  const because = direction === "worse" ? toReason(after) : "";
  const says = `${names[mechanism]} changed from ${before.verdict} to ${after.verdict}, although its record is unchanged${because}`;
  return { kind: hasPassedLimit(before, after) ? "lookups_exceeded" : "verdict_changed", direction, says };
}

/** Describes a record's change together with its effect on the verdict. */
function withVerdict(
  mechanism: Mechanism,
  change: ChangeWords,
  before: MechanismState,
  after: MechanismState,
): ChangeWords {
  const isComparable = before.verdict !== null && after.verdict !== null && before.basis === after.basis;
  if (isKeyed(mechanism) || !isComparable || before.verdict === after.verdict) return change;
  const shift = toVerdictDirection(before, after);
  const isOver = hasPassedLimit(before, after);
  // If the change itself is worse, it already explains the verdict.
  const because = shift === "worse" && (change.direction === "neutral" || isOver) ? toReason(after) : "";
  return {
    kind: isOver ? "lookups_exceeded" : change.kind,
    direction: change.direction === "neutral" ? shift : change.direction,
    says: `${change.says}; ${names[mechanism]} changed from ${before.verdict} to ${after.verdict}${because}`,
  };
}

function toReason({ fault }: MechanismState): string {
  if (fault === null) return "";
  const title = wordsById.get(fault.id)?.title;
  return `: ${title === undefined ? fault.says.replace(/\.$/, "") : toInnerTitle(title)}`;
}

function hasPassedLimit(before: MechanismState, after: MechanismState): boolean {
  const limit = "spf-lookups.over-limit";
  return after.fault?.id === limit && before.fault?.id !== limit;
}

/** A broken record is as bad as a missing one, because it has no effect. */
const ranks: Readonly<Record<string, number>> = { pass: 2, warn: 1, missing: 0, fail: 0 };

function toVerdictDirection(before: MechanismState, after: MechanismState): Direction {
  const gain = (ranks[after.verdict ?? ""] ?? 0) - (ranks[before.verdict ?? ""] ?? 0);
  return gain > 0 ? "better" : gain < 0 ? "worse" : "neutral";
}

function withUndo({ kind, direction, says }: ChangeWords, { record }: MechanismState): string {
  const { undo } = changeKinds[kind];
  if (direction !== "worse" || record === null) return `${says}.`;
  return undo === null ? `${says}. See the findings for what to do.` : `${says}. To undo it, ${undo}.`;
}

const names: Readonly<Record<Mechanism, string>> = {
  spf: "SPF",
  dkim: "DKIM",
  dmarc: "DMARC",
  bimi: "BIMI",
  mx: "MX",
  mtaSts: "MTA-STS",
  tlsRpt: "TLS reporting",
  dnssec: "DNSSEC",
  dane: "DANE",
};
