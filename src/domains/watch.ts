// What the monitor knows of a domain from check to check, and when it tells. A difference is suspected first, and told
// once a second look, a minute later at the earliest, finds it too; one that is gone by then is forgotten. What goes to and
// fro is told once to be unstable, and then left until it has been still: whoever is told the same thing twice stops
// reading. Each part (parts.ts) by itself, so that one that flaps or is silent hides no other.

import { type Mechanism, mechanisms } from "../reports/domain-report.ts";
import { type Change, compareSnapshots, type DriftNotice } from "./drift.ts";
import {
  isSame,
  isSameVerdict,
  mechanismOf,
  mergeStates,
  type PartName,
  type Trace,
  toPartNames,
  toTraces,
} from "./parts.ts";
import type { MechanismState, Snapshot } from "./snapshot.ts";
import { readWatch } from "./watch-json.ts";
import { judgeMove, keepMoves, type Move, stillMs } from "./watch-moves.ts";

/**
 * Raised when the meaning of an unchanged record (snapshot.ts) is written otherwise than before, so that a new release
 * takes its first look for a first one, and not for drift everywhere.
 */
export const watchFormat = 1;

/** Plain JSON, kept with the domain. */
export type Watch = {
  readonly format: typeof watchFormat;
  /** What was last told, or first seen. */
  readonly baseline: Snapshot;
  readonly known: Readonly<Partial<Record<Mechanism, LastVerdict>>>;
  readonly suspects: Readonly<Record<PartName, Suspect>>;
  readonly moves: Readonly<Record<PartName, readonly Move[]>>;
  readonly unsteady: Readonly<Record<PartName, Unsteady>>;
};

/** The last verdict that was reached, confirmed or not. */
type LastVerdict = { readonly verdict: MechanismState["verdict"]; readonly at: number };

/** Seen once. `looks`: how many looks in a row saw something new. */
type Suspect = { readonly trace: Trace; readonly since: number; readonly looks: number };

/** Of which nothing is told until it has been still. */
type Unsteady = { readonly trace: Trace; readonly movedAt: number };

export type Observation = {
  readonly watch: Watch;
  readonly notice: DriftNotice | null;
  /** When a second look is wanted; null: at the next sweep. */
  readonly confirmAt: number | null;
};

const minuteMs = 60_000;

/** One that shows another face at each look would else be looked at for ever, minute by minute. */
const maxQuickLooks = 3;

/** `watch`: null at the first check of a domain, which is never drift. */
export function observe(watch: Watch | null, snapshot: Snapshot, at: number): Observation {
  if (watch === null) {
    const none = { suspects: {}, moves: {}, unsteady: {} };
    const first = { format: watchFormat, baseline: snapshot, known: toKnown({}, snapshot), ...none } as const;
    return { watch: first, notice: null, confirmAt: null };
  }
  const looks = lookAt(watch, snapshot, at);
  const choice = chooseNotice(watch, snapshot, looks, at);
  const isKept = ({ part, found }: PartObservation) => !(found === "same" || choice.told.has(part));
  const kept = new Set(looks.filter(isKept).map(({ part }) => part));
  const baseline = mergeSnapshots(watch.baseline, snapshot, kept);
  const rest = toRest(watch, looks, choice, at);
  const next = { format: watchFormat, baseline, known: toKnown(watch.known, snapshot), ...rest } as const;
  return { watch: withoutStrays(next), notice: choice.notice, confirmAt: chooseTime(looks) };
}

export function isUnstable({ unsteady }: Watch): boolean {
  return Object.keys(unsteady).length > 0;
}

/** The last verdict that was reached, and when; null: none ever. */
export function lastKnown({ known }: Watch, mechanism: Mechanism): LastVerdict | null {
  return known[mechanism] ?? null;
}

/** Null for what this version cannot read: the next look is then a first one. */
export function parseWatch(text: string): Watch | null {
  return readWatch(text, watchFormat);
}

type PartObservation = {
  readonly part: PartName;
  /** Null: the part was silent. */
  readonly trace: Trace | null;
  /** open: nothing can be said; quiet: it is unsteady, and nothing shall be. */
  readonly found: "same" | "suspected" | "confirmed" | "open" | "quiet";
  readonly suspect: Suspect | null;
  readonly unsteady: Unsteady | null;
};

