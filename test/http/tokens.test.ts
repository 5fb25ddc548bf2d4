import { describe, expect, test } from "vitest";
import { startHttpWorld } from "./http-world.ts";
import { goodPassword } from "./people.ts";

async function worldWithCaller() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  await world.issueToken(workspace.id);
  const { id, cookie } = await world.addPerson(workspace.id, "owner");
  return { ...world, workspace: workspace.id, personId: id, cookie };
}

describe("GET /api/tokens", () => {
  test("GET /api/tokens lists the workspace's tokens, oldest first, without secret or hash", async () => {
    const { ask, cookie, workspace, clock } = await worldWithCaller();
    clock.nowMs += 1_000;
    await ask("POST", "/api/tokens", { cookie, workspace, body: { name: "pipeline" } });
    const { json, text } = await ask("GET", "/api/tokens", { cookie, workspace });
    expect(json.items.map(({ name }: { name: string }) => name)).toEqual(["a token", "pipeline"]);
    expect(text).not.toContain("asy_");
    expect(text).not.toContain("hash");
  });
});

test("the list of tokens names the members that a token invited, until they leave", async () => {
  const { ask, workspace, personId, issueToken, clock } = await worldWithCaller();
  const { token, row } = await issueToken(workspace, null, personId);
  const child = (await ask("POST", "/api/tokens", { token, workspace, body: { name: "child" } })).json;
  const accept = async (by: string, email: string) => {
    clock.nowMs += 1_000;
    const body = { email, role: "member" };
    const { link } = (await ask("POST", "/api/members", { token: by, workspace, body })).json;
    clock.nowMs += 1_000;
    const joining = { token: link.split("#")[1], name: email, password: goodPassword };
    return (await ask("POST", "/api/auth/invite/accept", { body: joining })).json.user.id as string;
  };
  const bob = await accept(token, "bob@example.com");
  const cid = await accept(child.token, "cid@example.com");
  await accept((await issueToken(workspace, null, personId)).token, "dan@example.com");
  const invited = async () => {
    const { items } = (await ask("GET", "/api/tokens", { token, workspace })).json;
    return [row.id, child.id].map((id) => items.find((item: { id: string }) => item.id === id).invited);
  };
  expect(await invited()).toEqual([[bob, cid], [cid]]);
  expect((await ask("DELETE", `/api/members/${bob}`, { token, workspace })).status).toBe(204);
  expect(await invited()).toEqual([[cid], [cid]]);
});

describe("POST /api/tokens", () => {
  test("POST /api/tokens issues a token that opens the workspace until it expires", async () => {
    const { ask, cookie, workspace, clock, personId } = await worldWithCaller();
    const expiresAt = new Date(clock.nowMs + 60_000).toISOString();
    const { status, json } = await ask("POST", "/api/tokens", {
      cookie,
      workspace,
      body: { name: "  pipeline ", expiresAt },
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: "pipeline", createdBy: personId, lastUsedAt: null, expiresAt });
    expect(json.token).toMatch(/^asy_[0-9a-z]{40}$/);
    expect((await ask("GET", "/api/tokens", { token: json.token, workspace })).status).toBe(200);
    clock.nowMs += 60_000;
    expect((await ask("GET", "/api/tokens", { token: json.token, workspace })).status).toBe(403);
  });

  test.each([
    [{}, "missing_name", "name"],
    [{ name: "" }, "missing_name", "name"],
    [{ name: " \t" }, "missing_name", "name"],
    [{ name: null }, "missing_name", "name"],
    [{ name: 7 }, "invalid_request", "name"],
    [{ name: "x".repeat(101) }, "invalid_request", "name"],
    [{ name: "x", naem: "y" }, "invalid_request", "naem"],
    [{ name: "x", expiresAt: "tomorrow" }, "invalid_request", "expiresAt"],
    [{ name: "x", expiresAt: 5 }, "invalid_request", "expiresAt"],
    [{ name: "x", expiresAt: "2020-01-01T00:00:00Z" }, "invalid_request", "expiresAt"],
  ])("POST /api/tokens rejects %j as %s", async (body, error, field) => {
    const { ask, cookie, workspace } = await worldWithCaller();
    const { status, json } = await ask("POST", "/api/tokens", { cookie, workspace, body });
    expect(status).toBe(400);
    expect(json).toMatchObject({ error, field });
    expect(json.message).toContain(field);
  });

  test("POST /api/tokens accepts a time with an offset and returns it in UTC", async () => {
    const { ask, cookie, workspace } = await worldWithCaller();
    const { json } = await ask("POST", "/api/tokens", {
      cookie,
      workspace,
      body: { name: "x", expiresAt: "2027-01-01T01:00:00+01:00" },
    });
    expect(json.expiresAt).toBe("2027-01-01T00:00:00.000Z");
  });
});

describe("DELETE /api/tokens/:id", () => {
  test("DELETE /api/tokens/:id revokes immediately, and a second call finds nothing", async () => {
    const { ask, cookie, workspace } = await worldWithCaller();
    const { json: issued } = await ask("POST", "/api/tokens", { cookie, workspace, body: { name: "x" } });
    const path = `/api/tokens/${issued.id}`;
    expect((await ask("DELETE", path, { cookie, workspace })).status).toBe(204);
    expect((await ask("GET", "/api/me", { token: issued.token })).status).toBe(403);
    expect((await ask("DELETE", path, { cookie, workspace })).status).toBe(404);
  });
});
