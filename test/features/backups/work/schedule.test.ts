import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { insertAlert } from "../../../../src/features/alerts/rows/alerts.ts";
import type { BackupNote } from "../../../../src/features/backups/rules/stored-backups.ts";
import { createBackupSchedule, nextBackupAt, readBackupState } from "../../../../src/features/backups/work/schedule.ts";
import type { BackupThreadAnswer, BackupThreadSetup } from "../../../../src/features/backups/work/thread.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { readConfig } from "../../../../src/platform/settings/config-reading.ts";
import type { LogFields } from "../../../../src/platform/system/log.ts";
import type { Open } from "../../../platform/database/each-dialect.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { silentLog } from "../../../platform/database/store-system.ts";
import { serverAlert } from "./filled-installation.ts";

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 26, 12);

function note(at: number): BackupNote {
  return {
    name: `assay-00000000-${at}.db`,
    at,
    bytes: 10,
    sha256: "a".repeat(64),
    version: "0",
    encrypted: true,
    tests: 3,
    workspaces: 1,
    newestAt: null,
    messagesOutside: 0,
    messagesMissing: 0,
    tookMs: 5,
    drill: "restored",
  };
}

const soon = <T>(read: () => Promise<T>) => expect.poll(read);

/** Threads that answer as the test says. */
async function openWorld(open: Open, clock: { now: number }) {
  const store = await open();
  const made: BackupThreadSetup[] = [];
  const errors: LogFields[] = [];
  const world = { store, made, errors, problem: null as string | null, drillProblem: null as string | null };
  const reading = readConfig({ ASSAY_BACKUP_TO: "/mnt/backup", ASSAY_DATA_DIR: "/nowhere" });
  if (!reading.ok) throw new Error("settings");
  const spawn = (setup: BackupThreadSetup) => {
    made.push(setup);
    const thread = Object.assign(new EventEmitter(), { terminate: async () => 0 });
    const { problem, drillProblem } = world;
    const drill = drillProblem === null ? "restored" : "failed";
    const backup = { note: { ...note(clock.now), drill }, where: "/mnt/backup", removed: 0, drillProblem } as const;
    const answer: BackupThreadAnswer = problem === null ? { backup } : { problem };
    setImmediate(() => thread.emit("message", answer));
    return thread as unknown as Worker;
  };
  const begin = async (owner: string) => {
    const schedule = createBackupSchedule({
      config: reading.config,
      store,
      owner,
      installationId: "one",
      spawn,
      readKey: async () => "key",
      system: {
        now: () => clock.now,
        random: randomBytes,
        log: { ...silentLog, error: (_message, fields = {}) => void errors.push(fields) },
      },
    });
    await schedule.start();
    onTestFinished(() => schedule.stop(1_000));
    return schedule;
  };
  return { ...world, world, begin };
}

eachDialect("scheduled backups", (open) => {
  test("scheduled backups are made at the start and at the planned times, by one of two processes", async () => {
    const clock = { now: start };
    const { store, made, begin } = await openWorld(open, clock);
    await Promise.all([begin("one"), begin("two")]);
    await soon(async () => (await readBackupState(store.read)).good?.at).toBe(start);
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ owner: "one", keyText: "key" });
    const chore = await store.read.selectFrom("chores").selectAll().where("id", "=", "backup").executeTakeFirst();
    expect(chore).toMatchObject({ due_at: Date.UTC(2026, 10, 27, 3, 15), claimed_by: null, last_error: null });
    clock.now = Date.UTC(2026, 10, 27, 3, 16);
    await begin("three");
    await soon(async () => (await readBackupState(store.read)).good?.at).toBe(clock.now);
    expect(made).toHaveLength(2);
  });

  test("scheduled backups keep the last good one after a failure, which is logged and retried after an hour", async () => {
    const clock = { now: start };
    const { store, world, errors, begin } = await openWorld(open, clock);
    const first = await begin("one");
    await soon(async () => (await readBackupState(store.read)).good?.at).toBe(start);
    await first.stop(1_000);
    world.problem = "The disk is full.";
    clock.now = Date.UTC(2026, 10, 27, 3, 16);
    await begin("two");
    await soon(async () => (await readBackupState(store.read)).failures).toBe(1);
    expect(await readBackupState(store.read)).toMatchObject({ good: { at: start }, problem: "The disk is full." });
    expect(errors).toEqual([{ problem: "The disk is full.", nextTry: new Date(clock.now + hourMs).toISOString() }]);
    const chore = await store.read.selectFrom("chores").selectAll().where("id", "=", "backup").executeTakeFirst();
    expect(chore?.due_at).toBe(clock.now + hourMs);
  });

  test("a restore drill that fails is alerted once, and the last one that succeeded stays known", async () => {
    const clock = { now: start };
    const { store, world, begin } = await openWorld(open, clock);
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a");
      await insertAlert(inWorkspace(db, "wsp_a"), serverAlert);
    });
    for (const drillProblem of [null, "Its reports cannot be read.", "Its reports cannot be read.", null]) {
      world.drillProblem = drillProblem;
      const schedule = await begin(`${clock.now}`);
      await soon(async () => (await readBackupState(store.read)).good?.at).toBe(clock.now);
      await schedule.stop(1_000);
      const drilledAt = drillProblem === null ? clock.now : start;
      expect(await readBackupState(store.read)).toMatchObject({ failures: 0, problem: drillProblem, drilledAt });
      clock.now = nextBackupAt(clock.now) + hourMs;
    }
    const events = await store.read.selectFrom("alert_events").select("payload").orderBy("id").execute();
    expect(events.map(({ payload }) => JSON.parse(payload))).toMatchObject([
      { state: "failing", problem: "Its reports cannot be read." },
      { state: "working", problem: null },
    ]);
  });
});

test("a mistyped public key is rejected at the start", async () => {
  const recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8q";
  const reading = readConfig({ ASSAY_BACKUP_TO: "/mnt/backup", ASSAY_BACKUP_RECIPIENTS: recipient });
  if (!reading.ok) throw new Error("settings");
  const unused = async () => {
    throw new Error("not used");
  };
  const schedule = createBackupSchedule({
    config: reading.config,
    owner: "one",
    installationId: "one",
    readKey: unused,
    store: { write: unused, readTakenBytes: unused } as unknown as Parameters<typeof createBackupSchedule>[0]["store"],
    system: { now: () => start, random: randomBytes, log: silentLog },
    spawn: () => {
      throw new Error("not used");
    },
  });
  await expect(schedule.start()).rejects.toThrow("is not a recipient");
});

test("the next backup is at 3:15 UTC, today or tomorrow", () => {
  const at = Date.UTC(2026, 10, 27, 3, 15);
  for (const now of [start, at - 1]) expect(nextBackupAt(now)).toBe(at);
  expect(nextBackupAt(at)).toBe(Date.UTC(2026, 10, 28, 3, 15));
});
