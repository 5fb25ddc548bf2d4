import { describe, expect, test } from "vitest";
import { startHttpWorld } from "../../../http/http-world.ts";

async function worldWithCaller() {
  const world = await startHttpWorld();
  const { id: workspaceId } = await world.createWorkspace("Ours");
  const { token } = await world.issueToken(workspaceId);
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
    world.ask(method, path, { token, workspace: workspaceId, headers, body });
  const receive = async (label: string | null = null) => {
    world.clock.nowMs += 1;
    return await world.receive(workspaceId, label);
  };
  return { ...world, workspaceId, token, ask, receive };
}

describe("GET /api/tests", () => {
  test("GET /api/tests has pages by cursor and by offset", async () => {
    const { ask, receive } = await worldWithCaller();
    const ids = [await receive(), await receive(), await receive()].reverse();
    const page = async (query: string) => (await ask("GET", `/api/tests?${query}`)).json;
    const first = await page("limit=2");
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ limit: 2, offset: 0, next: expect.any(String) });
    const second = await page(`limit=2&cursor=${first.next}`);
    expect(second).toMatchObject({ items: [{ id: ids[2], seed_inbox_id: null }], next: null });
    expect(await page("limit=1&offset=1")).toMatchObject({ items: [{ id: ids[1] }], limit: 1, offset: 1 });
    expect(await page("offset=3")).toMatchObject({ items: [], next: null });
    expect(await page("offset=9007199254740991")).toMatchObject({ items: [] });
  });

  test("GET /api/tests can be filtered by label", async () => {
    const { ask, receive } = await worldWithCaller();
    await receive();
    const id = await receive("Welcome flow");
    expect((await ask("GET", "/api/tests?label=Welcome+flow")).json.items).toMatchObject([{ id }]);
    expect((await ask("GET", "/api/tests?label=welcome+flow")).json.items).toEqual([]);
  });

  test.each(["offset=-1", "offset=x", "offset=1.5", "offset=1e400", "label=", "cursor=1-bnc_0"])(
    "GET /api/tests rejects ?%s as invalid_request",
    async (query) => {
      const { ask } = await worldWithCaller();
      expect((await ask("GET", `/api/tests?${query}`)).json.error).toBe("invalid_request");
    },
  );
});

describe("GET /api/tests/:id", () => {
  async function worldWithReport() {
    const world = await worldWithCaller();
    const id = await world.receive();
    await world.analyzeAll();
    const read = async (query: string) => await world.ask("GET", `/api/tests/${id}${query}`);
    return { ...world, id, read };
  }

  test("GET /api/tests/:id names the address that a mistyped rehearsal address probably meant", async () => {
    const world = await worldWithCaller();
    const [seed, upload] = [await world.receive("as-gmial"), await world.receive("as-gmial")];
    await world.store.write((db) =>
      db
        .updateTable("tests")
        .set({ seed_inbox_id: `sdi_${"0".repeat(26)}` })
        .where("id", "=", seed)
        .execute(),
    );
    const read = async (id: string) => (await world.ask("GET", `/api/tests/${id}`)).json.notices;
    expect(await read(seed)).toBeNull();
    await world.analyzeAll();
    expect((await read(seed)).at(-1)).toEqual({
      title: "+as-gmial does not ask for a rehearsal.",
      text: "The message was accepted like any other. Use +as-gmail. Your own label can follow after a dot.",
    });
    expect(JSON.stringify(await read(upload))).not.toContain("rehearsal");
  });

  test("GET /api/tests/:id with ?detail=brief has the issues and the placement, in a tenth of the size", async () => {
    const { read } = await worldWithReport();
    const [full, brief] = [(await read("")).json, (await read("?detail=brief")).json];
    expect((await read("?detail=full")).json).toEqual(full);
    const { issues, placement, grade, limit, failure, ...summary } = brief;
    expect(full).toMatchObject({ ...summary, grade, limit, failure });
    expect(issues.map(({ id }: { id: string }) => id)).toEqual(
      full.plan.map(({ finding }: { finding: string }) => finding),
    );
    expect(issues.at(-1)).toMatchObject({ composite: full.plan.at(-1).composite, title: expect.any(String) });
    expect(full.placement_results).toMatchObject(placement);
    expect(JSON.stringify(brief).length).toBeLessThan(JSON.stringify(full).length / 5);
  });

  test("GET /api/tests/:id with ?detail=brief has no report fields before the analysis", async () => {
    const { ask, receive } = await worldWithCaller();
    const { json } = await ask("GET", `/api/tests/${await receive()}?detail=brief`);
    expect(json).toMatchObject({ status: "received", grade: null, issues: null, placement: null });
  });

  test("GET /api/tests/:id with ?fields has only these, as in the whole report", async () => {
    const { read } = await worldWithReport();
    const { composite, plan } = (await read("")).json;
    expect((await read("?fields=composite,plan")).json).toEqual({ composite, plan });
    for (const query of ["?fields=", "?fields=composite,nope", "?fields=id&detail=brief", "?fields=toString"])
      expect((await read(query)).json).toMatchObject({ error: "invalid_request", field: "fields" });
    expect((await read("?detail=short")).json).toMatchObject({ error: "invalid_request", field: "detail" });
  });
});

test("GET /api/tests/:id returns the session in snake case", async () => {
  const { ask, receive } = await worldWithCaller();
  const { json } = await ask("GET", `/api/tests/${await receive()}`);
  expect(json.transport).toMatchObject({
    source: "smtp",
    client_address: "192.0.2.1",
    client_port: 25_000,
    mail_from: "ann@sender.example",
    rcpt_to: ["anyone@seed.example"],
    data_ended_at: "1970-01-01T00:00:00.001Z",
  });
  expect(JSON.stringify(Object.keys(json.transport))).not.toMatch(/[A-Z]/);
});

test("DELETE /api/tests/:id deletes a test with its message, once", async () => {
  const { ask, receive } = await worldWithCaller();
  const id = await receive();
  expect((await ask("DELETE", `/api/tests/${id}`)).status).toBe(204);
  expect((await ask("GET", `/api/tests/${id}/raw`)).status).toBe(404);
  expect((await ask("DELETE", `/api/tests/${id}`)).status).toBe(404);
});
