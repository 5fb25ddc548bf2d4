// Random requests with the same seed each time, from the OpenAPI document, as every kind of caller: each response
// is declared, none is a server error, and memory does not grow. scripts/fuzz-http.ts sends ten thousand and more
// to a whole server.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createDice, type Dice } from "../../scripts/dice.ts";
import { createRequestThrower, type RequestThrower } from "../../scripts/fuzz/requests.ts";
import { createOpenApi } from "../../src/platform/http/openapi.ts";
import { routes } from "../../src/server.ts";
import { furnish } from "../laws/places.ts";
import { type HttpWorld, startHttpWorld } from "./http-world.ts";
import { keepPace } from "./pace.ts";

const rounds = { warm: 50, counted: 100 };
/** Of what stays when all is forgotten: a few bytes a request would be a leak, the compiler's own is not. */
const growthAllowedBytes = 12 * 2 ** 20;

test("random requests get declared responses, and leave nothing in memory", async () => {
  const world = await startHttpWorld();
  const ours = await furnish(world, "ours");
  const theirs = await furnish(world, "theirs");
  const { cookie, sessionId } = await world.openSession(ours.owner.id);
  const session = { cookie, origin: world.base };
  // Who asks with their token may delete their workspace.
  const others = Object.values({ ...theirs.idsByPrefix, wsp: (await world.createWorkspace("Others")).id });
  const thrower = createRequestThrower({
    document: createOpenApi(
      routes.map(({ endpoint }) => endpoint),
      "1.2.3",
    ),
    callers: [
      { token: null, workspace: null },
      { token: "asy_nobody", workspace: ours.workspaceId },
      { token: theirs.token, workspace: ours.workspaceId },
      ...Array.from({ length: 4 }, () => ({ token: ours.token, workspace: ours.workspaceId })),
      ...Array.from({ length: 4 }, () => ({ token: null, workspace: ours.workspaceId, session })),
    ],
    ids: [ours.testId, ours.bounceId, ours.mailReportId, ours.alertId, ours.deliveryId, ...others],
    spared: [ours.workspaceId, ours.tokenId, sessionId, ours.owner.id, theirs.workspaceId, theirs.tokenId],
  });
  const dice = createDice(6);
  const sendAll = async (count: number) => {
    for (let sent = 0; sent < count; sent++) await send(world, thrower, dice);
  };
  // The MCP server is loaded at its first message.
  await world.ask("POST", "/mcp", { token: ours.token, body: { jsonrpc: "2.0", id: 1, method: "ping" } });
  await sendAll(rounds.warm);
  const before = settledBytes();
  await sendAll(rounds.counted);
  expect(settledBytes() - before).toBeLessThan(growthAllowedBytes);
  expect(world.lines.filter(({ level }) => level === "error")).toEqual([]);
  for (const caller of [
    { token: theirs.token, workspace: theirs.workspaceId },
    { cookie, workspace: ours.workspaceId },
  ])
    expect((await world.ask("GET", "/api/tests", caller)).status).toBe(200);
});

async function send(world: HttpWorld, { throwRequest, learn }: RequestThrower, dice: Dice): Promise<void> {
  const { method, path, headers, body } = throwRequest(dice);
  keepPace(world.clock, path);
  const { status, text } = await world.ask(method, path, { headers, ...(body === null ? {} : { body }) });
  if (status === 500) throw new Error(`${method} ${path} ${body} was answered 500.`);
  if (status < 300) learn(path, text);
  // What the log keeps is the world's, not the server's.
  for (let at = world.lines.length - 1; at >= 0; at--)
    if (world.lines[at]?.level === "debug") world.lines.splice(at, 1);
}

function settledBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let times = 0; times < 3; times++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
