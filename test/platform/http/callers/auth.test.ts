import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { version } from "../../../../src/analyzer/version.ts";
import { readWorkspaceName } from "../../../../src/features/alerts/rows/addresses.ts";
import { changeRole, listOpenInvitations } from "../../../../src/features/people/rows/memberships.ts";
import { revokeToken } from "../../../../src/features/people/work/tokens.ts";
import { inWorkspace, storeOf } from "../../../../src/platform/database/scope.ts";
import type { Answered } from "../../../http/ask.ts";
import { askRaw } from "../../../http/ask-raw.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

function expectForbidden({ status, json, headers }: Answered, message: string): void {
  expect(json).toEqual({ error: "forbidden", message });
  expect(status).toBe(403);
  expect(headers.get("x-assay-version")).toBeNull();
  expect(headers.get("www-authenticate")).toBeNull();
}

async function worldWithToken() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const { token, row } = await world.issueToken(workspace.id);
  return { ...world, workspace, token, row };
}

const rest = "Send an API token: Authorization: Bearer asy_…";

describe("a request without a token", () => {
  test.each([
    [undefined, `The Authorization header is missing. ${rest}`],
    ["", `The Authorization header is missing. ${rest}`],
    ["Bearer", `The Authorization header has no token. ${rest}`],
    ["bearer ", `The Authorization header has no token. ${rest}`],
  ])("a request without a token returns missing_token with Authorization %j", async (value, message) => {
    const { ask } = await startHttpWorld();
    const { status, json, headers } = await ask("GET", "/api/me", {
      headers: value === undefined ? {} : { authorization: value },
    });
    expect(status).toBe(401);
    expect(json).toEqual({ error: "missing_token", message });
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect(headers.get("x-assay-version")).toBeNull();
  });

  test("a request without a token returns missing_token with a session that has ended", async () => {
    const { ask } = await startHttpWorld();
    const { status, json } = await ask("GET", "/api/me", { cookie: `assay_session=${"a".repeat(43)}` });
    expect(status).toBe(401);
    expect(json).toEqual({
      error: "missing_token",
      message: "Your session has ended. Log in again, or send an API token: Authorization: Bearer asy_…",
    });
  });
});

