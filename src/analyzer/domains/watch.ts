// What the monitor remembers about a domain between checks, and when it reports. A difference is first suspected, and
// reported once a check at least a minute later finds it again. If it is gone by then, it is forgotten. A record that
// keeps changing is reported once as unstable and then ignored until it is stable, because repeated notices would be
// ignored. Each part (parts.ts) is handled separately, so that an unstable or unanswered one hides no other.

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
 * Increase it when the encoding of an unchanged record's meaning (snapshot.ts) changes. The next check is then a first
 * one instead of reporting drift everywhere.
 */
export const watchFormat = 1;

/** Plain JSON, stored with the domain. */
export type Watch = {
  readonly format: typeof watchFormat;
  /** The state last reported or first seen. */
  readonly baseline: Snapshot;
  readonly known: Readonly<Partial<Record<Mechanism, LastVerdict>>>;
  readonly suspects: Readonly<Record<PartName, Suspect>>;
  readonly moves: Readonly<Record<PartName, readonly Move[]>>;
  readonly unsteady: Readonly<Record<PartName, Unsteady>>;
};

/** The last known verdict, confirmed or not. */
type LastVerdict = { readonly verdict: MechanismState["verdict"]; readonly at: number };

/** Seen once. `looks`: number of checks in a row with something new. */
type Suspect = { readonly trace: Trace; readonly since: number; readonly looks: number };

/** Nothing is reported until it is stable. */
type Unsteady = { readonly trace: Trace; readonly movedAt: number };

export type Observation = {
  readonly watch: Watch;
  readonly notice: DriftNotice | null;
  /** When to check again; null: at the next sweep. */
  readonly confirmAt: number | null;
};

const minuteMs = 60_000;

/** Without a limit, a record that differs at every check would be rechecked every minute forever. */
const maxQuickChecks = 3;

/** `watch`: null at a domain's first check, which is never drift. */
export function observe(watch: Watch | null, snapshot: Snapshot, at: number): Observation {
  if (watch === null) {
    const none = { suspects: {}, moves: {}, unsteady: {} };
    const first = { format: watchFormat, baseline: snapshot, known: toKnown({}, snapshot), ...none } as const;
    return { watch: first, notice: null, confirmAt: null };
  }
  const observations = observeParts(watch, snapshot, at);
  const choice = chooseNotice(watch, snapshot, observations, at);
  const isKept = ({ part, found }: PartObservation) => !(found === "same" || choice.reported.has(part));
  const kept = new Set(observations.filter(isKept).map(({ part }) => part));
  const baseline = mergeSnapshots(watch.baseline, snapshot, kept);
  const rest = toRest(watch, observations, choice, at);
  const next = { format: watchFormat, baseline, known: toKnown(watch.known, snapshot), ...rest } as const;
  return { watch: withoutStrays(next), notice: choice.notice, confirmAt: chooseTime(observations) };
}

export function isUnstable({ unsteady }: Watch): boolean {
  return Object.keys(unsteady).length > 0;
}

/** The last known verdict and its time; null: none yet. */
export function lastKnown({ known }: Watch, mechanism: Mechanism): LastVerdict | null {
  return known[mechanism] ?? null;
}

/** Null for formats of other versions. The next check is then a first one. */
export function parseWatch(text: string): Watch | null {
  return readWatch(text, watchFormat);
}

type PartObservation = {
  readonly part: PartName;
  /** Null: no answer. */
  readonly trace: Trace | null;
  /** open: not known yet. quiet: unstable, so nothing is reported. */
  readonly found: "same" | "suspected" | "confirmed" | "open" | "quiet";
  readonly suspect: Suspect | null;
  readonly unsteady: Unsteady | null;
};

/** Compares the parts that the baseline knows and DNS answered now. */
function observeParts(watch: Watch, snapshot: Snapshot, at: number): PartObservation[] {
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
        unsteady ? observeUnsteady(part, base, trace, unsteady, at) : observePart(part, base, trace, suspect, at),
      ];
    });
  });
}

function observePart(part: PartName, base: Trace, trace: Trace, suspect: Suspect | null, at: number): PartObservation {
  const observation = { part, trace, unsteady: null };
  const isRecordSame = base.meaning === trace.meaning;
  // The verdict is suspected, and this check has none.
  if (suspect?.trace.meaning === base.meaning && isRecordSame && trace.verdict === null)
    return { ...observation, found: "open", suspect };
  if (isSame(base, trace)) return { ...observation, found: "same", suspect: null };
  const isAgain = suspect?.trace.meaning === trace.meaning && (!isRecordSame || isSameVerdict(suspect.trace, trace));
  // A future time means that the clock was set back.
  if (!suspect || !isAgain || suspect.since > at)
    return { ...observation, found: "suspected", suspect: { trace, since: at, looks: (suspect?.looks ?? 0) + 1 } };
  return { ...observation, found: at - suspect.since < minuteMs ? "suspected" : "confirmed", suspect };
}

