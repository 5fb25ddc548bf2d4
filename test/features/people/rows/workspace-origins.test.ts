import { expect, test } from "vitest";
import {
  countFromOrigin,
  insertOrigin,
  lockOrigin,
  markOriginRemoved,
  readOrigin,
  removeOldOrigins,
} from "../../../../src/features/people/rows/workspace-origins.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

const november = Date.UTC(2026, 10, 21);
const december = Date.UTC(2026, 11, 1);

eachDialect("workspaces with the same origin", (open) => {
  test("workspaces with the same origin count together, including deleted ones until the end of the month", async () => {
    const { read, write } = await open();
    await write((db) => insertWorkspaces(db, "wsp_a", "wsp_b", "wsp_c"));
    const count = (id: string, now = november) => countFromOrigin(inWorkspace(read, id), now);
    expect(await count("wsp_a")).toBe(1);
    for (const createdId of ["wsp_b", "wsp_c"])
      await write(async (db) => {
        const originId = await lockOrigin(inWorkspace(db, createdId === "wsp_b" ? "wsp_a" : "wsp_b"), november);
        await insertOrigin(db, { createdId, originId, now: november });
      });
    expect(await readOrigin(inWorkspace(read, "wsp_c"))).toBe("wsp_a");
    expect(await Promise.all(["wsp_a", "wsp_b", "wsp_c"].map((id) => count(id)))).toEqual([3, 3, 3]);
    await write((db) => markOriginRemoved(inWorkspace(db, "wsp_b"), november));
    expect([await count("wsp_a"), await count("wsp_a", december)]).toEqual([3, 2]);
    await write((db) => removeOldOrigins(db, december - 1));
    expect(await count("wsp_a")).toBe(3);
    await write((db) => removeOldOrigins(db, december));
    expect(await count("wsp_a")).toBe(2);
  });
});
