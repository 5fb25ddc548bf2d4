// Properties that hold for any sequence of checks. The sequences are random and the same in every run.

import { expect, test } from "vitest";
import type { DomainReport, Mechanism } from "../../../src/analyzer/reports/domain-report.ts";
import { broken } from "../facts/asking.ts";
import { createRandom, type Random } from "./random.ts";
import { rewrites } from "./rewrites.ts";
import { type Published, reportOn, texts, thirdKeyRecord } from "./watched-domain.ts";
import { createWatcher, hour, minute, start } from "./watcher.ts";

type Watched = "spf" | "dmarc" | "dkim";
/** Of each mechanism what it may publish, and silence. */
const faces: Readonly<Record<Watched, readonly Published[]>> = {
  spf: [{}, { spf: texts.spf.replace("-all", "+all") }, { spf: null }, { spf: "servfail" }],
  dmarc: [{}, { dmarc: texts.dmarc.replace("p=reject", "p=none") }, { dmarc: null }, { dmarc: "servfail" }],
  dkim: [{}, { google: thirdKeyRecord }, { google: null }, { google: "servfail" }],
};
const silent = 3;
const watched = Object.keys(faces) as Watched[];
type State = Readonly<Record<Watched, number>>;

const reports = new Map<string, DomainReport>();
for (const spf of faces.spf.keys())
  for (const dmarc of faces.dmarc.keys())
    for (const dkim of faces.dkim.keys()) {
      const published = { ...faces.spf[spf], ...faces.dmarc[dmarc], ...faces.dkim[dkim] };
      reports.set(JSON.stringify({ spf, dmarc, dkim }), await reportOn(published));
    }
const down = await reportOn({}, broken("timeout"));

function find({ spf, dmarc, dkim }: State): DomainReport {
  return reports.get(JSON.stringify({ spf, dmarc, dkim })) ?? down;
}

/** Now and then something does not answer, or nothing does. */
function disturb(state: State, { next, pick }: Random): State | null {
  if (next() < 0.1) return null;
  return next() < 0.3 ? { ...state, [pick(watched)]: silent } : state;
}

type Seen = { readonly at: number; readonly state: State | null };

/** Hour by hour, with second looks where they are wanted; `stateAt` is asked at each look. */
function watchAlong(hours: number, stateAt: (sinceStart: number) => State, random: Random) {
  const watcher = createWatcher();
  const seen: Seen[] = [];
  const look = (sinceStart: number, isDisturbed = true) => {
    const state = isDisturbed ? disturb(stateAt(sinceStart), random) : stateAt(sinceStart);
    seen.push({ at: sinceStart, state });
    return watcher.look(state === null ? down : find(state), sinceStart);
  };
  look(0, false);
  for (let sweep = 1; sweep <= hours; sweep++) {
    const begin = sweep * hour;
    for (let { confirmAt } = look(begin); confirmAt !== null; ) {
      if (confirmAt - start >= begin + hour) break;
      confirmAt = look(Math.max(confirmAt - start, begin + minute)).confirmAt;
    }
  }
  return { watcher, seen };
}

type Run = ReturnType<typeof watchAlong>;

/** What is told of a mechanism begins where the last word ended, and differs from it; and nothing is told of what is silent. */
function expectOneStory({ watcher, seen }: Run): void {
  const last = new Map<Mechanism, string | null>();
  for (const { at, changes } of watcher.told) {
    const { state } = seen.find((each) => each.at === at) ?? { state: null };
    expect(changes.map(({ mechanism }) => mechanism)).toEqual([...new Set(changes.map(({ mechanism }) => mechanism))]);
    for (const { mechanism, before, after } of changes) {
      expect(state?.[mechanism as Watched]).not.toBe(silent);
      if (last.has(mechanism)) expect(before.record).toBe(last.get(mechanism));
      expect(after.record).not.toBe(before.record);
      last.set(mechanism, after.record);
    }
  }
}

const seeds = Array.from({ length: 3 }, (_, index) => index + 1);

test.each(seeds)("each lasting change is reported once, whatever does not answer meanwhile (seed %i)", (seed) => {
  const random = createRandom(seed);
  const hours = 200;
  const turns = watched.map((mechanism) => {
    const times: { readonly from: number; readonly face: number }[] = [{ from: 0, face: 0 }];
    for (let from = 2; from < hours - 15; from += 13 + Math.floor(random.next() * 40)) {
      const face = random.pick([0, 1, 2].filter((each) => each !== times.at(-1)?.face));
      times.push({ from: from * hour, face });
    }
    return { mechanism, times };
  });
  const stateAt = (sinceStart: number) =>
    Object.fromEntries(
      turns.map(({ mechanism, times }) => [mechanism, times.findLast(({ from }) => from <= sinceStart)?.face ?? 0]),
    ) as State;
  const run = watchAlong(hours, stateAt, random);
  expectOneStory(run);
  for (const { mechanism, times } of turns) {
    const told = run.watcher.told.flatMap((notice) =>
      notice.changes.some((change) => change.mechanism === mechanism) ? [notice] : [],
    );
    expect(told.map(({ at }) => times.findLastIndex(({ from }) => from <= at))).toEqual(
      times.slice(1).map((_, index) => index + 1),
    );
    expect(told.some(({ kind }) => kind === "unstable")).toBe(false);
  }
});

test.each(seeds)("a fixed problem is reported as fixed, and only once (seed %i)", (seed) => {
  const random = createRandom(1_000 + seed);
  const mechanism = random.pick(watched);
  const face = random.pick([1, 2]);
  const usual = { spf: 0, dmarc: 0, dkim: 0 };
  const [broke, mended] = [(3 + Math.floor(random.next() * 5)) * hour, 30 * hour];
  const stateAt = (sinceStart: number) =>
    sinceStart >= broke && sinceStart < mended ? { ...usual, [mechanism]: face } : usual;
  const { watcher } = watchAlong(60, stateAt, random);
  expect(watcher.told.map(({ kind }) => kind)).toEqual(["drift", "mended"]);
});

test.each(seeds)("constant changes are reported in a few notices (seed %i)", (seed) => {
  const random = createRandom(2_000 + seed);
  const hours = 150;
  const run = watchAlong(hours, () => ({ spf: random.pick([0, 1, 2]), dmarc: random.pick([0, 1]), dkim: 0 }), random);
  expectOneStory(run);
  for (const mechanism of watched) {
    const told = run.watcher.told.filter(({ changes }) => changes.some((each) => each.mechanism === mechanism));
    for (const [index, { kind, at }] of told.entries())
      if (kind === "unstable") expect((told[index + 1]?.at ?? Infinity) - at).toBeGreaterThanOrEqual(6 * hour);
    for (const { at } of told)
      expect(told.filter((each) => each.at >= at && each.at < at + 6 * hour).length).toBeLessThanOrEqual(4);
  }
});

test.each(seeds)("no notice is sent without a change, in any order and with DNS errors (seed %i)", (seed) => {
  const random = createRandom(3_000 + seed);
  const watcher = createWatcher();
  for (let hours = 0; hours < 100; hours++)
    watcher.sweep(random.next() < 0.2 ? down : random.pick(spellings), hours * hour);
  expect(watcher.told).toEqual([]);
});

const spellings = await Promise.all(rewrites.map(([, published]) => reportOn(published)));
