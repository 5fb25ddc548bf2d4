import { describe, expect, test, vi } from "vitest";
import { hasDueMailbox, readHeldMailboxes } from "../../../src/features/mailboxes/rows/mailboxes.ts";
import { removeToken } from "../../../src/features/people/rows/tokens.ts";
import { markRemoved } from "../../../src/features/people/rows/workspaces.ts";
import { createRemovalChore } from "../../../src/features/people/work/workspaces.ts";
import { inWorkspace } from "../../../src/platform/database/scope.ts";
import type { Server } from "../../../src/platform/server.ts";
import { serveOrThrow } from "../../../src/platform/work/serve-row.ts";
import { worldInBrowser, worldWithGoogle } from "../../http/integrations-world.ts";
import { clientId, clientSecret, giveConsent, mailScope, startOauthServer } from "../../oauth-server.ts";
import { insertIntegration } from "../../platform/database/nouns.ts";
import { connectMailbox } from "./work/mailbox-world.ts";

const google = "/integrations?connected=google";

function failed(problem: string, provider = "google"): string {
  return `/integrations?provider=${provider}&problem=${problem}`;
}

describe("the list of integrations", () => {
  test("GET /api/integrations lists every provider and marks connected ones", async () => {
    const { ask, connect } = await worldWithGoogle();
    const list = async () => (await ask("GET", "/api/integrations")).json.items;
    expect(await list()).toMatchObject([
      { provider: "google", id: null, configured: true, connected: false, scopes: ["openid", "email", mailScope] },
      { provider: "microsoft", configured: false, connected: false, account: null, status: null },
      { provider: "slack", configured: false, connected: false },
      { provider: "discord", configured: false, connected: false },
      { provider: "imap", configured: true, connected: false },
    ]);
    await connect();
    expect(await list()).toMatchObject([
      {
        provider: "google",
        id: expect.stringMatching(/^int_/),
        connected: true,
        account: "ann@gmail.example",
        connectedAt: expect.any(String),
        status: "connecting",
        problem: null,
        scopes: expect.arrayContaining([mailScope]),
        seedProvider: "gmail",
        server: { host: "imap.gmail.com", port: 993, tls: true },
      },
      ...["microsoft", "slack", "discord", "imap"].map((provider) => ({ provider, connected: false })),
    ]);
  });
});

describe("the consent URL", () => {
  test("GET /api/integrations/:provider/connect returns the consent URL", async () => {
    const { begin, server, base } = await worldWithGoogle();
    const url = new URL(await begin());
    expect(url.origin).toBe(server.issuer);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: "code",
      redirect_uri: `${base}/api/integrations/google/callback`,
      scope: `openid email ${mailScope}`,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      access_type: "offline",
      prompt: "consent",
    });
    expect(new URL(await begin()).searchParams.get("state")).not.toBe(url.searchParams.get("state"));
  });

  test("the consent URL is missing for a provider that is unknown, not configured, or down", async () => {
    const { ask, server } = await worldWithGoogle();
    for (const provider of ["nothing", "imap", "__proto__"])
      expect((await ask("GET", `/api/integrations/${provider}/connect`)).status).toBe(404);
    const { status, json } = await ask("GET", "/api/integrations/slack/connect");
    expect(status).toBe(503);
    expect(json).toMatchObject({
      error: "integration_not_configured",
      message: expect.stringContaining("ASSAY_OAUTH_SLACK_CLIENT_ID"),
    });
    server.stop();
    expect((await ask("GET", "/api/integrations/google/connect")).json.error).toBe("overloaded");
  });
});

