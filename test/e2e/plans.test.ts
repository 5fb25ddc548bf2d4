// Plans from a file in the built program: the limits of its workspaces, and a start with an invalid file.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { runProgram, startAssay } from "../../scripts/assay-process.ts";
import { openDialogue } from "../features/intake/smtp/dialogue.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-plans-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writePlans(file: unknown): Record<string, string> {
  const path = join(folder, "plans.json");
  writeFileSync(path, JSON.stringify(file));
  return { ASSAY_PLANS: path };
}

function run(args: readonly string[], environment: Record<string, string>) {
  return runProgram({ dataDir: join(folder, "data"), command: program, environment }, args);
}

test("mail for a workspace over its monthly limit is rejected at RCPT, and other recipients get theirs", async () => {
  const plans = writePlans({ plans: { few: { label: "Few", testsPerMonth: 1 } }, default: "few" });
  const server = await startAssay({ dataDir: join(folder, "data"), command: program, environment: plans });
  onTestFinished(() => server.end("SIGKILL").then(() => undefined));
  const created = await run(["workspace", "create", "Second", "--json"], plans);
  const second = JSON.parse(created.stdout) as { id: string; seedAddress: string };
  const dialogue = await openDialogue(server.smtp.port, "127.0.0.1");
  onTestFinished(dialogue.destroy);
  const deliver = async (...recipients: string[]) => {
    await dialogue.say("MAIL FROM:<ann@sender.example>");
    const replies: string[] = [];
    for (const recipient of recipients) replies.push(await dialogue.say(`RCPT TO:<${recipient}>`));
    await dialogue.say("DATA");
    return [...replies, await dialogue.say("Subject: Hello\r\n\r\nHi.\r\n.")];
  };
  await dialogue.greet();
  const first = server.seedAddress;
  expect(await deliver(first)).toEqual([expect.stringMatching(/^250/), expect.stringMatching(/^250/)]);
  expect(await deliver(first, second.seedAddress)).toEqual([
    expect.stringMatching(/^552 5\.2\.2 /),
    expect.stringMatching(/^250/),
    expect.stringMatching(/^250/),
  ]);
  const token = await run(["token", "create", "--workspace", second.id, "--name", "e2e", "--json"], plans);
  const headers = {
    authorization: `Bearer ${(JSON.parse(token.stdout) as { token: string }).token}`,
    "x-workspace-id": second.id,
  };
  const billing = await (await fetch(`${server.http}/api/billing`, { headers })).json();
  expect(billing).toMatchObject({
    plan: { name: "few", ceilings: { testsPerMonth: 1, domains: null } },
    use: { testsPerMonth: 1 },
  });
});

test("an invalid plans file prevents the start, with all its errors", async () => {
  const plans = writePlans({ plans: { few: { testsPerMonth: "1", seats: 2 } }, default: "free" });
  const { exitCode, stderr } = await run(["serve"], plans);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("ASSAY_PLANS");
  expect(stderr).toContain('"testsPerMonth" must be a whole number');
  expect(stderr).toContain('unknown key "seats"');
  expect(stderr).toContain('"default" is not the name of a plan in the file');
});

test("a missing plans file prevents the start", async () => {
  const { exitCode, stderr } = await run(["serve"], { ASSAY_PLANS: join(folder, "none.json") });
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain("file not found");
});
