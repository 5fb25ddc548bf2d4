// The threads for work that must be killable, because a hostile message can freeze a library. There are three kinds:
// - analysis: one, for the queue.
// - asked: one, for requests of people who wait, so that incoming mail doesn't delay them.
// - background: for everything else. One each, because what freezes one must not end the work of another: examinations,
//   repeats of what DNS left open, splits of a change (two messages up to 16 times), and domains. All but the last end
//   when they are idle.
// Mailboxes, backups, and long reads of the database have their own threads, which handle no strangers' HTML.

import type { Server } from "../../../platform/server.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { spawnThread } from "../../../platform/system/assets.ts";
import { giveBackMemory } from "../../../platform/system/give-back-memory.ts";
import { domainDeadlineMs, toSweepOptions } from "../../domains/work/sweep-context.ts";
import { toAnalysisContextOptions } from "./context.ts";
import {
  analysisThreadLimits,
  createJobThread,
  endingWhenIdle,
  examinationThreadLimits,
  type JobThread,
  type RenewableThread,
  renewingWhenGrown,
} from "./job-thread.ts";

export type Threads = Readonly<Record<"analysis" | "asked" | "examination" | "again" | "split" | "domains", JobThread>>;

/** Processor time of the thread on top of a message's DNS budget. A message that needs more never comes back. */
const analysisGraceMs = 5_000;
/** For what is done before and after the analysis itself. */
const leaseGraceMs = 5_000;

/** Processor time that a thread may use for a message, and how long its claim lasts without being extended. */
export function toAnalysisTimes({ analysisBudgetMs }: Pick<Config, "analysisBudgetMs">) {
  const deadlineMs = analysisBudgetMs + analysisGraceMs;
  return { deadlineMs, leaseMs: deadlineMs + leaseGraceMs };
}

type ThreadTerms = Pick<Server, "config" | "host" | "system" | "serverSettings" | "parts" | "store">;

export function openThreads(server: ThreadTerms): Threads {
  const { config, system } = server;
  const { deadlineMs } = toAnalysisTimes(config);
  const giveBack = () => giveBackMemory(system.log, server.store.sqlite?.forgetPages);
  const memory = { residentBytes: process.memoryUsage.rss, giveBack };
  const openBackground = () => endingWhenIdle(openThread(server, deadlineMs, true));
  return {
    analysis: renewingWhenGrown(openThread(server, deadlineMs), memory),
    asked: renewingWhenGrown(openThread(server, deadlineMs), memory),
    examination: openBackground(),
    again: openBackground(),
    split: endingWhenIdle(openThread(server, deadlineMs)),
    domains: openThread(server, domainDeadlineMs),
  };
}

/** Each is started at its first job. */
function openThread(server: ThreadTerms, deadlineMs: number, isBackground = false): RenewableThread {
  const { config, host, serverSettings, parts } = server;
  const toOptions = () => ({
    ...toAnalysisContextOptions(config, host),
    sweep: toSweepOptions(config, host),
    isBackground,
  });
  const limits = isBackground ? examinationThreadLimits(config) : analysisThreadLimits(config);
  const thread = createJobThread({
    spawn: (phase) => spawnThread("worker", { ...toOptions(), phase }, limits),
    deadlineMs,
  });
  serverSettings.onChange(thread.renew);
  parts.defer(thread.close);
  return thread;
}