/** At the parts that both are known of, and heard now. */
function lookAt(watch: Watch, snapshot: Snapshot, at: number): PartObservation[] {
  return mechanisms.flatMap((mechanism) => {
    const [before, after] = [watch.baseline[mechanism], snapshot[mechanism]];
    if (!before || !after?.isHeard) return [];
    const now = toTraces(mechanism, after);
    return [...toTraces(mechanism, before)].flatMap(([part, base]) => {
      const trace = now.get(part);
      if (base === null || trace === undefined) return [];
      const suspect = watch.suspects[part] ?? null;
      const unsteady = watch.unsteady[part] ?? null;
      if (trace === null) return [{ part, trace, found: "open", suspect, unsteady }];
      return [
        unsteady
          ? lookAtUnsteady(part, base, trace, unsteady, at)
          : lookAtPart(part, base, trace, suspect, at),
      ];
    });
  });
}

function lookAtPart(
  part: PartName,
  base: Trace,
  trace: Trace,
  suspect: Suspect | null,
  at: number,
): PartObservation {
  const look = { part, trace, unsteady: null };
  const isRecordSame = base.meaning === trace.meaning;
  // What is suspected is the verdict, and there is none this time.
  if (suspect?.trace.meaning === base.meaning && isRecordSame && trace.verdict === null)
    return { ...look, found: "open", suspect };
  if (isSame(base, trace)) return { ...look, found: "same", suspect: null };
  const isAgain =
    suspect?.trace.meaning === trace.meaning && (!isRecordSame || isSameVerdict(suspect.trace, trace));
  // What was suspected later than now is of a clock that was set back since.
  if (!suspect || !isAgain || suspect.since > at)
    return { ...look, found: "suspected", suspect: { trace, since: at, looks: (suspect?.looks ?? 0) + 1 } };
  return { ...look, found: at - suspect.since < minuteMs ? "suspected" : "confirmed", suspect };
}

function lookAtUnsteady(
  part: PartName,
  base: Trace,
  trace: Trace,
  unsteady: Unsteady,
  at: number,
): PartObservation {
  const look = { part, trace, suspect: null };
  const hasMoved = !isSame(unsteady.trace, trace) || unsteady.movedAt > at;
  if (hasMoved) return { ...look, found: "quiet", unsteady: { trace, movedAt: at } };
  if (at - unsteady.movedAt < stillMs) return { ...look, found: "quiet", unsteady };
  // It has been what it is for so long that no second look is wanted.
  return { ...look, found: isSame(base, trace) ? "same" : "confirmed", unsteady: null };
}

type Choice = {
  readonly notice: DriftNotice | null;
  readonly told: ReadonlyMap<PartName, Move>;
  /** Of those told, what is left alone from now on. */
  readonly flapping: ReadonlySet<PartName>;
};

/** One notice a look: what is found to be unstable beside another change waits for the next. */
function chooseNotice(
  watch: Watch,
  snapshot: Snapshot,
  looks: readonly PartObservation[],
  at: number,
): Choice {
  const confirmed = looks.filter(({ found }) => found === "confirmed");
  const turns = confirmed.flatMap((look) => toTurn(watch, snapshot, look, at) ?? []);
  if (turns.length === 0) return { notice: null, told: new Map(), flapping: new Set() };
  const lasting = turns.filter(({ isFlapping }) => !isFlapping);
  const chosen = lasting.length > 0 ? lasting : turns;
  const told = new Map(chosen.map(({ part, move }) => [part, move]));
  const changes = compareParts(watch.baseline, snapshot, new Set(told.keys()));
  if (lasting.length === 0)
    return {
      notice: { kind: "unstable", changes: changes.map(addUnsteady) },
      told,
      flapping: new Set(told.keys()),
    };
  const kind = chosen.every(({ move }) => move.isMended) ? "mended" : "drift";
  return { notice: { kind, changes }, told, flapping: new Set() };
}

type Turn = { readonly part: PartName; readonly move: Move; readonly isFlapping: boolean };

