// Rows to claim, in memory, and a thread that dies on demand: what a queue of jobs needs, with nothing that is slow.

import { onTestFinished } from "vitest";
import { createJobQueue, type How } from "../../../src/platform/work/work-loop.ts";
import { testSystem } from "../../test-system.ts";

type Row = { id: string; attempts: number; claimed_by: string | null; triesAlone: number };
type Trouble = { readonly outcome: "interrupted" | "failed" };
type Outcome = Trouble | { readonly outcome: "closed" } | undefined;

/** What a row's name tells its job to do. */
type Act = (row: Row, how: How) => Promise<unknown> | Outcome | "die";

type Bounds = { readonly places?: number; readonly handful?: number };

export function openWorkWorld(act: Act, { places = 4, handful = 2 }: Bounds = {}) {
  const system = testSystem({ now: 1_000 });
  const rows = new Map<string, Row>();
  const finished: string[] = [];
  const givenUp: { id: string; why: unknown }[] = [];
  const errors: unknown[] = [];
  /** Each run, with what was in flight beside it when it began. */
  const runs: { id: string; isAlone: boolean; beside: number }[] = [];
  const claims: number[] = [];
  const running = new Set<(outcome: Outcome) => void>();
  const nothing = async () => {};
  const switches = { restMs: () => 0, beforeClaim: nothing, beforeRetry: nothing, warmUp: nothing };

  function endThread(outcome: Outcome): void {
    for (const end of running) end(outcome);
    running.clear();
  }

  async function run(row: Row, how: How): Promise<Outcome> {
    runs.push({ id: row.id, isAlone: how.isAlone, beside: running.size });
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    running.add(resolve);
    const acted = Promise.resolve(act(row, how)).then((outcome) =>
      outcome === "die" ? endThread({ outcome: "interrupted" }) : resolve(outcome as Outcome),
    );
    const outcome = await Promise.race([promise, acted.then(() => promise)]).finally(() => running.delete(resolve));
    if (outcome !== undefined) return outcome;
    rows.delete(row.id);
    finished.push(row.id);
    return undefined;
  }

  const release = (row: Row, attempts = row.attempts) => void rows.set(row.id, { ...row, claimed_by: null, attempts });
  const due = () => [...rows.values()].filter((row) => row.claimed_by === null);

  const queue = createJobQueue<Row, Row, Trouble>({
    places,
    handful,
    every: 60_000,
    system,
    run,
    words: { trouble: "nothing can be claimed", over: "work can be claimed again" },
    thread: { warmUp: () => switches.warmUp(), close: async () => endThread({ outcome: "closed" }) },
    restMs: () => switches.restMs(),
    peek: async (limit) => due().slice(0, limit),
    allow: ({ length }) => length,
    claim: async ({ limit, triedAtMost = Infinity, triedAtLeast = 0 }) => {
      await switches.beforeClaim();
      claims.push(limit);
      return due()
        .filter(({ attempts }) => attempts <= triedAtMost && attempts >= triedAtLeast)
        .slice(0, limit)
        .map((row) => {
          const triesAlone = row.triesAlone + (triedAtLeast > 0 ? 1 : 0);
          const claimed = { ...row, claimed_by: "one", attempts: row.attempts + 1, triesAlone };
          rows.set(row.id, claimed);
          return claimed;
        });
    },
    triesAlone: (row) => row.triesAlone,
    giveBack: async (row) => release(row, row.attempts - 1),
    retry: async (row) => {
      await switches.beforeRetry();
      release(row);
    },
    giveUp: async ({ id }, why) => {
      rows.delete(id);
      givenUp.push({ id, why });
    },
    putBack: async (_row, error) => void errors.push(error),
  });
  onTestFinished(() => queue.stop(0));

  return {
    system,
    rows,
    finished,
    givenUp,
    errors,
    runs,
    claims,
    queue,
    switches,
    add: (ids: readonly string[], changes: Partial<Row> = {}) => {
      for (const id of ids) rows.set(id, { id, attempts: 0, claimed_by: null, triesAlone: 0, ...changes });
    },
    running: () => running.size,
  };
}
