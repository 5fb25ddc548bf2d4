// Scheduled backups. The row of the chore says when the next one is due and which process makes it, so that several
// processes make one backup, and another process takes over if one dies. What became of the last one is in the database
// for all of them.

import type { Worker } from "node:worker_threads";
import { parseJsonObject } from "../../../analyzer/json.ts";
import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { ChoresTable, Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import { messageOf } from "../../../platform/errors.ts";
import { type Chunks, encryptChunks, type Lock } from "../../../platform/system/age.ts";
import type { System } from "../../../platform/system/system.ts";
import { claimChores, ensureChore, finishChore, makeChoreDue, readChore } from "../../../platform/work/chore-claims.ts";
import { holdClaim } from "../../../platform/work/hold-claim.ts";
import { createWorkLoop, everyMinute } from "../../../platform/work/work-loop.ts";
import { raiseServerAlert } from "../../alerts/work/raise.ts";
import { sumObjectBytes } from "../../tests/rows/objects.ts";
import type { BackupNote } from "../rules/stored-backups.ts";
import { type Backup, type BackupSettings, toLock } from "./make-backup.ts";
import type { BackupThreadAnswer, BackupThreadSetup } from "./thread.ts";

/** What became of the backups, in the database. */
export type BackupState = {
  /** The last good one. Null: none was made yet. */
  readonly good: (Pick<BackupNote, "name" | "at" | "bytes" | "tests" | "tookMs"> & { readonly where: string }) | null;
  /** Since the last good one. */
  readonly failures: number;
  /** Why the last try failed, or the restore of the last one in a drill. Null if they didn't. */
  readonly problem: string | null;
  /** When the last one was made that was restored in a drill. Null: none was yet. */
  readonly drilledAt: number | null;
};

export type BackupScheduleTerms = {
  readonly config: BackupSettings;
  readonly store: Pick<Store, "read" | "readInWorker" | "write" | "writeRelaxed" | "readTakenBytes">;
  readonly system: Pick<System, "now" | "log" | "random">;
  /** Names this process in claims. */
  readonly owner: string;
  readonly installationId: string;
  /** The content of secret.key. Null: the key is a setting, so it is not put into backups. */
  readonly readKey: () => Promise<string | null>;
  readonly spawn: (setup: BackupThreadSetup) => Worker;
};

type BackupSchedule = { readonly start: () => Promise<void>; readonly stop: (withinMs: number) => Promise<void> };

const choreId = "backup";
const leaseMs = 300_000;
/** After a failure, unless the next regular time is earlier. */
const tryAgainMs = 3_600_000;

const dayMs = 86_400_000;
/** 3:15 UTC, when little mail comes in most places. A backup has the lowest priority, so another time gains little. */
const timeOfDayMs = 195 * 60_000;

/** After `now`. */
export function nextBackupAt(now: number): number {
  return Math.floor((now - timeOfDayMs) / dayMs) * dayMs + dayMs + timeOfDayMs;
}

export function createBackupSchedule(terms: BackupScheduleTerms): BackupSchedule {
  const { config, store, system } = terms;
  let thread: Worker | undefined;
  const loop = createWorkLoop({
    poll: async () => {
      const lease = { now: system.now(), owner: terms.owner, leaseMs, limit: 1, only: [choreId] };
      const [chore] = await store.write((db) => claimChores(db, lease));
      if (chore) void loop.begin(choreId, () => run(chore), loop.kick);
    },
    every: everyMinute,
    system,
    words: { trouble: "backup polling failed", over: "backup polling is working again" },
    breakOff: async () => {
      await thread?.terminate();
    },
  });

  async function run(chore: ChoresTable): Promise<void> {
    const make = () =>
      runInThread(terms, (started) => {
        thread = started;
      }).then(
        (backup) => ({ backup, problem: null }),
        (error) => ({ backup: null, problem: messageOf(error) }),
      );
    try {
      const outcome = await holdClaim("chores", chore, { ...terms, leaseMs }, make);
      thread = undefined;
      if (loop.stopping.aborted && outcome.backup === null) return; // due again when the lease is over, or at the next start
      await note(terms, chore, outcome);
    } catch (error) {
      system.log.error("the outcome of a backup could not be noted", { problem: messageOf(error) });
    }
  }

  return {
    start: async () => {
      await requireUsable(toLock(config));
      await store.write((db) => plan(db, system.now()));
      loop.start();
    },
    stop: loop.stop,
  };
}

/** A mistyped public key is noticed at the start of the server, and not at night. */
async function requireUsable(lock: Lock | null): Promise<void> {
  if (lock === null || "passphrase" in lock) return;
  for await (const _ of encryptChunks(nothing(), lock));
}

async function* nothing(): Chunks {}

/** The first one is due at once, and one that was missed too. */
async function plan(db: Db, now: number): Promise<void> {
  await ensureChore(db, choreId, now);
  const { good } = await readBackupState(db);
  const row = await readChore(db, choreId);
  if (row?.claimed_by !== null) return;
  await makeChoreDue(db, choreId, good === null ? now : Math.max(now, nextBackupAt(good.at)));
}

type Outcome = { readonly backup: Backup | null; readonly problem: string | null };

async function note(terms: BackupScheduleTerms, chore: ChoresTable, { backup, problem }: Outcome): Promise<void> {
  const { store, system } = terms;
  const now = system.now();
  const regular = nextBackupAt(now);
  const dueAt = problem === null ? regular : Math.min(regular, now + tryAgainMs);
  await store.write(async (db) => {
    const before = await readBackupState(db);
    const after = backup ? toState(backup, before) : { ...before, failures: before.failures + 1, problem };
    if (!(await finishChore(db, chore, { now, dueAt, error: problem }))) return;
    await writeMeta(db, "backup", JSON.stringify(after));
    if ((before.problem === null) !== (after.problem === null)) await raise(db, after, dueAt, system);
  });
  if (problem !== null) system.log.error("backup failed", { problem, nextTry: new Date(dueAt).toISOString() });
  if (backup) logBackup(terms, backup);
}

/** Once when backups begin to fail, and once when they work again. */
async function raise(
  db: Db,
  { good, problem }: BackupState,
  nextTryAt: number,
  system: Pick<System, "now" | "random">,
): Promise<void> {
  const data = {
    state: problem === null ? ("working" as const) : ("failing" as const),
    problem,
    lastGoodAt: good && new Date(good.at).toISOString(),
    nextTryAt: new Date(nextTryAt).toISOString(),
  };
  await raiseServerAlert(db, data, system);
}

function logBackup({ system: { log } }: BackupScheduleTerms, { note, where, removed, drillProblem }: Backup): void {
  const { name, bytes, tests, tookMs, encrypted, messagesOutside, messagesMissing, drill } = note;
  log.info("backup stored and verified", { name, where, bytes, tests, encrypted, tookMs, removed, drill });
  if (drill === "failed") log.error("restore drill failed", { problem: drillProblem });
  if (drill === "no room") log.warn("the backup was not restored in a drill", { problem: drillProblem });
  if (messagesOutside > 0)
    log.warn("the backup does not contain the raw messages that are stored elsewhere", { messages: messagesOutside });
  if (messagesMissing > 0)
    log.warn("raw messages were missing from their place when they were backed up", { messages: messagesMissing });
}

function toState({ note, where, drillProblem }: Backup, before: BackupState): BackupState {
  const { name, at, bytes, tests, tookMs, drill } = note;
  return {
    good: { name, at, bytes, tests, tookMs, where },
    failures: 0,
    problem: drill === "failed" ? drillProblem : null,
    drilledAt: drill === "restored" ? at : before.drilledAt,
  };
}

export async function readBackupState(db: Db): Promise<BackupState> {
  const text = await readMeta(db, "backup");
  const none = { good: null, failures: 0, problem: null, drilledAt: null };
  // Only this file writes it. Earlier versions wrote less.
  return text === undefined ? none : { ...none, ...(parseJsonObject(text) as unknown as BackupState) };
}

/** When the one after the last good one was due, however often it was tried since. */
export async function readBackupDue(db: Db): Promise<number | null> {
  const { good } = await readBackupState(db);
  return good === null ? ((await readChore(db, choreId))?.due_at ?? null) : nextBackupAt(good.at);
}

/** What the thread needs of the settings. The others may contain secrets, and not all can be sent to a thread. */
function pickSettings(config: BackupSettings): BackupSettings {
  const { dataDir, databaseUrl, minFreeBytes, s3, backupTo, backupRecipients } = config;
  return { dataDir, databaseUrl, minFreeBytes, s3, backupTo, backupRecipients };
}

/** How large a copy will be, at most. */
export async function expectCopyBytes(
  { readInWorker, readTakenBytes }: Pick<Store, "readInWorker" | "readTakenBytes">,
  leavesMessages: boolean,
): Promise<number> {
  const outside = leavesMessages ? 0 : await sumObjectBytes(readInWorker);
  return (await readTakenBytes()) + outside;
}

async function runInThread(terms: BackupScheduleTerms, onStart: (worker: Worker) => void): Promise<Backup> {
  const { config, store, system, installationId, readKey, spawn } = terms;
  const setup: BackupThreadSetup = {
    config: pickSettings(config),
    owner: installationId,
    leavesMessages: false,
    keyText: await readKey(),
    expectedBytes: await expectCopyBytes(store, false),
  };
  return await new Promise((resolve, reject) => {
    const worker = spawn(setup);
    onStart(worker);
    worker.on("message", (answer: BackupThreadAnswer) => {
      if ("warning" in answer) system.log.warn(answer.warning, answer.fields);
      else if ("backup" in answer) resolve(answer.backup);
      else reject(new Error(answer.problem));
    });
    worker.on("error", reject);
    worker.on("exit", () => reject(new Error("The thread that made the backup has ended.")));
  });
}