function observeUnsteady(part: PartName, base: Trace, trace: Trace, unsteady: Unsteady, at: number): PartObservation {
  const observation = { part, trace, suspect: null };
  const hasMoved = !isSame(unsteady.trace, trace) || unsteady.movedAt > at;
  if (hasMoved) return { ...observation, found: "quiet", unsteady: { trace, movedAt: at } };
  if (at - unsteady.movedAt < stillMs) return { ...observation, found: "quiet", unsteady };
  // Stable for long enough, so no second check is needed.
  return { ...observation, found: isSame(base, trace) ? "same" : "confirmed", unsteady: null };
}

type Choice = {
  readonly notice: DriftNotice | null;
  readonly reported: ReadonlyMap<PartName, Move>;
  /** Reported parts that are ignored from now on. */
  readonly flapping: ReadonlySet<PartName>;
};

/** One notice per check. An unstable part found with another change waits for the next check. */
function chooseNotice(watch: Watch, snapshot: Snapshot, observations: readonly PartObservation[], at: number): Choice {
  const confirmed = observations.filter(({ found }) => found === "confirmed");
  const turns = confirmed.flatMap((observation) => toTurn(watch, snapshot, observation, at) ?? []);
  if (turns.length === 0) return { notice: null, reported: new Map(), flapping: new Set() };
  const lasting = turns.filter(({ isFlapping }) => !isFlapping);
  const chosen = lasting.length > 0 ? lasting : turns;
  const reported = new Map(chosen.map(({ part, move }) => [part, move]));
  const changes = compareParts(watch.baseline, snapshot, new Set(reported.keys()));
  if (lasting.length === 0)
    return {
      notice: { kind: "unstable", changes: changes.map(addUnsteady) },
      reported,
      flapping: new Set(reported.keys()),
    };
  const kind = chosen.every(({ move }) => move.isMended) ? "mended" : "drift";
  return { notice: { kind, changes }, reported, flapping: new Set() };
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
  const says = `${change.says} It keeps changing, so alerts are paused until it has been stable for 6 hours.`;
  return { ...change, says };
}

/** The changes between two snapshots in these parts. */
function compareParts(before: Snapshot, after: Snapshot, parts: ReadonlySet<PartName>): Change[] {
  const others = mechanisms.flatMap((mechanism) => {
    const state = after[mechanism];
    return state ? toPartNames(mechanism, state).filter((part) => !parts.has(part)) : [];
  });
  const touched = new Set([...parts].map(mechanismOf));
  const merged = mergeSnapshots(before, after, new Set(others));
  const narrowed = mechanisms.map((mechanism) => [mechanism, touched.has(mechanism) ? merged[mechanism] : null]);
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
  observations: readonly PartObservation[],
  { reported, flapping }: Choice,
  at: number,
): Pick<Watch, "suspects" | "moves" | "unsteady"> {
  const suspects = { ...watch.suspects };
  const unsteady = { ...watch.unsteady };
  const moves = { ...watch.moves };
  for (const observation of observations) {
    if (observation.suspect && !reported.has(observation.part)) suspects[observation.part] = observation.suspect;
    else delete suspects[observation.part];
    if (observation.unsteady) unsteady[observation.part] = observation.unsteady;
    else delete unsteady[observation.part];
  }
  for (const [part, move] of reported) {
    moves[part] = keepMoves([...(moves[part] ?? []), move], at);
    if (flapping.has(part)) unsteady[part] = { trace: move.to, movedAt: at };
  }
  return { suspects, moves, unsteady };
}

/** Removes parts that are no longer queried. */
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
    return state?.isHeard && state.verdict !== null ? [[mechanism, { verdict: state.verdict, at: state.knownAt }]] : [];
  });
  return { ...known, ...Object.fromEntries(heard) };
}

function chooseTime(observations: readonly PartObservation[]): number | null {
  const times = observations.flatMap(({ found, suspect }) =>
    found === "suspected" && suspect && suspect.looks <= maxQuickChecks ? [suspect.since + minuteMs] : [],
  );
  return times.length === 0 ? null : Math.min(...times);
}