function toTurn(watch: Watch, snapshot: Snapshot, { part, trace }: PartObservation, at: number): Turn | null {
  const before = watch.baseline[mechanismOf(part)];
  const from = before && toTraces(mechanismOf(part), before).get(part);
  const [change] = compareParts(watch.baseline, snapshot, new Set([part]));
  if (!change || !from || !trace) return null;
  const move = { at, from, to: trace, direction: change.direction, isMended: false };
  const { isMended, isFlapping } = judgeMove(watch.moves[part] ?? [], move);
  return { part, move: { ...move, isMended }, isFlapping };
}

function addUnsteady(change: Change): Change {
  const says = `${change.says} It has gone to and fro, and nothing more is told of it until it has been still for 6 hours.`;
  return { ...change, says };
}

/** What of the two snapshots differs in these parts. */
function compareParts(before: Snapshot, after: Snapshot, parts: ReadonlySet<PartName>): Change[] {
  const others = mechanisms.flatMap((mechanism) => {
    const state = after[mechanism];
    return state ? toPartNames(mechanism, state).filter((part) => !parts.has(part)) : [];
  });
  const touched = new Set([...parts].map(mechanismOf));
  const merged = mergeSnapshots(before, after, new Set(others));
  const narrowed = mechanisms.map((mechanism) => [
    mechanism,
    touched.has(mechanism) ? merged[mechanism] : null,
  ]);
  return compareSnapshots(before, Object.fromEntries(narrowed) as Snapshot);
}

function mergeSnapshots(before: Snapshot, after: Snapshot, kept: ReadonlySet<PartName>): Snapshot {
  const toEntry = (mechanism: Mechanism) => {
    const [one, other] = [before[mechanism], after[mechanism]];
    if (!other?.isHeard) return [mechanism, one];
    return [mechanism, one ? mergeStates(mechanism, one, other, kept) : other];
  };
  return Object.fromEntries(mechanisms.map(toEntry)) as Snapshot;
}

function toRest(
  watch: Watch,
  looks: readonly PartObservation[],
  { told, flapping }: Choice,
  at: number,
): Pick<Watch, "suspects" | "moves" | "unsteady"> {
  const suspects = { ...watch.suspects };
  const unsteady = { ...watch.unsteady };
  const moves = { ...watch.moves };
  for (const look of looks) {
    if (look.suspect && !told.has(look.part)) suspects[look.part] = look.suspect;
    else delete suspects[look.part];
    if (look.unsteady) unsteady[look.part] = look.unsteady;
    else delete unsteady[look.part];
  }
  for (const [part, move] of told) {
    moves[part] = keepMoves([...(moves[part] ?? []), move], at);
    if (flapping.has(part)) unsteady[part] = { trace: move.to, movedAt: at };
  }
  return { suspects, moves, unsteady };
}

/** Of parts that are no longer asked for nothing is kept. */
function withoutStrays(watch: Watch): Watch {
  const parts = new Set(
    mechanisms.flatMap((mechanism) => {
      const state = watch.baseline[mechanism];
      return state ? toPartNames(mechanism, state) : [];
    }),
  );
  const keep = <T>(byPart: Readonly<Record<PartName, T>>) =>
    Object.fromEntries(Object.entries(byPart).filter(([part]) => parts.has(part)));
  const { suspects, moves, unsteady } = watch;
  return { ...watch, suspects: keep(suspects), moves: keep(moves), unsteady: keep(unsteady) };
}

function toKnown(known: Watch["known"], snapshot: Snapshot): Watch["known"] {
  const heard = mechanisms.flatMap((mechanism) => {
    const state = snapshot[mechanism];
    return state?.isHeard && state.verdict !== null
      ? [[mechanism, { verdict: state.verdict, at: state.knownAt }]]
      : [];
  });
  return { ...known, ...Object.fromEntries(heard) };
}

function chooseTime(looks: readonly PartObservation[]): number | null {
  const times = looks.flatMap(({ found, suspect }) =>
    found === "suspected" && suspect && suspect.looks <= maxQuickLooks ? [suspect.since + minuteMs] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}
