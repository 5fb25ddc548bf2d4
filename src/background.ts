// Starts the work of a running server that no client waits for.

import { patience, type Running, toAnalysisTimes } from "./running.ts";
import { readMeta } from "./store/engine/meta.ts";
import { spawnThread } from "./system/assets.ts";
import { readKeyText } from "./system/secret-key.ts";
import { createSyslogSender } from "./system/syslog.ts";
import type { JobThread } from "./tasks/analysis/job-thread.ts";
import { createSyslogFeed } from "./tasks/audit/syslog-feed.ts";
import { createChoreRunner } from "./tasks/chores.ts";
import { createLoopback } from "./tasks/intake/loopback.ts";
import { createMessageKeeper } from "./tasks/mailboxes/keep-messages.ts";
import { createSightingRecorder } from "./tasks/mailboxes/record-sightings.ts";
import { createMailboxThread, mailboxThreadLimits, toMailboxThreadSetup } from "./tasks/mailboxes/threads.ts";
import { createMailboxWatcher, type MailboxWatcher } from "./tasks/mailboxes/watcher.ts";
import { createCanaryMatcher } from "./tasks/monitors/canary-sightings.ts";
import { createAccessTokens } from "./tasks/oauth/access-tokens.ts";
import { createDnsRetries } from "./tasks/tests/dns-retries.ts";
import { createReanalyzer } from "./tasks/tests/reanalyze.ts";
import { startFolding } from "./tasks/tests/rollups.ts";
import { recurringChores } from "./tasks/upkeep/recurring.ts";

/** Messages over IMAP. Four of them are in memory at once, in each of two threads. */
const maxMailboxMessageBytes = 10_485_760;

/** The key is read for each backup, because it can be changed while backups are made by another process. */
export async function startBackups(running: Running): Promise<void> {
  const { config, store, parts } = running;
  if (config.backupTo === null) return;
  const { createBackupSchedule } = await import("./tasks/backups/schedule.ts");
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
export async function startChores(
  running: Running,
  thread: JobThread,
  onAnalyzed: () => void,
): Promise<void> {
  const { config, store, system, metrics, events, service, parts } = running;
  const folding = startFolding({ store, system });
  parts.defer(() => folding.stop(patience.choresMs));
  const { leaseMs } = toAnalysisTimes(config);
  const { reanalyze } = createReanalyzer({
    ...{ ...running, leaseMs, onAnalyzed, publish: events.publish, noteDnsTimeouts: metrics.noteDnsTimeouts },
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
    ...{ ...running, sealer, publish, keepSightings: recorder.keepSightings },
    keepMessage: createMessageKeeper({
      ...{ ...running, onReceived },
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
