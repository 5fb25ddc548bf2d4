import { sql } from "kysely";
import { expect, test } from "vitest";
import { insertUser } from "../../../../src/features/people/rows/users.ts";
import {
  countFromOrigin,
  insertOrigin,
  lockOrigin,
  markOriginRemoved,
  readOrigin,
  removeOldOrigins,
} from "../../../../src/features/people/rows/workspace-origins.ts";
import { tokenScopes } from "../../../../src/platform/database/migrations/0020-token-scopes.ts";
import { words } from "../../../../src/platform/database/migrations/migration.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

const november = Date.UTC(2026, 10, 21);
const december = Date.UTC(2026, 11, 1);

eachDialect("workspaces of one origin", (open, dialect) => {
  test("count together, and deleted ones until the end of the month", async () => {
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

  test("are those with the same first owner, if they existed before", async () => {
    const { read, write } = await open();
    await write(async (db) => {
      await insertWorkspaces(db, "wsp_a", "wsp_b", "wsp_c", "wsp_d");
      for (const id of ["usr_ann", "usr_ben"])
        await insertUser(db, { id, name: id, email: `${id}@x.example`, password_hash: "", created_at: 1 });
      const owners = [
        ["wsp_b", "usr_ann", 1],
        ["wsp_b", "usr_ben", 2],
        ["wsp_c", "usr_ben", 1],
        ["wsp_d", "usr_ann", 1],
      ] as const;
      for (const [workspace_id, user_id, created_at] of owners)
        await db.insertInto("memberships").values({ workspace_id, user_id, role: "owner", created_at }).execute();
      const filled = tokenScopes.statements(words[dialect]).at(-1) ?? "";
      await sql.raw(filled).execute(db);
    });
    const origins = ["wsp_a", "wsp_b", "wsp_c", "wsp_d"].map((id) => readOrigin(inWorkspace(read, id)));
    expect(await Promise.all(origins)).toEqual(["wsp_a", "wsp_b", "wsp_c", "wsp_b"]);
  });
});
