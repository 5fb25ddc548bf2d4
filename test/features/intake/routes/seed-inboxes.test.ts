import { expect, test } from "vitest";
import type { SeedInbox } from "../../../../src/features/intake/contract/seed-inboxes.ts";
import { startHttpWorld } from "../../../http/http-world.ts";

async function worldWithCaller() {
  const world = await startHttpWorld();
  const workspace = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspace.id);
  const ask = (method: string, path: string, body?: unknown) =>
    world.ask(method, path, { token, workspace: workspace.id, body });
  const list = async () => (await ask("GET", "/api/seed-inboxes")).json.items;
  return { ...world, workspace, ask, list };
}

test("the list contains the workspace's active seed address and each created one", async () => {
  const { ask, list, workspace } = await worldWithCaller();
  const [original] = await list();
  expect(original).toMatchObject({ address: workspace.seed_address, active: true, label: null });
  const body = { localPart: "News.Letter", domain: "SEED.example", label: " News " };
  const { status, json } = await ask("POST", "/api/seed-inboxes", body);
  expect(status).toBe(201);
  expect(json).toMatchObject({
    address: "news.letter@seed.example",
    localPart: "news.letter",
    domain: "seed.example",
    label: "News",
    active: false,
    createdAt: "2026-11-21T06:00:00.000Z",
  });
  expect(await list()).toHaveLength(2);
});

test("a seed address whose domain was removed from the settings is shown as receiving nothing", async () => {
  const { ask, list, store } = await worldWithCaller();
  await store.write((db) => db.updateTable("seed_inboxes").set({ domain: "old.example" }).execute());
  const { json: made } = await ask("POST", "/api/seed-inboxes", {});
  expect(made.receives).toBe(true);
  const shown = (await list()).map(({ domain, receives }: SeedInbox) => [domain, receives]);
  expect(shown.sort()).toEqual([
    ["old.example", false],
    ["seed.example", true],
  ]);
});

test.each(["a+b", "a b", "a@b", ".a", "a.", "a..b", "", "ü", "a\u202e", "a".repeat(65), 7, null])(
  "the local part %j returns invalid_request",
  async (localPart) => {
    const { ask } = await worldWithCaller();
    const { json } = await ask("POST", "/api/seed-inboxes", { localPart });
    expect(json).toMatchObject({ error: "invalid_request", field: "localPart" });
  },
);

test("a label with a line break or another control character returns invalid_request", async () => {
  const { ask, list } = await worldWithCaller();
  const [{ id }] = await list();
  for (const label of ["a\r\nb", "a\tb", "a\u0007", "a\u0085b", "a\u2028b"]) {
    const refused = {
      error: "invalid_request",
      field: "label",
      message: '"label" must have no line breaks and no control characters.',
    };
    expect((await ask("POST", "/api/seed-inboxes", { label })).json).toMatchObject(refused);
    expect((await ask("PATCH", `/api/seed-inboxes/${id}`, { label })).json).toMatchObject(refused);
  }
});

test("an unknown domain returns invalid_request, and a taken address a conflict", async () => {
  const { ask } = await worldWithCaller();
  const create = async (body: unknown) => (await ask("POST", "/api/seed-inboxes", body)).json;
  expect(await create({ domain: "elsewhere.example" })).toMatchObject({ error: "invalid_request", field: "domain" });
  await create({ localPart: "hello" });
  expect(await create({ localPart: "HELLO" })).toMatchObject({ error: "conflict", field: "localPart" });
});

test("PATCH renames an address or makes it active, and DELETE is rejected only for the last one", async () => {
  const { ask, list } = await worldWithCaller();
  const [original] = await list();
  const { json: second } = await ask("POST", "/api/seed-inboxes", {});
  const change = (id: string, body: unknown) => ask("PATCH", `/api/seed-inboxes/${id}`, body);
  expect((await change(second.id, { active: true, label: "Two" })).json).toMatchObject({ active: true, label: "Two" });
  expect((await change(second.id, { label: null })).json.label).toBeNull();
  expect((await change(second.id, {})).status).toBe(200);
  expect((await ask("DELETE", `/api/seed-inboxes/${second.id}`)).status).toBe(204);
  expect(await list()).toMatchObject([{ id: original.id, active: true }]);
  const { status, json } = await ask("DELETE", `/api/seed-inboxes/${original.id}`);
  expect([status, json.error]).toEqual([409, "conflict"]);
  expect((await change(original.id, { active: false })).json.error).toBe("conflict");
});
