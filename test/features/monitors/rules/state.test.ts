import { describe, expect, test } from "vitest";
import {
  advance,
  type Decision,
  type MonitorOutcome,
  type MonitorState,
  toFigures,
  toSpans,
} from "../../../../src/features/monitors/rules/state.ts";

const fresh: MonitorState = { state: "new", since: 0, problem: null, lastOkAt: null, failing: 0 };

/** Each run as "ok", "late", or "2 lost": a revision of the second run. */
function play(runs: readonly string[], failuresBeforeAlert = 1) {
  let state = fresh;
  const news: string[] = [];
  runs.forEach((text, index) => {
    const [first = "", second] = text.split(" ");
    const isRevised = second !== undefined;
    const number = isRevised ? Number(first) : index + 1;
    const decision: Decision = {
      runId: `run_${String(number).padStart(3, "0")}`,
      testId: null,
      at: index + 1,
      isRevised,
      outcome: (second ?? first) as MonitorOutcome,
      says: text,
    };
    const step = advance(state, decision, failuresBeforeAlert);
    state = step.next;
    if (step.news) news.push(`${index + 1} ${step.news}`);
  });
  return { state, news };
}

describe("the state of a monitor", () => {
  test("the state of a monitor is reported down once and up once", () => {
    const { news, state } = play(["ok", "late", "lost", "refused", "ok", "ok"]);
    expect(news).toEqual(["2 down", "5 up"]);
    expect(state).toMatchObject({ state: "up", since: 5, problem: null, lastOkAt: 6, failing: 0 });
  });

  test("the state of a monitor becomes down only after the configured failures in a row", () => {
    expect(play(["late", "late", "ok", "late", "late", "late"], 3).news).toEqual(["6 down"]);
  });

  test("the state of a monitor isn't changed by a run that says nothing about the path", () => {
    expect(play(["ok", "interrupted", "maintenance"]).state).toMatchObject({ state: "up", lastOkAt: 1 });
    expect(play(["late", "interrupted"]).state.state).toBe("down");
  });

  test("the state of a monitor shows the latest problem, and counts a revised run once", () => {
    const { news, state } = play(["ok", "late", "2 bounced"], 2);
    expect([news, state.failing]).toEqual([[], 1]);
    expect(play(["late", "1 bounced"]).state.problem).toMatchObject({ code: "bounced" });
    expect(play(["late", "late", "1 lost"]).state.problem).toMatchObject({ code: "late", runId: "run_002" });
  });

  test("the state of a monitor isn't set to down by an old run that is revised", () => {
    expect(play(["late", "ok", "1 lost"]).news).toEqual(["1 down", "2 up"]);
  });

  test("the state of a monitor isn't set to up by a run that began before the problem", () => {
    const { state } = play(["ok", "ok", "late"]);
    const old: Decision = { runId: "run_001", outcome: "ok", says: "", testId: null, at: 9, isRevised: false };
    expect(advance(state, old, 1)).toMatchObject({ next: { state: "down", lastOkAt: 9 }, news: null });
  });
});

describe("the statistics of a monitor", () => {
  const run = (outcome: MonitorOutcome | null, delayMs: number | null, at = 0) => ({ at, outcome, delayMs });

  test("the statistics of a monitor leave out open, interrupted, and maintenance runs", () => {
    const runs = [
      run("ok", 100),
      run("ok", 300),
      run("late", 9_000),
      run("refused", null),
      run(null, null),
      run("interrupted", null),
      run("maintenance", null),
    ];
    expect(toFigures(runs)).toEqual({
      runs: 4,
      failed: 2,
      wrongWords: 0,
      uptime: 0.5,
      timed: 3,
      p50Ms: 300,
      p95Ms: 9_000,
      p99Ms: 9_000,
    });
  });

  test("the statistics of a monitor count wrong words separately, because no deadline was missed", () => {
    expect(toFigures([run("wrong-words", null)])).toMatchObject({ runs: 0, uptime: null, wrongWords: 1 });
    const both = [run("wrong-words", null), run("wrong-words", null), run("ok", -5)];
    expect(toFigures(both)).toMatchObject({ runs: 1, failed: 0, uptime: 1, wrongWords: 2 });
  });

  test("the statistics of a monitor are empty without runs", () => {
    expect(toFigures([])).toMatchObject({ runs: 0, uptime: null, p50Ms: null });
  });

  test("the statistics of a monitor use nearest-rank percentiles", () => {
    const runs = Array.from({ length: 100 }, (_, index) => run("ok", index + 1));
    expect(toFigures(runs)).toMatchObject({ p50Ms: 50, p95Ms: 95, p99Ms: 99 });
  });

  test("the statistics of a monitor are split into time spans", () => {
    const runs = [run("ok", 1, 5), run("late", 2, 15), run("ok", 3, 29), run("ok", 4, 30)];
    const spans = toSpans(runs, { now: 30, spanMs: 10, count: 3 });
    expect(spans.map(({ from, runs: all, failed }) => [from, all, failed])).toEqual([
      [0, 1, 0],
      [10, 1, 1],
      [20, 2, 0],
    ]);
  });
});
