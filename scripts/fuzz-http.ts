// Sends random requests generated from the OpenAPI document to a new Assay, over many connections and with all kinds of
// callers. It must survive, each answer must match the document, none may be a server error, and its memory must go
// down again.
// Usage: npm run script -- scripts/fuzz-http.ts [--requests 10000] [--seed N] [--clients 8]

import { parseArgs } from "node:util";
import type { OpenApi } from "../src/platform/http/openapi.ts";
import { type Contract, createContract } from "../test/http/contract.ts";
import type { AssayProcess } from "./assay-process.ts";
import { createDice, type Dice } from "./dice.ts";
import { makeToken, type Program, runAssay } from "./first-message.ts";
import { type Caller, createRequestThrower, type RequestThrower } from "./fuzz/requests.ts";
import { checkLog, checkMemory, toMegabytes, weigh, withServer } from "./fuzz/server.ts";
import { sendMail } from "./smtp-client.ts";

/** On top of its size when warm, because each thread keeps the heap of its busiest moment. */
const growthAllowedBytes = 128 * 2 ** 20;
/** Clients behind us as a proxy, because the login limit is per address and would block their requests. */
const environment = { ASSAY_MIN_FREE_BYTES: "0", ASSAY_TRUSTED_PROXIES: "127.0.0.1/32" };
const shares = { warm: 0.5, rest: 0.5 };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: "10000" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      clients: { type: "string", default: "8" },
    },
  });
  const [requests, seed, clients] = [Number(values.requests), Number(values.seed), Number(values.clients)];
  console.log(`seed ${seed}, ${clients} clients, ${requests} requests`);
  await withServer("fuzz-http", environment, (server, program) => fuzz(server, program, { requests, seed, clients }));
}

async function fuzz(
  server: AssayProcess,
  program: Program,
  { requests, seed, clients }: { requests: number; seed: number; clients: number },
): Promise<void> {
  const document = (await (await fetch(`${server.http}/api/openapi.json`)).json()) as OpenApi;
  const contract = createContract(document);
  const thrower = createRequestThrower({ document, ...(await prepare(server, program)) });
  const statuses = new Map<number, number>();
  const sendAll = (count: number, first: number) =>
    Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const dice = createDice(seed * 1_000 + first + client);
        for (let sent = 0; sent < count / clients; sent++) {
          const status = await send(server, contract, thrower, dice);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
  await sendAll(requests * shares.warm, 0);
  const warmBytes = weigh(server);
  await sendAll(requests * shares.rest, 500);
  const endBytes = await checkMemory(server, warmBytes + growthAllowedBytes);
  checkLog(server);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(
    `pass  ${requests} requests answered as declared (${counts.join(", ")}); memory ${toMegabytes(warmBytes)} MB warm, ${toMegabytes(endBytes)} at the end`,
  );
}

/** Two workspaces with a message each, and every kind of caller. */
async function prepare(
  server: AssayProcess,
  program: Program,
): Promise<{ callers: Caller[]; ids: string[]; spared: string[] }> {
  const { token, workspaceId } = makeToken(program);
  const { id: other } = JSON.parse(runAssay(program, "workspace", "create", "Theirs", "--json")) as { id: string };
  const body = "From: ann@sender.example\nSubject: first\n\nHello.\n";
  const reply = await sendMail(server.smtp, { from: "ann@sender.example", to: [server.seedAddress], body });
  if (!reply.startsWith("250")) throw new Error(`The message was rejected: ${reply}`);
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  const idsIn = async (path: string) => {
    const { items } = (await (await fetch(server.http + path, { headers })).json()) as { items: { id: string }[] };
    return items.map(({ id }) => id);
  };
  // Its check starts the thread for domains, which would count as growth otherwise.
  const added = await fetch(`${server.http}/api/domains`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ domain: "sender.example" }),
  });
  if (!added.ok) throw new Error(`The domain was rejected: ${await added.text()}`);
  const tokens = await idsIn("/api/tokens");
  const { cookie, userId } = await logIn(server, program);
  const session = { cookie, origin: server.http };
  const sessions = { headers: { cookie } };
  const { items } = (await (await fetch(`${server.http}/api/sessions`, sessions)).json()) as {
    items: { id: string }[];
  };
  return {
    callers: [
      { token: null, workspace: null },
      { token: "asy_nobody", workspace: workspaceId },
      { token, workspace: other },
      ...Array.from({ length: 4 }, () => ({ token, workspace: workspaceId })),
      ...Array.from({ length: 4 }, () => ({ token: null, workspace: workspaceId, session })),
    ],
    ids: [other, ...(await idsIn("/api/tests"))],
    spared: [workspaceId, ...tokens, userId, ...items.map(({ id }) => id)],
  };
}

/** As the server's first owner. */
async function logIn(server: AssayProcess, program: Program): Promise<{ cookie: string; userId: string }> {
  const { link } = JSON.parse(runAssay(program, "setup-link", "--json")) as { link: string };
  const [, token] = link.split("#");
  const owner = { token, name: "Ann", email: "ann@people.example", password: "lamp quarrel tundra" };
  const answer = await fetch(`${server.http}/api/auth/setup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(owner),
  });
  if (!answer.ok) throw new Error(`The server has no owner: ${await answer.text()}`);
  const { user } = (await answer.json()) as { user: { id: string } };
  const [cookie = ""] = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { cookie, userId: user.id };
}

function someClient(dice: Dice): string {
  return `2001:db8:${dice(65_536).toString(16)}:${dice(65_536).toString(16)}::1`;
}

/** On a busy machine, a connection that rested is closed by the server just when the next request is sent on it. */
async function fetchTwice(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error ? (error.cause as { code?: string } | undefined) : undefined;
    if (cause?.code !== "UND_ERR_SOCKET") throw error;
    return await fetch(url, init);
  }
}

async function send(
  server: AssayProcess,
  contract: Contract,
  { throwRequest, learn }: RequestThrower,
  dice: Dice,
): Promise<number> {
  const { method, path, headers, body } = throwRequest(dice);
  const answer = await fetchTwice(server.http + path, {
    method,
    headers: { ...(path.startsWith("/api/auth/") && { "x-forwarded-for": someClient(dice) }), ...headers },
    redirect: "manual",
    ...(body === null ? {} : { body }),
  });
  const { status } = answer;
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream");
  if (isStream) await answer.body?.cancel();
  const text = isStream ? "" : await answer.text();
  contract.hold(method, path, { status, headers: answer.headers, text });
  if (status < 300) learn(path, text);
  if (status === 500) throw new Error(`${method} ${path} ${body} was answered with 500: ${text}`);
  return status;
}

await main();
