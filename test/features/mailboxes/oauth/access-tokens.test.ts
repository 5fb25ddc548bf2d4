// Access tokens of connections, refreshed at a real authorization server whose refresh tokens work once.

import { describe, expect, test } from "vitest";
import { createAccessTokens } from "../../../../src/features/mailboxes/oauth/access-tokens.ts";
import { finishRefresh, takeRefresh } from "../../../../src/features/mailboxes/rows/integrations.ts";
import type { Schema } from "../../../../src/platform/database/schema.ts";
import type { Store } from "../../../../src/platform/database/store.ts";
import { answerConsent, startDiscord } from "../../../http/chat-providers.ts";
import { worldInBrowser, worldWithGoogle } from "../../../http/integrations-world.ts";
import { eachDialect } from "../../../platform/database/each-dialect.ts";
import { insertWorkspaces } from "../../../platform/database/nouns.ts";
import { openSqliteStore } from "../../../platform/database/temporary.ts";

const hourMs = 3_600_000;

async function openConnected() {
  const world = await worldWithGoogle();
  await world.connect();
  const [{ id }] = await world.listConnected();
  const row = () => world.store.read.selectFrom("integrations").selectAll().executeTakeFirstOrThrow();
  const countRefreshes = () => world.server.asked.filter((path) => path === "/token").length - 1;
  return { ...world, id: id as string, row, countRefreshes };
}

async function askUserinfo(issuer: string, accessToken: string): Promise<number> {
  return (await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } })).status;
}

describe("an access token", () => {
  test("an access token is unchanged until five minutes before it expires", async () => {
    const { createAccessTokens, id, server, clock, countRefreshes } = await openConnected();
    const accessTokenOf = createAccessTokens();
    const first = await accessTokenOf(id);
    expect(first).toMatchObject({ ok: true, expiresAt: expect.any(Number) });
    expect(await askUserinfo(server.issuer, first.ok ? first.accessToken : "")).toBe(200);
    clock.nowMs += hourMs - 301_000;
    expect(await accessTokenOf(id)).toEqual(first);
    expect(countRefreshes()).toBe(0);
    clock.nowMs += 2_000;
    const second = await accessTokenOf(id);
    expect(second).toMatchObject({ ok: true, expiresAt: clock.nowMs + hourMs });
    expect(second.ok && first.ok && second.accessToken !== first.accessToken).toBe(true);
    expect(await askUserinfo(server.issuer, second.ok ? second.accessToken : "")).toBe(200);
    expect(await accessTokenOf(id)).toEqual(second);
    expect(countRefreshes()).toBe(1);
  });

  test("an access token is refreshed with the latest refresh token", async () => {
    const { createAccessTokens, id, clock, countRefreshes } = await openConnected();
    const accessTokenOf = createAccessTokens();
    for (let times = 0; times < 3; times++) {
      clock.nowMs += hourMs;
      expect(await accessTokenOf(id)).toMatchObject({ ok: true });
    }
    expect(countRefreshes()).toBe(3);
  });

  test("an access token is refreshed once for simultaneous callers in one or two processes", async () => {
    const { createAccessTokens, id, clock, folder, countRefreshes } = await openConnected();
    const elsewhere = await openSqliteStore(`${folder}/assay.db`);
    const [here, there] = [createAccessTokens(), createAccessTokens(elsewhere)];
    clock.nowMs += hourMs;
    const tokens = await Promise.all([here(id), here(id), there(id), there(id), createAccessTokens()(id)]);
    expect(tokens[0]).toMatchObject({ ok: true });
    expect(new Set(tokens.map((token) => JSON.stringify(token))).size).toBe(1);
    expect(countRefreshes()).toBe(1);
  });

  test("an access token is refreshed by another process if the first one died", async () => {
    const { createAccessTokens, id, clock, store } = await openConnected();
    clock.nowMs += hourMs;
    const now = clock.nowMs;
    await store.write((db) => takeRefresh(db, { integrationId: id, holder: "dead", now, until: now + 30_000 }));
    clock.nowMs += 30_000;
    expect(await createAccessTokens()(id)).toMatchObject({ ok: true });
  });

  test("an access token is final when the consent is no longer valid, and the user sees why and reconnects", async () => {
    const { createAccessTokens, id, server, clock, listConnected, connect, row, countRefreshes } =
      await openConnected();
    const accessTokenOf = createAccessTokens();
    server.withdraw();
    clock.nowMs += hourMs;
    const problem = expect.stringMatching(/Google no longer grants access.*7 days.*app password/);
    expect(await accessTokenOf(id)).toEqual({ ok: false, isFinal: true, problem });
    expect(await listConnected()).toMatchObject([{ status: "reconnect", problem }]);
    // Nobody asks again with what is known to be dead.
    expect(await accessTokenOf(id)).toEqual({ ok: false, isFinal: true, problem });
    expect(countRefreshes()).toBe(1);
    await connect();
    expect(await listConnected()).toMatchObject([{ id, status: "connecting", problem: null }]);
    expect((await row()).due_at).toBe(clock.nowMs);
    expect(await accessTokenOf(id)).toMatchObject({ ok: true });
  });

  test("an access token is the old one while it is valid and the provider does not answer", async () => {
    const { createAccessTokens, id, server, clock } = await openConnected();
    const accessTokenOf = createAccessTokens();
    const first = await accessTokenOf(id);
    server.stop();
    clock.nowMs += hourMs - 10_000;
    expect(await accessTokenOf(id)).toEqual(first);
    clock.nowMs += 20_000;
    expect(await accessTokenOf(id)).toEqual({
      ok: false,
      isFinal: false,
      problem: "Google did not respond to our request for a new access token.",
    });
  });

  test("an access token is missing for a disconnected account", async () => {
    const { createAccessTokens, id, ask } = await openConnected();
    await ask("DELETE", `/api/integrations/${id}`);
    expect(await createAccessTokens()(id)).toMatchObject({ ok: false, isFinal: true });
  });

  test("an access token that was requested before a reconnect leaves the new consent unchanged", async () => {
    const { connect, clock, id, store, system, integrationSealer: sealer, oauth, row } = await openConnected();
    clock.nowMs += hourMs;
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const refresh: typeof oauth.refresh = async () => {
      asked.resolve();
      await answer.promise;
      return { ok: false, kind: "lapsed", code: "invalid_grant" };
    };
    const token = createAccessTokens({ store, system, sealer, oauth: { ...oauth, refresh } })(id);
    await asked.promise;
    await connect();
    const connected = await row();
    answer.resolve();
    const said = await token;
    expect(await row()).toEqual(connected);
    expect(said).toMatchObject({ ok: true, expiresAt: connected.expires_at });
  });

  test("an access token that cannot be refreshed because of our own error does not end the consent", async () => {
    const discord = await startDiscord();
    const { createAccessTokens, begin, comeBack, clock, store, listConnected } = await worldInBrowser({
      oauth: { oauthClientId: { discord: "123" }, oauthTokenUrl: { discord: `${discord.url}/api/oauth2/token` } },
      privateTargets: { all: true, networks: [] },
    });
    await comeBack(answerConsent(await begin("discord"), "code"));
    const { id } = await store.read.selectFrom("integrations").select("id").executeTakeFirstOrThrow();
    discord.next.error = "invalid_client";
    clock.nowMs += 604_800_000;
    expect(await createAccessTokens()(id)).toMatchObject({
      ok: false,
      isFinal: false,
      problem: expect.stringContaining("(invalid_client)"),
    });
    expect(await listConnected()).toMatchObject([{ status: "connected" }]);
  });
});

