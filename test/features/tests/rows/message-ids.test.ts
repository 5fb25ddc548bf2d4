import { expect, test } from "vitest";
import { countReuses } from "../../../../src/features/tests/rows/message-ids.ts";
import type { TestsTable } from "../../../../src/features/tests/tables.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { insertTests } from "../../../platform/database/test-rows.ts";

const idAt = (at: number) => `tst_${String(at).padStart(4, "0")}`;
const messageId = "<1@sender.example>";
const key = "1@sender.example";

eachDialect("earlier tests with the same Message-ID", (open) => {
  async function countAfter(earlier: readonly Partial<TestsTable>[]): Promise<number> {
    const store = await open();
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const rows = earlier.map((row, at) => ({ id: idAt(at), message_id: key, body_key: "other", ...row }));
    await insertTests(store, "wsp_a", rows);
    const asked = { id: idAt(earlier.length), workspace_id: "wsp_a" };
    return await countReuses(store.read, asked, { message_id: messageId, body_key: "own" });
  }

  test("earlier tests with the same Message-ID count if their body differs", async () => {
    expect(await countAfter([{}, { body_key: "own" }, { message_id: "2@sender.example" }, {}])).toBe(2);
  });

  test("earlier tests with the same Message-ID exclude samples, which repeat their Message-ID on purpose", async () => {
    expect(await countAfter([{ sample: 1 }])).toBe(0);
  });

  test("earlier tests with the same Message-ID are compared up to a limit, so that a flood costs the same per message", async () => {
    const flood = Array.from({ length: 200 }, () => ({ body_key: "own" }));
    expect(await countAfter([{}, ...flood, {}])).toBe(1);
  });
});
