import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { secondReaderCheck } from "../../../src/analyzer/reports/second-reader-check.ts";
import type { SecondReaderResult } from "../../../src/features/tests/contract/second-reading.ts";
import { ambiguousMessages } from "../../analyzer/second-reader/ambiguous-messages.ts";
import { type HttpWorld, openHttpWorld } from "../../http/http-world.ts";

const raw = Buffer.from(ambiguousMessages["a Content-Type without its semicolon"], "latin1");

describe("GET /api/tests/:id/second-reader", () => {
  let world: HttpWorld;
  let headers: Record<string, string>;
  let workspaceId: string;
  beforeAll(async () => {
    world = await openHttpWorld();
    workspaceId = (await world.createWorkspace("Reading")).id;
    const { token } = await world.issueToken(workspaceId);
    headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  });
  afterAll(() => world.close());

  const read = async (id: string) => {
    const { json: body } = await world.ask("GET", `/api/tests/${id}/second-reader`, { headers });
    return body as SecondReaderResult;
  };

  async function untilDone(id: string): Promise<SecondReaderResult> {
    for (let tries = 0; tries < 200; tries++) {
      const second = await read(id);
      if (second.state !== "waiting") return second;
      await pause(20);
    }
    throw new Error("It was not read a second time.");
  }

  test("GET /api/tests/:id/second-reader is pending at first, and has the result when the second parser is done", async () => {
    const id = await world.receive(workspaceId, null, raw);
    await world.analyzeAll();
    expect(await read(id)).toMatchObject({ state: "waiting", result: null, failure: null });
    const second = await untilDone(id);
    expect(second).toMatchObject({ state: "done", failure: null, scanners: [] });
    expect(second.result?.outcome).toBe("differ");
    expect(second.result?.issues.map(({ id, severity }) => [id, severity])).toEqual([
      ["second-reader.two-bodies", "major"],
      ["second-reader.hidden-attachment", "major"],
      ["second-reader.other-links", "major"],
    ]);
    expect(second.result?.issues[0]).toMatchObject({
      summary: expect.stringMatching(/Assay: "<p>Buy .*; second reader: none/),
      help: "/docs/fix-ambiguous-message",
      bytes: [{ text: "Content-Type: text/html charset=us-ascii" }],
    });
  });

  test("GET /api/tests/:id/second-reader doesn't change the report or its score", async () => {
    const id = await world.receive(workspaceId, null, raw);
    await world.analyzeAll();
    const report = async () => (await world.ask("GET", `/api/tests/${id}`, { headers })).json;
    const before = await report();
    await untilDone(id);
    expect(await report()).toEqual(before);
  });

  test("GET /api/tests/:id/second-reader is computed again after a re-analysis", async () => {
    const id = await world.receive(workspaceId, null, raw);
    await world.analyzeAll();
    const first = await untilDone(id);
    world.clock.nowMs += 60_000;
    await world.ask("POST", `/api/tests/${id}/reanalyze`, { headers });
    expect((await untilDone(id)).examined_at).not.toBe(first.examined_at);
  });

  test("GET /api/tests/:id/second-reader waits for a message's first report", async () => {
    const id = await world.receive(workspaceId, null, raw);
    expect(await read(id)).toMatchObject({ state: "waiting" });
    await world.analyzeAll();
    expect((await untilDone(id)).state).toBe("done");
  });

  test("the findings of the second parser are in the catalog and cost nothing", async () => {
    const { json: body } = await world.ask("GET", "/api/checks");
    const { checks } = body as { checks: { id: string; stake: number; findings: { cost: number }[] }[] };
    const check = checks.find(({ id }) => id === secondReaderCheck.id);
    expect(check?.stake).toBe(0);
    expect(check?.findings.map(({ cost }) => cost)).toEqual(check?.findings.map(() => 0));
  });
});
