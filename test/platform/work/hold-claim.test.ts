import { expect, test } from "vitest";
import { createIntake } from "../../../src/features/intake/rows/intake.ts";
import { claimDue, finishClaim } from "../../../src/platform/work/claims.ts";
import { holdClaim } from "../../../src/platform/work/hold-claim.ts";
import { until } from "../../features/alerts/work/alert-world.ts";
import { eachDialect } from "../database/each-dialect.ts";
import { insertWorkspaces, message } from "../database/nouns.ts";

eachDialect("a renewed claim", (open) => {
  test("a renewed claim lasts as long as its work on a slow machine, and ends with the work", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await createIntake(store).insert([message("t1", { receivedAt: 1_000 })]);
    let now = 2_000;
    const leaseMs = 30;
    const claim = (owner: string) => store.write((db) => claimDue(db, "tests", { now, owner, leaseMs, limit: 1 }));
    const [held] = await claim("first");
    if (!held) throw new Error("unclaimed");
    const readUntil = async () =>
      (await store.read.selectFrom("tests").select("claimed_until").executeTakeFirstOrThrow()).claimed_until;
    const system = { now: () => now };
    const done = await holdClaim("tests", held, { store, system, leaseMs }, async () => {
      now = 9_000;
      await until(async () => (await readUntil()) === now + leaseMs);
      expect(await claim("second")).toEqual([]);
      return await store.write((db) => finishClaim(db, "tests", held, null));
    });
    expect(done).toBe(true);
    expect(await readUntil()).toBeNull();
  });
});
