import { expect, test } from "vitest";
import {
  finishUnsubscribe,
  insertUnsubscribe,
  listArrivedAfter,
  listEarlierUnsubscribes,
  listUnsubscribes,
  listUnsubscribeTimes,
  type NewUnsubscribe,
} from "../../../src/features/unsubscribe/rows.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { beginningAt, createId } from "../../../src/platform/ids.ts";
import { eachDialect } from "../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../platform/database/nouns.ts";
import { insertTests } from "../../platform/database/test-rows.ts";

const noise = (seed: number) => new Uint8Array(16).fill(seed);
const testId = (at: number) => createId("test", at, noise(1));

function asked(at: number, changes: Partial<NewUnsubscribe> = {}): NewUnsubscribe {
  return {
    id: createId("unsubscribe", at, noise(2)),
    test_id: testId(1_000),
    created_at: at,
    created_by: null,
    method: "one-click",
    target: "https://list.example/u",
    recipient: "x@seed.example",
    list_id: "weekly.list.example",
    from_domain: "list.example",
    ...changes,
  };
}

eachDialect("unsubscribe requests", (open) => {
  async function openWith(...requests: readonly NewUnsubscribe[]) {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const rows = [1_000, 5_000, 9_000].map((at) => ({
      id: testId(at),
      received_at: at,
      from_domain: "list.example",
      label: "spring",
    }));
    await insertTests(store, "wsp_a", rows);
    for (const row of requests) await store.write((db) => insertUnsubscribe(inWorkspace(db, "wsp_a"), row));
    const scope = inWorkspace(store.read, "wsp_a");
    return { ...store, scope, other: inWorkspace(store.read, "wsp_b") };
  }

  test("unsubscribe requests are unfinished until they have an outcome, and belong to their workspace", async () => {
    const { scope, other, write } = await openWith(asked(2_000), asked(3_000));
    const [newest, oldest] = await listUnsubscribes(scope, testId(1_000));
    expect([newest?.created_at, oldest?.created_at]).toEqual([3_000, 2_000]);
    expect(newest).toMatchObject({ finished_at: null, outcome: null, workspace_id: "wsp_a" });
    const finished = { finished_at: 3_100, outcome: "{}" };
    await write((db) => finishUnsubscribe(inWorkspace(db, "wsp_b"), newest?.id ?? "", finished));
    expect((await listUnsubscribes(scope, testId(1_000)))[0]).toMatchObject({ finished_at: null });
    await write((db) => finishUnsubscribe(inWorkspace(db, "wsp_a"), newest?.id ?? "", finished));
    expect((await listUnsubscribes(scope, testId(1_000)))[0]).toMatchObject(finished);
    expect(await listUnsubscribes(other, testId(1_000))).toEqual([]);
  });

  test("unsubscribe requests are found by address and time", async () => {
    const { scope } = await openWith(asked(2_000), asked(4_000, { recipient: "y@seed.example" }));
    const times = async (recipients: readonly string[], before: number) =>
      (await listEarlierUnsubscribes(scope, recipients, beginningAt("unsubscribe", before))).map(
        ({ created_at }) => created_at,
      );
    expect(await times(["x@seed.example"], 2_000)).toEqual([]);
    expect(await times(["x@seed.example"], 9_000)).toEqual([2_000]);
    expect(await times(["x@seed.example", "y@seed.example"], 9_000)).toEqual([4_000, 2_000]);
    expect(await times([], 9_000)).toEqual([]);
    expect(await listUnsubscribeTimes(scope, 2_000, 10)).toEqual([{ created_at: 4_000 }]);
    expect(await listUnsubscribeTimes(scope, 0, 1)).toEqual([{ created_at: 4_000 }]);
  });

  test("unsubscribe requests find later mail by domain or label, oldest first", async () => {
    const { scope, other } = await openWith();
    const find = async (by: Parameters<typeof listArrivedAfter>[1], after: number, limit = 10) =>
      (await listArrivedAfter(scope, by, after, limit)).map(({ received_at }) => received_at);
    expect(await find({ fromDomain: "list.example" }, 1_000)).toEqual([5_000, 9_000]);
    expect(await find({ fromDomain: "list.example" }, 0, 2)).toEqual([1_000, 5_000]);
    expect(await find({ label: "spring" }, 5_000)).toEqual([9_000]);
    expect(await find({ fromDomain: "other.example" }, 0)).toEqual([]);
    expect(await listArrivedAfter(other, { label: "spring" }, 0, 10)).toEqual([]);
  });

  test("unsubscribe requests are deleted with their test", async () => {
    const { scope, write } = await openWith(asked(2_000));
    await write((db) => db.deleteFrom("tests").where("id", "=", testId(1_000)).execute());
    expect(await listUnsubscribes(scope, testId(1_000))).toEqual([]);
  });
});
