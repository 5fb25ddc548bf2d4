// Whether background work is done in time. Each feature says once when its oldest waiting row was due. The metrics, the
// server check, the app and /readyz derive what they say from that.

import { type lateCodes, toLateWords } from "../../../platform/contract/server-state-words.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Feature, Server } from "../../../platform/server.ts";
import { createWorkLoop, everyMinute, type WorkLoop } from "../../../platform/work/work-loop.ts";
import { readFirstWorkspaceId } from "../../people/rows/workspaces.ts";

declare module "../../../platform/server.ts" {
  interface Feature {
    /** Its background work, by what it is called. */
    readonly duties?: Readonly<Record<string, Duty>>;
  }
}

type Duty = {
  /** When the row that has waited longest was due, or will be. Null: none waits. */
  readonly oldest: (db: Db, server: Pick<Server, "config" | "system">) => Promise<number | null | undefined>;
  /** After that, it is late. */
  readonly withinMs: number;
  /** Nothing was served since then, so that mail should go to another process. */
  readonly isStuck?: (db: Db, since: number) => Promise<boolean>;
};

type Late = { readonly work: string; readonly since: number; readonly code: (typeof lateCodes)[number] };

export type LateWork = Pick<WorkLoop, "start" | "stop" | "untilIdle"> & {
  /** What is late as of the last minute, in words, by code. */
  readonly list: () => readonly (Pick<Late, "code" | "since"> & ReturnType<typeof toLateWords>)[];
  /** For how many seconds the oldest row of each kind of work has waited. What can't be read is left out. */
  readonly readAges: () => Promise<ReadonlyMap<string, number>>;
  /** What the people of a workspace should see. Only the first one's operate the server. */
  readonly summarize: (workspaceId: string | null) => readonly string[];
};

export function listDuties(features: readonly Feature[]): readonly (readonly [string, Duty])[] {
  return features.flatMap(({ duties = {} }) => Object.entries(duties));
}

export function createLateWork(server: Pick<Server, "config" | "system" | "store" | "features">): LateWork {
  const { system, store } = server;
  let late: readonly Late[] = [];
  let firstId: string | undefined;
  const startedAt = system.now();
  const words = { trouble: "looking for late work failed", over: "looking for late work is working again" };
  const loop: WorkLoop = createWorkLoop({ poll, every: everyMinute, system, words });

  async function poll(): Promise<void> {
    firstId = await readFirstWorkspaceId(store.read);
    const found: Late[] = [];
    for (const [work, duty] of listDuties(server.features)) {
      // What can't be read is as late as before.
      const unread = late.filter((before) => before.work === work);
      found.push(...((await loop.serve(work, () => look(work, duty))) ?? unread));
    }
    note(found);
  }

  /** Never, if none waits. */
  async function oldestOf({ oldest }: Duty): Promise<number> {
    return (await oldest(store.read, server)) ?? Number.POSITIVE_INFINITY;
  }

  async function look(work: string, duty: Duty): Promise<Late[]> {
    const { withinMs, isStuck } = duty;
    const since = await oldestOf(duty);
    if (system.now() - since <= withinMs) return [];
    const lately = system.now() - withinMs / 4;
    // What waited while no process ran says nothing about this one.
    const hasStuck = startedAt < lately && (await isStuck?.(store.read, lately));
    return [{ work, since, code: hasStuck ? "analyses_stuck" : "work_late" }];
  }

  function note(found: readonly Late[]): void {
    for (const { work, since } of found)
      if (!late.some((before) => before.work === work))
        system.log.error("background work is late", { work, since: new Date(since).toISOString() });
    for (const { work } of late)
      if (!found.some((now) => now.work === work)) system.log.info("background work is in time again", { work });
    late = found;
  }

  return {
    ...loop,
    list: () =>
      [...Map.groupBy(late, ({ code }) => code)].map(([code, some]) => ({
        code,
        since: Math.min(...some.map(({ since }) => since)),
        ...toLateWords(some),
      })),
    readAges: async () => {
      const readings = listDuties(server.features).map(
        async ([work, duty]) => [work, Math.max(0, system.now() - (await oldestOf(duty))) / 1_000] as const,
      );
      const settled = await Promise.allSettled(readings);
      return new Map(settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
    },
    summarize: (workspaceId) => (workspaceId === firstId ? [...new Set(late.map(({ code }) => code))] : []),
  };
}