describe("the OAuth callback", () => {
  test("the OAuth callback completes the connection", async () => {
    const { connect, listConnected, store } = await worldWithGoogle();
    const { status, location, headers } = await connect();
    expect([status, location]).toEqual([302, google]);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(await listConnected()).toMatchObject([{ account: "ann@gmail.example" }]);
    const [row] = await store.read.selectFrom("integrations").selectAll().execute();
    expect(row?.due_at).toBe(row?.connected_at);
  });

  test("the OAuth callback takes the email address from an ID token", async () => {
    const { connect, listConnected, server } = await worldWithGoogle({ emailInIdToken: true });
    expect((await connect()).location).toBe(google);
    expect(await listConnected()).toMatchObject([{ account: "ann@gmail.example" }]);
    expect(server.asked).toEqual(["/token"]);
  });

  test("the OAuth callback connects nothing the second time", async () => {
    const { begin, comeBack, listConnected } = await worldWithGoogle();
    const back = await giveConsent(await begin());
    await comeBack(back);
    expect((await comeBack(back)).location).toBe(failed("unknown_state"));
    expect(await listConnected()).toHaveLength(1);
  });

  test("the OAuth callback connects nothing with a state that is invented, changed, or another provider's", async () => {
    const { begin, comeBack, listConnected, server } = await worldWithGoogle();
    const back = await giveConsent(await begin());
    for (const state of ["", "x", "a".repeat(43), `${back.searchParams.get("state")}a`]) {
      const foreign = new URL(back);
      foreign.searchParams.set("state", state);
      expect((await comeBack(foreign)).location).toBe(failed("unknown_state"));
    }
    const without = new URL(back);
    without.searchParams.delete("state");
    expect((await comeBack(without)).location).toBe(failed("unknown_state"));
    const elsewhere = new URL(back);
    elsewhere.pathname = "/api/integrations/slack/callback";
    expect((await comeBack(elsewhere)).location).toBe(failed("unknown_state", "slack"));
    expect(await listConnected()).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  test("the OAuth callback connects nothing if consent was denied", async () => {
    const { connect, listConnected, server } = await worldWithGoogle();
    server.next.consent = { email: null };
    expect((await connect()).location).toBe(failed("denied"));
    expect(await listConnected()).toEqual([]);
  });

  test("the OAuth callback connects nothing if the issuer in the response is wrong or missing", async () => {
    const { begin, comeBack, listConnected, server } = await worldWithGoogle();
    for (const issuer of ["https://accounts.evil.example", null]) {
      const back = await giveConsent(await begin());
      if (issuer === null) back.searchParams.delete("iss");
      else back.searchParams.set("iss", issuer);
      expect((await comeBack(back)).location).toBe(failed("wrong_issuer"));
    }
    expect(await listConnected()).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  test("the OAuth callback connects nothing if the ID token has another issuer, even if the response has none", async () => {
    const server = await startOauthServer();
    const { begin, comeBack, listConnected } = await worldInBrowser({
      oauth: {
        oauthClientId: { google: clientId },
        oauthClientSecret: { google: clientSecret },
        oauthAuthorizeUrl: { google: `${server.issuer}/auth` },
        oauthTokenUrl: { google: `${server.issuer}/token` },
      },
    });
    const back = await giveConsent(await begin());
    back.searchParams.delete("iss");
    expect((await comeBack(back)).location).toBe(failed("wrong_issuer"));
    expect(server.asked).toEqual(["/token"]);
    expect(await listConnected()).toEqual([]);
  });

  test("the OAuth callback uses one URL that the operator configured, and discovers the others", async () => {
    const server = await startOauthServer();
    const elsewhere = "https://login.own.example/authorize";
    const { begin, listConnected, comeBack } = await worldInBrowser({
      oauth: {
        oauthClientId: { google: clientId },
        oauthClientSecret: { google: clientSecret },
        oauthIssuer: { google: server.issuer },
        oauthAuthorizeUrl: { google: elsewhere },
      },
    });
    const asked = new URL(await begin());
    expect(asked.origin + asked.pathname).toBe(elsewhere);
    const back = await giveConsent(`${server.issuer}/auth${asked.search}`);
    expect((await comeBack(back)).location).toBe(google);
    expect(await listConnected()).toMatchObject([{ account: "ann@gmail.example" }]);
  });

  test("the OAuth callback connects no more mailboxes than a workspace may have, but reconnects an existing one", async () => {
    const { connect, listConnected, store, workspace } = await worldWithGoogle();
    expect((await connect()).location).toBe(google);
    for (let count = 0; count < 19; count++)
      await connectMailbox(store, { workspaceId: workspace, account: `u${count}@own.example` });
    expect((await connect()).location).toBe(google);
    await store.write((db) => db.deleteFrom("integrations").where("account", "=", "ann@gmail.example").execute());
    await connectMailbox(store, { workspaceId: workspace, account: "u19@own.example" });
    expect((await connect()).location).toBe(failed("too_many"));
    expect(await listConnected()).toHaveLength(20);
  });

  test("a deleted workspace's access to the mailbox account is revoked, and failures are logged", async () => {
    const isLost = ({ message }: { message: string }) => message.includes("not revoked");
    const fetchStranger = () => Promise.reject(new Error("Google has no webhook."));
    const remove = async (world: Awaited<ReturnType<typeof worldWithGoogle>>) => {
      const { store, workspace, clock } = world;
      const server = { ...world, system: { ...world.system, fetchStranger } } as unknown as Server;
      await store.write((db) => markRemoved(inWorkspace(db, workspace), clock.nowMs));
      await createRemovalChore(server).run(AbortSignal.timeout(60_000), serveOrThrow);
    };
    const world = await worldWithGoogle();
    expect((await world.connect()).location).toBe(google);
    await remove(world);
    expect(world.server.asked.at(-1)).toBe("/token/revocation");
    expect(world.lines.filter(isLost)).toEqual([]);
    const other = await worldWithGoogle();
    await other.connect();
    other.server.stop();
    await remove(other);
    expect(other.lines.filter(isLost)).toMatchObject([{ fields: { provider: "google" } }]);
    expect(await other.store.read.selectFrom("workspaces").select("id").execute()).toEqual([]);
  });

  test("a deleted workspace's mailboxes are no longer read", async () => {
    const { askAs, createWorkspace, addPerson, store, clock } = await worldInBrowser({});
    clock.nowMs += 1;
    const { id } = await createWorkspace("Theirs");
    const { cookie } = await addPerson(id, "owner");
    await insertIntegration(store, id, "int_1", { claimed_by: "one", claimed_until: clock.nowMs + 60_000 });
    expect((await askAs("DELETE", `/api/workspaces/${id}`, { cookie })).status).toBe(204);
    expect(await readHeldMailboxes(store.read, "one", ["int_1"])).toEqual(new Map());
    expect(await hasDueMailbox(store.read, Date.UTC(2100, 0))).toBe(false);
  });

  test("the OAuth callback connects nothing after 10 minutes", async () => {
    const { begin, comeBack, listConnected, clock, server } = await worldWithGoogle();
    const back = await giveConsent(await begin());
    clock.nowMs += 600_000;
    expect((await comeBack(back)).location).toBe(failed("expired"));
    expect(await listConnected()).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  test("the OAuth callback connects nothing in another user's browser, without a session, or for a removed user", async () => {
    const { begin, comeBack, listConnected, join, ask, store, server } = await worldWithGoogle();
    const other = await join("owner");
    expect((await comeBack(await giveConsent(await begin()), other.cookie)).location).toBe(failed("other_user"));
    const { status, json } = await comeBack(await giveConsent(await begin()), null);
    expect([status, json.message]).toEqual([400, expect.stringContaining("You weren’t logged in")]);
    const back = await giveConsent(await begin("google", other.cookie));
    expect((await ask("DELETE", `/api/members/${other.id}`)).status).toBe(204);
    const rows = await store.read.selectFrom("oauth_states").select("user_id").execute();
    expect(rows.length).toBeLessThanOrEqual(1);
    expect((await comeBack(back, other.cookie)).location).toBe(failed("not_a_member"));
    expect(await listConnected()).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  test("the OAuth callback connects nothing without the required access, and revokes the grant", async () => {
    const { connect, listConnected, server } = await worldWithGoogle();
    server.next.consent = { email: "ann@gmail.example", scopes: ["openid", "email"] };
    expect((await connect()).location).toBe(failed("scope_missing"));
    expect(server.asked).toContain("/token/revocation");
    expect(await listConnected()).toEqual([]);
  });

  test("the OAuth callback connects nothing with short-lived access only", async () => {
    const { connect, listConnected } = await worldWithGoogle({ withoutRefresh: true });
    expect((await connect()).location).toBe(failed("no_refresh"));
    expect(await listConnected()).toEqual([]);
  });

  test("the OAuth callback connects no account without an email address", async () => {
    const { connect, listConnected, server } = await worldWithGoogle();
    for (const email of ["ann", "ann@gmail.example\u0001auth=Bearer x"]) {
      server.next.consent = { email };
      expect((await connect()).location).toBe(failed("no_account"));
    }
    expect(await listConnected()).toEqual([]);
  });

  test("the OAuth callback connects nothing with an unknown code, or if the provider is down", async () => {
    const { begin, comeBack, listConnected, server } = await worldWithGoogle();
    const back = await giveConsent(await begin());
    back.searchParams.set("code", "made-up");
    expect((await comeBack(back)).location).toBe(failed("provider_refused"));
    const late = await giveConsent(await begin());
    server.stop();
    expect((await comeBack(late)).location).toBe(failed("provider_silent"));
    expect(await listConnected()).toEqual([]);
  });

  test("the OAuth callback of a connected account updates its row", async () => {
    const { connect, listConnected, clock, server } = await worldWithGoogle();
    await connect();
    const [before] = await listConnected();
    clock.nowMs += 1_000;
    expect((await connect()).location).toBe(google);
    const after = await listConnected();
    expect(after).toMatchObject([{ id: before.id, account: before.account }]);
    expect(after[0].connectedAt).not.toBe(before.connectedAt);
    server.next.consent = { email: "ben@gmail.example" };
    await connect();
    expect(await listConnected()).toHaveLength(2);
  });
});

describe("a consent URL requested with an API token", () => {
  async function worldWithToken(of: "owner" | "operator" = "owner") {
    const world = await worldWithGoogle();
    const { askAs, issueToken, workspace, owner, store, workspace: id } = world;
    const { token, row } = await issueToken(workspace, null, of === "owner" ? owner.id : null);
    const beginWithToken = async () =>
      (await askAs("GET", "/api/integrations/google/connect", { token, workspace })).json.url as string;
    const revoke = () => store.write((db) => removeToken(inWorkspace(db, id), row.id));
    return { ...world, beginWithToken, revoke, row };
  }

  test.each(["owner", "operator"] as const)(
    "a consent URL requested with an API token completes the connection in a browser without a session, and the page names the account (%s)",
    async (of) => {
      const { beginWithToken, comeBack, listConnected, askAs, owner, workspace } = await worldWithToken(of);
      const { status, text, headers } = await comeBack(await giveConsent(await beginWithToken()), null);
      expect(status).toBe(200);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(headers.get("cache-control")).toBe("no-store");
      for (const part of [
        "connected",
        "ann@gmail.example",
        "“Ours”",
        "close this window",
        "Disconnect",
        "/integrations",
      ])
        expect(text).toContain(part);
      expect(text).not.toContain("<script");
      expect(await listConnected()).toMatchObject([{ account: "ann@gmail.example" }]);
      const { items } = (await askAs("GET", "/api/audit", { cookie: owner.cookie, workspace })).json;
      expect(items[0]).toMatchObject({
        action: "connection.create",
        summary: expect.stringContaining("The token “a token”"),
      });
    },
  );

  test.each(["owner", "operator"] as const)(
    "a consent URL requested with an API token connects in a member's browser and returns to the app (%s)",
    async (of) => {
      const { beginWithToken, comeBack, listConnected } = await worldWithToken(of);
      expect((await comeBack(await giveConsent(await beginWithToken()))).location).toBe(google);
      expect(await listConnected()).toHaveLength(1);
    },
  );

  test.each(["owner", "operator"] as const)(
    "a consent URL requested with an API token connects nothing in the browser of a non-member (%s)",
    async (of) => {
      const { beginWithToken, comeBack, listConnected, createWorkspace, addPerson, server } = await worldWithToken(of);
      const stranger = await addPerson((await createWorkspace("Theirs")).id, "owner", "Mallory");
      const back = await giveConsent(await beginWithToken());
      expect((await comeBack(back, stranger.cookie)).location).toBe(failed("other_user"));
      expect((await comeBack(back, null)).status).toBe(400);
      expect(await listConnected()).toEqual([]);
      expect(server.asked).toEqual([]);
    },
  );

  test("a consent URL requested with an API token connects nothing once the token is revoked, and shows a page that says so", async () => {
    const { beginWithToken, comeBack, listConnected, revoke, base, server } = await worldWithToken();
    const back = await giveConsent(await beginWithToken());
    await revoke();
    const { status, json } = await comeBack(back, null);
    expect([status, json.error]).toEqual([400, "invalid_link"]);
    const page = await fetch(base + back.pathname + back.search, { headers: { accept: "text/html" } });
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining("not connected</h1>")]);
    expect(await listConnected()).toEqual([]);
    expect(server.asked).toEqual([]);
  });

  test("a consent URL requested with an API token revokes the grant if the token is revoked during the provider's response", async () => {
    const { beginWithToken, comeBack, listConnected, revoke, server, oauth } = await worldWithToken();
    const back = await giveConsent(await beginWithToken());
    const { finish } = oauth;
    vi.spyOn(oauth, "finish").mockImplementationOnce(async (...asked) => {
      const outcome = await finish(...asked);
      await revoke();
      return outcome;
    });
    expect((await comeBack(back, null)).status).toBe(400);
    expect(await listConnected()).toEqual([]);
    expect(server.asked).toContain("/token/revocation");
  });

  test("a consent URL requested with an API token works once, and only while the token is valid", async () => {
    const { beginWithToken, comeBack, listConnected } = await worldWithToken();
    const back = await giveConsent(await beginWithToken());
    expect((await comeBack(back, null)).status).toBe(200);
    expect((await comeBack(back, null)).json.message).toContain("already been used");
    expect(await listConnected()).toHaveLength(1);
  });
});

describe("the result page of a browser without a session", () => {
  async function worldWithPage() {
    const world = await worldWithGoogle();
    const { issueToken, askAs, comeBack, workspace, owner, base } = world;
    const { token } = await issueToken(workspace, null, owner.id);
    const { url } = (await askAs("GET", "/api/integrations/google/connect", { token, workspace })).json;
    const { text } = await comeBack(await giveConsent(url), null);
    const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(text) ?? [];
    const type = "application/x-www-form-urlencoded";
    const press = (origin = base, path = action) =>
      fetch(base + path, { method: "POST", headers: { origin, accept: "text/html", "content-type": type } });
    return { ...world, token, press, action };
  }

  test("the result page of a browser without a session disconnects with one button, once, and revokes the grant", async () => {
    const { press, listConnected, server, askAs, owner, workspace, clock } = await worldWithPage();
    expect((await press("https://evil.example")).status).toBe(403);
    expect(await listConnected()).toHaveLength(1);
    const page = await press();
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("disconnected</h1>")]);
    expect(await listConnected()).toEqual([]);
    expect(server.asked.at(-1)).toBe("/token/revocation");
    const { items } = (await askAs("GET", "/api/audit", { cookie: owner.cookie, workspace })).json;
    expect(items[0]).toMatchObject({
      action: "connection.delete",
      summary: expect.stringContaining("ann@gmail.example"),
    });
    clock.nowMs += 1_000;
    const again = await press();
    expect([again.status, await again.text()]).toEqual([400, expect.stringContaining("not disconnected</h1>")]);
  });

  test("the result page of a browser without a session disconnects nothing after an hour, and nothing that was reconnected", async () => {
    const { press, connect, listConnected, clock } = await worldWithPage();
    clock.nowMs += 1_000;
    const { press: pressLate, clock: later, listConnected: listLate } = await worldWithPage();
    later.nowMs += 3_600_000;
    expect((await pressLate()).status).toBe(400);
    expect(await listLate()).toHaveLength(1);
    await connect();
    expect((await press()).status).toBe(400);
    expect(await listConnected()).toHaveLength(1);
  });

  test("the result page of a browser without a session disconnects nothing that is reconnected at the same moment", async () => {
    const { press, connect, listConnected, clock, store } = await worldWithPage();
    const { write } = store;
    vi.spyOn(store, "write").mockImplementationOnce(async (work) => {
      clock.nowMs += 1_000;
      await connect();
      return await write(work);
    });
    expect((await press()).status).toBe(400);
    expect(await listConnected()).toMatchObject([{ connectedAt: new Date(clock.nowMs).toISOString() }]);
  });

  test("the result page of a browser without a session disconnects nothing at the URL of another provider", async () => {
    const { press, action, base, listConnected } = await worldWithPage();
    expect((await press(base, action.replace("/google/", "/slack/"))).status).toBe(400);
    expect(await listConnected()).toHaveLength(1);
  });

  test("the result page of a browser without a session has no button if the account was connected before", async () => {
    const { token, workspace, askAs, comeBack, clock } = await worldWithPage();
    clock.nowMs += 1_000;
    const { url } = (await askAs("GET", "/api/integrations/google/connect", { token, workspace })).json;
    const { status, text } = await comeBack(await giveConsent(url), null);
    expect([status, text]).toEqual([200, expect.stringContaining("It was connected before.")]);
    expect(text).not.toContain("<form");
  });
});

describe("disconnecting a mailbox", () => {
  test("DELETE /api/integrations/:id disconnects", async () => {
    const { connect, listConnected, ask, server, store } = await worldWithGoogle();
    await connect();
    const [{ id }] = await listConnected();
    expect((await ask("DELETE", `/api/integrations/${id}`)).status).toBe(204);
    expect(await listConnected()).toEqual([]);
    expect(await store.read.selectFrom("integrations").select("id").execute()).toEqual([]);
    expect(server.asked.at(-1)).toBe("/token/revocation");
    expect((await ask("DELETE", `/api/integrations/${id}`)).status).toBe(404);
  });

  test("disconnecting a mailbox succeeds even if the provider does not answer", async () => {
    const { connect, listConnected, ask, server } = await worldWithGoogle();
    await connect();
    server.stop();
    const [{ id }] = await listConnected();
    expect((await ask("DELETE", `/api/integrations/${id}`)).status).toBe(204);
    expect(await listConnected()).toEqual([]);
  });

  test("disconnecting a mailbox revokes nothing while another workspace uses the same consent", async () => {
    const { connect, comeBack, listConnected, ask, askAs, server, owner, createWorkspace, store } =
      await worldWithGoogle();
    await connect();
    const { id: second } = await createWorkspace("Second");
    await store.write((db) =>
      db
        .insertInto("memberships")
        .values({ user_id: owner.id, workspace_id: second, role: "owner", created_at: 1 })
        .execute(),
    );
    const asked = { cookie: owner.cookie, workspace: second };
    const { url } = (await askAs("GET", "/api/integrations/google/connect", asked)).json;
    await comeBack(await giveConsent(url));
    const [{ id }] = await listConnected();
    await ask("DELETE", `/api/integrations/${id}`);
    expect(server.asked).not.toContain("/token/revocation");
    const [theirs] = (await askAs("GET", "/api/integrations", asked)).json.items;
    await askAs("DELETE", `/api/integrations/${theirs.id}`, asked);
    expect(server.asked).toContain("/token/revocation");
  });
});
