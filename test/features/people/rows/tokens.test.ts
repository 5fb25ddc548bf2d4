import { expect, test } from "vitest";
import { insertMembership } from "../../../../src/features/people/rows/memberships.ts";
import { countTokensOf, insertToken } from "../../../../src/features/people/rows/tokens.ts";
import { insertUser } from "../../../../src/features/people/rows/users.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

const unused = { last_used_at: null, last_used_address: null, noticed_days: null };
const token = (id: string, created_by: string | null, expires_at: number | null) => ({
  id,
  name: id,
  hash: id,
  created_by,
  created_with: null,
  created_at: 1,
  expires_at,
  scope: "admin" as const,
  label: null,
  ...unused,
});

eachDialect("a person's API tokens", (open) => {
  test("a person's API tokens are counted in all workspaces, without expired ones", async () => {
    const store = await open();
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a", "wsp_b");
      for (const id of ["usr_a", "usr_b"])
        await insertUser(db, { id, email: `${id}@example.com`, name: id, password_hash: "", created_at: 1 });
      const [a, b] = [inWorkspace(db, "wsp_a"), inWorkspace(db, "wsp_b")];
      await insertMembership(a, { user_id: "usr_a", role: "owner", created_at: 1 });
      await insertMembership(a, { user_id: "usr_b", role: "owner", created_at: 1 });
      await insertMembership(b, { user_id: "usr_a", role: "member", created_at: 1 });
      await insertToken(a, token("tok_1", "usr_a", null));
      await insertToken(a, token("tok_expired", "usr_a", 10));
      await insertToken(a, token("tok_others", "usr_b", null));
      await insertToken(a, token("tok_operators", null, null));
      await insertToken(b, token("tok_2", "usr_a", 11));
    });
    expect(await countTokensOf(store.read, "usr_a", 10)).toBe(2);
    expect(await countTokensOf(store.read, "usr_c", 10)).toBe(0);
  });
});
