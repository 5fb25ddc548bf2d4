// The built program with several requests at once: an event stream, a waiting pipeline, and re-analyses while mail
// arrives.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { openSession } from "../../scripts/smtp-client.ts";
import { follow } from "../http/event-client.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();

let folder: string;
let server: AssayProcess;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  server = await startAssay({ dataDir: folder, command: program });
});

afterEach(async () => {
  await server.end("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]) {
  return runProgram({ dataDir: folder, command: program }, args);
}

async function createAccess() {
  const [workspace] = JSON.parse((await run("workspace", "list", "--json")).stdout) as [{ id: string }];
  const created = await run("token", "create", "--name", "e2e", "--json");
  const { token } = JSON.parse(created.stdout) as { token: string };
  return { token, workspace: workspace.id };
}

/** Each message says which one it is, in its subject and in its body. */
async function send(names: readonly string[], label = "", domain = "sender.example"): Promise<void> {
  const session = await openSession(server.smtp);
  const to = [server.seedAddress.replace("@", `${label && "+"}${label}@`)];
  for (const name of names) {
    const body = `From: Ann <ann@${domain}>\nSubject: Message ${name}\nMessage-ID: <${name}@${domain}>\n\nThis is ${name}.\n`;
    expect(await session.send({ from: `ann@${domain}`, to, body })).toMatch(/^250/);
  }
  session.close();
}

describe("the event stream of a running server", () => {
  test("the event stream of a running server reports mail as it arrives, and ends when the server stops", async () => {
    const access = await createAccess();
    const stream = await follow(server.http, access);
    await send(["one"], "welcome");
    await stream.until(({ length }) => length === 2);
    expect(stream.events).toMatchObject([
      { type: "test.received", label: "welcome" },
      { type: "test.analyzed", label: "welcome", reanalyzed: false },
    ]);
    const ended = server.end("SIGTERM");
    await stream.ended;
    expect(await ended).toBe(0);
  });
});

describe("the command assay wait", () => {
  test("the command assay wait prints the report of a test that arrived earlier", async () => {
    await send(["one"], "welcome");
    const { exitCode, stdout } = await run("wait", "--label", "welcome", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ label: "welcome", subject: "Message one", composite: null });
    // DNS answers nothing here, which is too little for a score.
    expect(exitCode).toBe(3);
  });

  test("the command assay wait waits for a test that has not arrived yet, and says so", async () => {
    const waiting = run("wait", "--label", "later", "--fail-under", "100");
    await send(["another"], "other");
    await send(["this one"], "later", "example.com");
    const { exitCode, stdout, stderr } = await waiting;
    expect(stdout).toMatch(/Subject\s+Message this one/);
    expect(stderr).toMatch(/"later" scored [\d.]+, below 100/);
    expect(exitCode).toBe(1);
  });

  test("the command assay wait exits with its own status if nothing arrived in time", async () => {
    await send(["one"], "other");
    const { exitCode, stdout, stderr } = await run("wait", "--label", "welcome", "--timeout", "1");
    expect([exitCode, stdout, stderr]).toEqual([4, "", 'No test with the label "welcome" arrived in time.\n']);
  });

  test.each([
    [[], /--label/],
    [["--label", "x", "--timeout", "soon"], /--timeout must be a whole number/],
    [["--label", "x", "--fail-under", "101"], /--fail-under must be a number/],
    [["--label", "x", "--workspace", "wsp_none"], /Workspace not found/],
  ])("the command assay wait rejects %j in one sentence", async (args, sentence) => {
    const { exitCode, stderr } = await run("wait", ...args);
    expect(stderr).toMatch(sentence);
    expect(exitCode).toBe(sentence.source.startsWith("Workspace") ? 1 : 2);
  });
});

test("re-analyzing fifty tests at once while mail arrives loses nothing and mixes no reports", async () => {
  const access = await createAccess();
  const headers = { authorization: `Bearer ${access.token}`, "x-workspace-id": access.workspace };
  const get = async (path: string) => (await fetch(server.http + path, { headers })).json();
  const stream = await follow(server.http, access);
  const countAnalyzed = () => stream.events.filter(({ type }) => type === "test.analyzed").length;
  const old = Array.from({ length: 50 }, (_, number) => `old-${number}`);
  await send(old);
  await stream.until(() => countAnalyzed() === 50);
  const { items } = (await get("/api/tests?limit=100")) as { items: { id: string; subject: string }[] };

  const fresh = Array.from({ length: 50 }, (_, number) => `fresh-${number}`);
  const reanalyses = items.map(async ({ id }) => {
    const answer = await fetch(`${server.http}/api/tests/${id}/reanalyze`, { method: "POST", headers });
    return [answer.status, await answer.json()] as const;
  });
  const [answers] = await Promise.all([
    Promise.all(reanalyses),
    ...[0, 1, 2, 3, 4].map((part) => send(fresh.slice(part * 10, part * 10 + 10))),
  ]);
  await stream.until(() => countAnalyzed() === 150);

  expect(answers.map(([status]) => status)).toEqual(items.map(() => 200));
  expect(answers.map(([, { id, subject }]) => ({ id, subject }))).toEqual(
    items.map(({ id, subject }) => ({ id, subject })),
  );
  for (const { id, subject } of items) {
    const test = (await get(`/api/tests/${id}`)) as Record<string, unknown>;
    expect(test).toMatchObject({ status: "analyzed", subject });
    expect(test.raw_headers).toContain(`Subject: ${subject}\r\n`);
    expect(test.raw_headers).toContain(`<${subject.replace("Message ", "")}@sender.example>`);
    expect(((await get(`/api/tests/${id}/reports`)) as { items: unknown[] }).items).toHaveLength(2);
  }
  const all = (await get("/api/tests?limit=100")) as { items: { subject: string; status: string }[] };
  expect(all.items.every(({ status }) => status === "analyzed")).toBe(true);
  expect(all.items.map(({ subject }) => subject).sort()).toEqual(
    [...old, ...fresh].map((name) => `Message ${name}`).sort(),
  );
});
