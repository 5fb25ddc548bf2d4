// A server without any other login: its sessions began with a password here, or they count for nothing.

import { expect, test } from "vitest";
import { insertSessionLogin } from "../../../../src/features/people/rows/sessions.ts";
import { insertEmergencyAccount, insertIdentity } from "../../../../src/features/people/rows/users.ts";
import { createNoOtherLogins } from "../../../../src/features/people/work/other-logins.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

test("a server that can't ask an issuer admits no session that began there", async () => {
  const { store, config, ...world } = await startHttpWorld();
  const { id: workspaceId } = await world.createWorkspace("Ours");
  const { id: userId } = await world.addPerson(workspaceId, "owner");
  const { sessionId: here } = await world.openSession(userId);
  const { sessionId: elsewhere } = await world.openSession(userId);
  await store.write(async (db) => {
    const person = { user_id: userId, issuer: "https://sso.example", subject: "ann", email: null };
    await insertIdentity(db, { id: "idn_1", ...person, created_at: 1, last_login_at: 1 });
    const tokens = { sid: null, refresh_token: null, id_token: null, confirmed_at: 1, checked_at: 1 };
    await insertSessionLogin(db, { id: elsewhere, identity_id: "idn_1", ...tokens });
  });
  const admits = (id: string, login: typeof config.login) =>
    createNoOtherLogins({ store, config: { ...config, login } }).admits({ id, user_id: userId });
  expect(await admits(here, "both")).toBe(true);
  expect(await admits(elsewhere, "both")).toBe(false);
  expect(await admits(elsewhere, "password")).toBe(false);
  // Passwords are for emergencies here.
  expect(await admits(here, "oidc")).toBe(false);
  await store.write((db) => insertEmergencyAccount(db, userId, 1));
  expect(await admits(here, "oidc")).toBe(true);
  expect(await admits(elsewhere, "oidc")).toBe(false);
});
