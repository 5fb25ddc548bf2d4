import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import type { Store } from "../../../src/platform/database/store.ts";
import { claimChores, ensureChore, finishChore } from "../../../src/platform/work/chore-claims.ts";
import {
  claimDue,
  dropAllClaims,
  extendClaim,
  finishClaim,
  type Lease,
  releaseClaim,
} from "../../../src/platform/work/claims.ts";
import { eachDialect } from "../database/each-dialect.ts";
import { insertWorkspaces, message } from "../database/nouns.ts";

const lease = (changes: Partial<Lease> = {}): Lease => ({
  now: 2_000,
  owner: "first",
  leaseMs: 500,
  limit: 100,
  ...changes,
});
const claim = (store: Store, changes: Partial<Lease> = {}) =>
  store.write((db) => claimDue(db, "tests", lease(changes)));

async function receive(store: Store, ...ids: string[]): Promise<void> {
  await store.write((db) => insertWorkspaces(db, "wsp_a"));
  await createIntake(store).insert(ids.map((id, index) => message(id, { receivedAt: 1_000 + index })));
}

eachDialect("job claims", (open, dialect) => {
  test("job claims return the oldest due rows once, and count the attempt", async () => {
    const store = await open();
    await receive(store, "t1", "t2", "t3");
    const ids = async (changes: Partial<Lease>) =>
      (await claim(store, changes)).map(({ id, attempts }) => [id, attempts]);
    expect(await ids({ now: 999 })).toEqual([]);
    expect(await ids({ limit: 2 })).toEqual([
      ["t1", 1],
      ["t2", 1],
    ]);
    expect(await ids({ owner: "second" })).toEqual([["t3", 1]]);
    expect(await ids({})).toEqual([]);
  });

  test("job claims that expired are assigned again with the same ID, and the late holder changes nothing", async () => {
    const store = await open();
    await receive(store, "t1");
    const [late] = await claim(store);
    expect(await claim(store, { now: 2_499, owner: "second" })).toEqual([]);
    const [taken] = await claim(store, { now: 2_500, owner: "second" });
    expect(taken).toMatchObject({ id: "t1", attempts: 2, claimed_by: "second" });
    if (!late || !taken) throw new Error("unclaimed");
    await store.write(async (db) => {
      expect(await finishClaim(db, "tests", late, null)).toBe(false);
      expect(await extendClaim(db, "tests", late, 9_000)).toBe(false);
      expect(await releaseClaim(db, "tests", late, { dueAt: 0 })).toBe(false);
      expect(await extendClaim(db, "tests", taken, 9_000)).toBe(true);
    });
    expect(await claim(store, { now: 8_999 })).toEqual([]);
    expect(await store.write((db) => finishClaim(db, "tests", taken, null))).toBe(true);
    expect(await claim(store, { now: 99_000 })).toEqual([]);
  });

  test("job claims that expired are lost even if the same process claims the job again", async () => {
    const store = await open();
    await receive(store, "t1");
    const [late] = await claim(store);
    const [taken] = await claim(store, { now: 2_500 });
    if (!late || !taken) throw new Error("unclaimed");
    expect([late.claimed_by, taken.claimed_by]).toEqual(["first", "first"]);
    await store.write(async (db) => {
      expect(await finishClaim(db, "tests", late, null)).toBe(false);
      expect(await extendClaim(db, "tests", late, 9_000)).toBe(false);
      expect(await releaseClaim(db, "tests", late, { dueAt: 0 })).toBe(false);
    });
    expect(await store.write((db) => finishClaim(db, "tests", taken, null))).toBe(true);
  });

  test("released jobs can be claimed again, and the attempt does not count if the job was not the cause", async () => {
    const store = await open();
    await receive(store, "t1", "t2");
    const [blamed, innocent] = await claim(store);
    if (!blamed || !innocent) throw new Error("unclaimed");
    await store.write(async (db) => {
      await releaseClaim(db, "tests", blamed, { dueAt: 3_000 });
      await releaseClaim(db, "tests", innocent, { dueAt: 3_000, unmarked: true });
    });
    expect(await claim(store, { now: 2_999 })).toEqual([]);
    const again = await claim(store, { now: 3_000 });
    expect(again.map(({ id, attempts }) => [id, attempts])).toEqual([
      ["t1", 2],
      ["t2", 1],
    ]);
  });

  test(`job claims of two stores on one ${dialect} take each row once`, async () => {
    const stores = await Promise.all([open(), open()]);
    const ids = Array.from({ length: 200 }, (_, index) => `t${index}`);
    await receive(stores[0] as Store, ...ids);
    const takeAll = async (store: Store, owner: string) => {
      const taken: string[] = [];
      for (;;) {
        const rows = await claim(store, { owner, limit: 7 });
        if (rows.length === 0) return taken;
        taken.push(...rows.map(({ id }) => id));
      }
    };
    const taken = await Promise.all(
      stores.flatMap((store, index) => [takeAll(store, `${index}a`), takeAll(store, `${index}b`)]),
    );
    expect(taken.flat().sort()).toEqual(ids.sort());
  });

  test("job claims of a killed process go to a running one when they expire, with the same ID", async () => {
    const store = await open();
    await receive(store, "t1");
    const setup = JSON.stringify(await open.location());
    const claimer = spawn(process.execPath, [fileURLToPath(new URL("claimer.ts", import.meta.url)), setup], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(claimer.stdout, "data");
    expect(String(line).trim()).toBe("t1 1");
    claimer.kill("SIGKILL");
    await once(claimer, "exit");
    let taken = await claim(store, { now: Date.now(), owner: "living" });
    while (taken.length === 0) {
      await pause(50);
      taken = await claim(store, { now: Date.now(), owner: "living" });
    }
    expect(taken.map(({ id, attempts }) => [id, attempts])).toEqual([["t1", 2]]);
  });

  test("job claims are all released by a process that runs alone, while the attempts still count", async () => {
    const store = await open();
    await receive(store, "t1");
    await claim(store, { owner: "killed" });
    await store.write(dropAllClaims);
    expect(await claim(store)).toMatchObject([{ id: "t1", attempts: 2, claimed_by: "first" }]);
  });

  test("a chore can be claimed again at the time that its last run set", async () => {
    const store = await open();
    await store.write(async (db) => {
      await ensureChore(db, "sweep", 2_000);
      await ensureChore(db, "sweep", 9_000);
      await ensureChore(db, "of a newer version", 0);
    });
    const due = (now: number) => store.write((db) => claimChores(db, lease({ now, only: ["sweep"] })));
    expect(await due(1_999)).toEqual([]);
    const [chore] = await due(2_000);
    expect(chore).toMatchObject({ id: "sweep", attempts: 1, last_started_at: 2_000 });
    if (!chore) throw new Error("unclaimed");
    const finish = () => store.write((db) => finishChore(db, chore, { now: 2_100, dueAt: 5_000, error: "no disk" }));
    expect([await finish(), await finish()]).toEqual([true, false]);
    expect(await due(4_999)).toEqual([]);
    expect(await due(5_000)).toMatchObject([{ attempts: 1, last_finished_at: 2_100, last_error: "no disk" }]);
  });
});
