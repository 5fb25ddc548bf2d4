import { expect, test } from "vitest";
import {
  changeRole,
  insertInvitation,
  insertMembership,
  listOpenInvitations,
} from "../../../../src/features/people/rows/memberships.ts";
import {
  forgetSecondFactor,
  insertSession,
  insertSessionLogin,
  listSessions,
} from "../../../../src/features/people/rows/sessions.ts";
import { insertIdentity, insertUser } from "../../../../src/features/people/rows/users.ts";
import type { Db } from "../../../../src/platform/database/schema.ts";
import { inWorkspace } from "../../../../src/platform/database/scope.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

async function addPerson(db: Db, id: string): Promise<void> {
  await insertUser(db, { id, email: `${id}@example.com`, name: id, password_hash: "", created_at: 1 });
  for (const session of [`${id}_own`, `${id}_issuer`])
    await insertSession(db, {
      id: session,
      user_id: id,
      hash: session,
      created_at: 1,
      last_seen_at: 1,
      expires_at: 1_000,
      address: "192.0.2.1",
      agent: "",
      second_factor_at: 5,
      pending: null,
    });
  const identity = { id: `idn_${id}`, user_id: id, issuer: "https://one", subject: id, email: null };
  await insertIdentity(db, { ...identity, created_at: 1, last_login_at: 1 });
  await insertSessionLogin(db, {
    id: `${id}_issuer`,
    identity_id: identity.id,
    sid: null,
    refresh_token: null,
    id_token: null,
    confirmed_at: 1,
    checked_at: 1,
  });
}

eachDialect("user sessions", (open) => {
  test("user sessions lose their second factor in all sessions when it is removed, except in those from an issuer", async () => {
    const store = await open();
    await store.write(async (db) => {
      await addPerson(db, "usr_a");
      await addPerson(db, "usr_b");
      await forgetSecondFactor(db, "usr_a");
    });
    const read = async (userId: string) =>
      Object.fromEntries((await listSessions(store.read, userId, 1)).map(({ id, second_factor_at: at }) => [id, at]));
    expect(await read("usr_a")).toEqual({ usr_a_own: null, usr_a_issuer: 5 });
    expect(await read("usr_b")).toEqual({ usr_b_own: 5, usr_b_issuer: 5 });
  });

  test("users who become members keep other users' invitations and those of other workspaces", async () => {
    const store = await open();
    const left = await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a", "wsp_b");
      for (const id of ["usr_a", "usr_b"]) await addPerson(db, id);
      for (const workspace of ["wsp_a", "wsp_b"])
        for (const user of ["usr_a", "usr_b"]) {
          const scope = inWorkspace(db, workspace);
          await insertMembership(scope, { user_id: user, role: "owner", created_at: 1 });
          const id = `${workspace}_${user}`;
          await insertInvitation(scope, {
            id,
            hash: id,
            email: `${id}@x.example`,
            role: "owner",
            created_by: user,
            created_at: 1,
            created_with: null,
            expires_at: 1_000,
            mail_state: null,
            mail_problem: null,
            mailed_at: null,
          });
        }
      await changeRole(inWorkspace(db, "wsp_a"), "usr_a", "member");
      const lists = ["wsp_a", "wsp_b"].map((id) => listOpenInvitations(inWorkspace(db, id), 1));
      return (await Promise.all(lists)).flat().map(({ id }) => id);
    });
    expect(left).toEqual(["wsp_a_usr_b", "wsp_b_usr_a", "wsp_b_usr_b"]);
  });
});
