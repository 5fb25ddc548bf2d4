// A fresh install without settings, with the built program: one request creates an analyzed test.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runProgram, startAssay } from "../../scripts/assay-process.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();

async function install(environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const start = async (more: Record<string, string> = {}) => {
    const server = await startAssay({ dataDir, command, environment: { ...environment, ...more } });
    onTestFinished(async () => void (await server.end("SIGKILL")));
    return server;
  };
  const server = await start();
  const run = async (...args: string[]) => JSON.parse((await runProgram({ dataDir, command }, args)).stdout);
  const [{ id: workspace }] = await run("workspace", "list", "--json");
  const { token } = await run("token", "create", "--workspace", workspace, "--name", "e2e", "--json");
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  const get = async (path: string) => (await fetch(server.http + path, { headers })).json();
  const send = async (body: object) => {
    const sent = await fetch(`${server.http}/api/tests/send-test`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: sent.status, json: await sent.json() };
  };
  return { server, start, get, send, dataDir };
}

const untilAnalysed = { timeout: 60_000, interval: 20 };

test("on a fresh install, send-test creates an analyzed test with its send_id", async () => {
  const { server, get, send } = await install();
  const { status, json } = await send({ subject: "Hello", from: `Ann <${server.seedAddress}>` });
  expect({ status, json }).toMatchObject({ status: 202, json: { transport: "loopback", to: server.seedAddress } });
  const find = async () => (await get("/api/tests")).items[0] ?? {};
  await expect.poll(find, untilAnalysed).toMatchObject({ status: "analyzed", send_id: json.id });
  const { id } = await find();
  const report = await get(`/api/tests/${id}`);
  expect(report.transport).toMatchObject({ looped: true, client_address: "127.0.0.1" });
  expect(await get(`/api/sends/${json.id}`)).toMatchObject({ status: "sent", testId: id });
});

const listeners = [
  ["on every address of IPv4", { ASSAY_SMTP_LISTEN: "0.0.0.0:0" }],
  ["on every address", { ASSAY_SMTP_LISTEN: "[::]:0" }],
  ["on IPv6 alone", { ASSAY_SMTP_LISTEN: "[::1]:0" }],
  ["behind a proxy on this machine", { ASSAY_SMTP_PROXY_FROM: "127.0.0.0/8" }],
] as const;

test.each(listeners)("a sample reaches a listener %s", async (_, environment) => {
  const { server, get, send } = await install(environment);
  expect((await send({ subject: "Hello", from: server.seedAddress })).status).toBe(202);
  const { items } = await get("/api/tests");
  expect((await get(`/api/tests/${items[0].id}`)).transport.looped).toBe(true);
});
