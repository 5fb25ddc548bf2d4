import { expect, test } from "vitest";
import {
  claimSessionCheck,
  findSessionLogin,
  hasSessionsOfOthers,
  removeIdentity,
  removeSessionsNamed,
  removeSessionsOfOthers,
  useOnce,
} from "../../../src/features/oidc/rows.ts";
import {
  insertGrant,
  insertMembership,
  listGrantedWorkspaces,
  listRolesOf,
  removeMembership,
} from "../../../src/features/people/rows/memberships.ts";
import { insertSession, insertSessionLogin } from "../../../src/features/people/rows/sessions.ts";
import { findIdentity, insertIdentity, insertUser } from "../../../src/features/people/rows/users.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import { eachDialect } from "../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../platform/database/nouns.ts";

const identity = (id: string, issuer: string, subject: string) => ({
  id,
  user_id: "usr_a",
  issuer,
  subject,
  email: null,
  created_at: 1,
  last_login_at: 1,
});

eachDialect("login identities", (open) => {
  async function openWithPerson() {
    const store = await open();
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a", "wsp_b");
      await insertUser(db, { id: "usr_a", email: "a@example.com", name: "A", password_hash: "", created_at: 1 });
      await insertIdentity(db, identity("idn_1", "https://one", "ann"));
      await insertIdentity(db, identity("idn_2", "https://two", "ann"));
      for (const [id, identity_id, sid, created_at] of [
        ["ses_1", "idn_1", "login-1", 10],
        ["ses_2", "idn_1", "login-2", 20],
        ["ses_3", "idn_2", "login-1", 30],
      ] as const) {
        const browser = { address: "192.0.2.1", agent: "" };
        const times = { created_at, last_seen_at: 1, expires_at: 1_000 };
        const factor = { second_factor_at: null, pending: null };
        await insertSession(db, { id, user_id: "usr_a", hash: id, ...times, ...browser, ...factor });
        const tokens = { refresh_token: null, id_token: null, confirmed_at: 1, checked_at: 1 };
        await insertSessionLogin(db, { id, identity_id, sid, ...tokens });
      }
    });
    const sessions = async () =>
      (await store.read.selectFrom("sessions").select("id").orderBy("id").execute()).map(({ id }) => id);
    return { ...store, sessions };
  }

  test("login identities belong to a unique pair of issuer and subject", async () => {
    const { read, write } = await openWithPerson();
    expect(await write((db) => insertIdentity(db, identity("idn_3", "https://one", "ann")))).toBe(false);
    expect((await findIdentity(read, "https://two", "ann"))?.id).toBe("idn_2");
    expect(await findIdentity(read, "https://one", "Ann")).toBeUndefined();
  });

  test("login identities end with their sessions and the memberships that they gave, and no others", async () => {
    const { read, write, sessions } = await openWithPerson();
    await write(async (db) => {
      for (const id of ["wsp_a", "wsp_b"])
        await insertMembership(inWorkspace(db, id), { user_id: "usr_a", role: "member", created_at: 1 });
      await insertGrant(inWorkspace(db, "wsp_a"), "usr_a", "idn_1");
    });
    await write((db) => removeIdentity(db, "idn_1"));
    expect([...(await listRolesOf(read, "usr_a")).keys()]).toEqual(["wsp_b"]);
    expect(await sessions()).toEqual(["ses_3"]);
  });

  test("login identities lose the grant with the membership", async () => {
    const { read, write } = await openWithPerson();
    await write(async (db) => {
      const scope = inWorkspace(db, "wsp_a");
      await insertMembership(scope, { user_id: "usr_a", role: "member", created_at: 1 });
      await insertGrant(scope, "usr_a", "idn_1");
      await removeMembership(scope, "usr_a");
    });
    expect(await listGrantedWorkspaces(read, "idn_1")).toEqual([]);
  });

  test("login identities are logged out by login, by user, and by issuer", async () => {
    const { read, write, sessions } = await openWithPerson();
    const end = (sid: string | null, subject: string | null, startedBefore = 0) =>
      write((db) => removeSessionsNamed(db, { issuer: "https://one", subject, sid, startedBefore }));
    expect(await end("login-1", "ben")).toEqual([]);
    expect(await end("login-1", null)).toHaveLength(1);
    expect(await end(null, "ann", 19)).toEqual([]);
    expect(await end(null, "ann", 20)).toHaveLength(1);
    expect(await sessions()).toEqual(["ses_3"]);
    expect(await hasSessionsOfOthers(read, ["https://two"])).toBe(false);
    await write((db) => removeSessionsOfOthers(db, ["https://two"]));
    expect(await sessions()).toEqual(["ses_3"]);
    expect(await hasSessionsOfOthers(read, [])).toBe(true);
    await write((db) => removeSessionsOfOthers(db, []));
    expect(await sessions()).toEqual([]);
    expect(await hasSessionsOfOthers(read, [])).toBe(false);
  });

  test("login identities let one process at a time confirm a session", async () => {
    const { read, write } = await openWithPerson();
    const login = await findSessionLogin(read, "ses_1");
    expect(login).toMatchObject({ issuer: "https://one", subject: "ann", user_id: "usr_a" });
    const claim = () => write((db) => claimSessionCheck(db, { id: "ses_1", checked_at: 1 }, 2));
    expect([await claim(), await claim()]).toEqual([true, false]);
  });

  test("login identities: what was used is refused to all who use it at once, and forgotten when it has expired", async () => {
    const { read, write } = await open();
    const now = Date.UTC(2026, 10, 29);
    const useAt = (secret: string, at: number) => write((db) => useOnce(db, secret, at));
    const tries = await Promise.all([1, 2, 3].map(() => useAt("a", now)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect([await useAt("b", now + 600_000), await useAt("a", now + 600_000)]).toEqual([true, false]);
    expect(await useAt("c", now + 700_000)).toBe(true);
    const kept = await read.selectFrom("meta").select("key").where("key", "like", "oidc:%").execute();
    expect(kept).toHaveLength(2);
  });
});
