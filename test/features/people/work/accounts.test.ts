// Accounts on both databases: what must hold for simultaneous requests, in several processes too.

import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { insertMembership } from "../../../../src/features/people/rows/memberships.ts";
import { removeExpired } from "../../../../src/features/people/rows/sessions.ts";
import { findToken } from "../../../../src/features/people/rows/tokens.ts";
import { countLoginTry, listUsers } from "../../../../src/features/people/rows/users.ts";
import { lockWorkspace, markRemoved, readPlanName } from "../../../../src/features/people/rows/workspaces.ts";
import { createAccounts } from "../../../../src/features/people/work/accounts.ts";
import { createPasswordReset, createSetUpLink } from "../../../../src/features/people/work/operator-links.ts";
import { createPasswordHasher } from "../../../../src/features/people/work/password-hasher.ts";
import { issueToken } from "../../../../src/features/people/work/tokens.ts";
import { createSecret, hashSecret } from "../../../../src/platform/contract/secrets.ts";
import { failuresForgottenMs } from "../../../../src/platform/contract/sessions.ts";
import { inWorkspace, storeOf } from "../../../../src/platform/database/scope.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { createListLog } from "../../../http/list-log.ts";
import { goodPassword } from "../../../http/people.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";

const browser = { address: "192.0.2.7", agent: "a browser\u001b[2J" };
const dayMs = 86_400_000;

function over(store: Store, clock = { nowMs: 1_000_000_000 }) {
  const system = { now: () => clock.nowMs, random: randomBytes, log: createListLog([]) };
  const hasher = createPasswordHasher(randomBytes, { memoryKib: 64, passes: 1, lanes: 1 });
  const accounts = createAccounts({
    notePasswordChange: () => {},
    store,
    system,
    hasher,
    pause: async () => {},
    browserKey: randomBytes(32),
    config: { login: "both" },
  });
  return { store, clock, system, accounts };
}

type Place = ReturnType<typeof over>;

async function setUpAnn({ store, system, accounts }: Place, name = "Ann") {
  const link = await createSetUpLink(store, system);
  const email = `${name.toLowerCase()}@people.example`;
  return accounts.setUp({ token: link?.secret ?? "", name, email, password: goodPassword }, browser);
}

const unmailed = { created_with: null, mail_state: null, mail_problem: null, mailed_at: null };

async function invite({ store, clock }: Place, email: string, createdBy: string | null = null) {
  const secret = createSecret(randomBytes(32));
  const created = { created_by: createdBy, created_at: clock.nowMs, expires_at: clock.nowMs + dayMs };
  const row = {
    id: `inv_${secret}`,
    hash: hashSecret(secret),
    email,
    role: "member",
    ...created,
    ...unmailed,
  } as const;
  await store.write((db) => inWorkspace(db, "wsp_a").insertInto("invitations", row).execute());
  return secret;
}

const count = async (store: Store, table: "sessions" | "invitations" | "password_resets" | "login_failures") =>
  (await store.read.selectFrom(table).selectAll().execute()).length;

