// Mail that is asked to come again later: counted by reason, and logged once when that begins and once when it is over.
// A line for each message would fill the disk that it complains about.

import { type deferralReasons, type TroubleCode, troubleTable } from "../../../platform/contract/server-state-words.ts";
import type { LogFields } from "../../../platform/system/log.ts";
import type { System } from "../../../platform/system/system.ts";

export type DeferralReason = (typeof deferralReasons)[number];

export type Episode = {
  readonly code: TroubleCode;
  /** Only with `workspace_backlog_full`. */
  readonly workspaceId: string | null;
  readonly since: number;
  /** Messages and clients that were deferred. */
  readonly deferred: number;
};

export type Deferrals = {
  /** A message or a client was deferred. */
  readonly note: (reason: DeferralReason, about?: DeferralSubject) => void;
  /** Something is in the way, whether or not mail has come. */
  readonly noteTrouble: (code: TroubleCode) => void;
  /** What is in the way now. */
  readonly episodes: () => readonly Episode[];
  readonly close: () => void;
};

type DeferralSubject = { readonly workspaceId?: string; readonly problem?: string; readonly client?: string };

type DeferralOptions = {
  readonly system: Pick<System, "now" | "log">;
  /** Whether what was in the way is gone. */
  readonly isOver: (episode: Episode) => Promise<boolean>;
  readonly count: (reason: DeferralReason) => void;
};

type Running = { -readonly [Key in keyof Episode]: Episode[Key] } & { lastAt: number };

const checkEveryMs = 5_000;
/**
 * Clients come and go, so an episode ends only when no one was deferred for this long. A balancer that sends no clients
 * to a process that isn't ready must not make it ready at once.
 */
const quietMs: Partial<Record<TroubleCode, number>> = { connections_full: 15_000, connections_refused: 60_000 };
/** One for each workspace. */
const mostEpisodes = 1_000;

export function createDeferrals({ system, isOver, count }: DeferralOptions): Deferrals {
  const { now, log } = system;
  const running = new Map<string, Running>();
  let timer: NodeJS.Timeout | undefined;

  function begin(code: TroubleCode, about: DeferralSubject): Running | null {
    const workspaceId = about.workspaceId ?? null;
    const key = `${code} ${workspaceId ?? ""}`;
    const known = running.get(key);
    if (known) return known;
    if (running.size >= mostEpisodes) return null;
    const episode = { code, workspaceId, since: now(), deferred: 0, lastAt: now() };
    running.set(key, episode);
    const { workspaceId: workspace, problem, client } = about;
    const fields: LogFields = { reason: code, why: troubleTable[code].says, workspace, client, problem };
    log.warn(troubleTable[code].isOut ? "new mail is deferred" : "some mail is deferred", fields);
    timer ??= setInterval(() => void endOnes(), checkEveryMs).unref();
    return episode;
  }

  async function endOnes(): Promise<void> {
    for (const [key, episode] of running) {
      const isQuiet = now() - episode.lastAt >= (quietMs[episode.code] ?? 0);
      if (!isQuiet || !(await isOver(episode).catch(() => false)) || !running.delete(key)) continue;
      const { code: reason, workspaceId, deferred, since } = episode;
      const seconds = Math.round((now() - since) / 1_000);
      const fields = { reason, workspace: workspaceId ?? undefined, deferred, seconds };
      log.info("mail is accepted again", fields);
    }
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    note: (reason, about = {}) => {
      count(reason);
      if (!(reason in troubleTable)) return;
      const episode = begin(reason as TroubleCode, about);
      if (episode === null) return;
      episode.deferred += 1;
      episode.lastAt = now();
    },
    noteTrouble: (code) => void begin(code, {}),
    episodes: () => [...running.values()],
    close: () => clearInterval(timer),
  };
}
