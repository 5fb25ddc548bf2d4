// Starts the work of a running server that no client waits for.

import { createSyslogFeed } from "../features/audit-log/work/syslog-feed.ts";
import { startFolding } from "../features/dashboard/work/rollups.ts";
import { createLoopback } from "../features/intake/work/loopback.ts";
import { createAccessTokens } from "../features/mailboxes/oauth/access-tokens.ts";
import { createMessageKeeper } from "../features/mailboxes/work/keep-messages.ts";
import { createSightingRecorder } from "../features/mailboxes/work/record-sightings.ts";
import { createMailboxThread, mailboxThreadLimits, toMailboxThreadSetup } from "../features/mailboxes/work/threads.ts";
import { createMailboxWatcher, type MailboxWatcher } from "../features/mailboxes/work/watcher.ts";
import { createCanaryMatcher } from "../features/monitors/work/canary-sightings.ts";
import { recurringChores } from "../features/server/upkeep/recurring.ts";
import type { JobThread } from "../features/tests/analysis/job-thread.ts";
import { createDnsRetries } from "../features/tests/work/dns-retries.ts";
import { createReanalyzer } from "../features/tests/work/reanalyze.ts";
import { readMeta } from "../platform/database/engine/meta.ts";
import { spawnThread } from "../platform/system/assets.ts";
import { readKeyText } from "../platform/system/secret-key.ts";
import { createSyslogSender } from "../platform/system/syslog.ts";
import { createChoreRunner } from "../platform/work/chores.ts";
import { patience, type Running, toAnalysisTimes } from "./running.ts";

/** Messages over IMAP. Four of them are in memory at once, in each of two threads. */
const maxMailboxMessageBytes = 10_485_760;

/** The key is read for each backup, because it can be changed while backups are made by another process. */
export async function startBackups(running: Running): Promise<void> {
  const { config, store, parts } = running;
  if (config.backupTo === null) return;
  const { createBackupSchedule } = await import("../features/backups/work/schedule.ts");
  const schedule = createBackupSchedule({
    ...running,
    installationId: (await readMeta(store.read, "installation_id")) ?? "",
    readKey: () => readKeyText(config),
    spawn: (setup) => spawnThread("backup-thread", setup),
  });
  parts.defer(() => schedule.stop(patience.choresMs));
  await schedule.start();
}

export function startSyslogFeed({ config, store, system, host, parts }: Running): void {
  const { auditSyslog: target } = config;
  if (target === null) return;
  const send = createSyslogSender(target);
  const feed = createSyslogFeed({ store, system, send, isFramed: target.protocol === "tcp", host });
  parts.defer(() => feed.stop(patience.choresMs));
  feed.start();
}

/** `thread`: analyzes again what DNS left open. */
export async function startChores(running: Running, thread: JobThread, onAnalyzed: () => void): Promise<void> {
  const { config, store, system, metrics, events, service, parts } = running;
  const folding = startFolding({ store, system });
  parts.defer(() => folding.stop(patience.choresMs));
  const { leaseMs } = toAnalysisTimes(config);
  const { reanalyze } = createReanalyzer({
    ...running,
    leaseMs,
    onAnalyzed,
    publish: events.publish,
    noteDnsTimeouts: metrics.noteDnsTimeouts,
    thread,
  });
  const isPostponed = () => service.isPostponed("exports");
  const chores = [
    ...recurringChores({ ...running, onPruned: metrics.notePruned }),
    createDnsRetries({ store, system, reanalyze, isPostponed }),
  ];
  const runner = createChoreRunner({ ...running, chores });
  parts.defer(() => runner.stop(patience.choresMs));
  await runner.start();
}

export function createMailboxWatch(running: Running, onReceived: () => void): MailboxWatcher {
  const { config, system, events, integrationSealer: sealer, parts, store, sendKey, alertMailKeys } = running;
  const { publish } = events;
  const noteCanary = createCanaryMatcher(running);
  const recorder = createSightingRecorder({ ...running, publish, noteCanary });
  parts.defer(recorder.close);
  const watcher = createMailboxWatcher({
    ...running,
    sealer,
    publish,
    keepSightings: recorder.keepSightings,
    keepMessage: createMessageKeeper({
      ...running,
      onReceived,
      findOwn: createLoopback({ db: store.read, key: sendKey, alertMailKeys }).find,
    }),
    maxMessageBytes: Math.min(config.smtpMaxMessageBytes, maxMailboxMessageBytes),
    accessTokenOf: createAccessTokens({ ...running, sealer }),
    openThread: (onNews) =>
      createMailboxThread({
        spawn: () => spawnThread("mailbox-thread", toMailboxThreadSetup(config), mailboxThreadLimits),
        onNews,
        onDeath: (why) => system.log.error("mailbox thread died", { why }),
      }),
  });
  parts.defer(() => watcher.stop(patience.mailboxesMs));
  return watcher;
}