eachDialect("the lock of a token refresh", (open) => {
  const row: Schema["integrations"] = {
    id: "int_a",
    provider: "google" as const,
    account: "a@b.example",
    seed_provider: "gmail" as const,
    connected_at: 1,
    connected_by: null,
    scopes: "[]",
    server: null,
    alert_id: null,
    secret: "x",
    expires_at: 1,
    status: "connected" as const,
    problem: null,
    status_since: 1,
    due_at: null,
    claimed_by: null,
    claimed_until: null,
    attempts: 0,
    workspace_id: "wsp_a",
  };
  const leaseOf = (holder: string, now: number) => ({ integrationId: "int_a", holder, now, until: now + 10 });

  async function prepare(): Promise<Store> {
    const store = await open();
    await store.write(async (db) => {
      await insertWorkspaces(db, "wsp_a");
      await db.insertInto("integrations").values(row).execute();
    });
    return store;
  }

  test("the lock of a token refresh is held by one process at a time, until it expires or is released", async () => {
    const store = await prepare();
    const take = (holder: string, now: number) =>
      store.write(async (db) => (await takeRefresh(db, leaseOf(holder, now))) !== undefined);
    const finish = (holder: string) =>
      store.write((db) => finishRefresh(db, { integrationId: "int_a", holder }, { secret: `by ${holder}` }));
    const secret = async () =>
      (await store.read.selectFrom("integrations").select("secret").executeTakeFirstOrThrow()).secret;
    expect(await take("one", 100)).toBe(true);
    expect(await take("two", 109)).toBe(false);
    expect(await take("two", 110)).toBe(true);
    expect(await finish("one")).toBe(false);
    expect(await secret()).toBe("x");
    expect(await finish("two")).toBe(true);
    expect(await secret()).toBe("by two");
    expect(await take("three", 111)).toBe(true);
    await store.write((db) => db.deleteFrom("integrations").execute());
    expect(await take("four", 200)).toBe(false);
  });
});
