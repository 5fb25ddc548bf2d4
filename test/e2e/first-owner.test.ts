// How a server gets its owner: with the built program, its log, and its commands.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();
const ann = { name: "Ann", email: "ann@people.example", password: "lamp quarrel tundra" };

async function linkOf({ log }: AssayProcess): Promise<string> {
  const find = () => log.find(({ link }) => link !== undefined)?.link;
  await expect.poll(find).toBeDefined();
  return String(find());
}

test("the log of a server without an owner contains a setup link that works once, and none afterwards", async () => {
  const folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  const dataDir = join(folder, "data");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const start = async () => {
    const server = await startAssay({ dataDir, command });
    onTestFinished(async () => void (await server.end("SIGKILL")));
    return server;
  };
  const first = await start();
  const [page = "", token = ""] = (await linkOf(first)).split("#");
  expect(page).toBe(`${first.http}/setup`);
  expect((await fetch(page)).status).toBe(200);
  const post = (path: string, body: object) =>
    fetch(`${first.http}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await post("/api/auth/setup", { token, ...ann })).status).toBe(201);
  expect((await post("/api/auth/setup", { token, ...ann })).status).toBe(400);
  expect((await post("/api/auth/login", { email: ann.email, password: ann.password })).status).toBe(200);
  const refused = await runProgram({ dataDir, command }, ["setup-link"]);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("This server already has an owner.");
  expect(await first.end("SIGTERM")).toBe(0);
  const second = await start();
  expect(await second.end("SIGTERM")).toBe(0);
  expect(JSON.stringify(second.log)).not.toContain("/setup#");
});
