// A row that can't be served must not stop the others. It is named in the log once and tried again after growing pauses.
// What is known of it is in memory, so that it is tried at once after a restart, which may be an upgrade that helps.

import { isBusyDatabase, Refusal } from "../errors.ts";
import type { System } from "../system/system.ts";

/**
 * Undefined: the row failed, now or before, and its pause isn't over. `putBack` makes it due again after the pause, and
 * says on its page why. Without it, the loop may offer the row again, and nothing happens during the pause. Throws what
 * is no row's fault: a database that takes no writes, or a stop.
 */
export type ServeRow = {
  <T>(id: string, work: () => Promise<T>, putBack?: PutBack): Promise<T | undefined>;
  /** Whether the row failed, and its pause isn't over. */
  readonly isPaused?: (id: string) => boolean;
};

type PutBack = (error: unknown, until: number) => Promise<unknown>;

const hourMs = 3_600_000;
const shortestPauseMs = 60_000;
const longestPauseMs = hourMs;
/** Longer than the time between two runs of a daily chore. */
const keptMs = 2 * 86_400_000;
/** Some megabytes. What is beyond is tried again without a pause. */
const mostKept = 10_000;
/** In an hour. With a damaged table, all rows fail. One line for each would fill the disk. */
const mostNamed = 20;

/** `about`: says in each line of the log whose rows they are, if `trouble` doesn't. */
export function createServeRow(
  { now, log }: Pick<System, "now" | "log">,
  trouble: string,
  about: { readonly chore?: string } = {},
): ServeRow {
  /** By the time of their last failure. */
  const bad = new Map<string, { readonly failures: number; readonly at: number; readonly until: number }>();
  /** `failed`: how many rows began to fail in it. */
  let hour = { began: 0, failed: 0 };

  function endHour(): void {
    // An hour that starts in the future means that the clock was set back.
    if (Math.abs(now() - hour.began) < hourMs) return;
    if (hour.failed > mostNamed) log.error(trouble, { ...about, furtherRows: hour.failed - mostNamed });
    hour = { began: now(), failed: 0 };
  }

  function forgetOld(): void {
    for (const [id, { at }] of bad) {
      if (now() - at < keptMs && bad.size < mostKept) return;
      bad.delete(id);
    }
  }

  async function fail(id: string, error: unknown, putBack?: PutBack): Promise<void> {
    const { failures = 0 } = bad.get(id) ?? {};
    const until = now() + Math.min(shortestPauseMs * 2 ** failures, longestPauseMs);
    bad.delete(id);
    forgetOld();
    if (failures === 0 && ++hour.failed <= mostNamed) log.error(trouble, { ...about, row: id }, error);
    // A row that can't even be put back rests in memory.
    const isPutBack = await putBack?.(error, until).then(
      () => true,
      () => false,
    );
    bad.set(id, { failures: failures + 1, at: now(), until: isPutBack ? 0 : until });
  }

  function isPaused(id: string): boolean {
    const restMs = (bad.get(id)?.until ?? 0) - now();
    // A longer pause was begun before the clock was set back.
    return restMs > 0 && restMs <= longestPauseMs;
  }

  async function serve<T>(id: string, work: () => Promise<T>, putBack?: PutBack): Promise<T | undefined> {
    endHour();
    if (isPaused(id)) return undefined;
    try {
      const result = await work();
      const failures = bad.get(id)?.failures;
      if (bad.delete(id)) log.info("a row that failed works again", { ...about, row: id, failures });
      return result;
    } catch (error) {
      if (isNoRowsFault(error)) throw error;
      await fail(id, error, putBack);
      return undefined;
    }
  }

  return Object.assign(serve, { isPaused });
}

/** For a person who waits: the first row that fails ends the work. */
export const serveOrThrow: ServeRow = (_id, work) => work();

function isNoRowsFault(error: unknown): boolean {
  if (error instanceof Refusal) return error.code === "overloaded" && error.details.isDamaged !== true;
  return (error instanceof Error && error.name === "AbortError") || isBusyDatabase(error);
}

/** Serves rows together, and each alone if one of them fails. Those that failed before wait for the end of their pause. */
export async function serveTogether<T>(
  serve: ServeRow,
  all: readonly string[],
  work: (ids: readonly string[]) => Promise<readonly T[]>,
  putBack?: (id: string, until: number) => Promise<unknown>,
): Promise<readonly T[]> {
  const ids = all.filter((id) => !serve.isPaused?.(id));
  try {
    return ids.length > 0 ? await work(ids) : [];
  } catch (error) {
    if (isNoRowsFault(error)) throw error;
  }
  const results: T[] = [];
  for (const id of ids)
    results.push(...((await serve(id, () => work([id]), putBack && ((_error, until) => putBack(id, until)))) ?? []));
  return results;
}
