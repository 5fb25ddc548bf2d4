import { describe, expect, test } from "vitest";
import { listMembers } from "../../src/store/memberships.ts";
import { inWorkspace } from "../../src/store/scope.ts";
import { listWorkspaces } from "../../src/store/workspaces.ts";
import { removeWorkspaces } from "../../src/tasks/remove-workspaces.ts";
import { routeRecipient } from "../../src/tasks/route-recipient.ts";
import { addMember } from "./add-member.ts";
import { startHttpWorld } from "./http-world.ts";

async function worldWithCaller() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const { token, row } = await world.issueToken(workspace.id);
  return { ...world, workspace, token, row };
}

test("GET /api/workspaces lists the caller's workspaces and no other", async () => {
  const { ask, token, workspace, createWorkspace } = await worldWithCaller();
  await createWorkspace("Theirs");
  const { json } = await ask("GET", "/api/workspaces", { token });
  expect(json.items).toEqual([
    {
      id: workspace.id,
      name: "Ours",
      plan: "self-hosted",
      seedAddress: workspace.seed_address,
      sendingVolume: null,
      createdAt: "2026-11-21T06:00:00.000Z",
    },
  ]);
});

test("POST /api/workspaces creates one with an active seed inbox", async () => {
  const { ask, token } = await worldWithCaller();
  const { status, json } = await ask("POST", "/api/workspaces", { token, body: { name: "Second" } });
  expect(status).toBe(201);
  expect(json.name).toBe("Second");
  expect(json.seedAddress).toMatch(/^[a-z0-9]{10}@seed\.example$/);
});

test.each([[{}], [{ name: "  " }]])("POST /api/workspaces %j is missing_name", async (body) => {
  const { ask, token } = await worldWithCaller();
  const { json } = await ask("POST", "/api/workspaces", { token, body });
  expect(json).toMatchObject({ error: "missing_name", field: "name" });
});

test("GET /api/me says who is asking and which workspaces they have", async () => {
  const { ask, token, workspace, row } = await worldWithCaller();
  const { json } = await ask("GET", "/api/me", { token });
  expect(json).toEqual({
    via: "token",
    user: null,
    token: { id: row.id, name: "a token", expiresAt: null },
    workspaces: [
      {
        ...{ id: workspace.id, name: "Ours", role: "owner", plan: "self-hosted" },
        ...{ seedAddress: workspace.seed_address, sendingVolume: null, createdAt: "2026-11-21T06:00:00.000Z" },
      },
    ],
  });
});

/** The server's first workspace, and another with an owner and a member. */
async function worldWithOwner() {
  const world = await startHttpWorld();
  const first = await world.createWorkspace("First");
  world.clock.nowMs += 1;
  const { id: workspace, seed_address } = await world.createWorkspace("Ours");
  const owner = await addMember(world, workspace, { email: "ann@example.com", role: "owner" });
  const member = await addMember(world, workspace, { email: "bob@example.com", role: "member" });
  return { ...world, first, workspace, seedAddress: seed_address ?? "", owner, member };
}

test("POST /api/workspaces makes its creator the owner, and nobody else a member", async () => {
  const { ask, owner, store } = await worldWithOwner();
  const { json } = await ask("POST", "/api/workspaces", { token: owner.token, body: { name: "Second" } });
  const members = await listMembers(inWorkspace(store.read, json.id));
  expect(members).toMatchObject([{ user_id: owner.userId, role: "owner" }]);
});

test("PATCH /api/workspaces/:id renames a workspace for its owner", async () => {
  const { ask, owner, workspace } = await worldWithOwner();
  const path = `/api/workspaces/${workspace}`;
  const { status, json } = await ask("PATCH", path, { token: owner.token, body: { name: " Better " } });
  expect(status).toBe(200);
  expect(json).toMatchObject({ id: workspace, name: "Better" });
  expect((await ask("GET", "/api/workspaces", { token: owner.token })).json.items).toEqual([json]);
});

test.each(["PATCH", "DELETE"])("%s /api/workspaces/:id is an owner's alone", async (method) => {
  const { ask, member, workspace } = await worldWithOwner();
  const { status } = await ask(method, `/api/workspaces/${workspace}`, {
    token: member.token,
    ...(method === "PATCH" && { body: { name: "Mine" } }),
  });
  expect(status).toBe(403);
});

describe("DELETE /api/workspaces/:id", () => {
  test("closes the workspace to everybody at once", async () => {
    const { ask, owner, member, workspace, store } = await worldWithOwner();
    expect((await ask("DELETE", `/api/workspaces/${workspace}`, { token: owner.token })).status).toBe(204);
    for (const { token } of [owner, member])
      expect((await ask("GET", "/api/tests", { token, workspace })).status).toBe(403);
    expect((await listWorkspaces(store.read)).map(({ name }) => name)).toEqual(["First"]);
  });

  test("refuses mail for its addresses, and gives them to nobody else", async () => {
    const { ask, owner, workspace, seedAddress, first, issueToken, store, clock } = await worldWithOwner();
    await ask("DELETE", `/api/workspaces/${workspace}`, { token: owner.token });
    const table = {
      db: store.read,
      seedDomains: ["seed.example"],
      catchAll: first.id,
      now: () => clock.nowMs,
    };
    expect(await routeRecipient(seedAddress, table)).toEqual({ outcome: "unknown" });
    const { token } = await issueToken(first.id);
    const body = { localPart: seedAddress.split("@")[0] };
    const { status } = await ask("POST", "/api/seed-inboxes", { token, workspace: first.id, body });
    expect(status).toBe(409);
  });

  test("is refused for the server's first workspace, whose the reserved addresses are", async () => {
    const { ask, first, issueToken } = await worldWithOwner();
    const { token } = await issueToken(first.id);
    const { status, json } = await ask("DELETE", `/api/workspaces/${first.id}`, { token });
    expect(status).toBe(409);
    expect(json.message).toContain("first workspace");
  });

  test("leaves nothing of it behind once the chore has run", async () => {
    const { ask, owner, workspace, receive, store, system } = await worldWithOwner();
    for (let n = 0; n < 3; n++) await receive(workspace);
    await ask("DELETE", `/api/workspaces/${workspace}`, { token: owner.token });
    await removeWorkspaces(store, system, { endConnection: async () => 0 });
    const left = [
      ...(await store.read.selectFrom("tests").select("id").execute()),
      ...(await store.read.selectFrom("raw_messages").select("test_id").execute()),
      ...(await store.read.selectFrom("workspaces").select("id").where("id", "=", workspace).execute()),
    ];
    expect(left).toEqual([]);
  });
});