eachDialect("user accounts", (open) => {
  test("one owner is created if two processes use one link at once", async () => {
    const places = [over(await open()), over(await open())];
    const [first] = places;
    await first?.store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const link = await createSetUpLink(first?.store as Store, first?.system as Place["system"]);
    const outcomes = await Promise.allSettled(
      [...places, ...places].map(({ accounts }, index) =>
        accounts.setUp(
          { token: link?.secret ?? "", name: "Ann", email: `ann${index}@x.example`, password: goodPassword },
          browser,
        ),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "invalid_link" });
    const users = await listUsers(first?.store.read as Store["read"]);
    expect(users.map(({ workspaces }) => workspaces)).toEqual([
      [{ id: "wsp_a", name: "Workspace wsp_a", role: "owner" }],
    ]);
  });

  test("one of two simultaneous acceptances is accepted, and the link of someone who joined meanwhile is rejected", async () => {
    const place = over(await open());
    const { store, accounts } = place;
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const accept = (token: string) =>
      accounts.acceptInvitation({ token, name: "Bob", password: goodPassword }, browser);
    const token = await invite(place, "bob@x.example");
    const outcomes = await Promise.allSettled([accept(token), accept(token), accept(token)]);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const second = await invite(place, "bob@x.example");
    await expect(accept(second)).rejects.toMatchObject({ code: "conflict" });
    expect(await count(store, "invitations")).toBe(1);
  });

  test("user accounts can't join a workspace that is deleted at the same moment", async () => {
    const place = over(await open());
    const { store, accounts } = place;
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const token = await invite(place, "bob@x.example");
    const deletion = store.write(async (db) => {
      await lockWorkspace(inWorkspace(db, "wsp_a"));
      // Time for the other to come as far as its own write.
      for (let count = 0; count < 100; count++) await readPlanName(inWorkspace(db, "wsp_a"));
      await markRemoved(inWorkspace(db, "wsp_a"), 1);
    });
    const joining = accounts.acceptInvitation({ token, name: "Bob", password: goodPassword }, browser);
    await expect(joining).rejects.toMatchObject({ code: "invalid_link" });
    await deletion;
    expect(await store.read.selectFrom("memberships").selectAll().execute()).toEqual([]);
    expect(await listUsers(store.read)).toEqual([]);
  });

  test("user accounts get no setup link once there is an owner, and earlier links are invalid", async () => {
    const place = over(await open());
    const { store, system, accounts } = place;
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    const link = await createSetUpLink(store, system);
    const { userId } = await (async () => {
      const token = await invite(place, "bob@x.example");
      return accounts.acceptInvitation({ token, name: "Bob", password: goodPassword }, browser);
    })();
    await store.write((db) =>
      db.updateTable("memberships").set({ role: "owner" }).where("user_id", "=", userId).execute(),
    );
    expect(await createSetUpLink(store, system)).toBeNull();
    const wanted = { token: link?.secret ?? "", name: "Eve", email: "eve@x.example", password: goodPassword };
    await expect(accounts.setUp(wanted, browser)).rejects.toMatchObject({ code: "invalid_link" });
  });

  test("user accounts count every failed login, even simultaneous ones", async () => {
    const store = await open();
    const when = { now: 1_000, forgottenBefore: 0 };
    const tries = await Promise.all(
      Array.from({ length: 12 }, () => store.write((db) => countLoginTry(db, "account", when))),
    );
    expect(tries.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    const later = { now: 3_000, forgottenBefore: 2_000 };
    expect(await store.write((db) => countLoginTry(db, "account", later))).toBe(1);
  });

  test("user accounts are set up by the link of any started process, of which one creates the owner", async () => {
    const places = await Promise.all(Array.from({ length: 4 }, async () => over(await open())));
    await places[0]?.store.write((db) => insertWorkspaces(db, "wsp_a"));
    const links = await Promise.all(places.map(({ store, system }) => createSetUpLink(store, system, false)));
    const use = ({ accounts }: Place, token: string) =>
      accounts.setUp({ token, name: "Ann", email: "ann@people.example", password: goodPassword }, browser);
    for (const [index, place] of places.entries()) await place.accounts.checkLink("setUp", links[index]?.secret ?? "");
    const [first, second] = places as [Place, Place];
    await use(second, links[1]?.secret ?? "");
    await expect(use(first, links[0]?.secret ?? "")).rejects.toThrow("already used");
    expect(await count(first.store, "invitations")).toBe(0);
    expect(await createSetUpLink(first.store, first.system, false)).toBeNull();
  });

  test("user accounts lose their tokens and invitations with the membership, but the operator's tokens stay", async () => {
    const place = over(await open());
    const { store, system } = place;
    await store.write((db) => insertWorkspaces(db, "wsp_a", "wsp_b"));
    const { userId } = await setUpAnn(place);
    const membership = { user_id: userId, role: "owner", created_at: 1 } as const;
    await store.write((db) => insertMembership(inWorkspace(db, "wsp_b"), membership));
    const wanted = { name: "x", expiresAt: null, scope: "admin", label: null } as const;
    const tokens = await Promise.all([
      issueToken(storeOf(store, "wsp_a"), system, { ...wanted, createdBy: userId }),
      issueToken(storeOf(store, "wsp_b"), system, { ...wanted, createdBy: userId }),
      issueToken(storeOf(store, "wsp_a"), system, { ...wanted, createdBy: null }),
    ]);
    await invite(place, "bob@x.example", userId);
    await invite(place, "eve@x.example", null);
    await store.write((db) =>
      inWorkspace(db, "wsp_a").deleteFrom("memberships").where("user_id", "=", userId).execute(),
    );
    const found = await Promise.all(tokens.map(({ row }) => findToken(store.read, row.hash, 0)));
    expect(found.map((token) => token?.creator_role)).toEqual([undefined, "owner", null]);
    expect(await count(store, "invitations")).toBe(1);
  });

  test("user accounts get a stronger password hash at the next login", async () => {
    const place = over(await open());
    const { store, system } = place;
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await setUpAnn(place);
    const hasher = createPasswordHasher(randomBytes, { memoryKib: 64, passes: 2, lanes: 1 });
    const accounts = createAccounts({
      notePasswordChange: () => {},
      store,
      system,
      hasher,
      pause: async () => {},
      browserKey: randomBytes(32),
      config: { login: "both" },
    });
    const credentials = { email: "ann@people.example", password: goodPassword };
    for (let times = 0; times < 2; times++) {
      await accounts.logIn(credentials, browser);
      const [ann] = await listUsers(store.read);
      expect(ann?.password_hash).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=1\$/);
    }
  });

  test("user accounts are cleaned of expired data, and of nothing else", async () => {
    const place = over(await open());
    const { store, clock, system } = place;
    await store.write((db) => insertWorkspaces(db, "wsp_a"));
    await setUpAnn(place);
    await createPasswordReset(store, system, "ann@people.example");
    await invite(place, "bob@x.example");
    await store.write((db) => countLoginTry(db, "account", { now: clock.nowMs, forgottenBefore: 0 }));
    await place.accounts.resetPassword({ token: "nonsense", password: "x" }, browser).catch(() => {});
    const sweep = (atMs: number) =>
      store.write((db) => removeExpired(db, { now: atMs, failuresBefore: atMs - failuresForgottenMs }));
    const counts = async () => [
      await count(store, "password_resets"),
      await count(store, "invitations"),
      await count(store, "login_failures"),
    ];
    await sweep(clock.nowMs + dayMs - 1);
    expect(await counts()).toEqual([1, 1, 1]);
    await sweep(clock.nowMs + dayMs + 1);
    expect(await counts()).toEqual([0, 0, 0]);
  });

  test("user accounts keep only safe text of a browser's name", async () => {
    const place = over(await open());
    await place.store.write((db) => insertWorkspaces(db, "wsp_a"));
    await setUpAnn(place);
    const [session] = await place.store.read.selectFrom("sessions").selectAll().execute();
    expect(session?.agent).toBe("a browser\\u001b[2J");
    await place.store.write((db) => removeExpired(db, { now: session?.expires_at ?? 0, failuresBefore: 0 }));
    expect(await count(place.store, "sessions")).toBe(0);
  });
});
