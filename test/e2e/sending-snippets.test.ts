// The start page's snippets are pasted: each command and program sends a message to a real server, and its test
// arrives. There is no PHP interpreter here, so only its filled-in values are checked.

import { execFile, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { postfixProgram, writePostfixFiles } from "../../scripts/postfix-files.ts";
import type { Receiving } from "../../src/features/intake/contract/receiving.ts";
import { hasPostfix } from "../postfix.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();
const run = promisify(execFile);
const patience = { timeout: 60_000, interval: 100 };
const has = (program: string, version: string) => spawnSync(program, [version]).status === 0;

let folder: string;
let server: AssayProcess;
let headers: Record<string, string>;
let receiving: Receiving;

const get = async (path: string) => (await fetch(server.http + path, { headers })).json();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-snippets-"));
  chmodSync(folder, 0o755);
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  const dataDir = join(folder, "data");
  server = await startAssay({ dataDir, command });
  const ask = async (...args: string[]) => JSON.parse((await runProgram({ dataDir, command }, args)).stdout);
  const [{ id: workspace }] = await ask("workspace", "list", "--json");
  const { token } = await ask("token", "create", "--workspace", workspace, "--name", "e2e", "--json");
  headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  receiving = await get("/api/receiving");
});

afterAll(async () => {
  await server?.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

function textOf(id: string): string {
  const text = receiving.snippets.find((snippet) => snippet.id === id)?.text;
  if (text == null) throw new Error(`There is no snippet ${id}.`);
  return text;
}

/** Waits for the report of the one message with this subject. */
async function expectReport(subject: string): Promise<void> {
  const find = async () => {
    const { items } = await get(`/api/tests?q=${encodeURIComponent(subject)}`);
    return items.map((item: { status: string; from: string }) => [item.status, item.from]);
  };
  await expect.poll(find, patience).toEqual([["analyzed", expect.stringContaining("you@example.com")]]);
}

test("the server returns the values that an app needs", () => {
  expect(receiving).toMatchObject({
    listeners: [{ host: "127.0.0.1", port: server.smtp.port, reach: "machine", login: "any" }],
    certificate: "self-signed",
    isProxied: false,
    isReserved: true,
  });
  expect(receiving.address).toMatch(/^\w+@seed\.localhost$/);
});

describe("a pasted snippet sends a message", () => {
  test.skipIf(!has("swaks", "--version"))("a pasted snippet sends a message with swaks", async () => {
    await run("sh", ["-ec", textOf("swaks")]);
    await expectReport("Test with swaks");
  });

  test.skipIf(!has("curl", "--version"))("a pasted snippet sends a message with curl", async () => {
    await run("sh", ["-ec", textOf("curl")]);
    await expectReport("Test with curl");
  });

  test.skipIf(!has("python3", "--version"))("a pasted snippet sends a message with Python", async () => {
    await run("python3", ["-c", textOf("python")]);
    await expectReport("Test with Python");
  });

  test("a pasted snippet sends a message with Node over STARTTLS", async () => {
    const file = join(folder, "test.mjs");
    writeFileSync(file, textOf("node"));
    await run(process.execPath, [file]);
    await expectReport("Test with Node");
  });

  test("a pasted snippet sends a message with Node and a login", async () => {
    const file = join(folder, "login.mjs");
    const text = textOf("node")
      .replace("Test with Node", "Test with a login")
      .replace('  host: "', '  auth: { user: "anyone", pass: "anything" },\n  host: "');
    writeFileSync(file, text);
    await run(process.execPath, [file]);
    await expectReport("Test with a login");
  });

  test.skipIf(!hasPostfix)("a pasted snippet sends a message with Postfix", async () => {
    const home = join(folder, "postfix");
    mkdirSync(home);
    const next = { host: "127.0.0.1", port: 9 };
    const etc = await writePostfixFiles(home, { hostname: "mail.example.com", next, settings: {} });
    const master = spawn(postfixProgram, ["-c", etc, "start-fg"], { stdio: "ignore" });
    onTestFinished(async () => {
      await run(postfixProgram, ["-c", etc, "abort"]).catch(() => {});
      master.kill();
    });
    const environment = { ...process.env, MAIL_CONFIG: etc, PATH: `${process.env.PATH}:/usr/sbin` };
    const isUp = () => spawnSync(postfixProgram, ["-c", etc, "status"]).status;
    await expect.poll(isUp, patience).toBe(0);
    await run("sh", ["-ec", textOf("postfix")], { env: environment });
    await expectReport("Test with Postfix");
  });

  test.each(["php", "laravel", "wordpress"])("the snippet %s has the right host and port", (id) => {
    expect(textOf(id)).toContain("127.0.0.1");
    expect(textOf(id)).toContain(String(server.smtp.port));
  });
});
