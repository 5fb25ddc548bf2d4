import { expect, test } from "vitest";
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
    workspaces: [{ id: workspace.id, name: "Ours", role: "owner" }],
  });
});
