import { afterEach, beforeEach, expect, test } from "vitest";
import { objectChores } from "../../../../src/features/server/upkeep/objects.ts";
import { countObjectRemovals } from "../../../../src/features/tests/rows/objects.ts";
import { createServeRow } from "../../../../src/platform/work/serve-row.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { placesOf, withMessages } from "../../../platform/database/message-places.ts";
import { type S3Server, startS3Server } from "../../../s3-server.ts";
import { testSystem } from "../../../test-system.ts";

let server: S3Server;
beforeEach(async () => {
  server = await startS3Server();
});
afterEach(() => server.close());

const minuteMs = 60_000;
const never = new AbortController().signal;

eachDialect("objects to remove", (open) => {
  /** The first ones are locked. */
  async function openWith(rows: number, locked: number) {
    const store = withMessages(await open(), placesOf(server)("s3"));
    const keys = Array.from({ length: rows }, (_, at) => `t${String(at).padStart(4, "0")}.${"0".repeat(32)}`);
    for (const key of keys.slice(0, locked)) server.locked.add(`assay/${key}`);
    const toRow = (object_key: string) => ({ object_key, stored_in: "s3" as const });
    for (let at = 0; at < rows; at += 500)
      await store.write((db) =>
        db
          .insertInto("object_removals")
          .values(keys.slice(at, at + 500).map(toRow))
          .execute(),
      );
    const system = testSystem({ now: 0 });
    const serve = createServeRow(system, "a chore failed");
    const [chore] = objectChores({ store, system });
    const run = async () => {
      server.asked.length = 0;
      await chore?.run(never, serve);
      const tried = server.asked.filter((line) => line.startsWith("DELETE")).length;
      return { tried, left: await countObjectRemovals(store.read), hasMore: await chore?.hasMore?.() };
    };
    return { run, system };
  }

  test("objects to remove wait for none that are locked, which are tried again after growing pauses", async () => {
    const { run, system } = await openWith(30, 20);
    expect(await run()).toEqual({ tried: 30, left: 20, hasMore: false });
    expect(await run()).toEqual({ tried: 0, left: 20, hasMore: false });
    system.advance(minuteMs);
    expect(await run()).toMatchObject({ tried: 20 });
    system.advance(minuteMs);
    expect(await run()).toMatchObject({ tried: 0 });
    server.locked.clear();
    system.advance(minuteMs);
    expect(await run()).toEqual({ tried: 20, left: 0, hasMore: false });
  });

  test("objects to remove are reached after more locked ones than are tried in one run", async () => {
    const { run, system } = await openWith(1_100, 1_050);
    let [runs, left] = [0, 1_100];
    for (; left > 1_050 && runs < 4; runs++) {
      left = (await run()).left;
      system.advance(minuteMs);
    }
    expect([runs, left]).toEqual([3, 1_050]);
  });

  test("objects to remove stay without a failure of the chore while their store doesn't answer", async () => {
    const { run } = await openWith(10, 0);
    server.misbehave("fail");
    expect(await run()).toEqual({ tried: 0, left: 10, hasMore: false });
  });
});
