// The parts of a snapshot that change independently: each mechanism, except that DKIM is split by selector and DANE by
// host, because not every check queries the same ones.

import { createHash } from "node:crypto";
import type { Mechanism } from "../reports/domain-report.ts";
import { toVisible } from "../visible-text.ts";
import type { Meaning, MechanismState } from "./snapshot.ts";

/** For example `dmarc` or `dkim/s1`. */
export type PartName = string;

/** What distinguishes two states of a part. */
export type Trace = {
  readonly meaning: string;
  readonly verdict: MechanismState["verdict"];
  readonly basis: string | null;
};

type KeyedMechanism = "dkim" | "dane";

export function isKeyed(mechanism: Mechanism): mechanism is KeyedMechanism {
  return mechanism === "dkim" || mechanism === "dane";
}

export function mechanismOf(part: PartName): Mechanism {
  return part.split("/", 1)[0] as Mechanism;
}

/** Null: queried, no answer. Parts that were not queried are absent. */
export function toTraces(mechanism: Mechanism, state: MechanismState): Map<PartName, Trace | null> {
  const { meaning, verdict, basis } = state;
  if (!isKeyed(mechanism)) return new Map([[mechanism, { meaning: toHash(meaning), verdict, basis }]]);
  // DKIM's verdict adds nothing to its keys and depends on which of them were queried.
  const toTrace = (value: Meaning) =>
    value === "silent" ? null : { meaning: toHash(value), verdict: null, basis: null };
  return new Map(entriesOf(state).map(([key, value]) => [`${mechanism}/${key}`, toTrace(value)]));
}

export function toPartNames(mechanism: Mechanism, state: MechanismState): PartName[] {
  return isKeyed(mechanism) ? entriesOf(state).map(([key]) => `${mechanism}/${key}`) : [mechanism];
}

function entriesOf({ meaning }: MechanismState): readonly (readonly [string, Meaning])[] {
  return typeof meaning === "object" && meaning !== null ? Object.entries(meaning) : [];
}

export function isSame(one: Trace, other: Trace): boolean {
  return one.meaning === other.meaning && isSameVerdict(one, other);
}

/** An unknown verdict, or one with another basis, does not count as different. */
export function isSameVerdict(one: Trace, other: Trace): boolean {
  const isComparable = one.verdict !== null && other.verdict !== null && one.basis === other.basis;
  return !isComparable || one.verdict === other.verdict;
}

/** `after`, except for kept parts and parts without an answer, which come from `before`. */
export function mergeStates(
  mechanism: Mechanism,
  before: MechanismState,
  after: MechanismState,
  kept: ReadonlySet<PartName>,
): MechanismState {
  if (isKeyed(mechanism)) return mergeKeyed(mechanism, before, after, kept);
  if (kept.has(mechanism)) return before;
  if (after.verdict !== null || toHash(before.meaning) !== toHash(after.meaning)) return after;
  const { verdict, basis, fault } = before;
  return { ...after, verdict, basis, fault };
}

function mergeKeyed(
  mechanism: KeyedMechanism,
  before: MechanismState,
  after: MechanismState,
  kept: ReadonlySet<PartName>,
): MechanismState {
  const earlier = new Map(entriesOf(before));
  const merged = new Map<string, Meaning>();
  const lines: string[] = [];
  for (const [key, value] of entriesOf(after)) {
    const isKept = value === "silent" || kept.has(`${mechanism}/${key}`);
    const from = isKept ? before : after;
    const known = isKept ? earlier.get(key) : value;
    if (known === undefined) continue;
    merged.set(key, known);
    if (known !== null) lines.push(...linesOfKey(mechanism, key, from.record));
  }
  const record = lines.length === 0 ? null : lines.join("\n");
  return { ...after, verdict: after.verdict ?? before.verdict, record, meaning: Object.fromEntries(merged) };
}

const lineBeginnings: Readonly<Record<KeyedMechanism, (key: string) => string>> = {
  dkim: (selector) => `${selector}._domainkey.`,
  dane: (host) => `_25._tcp.${host} `,
};

export function linesOfKey(mechanism: KeyedMechanism, key: string, record: string | null): string[] {
  return linesOf(record).filter((line) => line.startsWith(lineBeginnings[mechanism](key)));
}

const maxPlainLength = 40;

/** Most values are the short one for "no key". */
export function toHash(meaning: Meaning): string {
  const text = JSON.stringify(meaning);
  if (text.length <= maxPlainLength) return text;
  return createHash("sha256").update(text).digest("hex").slice(0, 24);
}

// Records for display: one per line, without characters that break lines.

export function toLines(records: readonly string[]): string | null {
  return records.length === 0 ? null : records.map(toVisible).join("\n");
}

function linesOf(record: string | null): readonly string[] {
  return record === null ? [] : record.split("\n");
}
