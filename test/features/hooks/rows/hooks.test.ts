import { expect, test } from "vitest";
import { countReportedByHooks, listBounces } from "../../../../src/features/feedback/rows/bounces.ts";
import { addVolume, insertReported, removeReportedBefore } from "../../../../src/features/hooks/rows/feedback.ts";
import {
  countRefused,
  countTaken,
  findHook,
  forgetEvents,
  insertHook,
  isRemembered,
  readHook,
  rememberEvents,
  removeHook,
} from "../../../../src/features/hooks/rows/hooks.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { createId } from "../../../../src/platform/ids.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

const hook = {
  id: "hok_a",
  label: "Mine",
  key_hash: "hash",
  provider: "sendgrid",
  purpose: "feedback",
  signing_key: null,
  password: null,
  topic_arn: null,
  domain: null,
  created_at: 1,
  last_received_at: null,
  received: 0,
  repeated: 0,
  refused: 0,
  last_problem: null,
  last_problem_at: null,
} as const;

const bounceAt = (at: number) =>
  ({
    id: createId("bounce", at, new Uint8Array(16)),
    test_id: null,
    hook_id: "hok_a",
    received_at: at,
    provider: "sendgrid",
    kind: "bounce",
    authenticated: 1,
    reporting_mta: null,
    recipients: "[]",
    feedback_type: null,
    source_ip: null,
    original_message_id: null,
    send_id: null,
    related_test_id: null,
  }) as const;

eachDialect("incoming webhooks", (open) => {
  test("incoming webhooks are found only by the hash of their key, and count their requests", async () => {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const [ours, others] = [inWorkspace(store.read, "wsp_a"), inWorkspace(store.read, "wsp_b")];
    await store.write((db) => insertHook(inWorkspace(db, "wsp_a"), hook));
    expect(await findHook(store.read, "hash")).toMatchObject({ id: "hok_a", workspace_id: "wsp_a" });
    expect(await findHook(store.read, "other")).toBeUndefined();
    expect(await readHook(others, "hok_a")).toBeUndefined();
    expect(await store.write((db) => removeHook(inWorkspace(db, "wsp_b"), "hok_a"))).toBe(false);
    await store.write(async (db) => {
      await countTaken(db, "hok_a", { now: 5, received: 3, repeated: 1 });
      await countRefused(db, "hok_a", { now: 6, problem: "too_old" });
    });
    expect(await readHook(ours, "hok_a")).toMatchObject({
      last_received_at: 5,
      received: 3,
      repeated: 1,
      refused: 1,
      last_problem: "too_old",
      last_problem_at: 6,
    });
  });

  test("incoming webhooks store each event once until it expires", async () => {
    const store = await open();
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a");
      await insertHook(inWorkspace(db, "wsp_a"), hook);
      await insertHook(inWorkspace(db, "wsp_a"), { ...hook, id: "hok_b", key_hash: "b" });
    });
    const remember = (id: string, keys: string[], now: number) =>
      store.write((db) => rememberEvents(db, id, keys, now));
    expect([...(await remember("hok_a", ["x", "y", "x"], 1))].toSorted()).toEqual(["x", "y"]);
    expect([...(await remember("hok_a", ["y", "z"], 2))]).toEqual(["z"]);
    expect([...(await remember("hok_b", ["y"], 2))]).toEqual(["y"]);
    expect(await remember("hok_b", [], 2)).toEqual(new Set());
    expect(await store.write((db) => forgetEvents(db, 2, 1))).toBe(1);
    expect(await store.write((db) => forgetEvents(db, 2, 10))).toBe(1);
    expect(await isRemembered(store.read, "hok_a", "x")).toBe(false);
    expect(await isRemembered(store.read, "hok_a", "z")).toBe(true);
  });

  test("incoming webhooks keep their reports after deletion, until those are old", async () => {
    const store = await open();
    const scope = inWorkspace(store.read, "wsp_a");
    const [old, fresh] = [bounceAt(1_000), bounceAt(9_000)];
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a");
      await insertHook(inWorkspace(db, "wsp_a"), hook);
      for (const row of [old, fresh]) await insertReported(inWorkspace(db, "wsp_a"), row);
    });
    expect(await countReportedByHooks(scope)).toBe(2);
    await store.write((db) => removeHook(inWorkspace(db, "wsp_a"), "hok_a"));
    expect(await listBounces(scope, { limit: 5 })).toMatchObject([
      { id: fresh.id, hook_id: null, provider: "sendgrid", test_id: null },
      { id: old.id },
    ]);
    const changes = await store.read.selectFrom("rollup_changes").selectAll().execute();
    expect(changes.map(({ sign, contribution }) => [sign, contribution])).toEqual([
      [1, '{"kind":"bounce"}'],
      [1, '{"kind":"bounce"}'],
    ]);
    expect(await store.write((db) => removeReportedBefore(db, fresh.id, 10))).toBe(1);
    expect(await listBounces(scope, { limit: 5 })).toMatchObject([{ id: fresh.id }]);
    expect(await store.read.selectFrom("rollup_changes").select("sign").execute()).toHaveLength(3);
  });

  test("incoming webhooks add up the counts of a day", async () => {
    const store = await open();
    const volume = { provider: "ses", domain: "a.example", day: 0 } as const;
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a");
      const scope = inWorkspace(db, "wsp_a");
      await addVolume(scope, { ...volume, delivered: 10, bounced: 1, complained: 0 });
      await addVolume(scope, { ...volume, delivered: 5, bounced: 0, complained: 2 });
      await addVolume(scope, { ...volume, domain: "", delivered: 1, bounced: 0, complained: 0 });
    });
    const rows = await inWorkspace(store.read, "wsp_a").selectFrom("feedback_volumes").selectAll().execute();
    expect(rows.toSorted((one, other) => one.delivered - other.delivered)).toEqual([
      { workspace_id: "wsp_a", ...volume, domain: "", delivered: 1, bounced: 0, complained: 0 },
      { workspace_id: "wsp_a", ...volume, delivered: 15, bounced: 1, complained: 2 },
    ]);
  });
});
