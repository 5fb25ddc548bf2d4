import { Agent, get } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createCallTurns } from "../../src/http/call-turns.ts";
import { startHttpWorld } from "./http-world.ts";

test("a round of the event loop has one call in it, in their order", async () => {
  const takeTurn = createCallTurns();
  const seen: string[] = [];
  const connections = { a: {}, b: {}, c: {} };
  const ask = async (name: keyof typeof connections) => {
    await takeTurn(connections[name]);
    seen.push(name);
  };
  for (const name of ["a", "b", "a", "c"] as const) void ask(name);
  for (let round = 0; round < 3; round++) {
    await nextRound();
    seen.push("round");
  }
  expect(takeTurn({})).toBeUndefined();
  expect(seen).toEqual(["a", "a", "b", "round", "c", "round", "round"]);
});

test("a health check that comes with many calls stands behind one of them at most", async () => {
  const { base, createWorkspace, issueToken } = await startHttpWorld();
  const { id: workspace } = await createWorkspace("Ours");
  const { token } = await issueToken(workspace);
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const ask = (path: string) =>
    new Promise<void>((answered, fail) => {
      get(base + path, { agent, headers }, (answer) => answer.resume().on("end", answered)).on("error", fail);
    });
  await Promise.all(Array.from({ length: 11 }, () => ask("/healthz"))); // so that all are connected
  const order: string[] = [];
  const note = (path: string) => ask(path).then(() => void order.push(path));
  const calls = Array.from({ length: 10 }, () => note("/api/seed-inboxes"));
  await Promise.all([...calls, note("/healthz")]);
  expect(order.indexOf("/healthz")).toBeLessThan(2);
});