describe("an invalid token or workspace", () => {
  const invalidToken = "The API token is invalid, expired, or revoked.";
  const noAccess = "This workspace does not exist, or you do not have access to it. Check the X-Workspace-Id header.";
  const unknownWorkspace = `wsp_${"0".repeat(26)}`;

  test("every kind of invalid token gets the same message with any workspace", async () => {
    const world = await worldWithToken();
    const { id } = world.workspace;
    const expired = await world.issueToken(id, world.clock.nowMs + 1_000);
    const revoked = await world.issueToken(id);
    await revokeToken(storeOf(world.store, id), revoked.row.id);
    world.clock.nowMs += 1_000;
    const tokens = [`asy_${"0".repeat(40)}`, "asy_short", "something", expired.token, revoked.token];
    const workspaces = [id, unknownWorkspace, "nonsense", undefined];
    const answers = await Promise.all(
      tokens.flatMap((token) =>
        workspaces.map((workspace) =>
          world.ask("GET", "/api/tokens", { token, ...(workspace === undefined ? {} : { workspace }) }),
        ),
      ),
    );
    for (const answer of answers) expectForbidden(answer, invalidToken);
  });

  test("another workspace and one that does not exist give the same response", async () => {
    const world = await worldWithToken();
    const other = await world.createWorkspace("Theirs");
    for (const workspace of [other.id, unknownWorkspace])
      expectForbidden(await world.ask("GET", "/api/tokens", { token: world.token, workspace }), noAccess);
  });

  test.each([`Basic ${btoa("a:b")}`, "asy_0", "Bearer a b"])(
    "the error names the expected form for Authorization: %s",
    async (authorization) => {
      const { ask, workspace } = await worldWithToken();
      expectForbidden(
        await ask("GET", "/api/tokens", { workspace: workspace.id, headers: { authorization } }),
        "The Authorization header is malformed. Expected: Authorization: Bearer asy_…",
      );
    },
  );

  test.each([
    [undefined, "The X-Workspace-Id header is missing. Send your workspace ID: X-Workspace-Id: wsp_…"],
    ["", "The X-Workspace-Id header is malformed. Expected a workspace ID: wsp_ followed by 26 characters."],
    ["wsp_nothing", "The X-Workspace-Id header is malformed. Expected a workspace ID: wsp_ followed by 26 characters."],
  ])("the error names the problem with X-Workspace-Id: %j", async (workspace, message) => {
    const { ask, token } = await worldWithToken();
    const named = workspace === undefined ? {} : { workspace };
    expectForbidden(await ask("GET", "/api/tokens", { token, ...named }), message);
  });

  test("the error for a malformed workspace in a session's query names the query parameter", async () => {
    const world = await startHttpWorld();
    const { cookie } = await world.addPerson((await world.createWorkspace("Ours")).id, "owner");
    expectForbidden(
      await world.ask("GET", "/api/tokens?workspace=nonsense", { cookie }),
      "The workspace parameter is malformed. Expected a workspace ID: wsp_ followed by 26 characters.",
    );
  });

  test("a token or workspace is never taken from the query", async () => {
    const { ask, token } = await worldWithToken();
    const { status } = await ask("GET", `/api/me?token=${token}&access_token=${token}`);
    expect(status).toBe(401);
  });

  test("a token or workspace that is sent twice is rejected", async () => {
    const { port, token } = await worldWithToken();
    const line = `Authorization: Bearer ${token}\r\n`;
    const heard = await askRaw(port, `GET /api/me HTTP/1.1\r\nHost: a\r\n${line}${line}Connection: close\r\n\r\n`);
    expect(heard).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe("a valid token", () => {
  test("a valid token opens its workspace with any letter case of the scheme, and returns the version", async () => {
    const { ask, token, workspace } = await worldWithToken();
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const { status, headers } = await ask("GET", "/api/tokens", {
        workspace: workspace.id,
        headers: { authorization: `${scheme} ${token}` },
      });
      expect(status).toBe(200);
      expect(headers.get("x-assay-version")).toBe(version);
    }
  });

  test("a valid token has its last use stored at most once a minute", async () => {
    const { ask, token, workspace, clock } = await worldWithToken();
    const firstUse = new Date(clock.nowMs).toISOString();
    const lastUsedAt = async () =>
      (await ask("GET", "/api/tokens", { token, workspace: workspace.id })).json.items[0].lastUsedAt;
    await ask("GET", "/api/me", { token });
    await expect.poll(lastUsedAt).toBe(firstUse);
    clock.nowMs += 59_999;
    await lastUsedAt();
    expect(await lastUsedAt()).toBe(firstUse);
    clock.nowMs += 1;
    await expect.poll(lastUsedAt).toBe(new Date(clock.nowMs).toISOString());
  });

  test("a valid token works even if its last use cannot be stored", async () => {
    let broken = false;
    const world = await startHttpWorld({
      wrapStore: (store) => ({
        ...store,
        write: (work) => (broken ? Promise.reject(new Error("disk full")) : store.write(work)),
      }),
    });
    const workspace = await world.createWorkspace("Ours");
    const { token } = await world.issueToken(workspace.id);
    broken = true;
    expect((await world.ask("GET", "/api/me", { token })).status).toBe(200);
    await expect.poll(() => world.lines.some(({ level }) => level === "warn")).toBe(true);
  });
});

test.each([
  ["POST", "/api/members", { email: "eves-other-address@example.com", role: "owner" }],
  ["PATCH", "/api/workspaces/:id", { name: "Eve was here" }],
])("a right that is revoked while the body of %s %s arrives no longer applies", async (method, path, asked) => {
  const world = await startHttpWorld();
  const { id: workspace } = await world.createWorkspace("Ours");
  await world.addPerson(workspace, "owner", "Ann");
  const eve = await world.addPerson(workspace, "owner", "Eve");
  const body = JSON.stringify(asked);
  const head = [
    `${method} ${path.replace(":id", workspace)} HTTP/1.1`,
    `Host: 127.0.0.1:${world.port}`,
    `Origin: ${world.base}`,
    `Cookie: ${eve.cookie}`,
    `X-Workspace-Id: ${workspace}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "Connection: close",
  ];
  world.clock.nowMs += 60_000;
  const socket = connect(world.port, "127.0.0.1");
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 5)}`);
  const readSession = () =>
    world.store.read.selectFrom("sessions").selectAll().where("user_id", "=", eve.id).executeTakeFirst();
  // Their use is noted once they were admitted.
  await vi.waitUntil(async () => (await readSession())?.last_seen_at === world.clock.nowMs, { timeout: 60_000 });
  await world.store.write((db) => changeRole(inWorkspace(db, workspace), eve.id, "member"));
  socket.end(body.slice(5));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 .*"forbidden"/s);
  const scope = inWorkspace(world.store.read, workspace);
  expect(await listOpenInvitations(scope, world.clock.nowMs)).toEqual([]);
  expect(await readWorkspaceName(scope)).toBe("Ours");
});
