// Sends one message through a running Assay like an operator's first: over SMTP, then read back over the API with a
// token created while the server runs. Rejects with a sentence if it isn't analyzed in time.

import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { type AssayProcess, assayEnvironment } from "./assay-process.ts";
import { sendMail } from "./smtp-client.ts";

export type Program = {
  readonly command: readonly string[];
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string>>;
};

export async function takeFirstMessage(
  server: Pick<AssayProcess, "http" | "smtp" | "seedAddress">,
  program: Program,
  patienceMs: number,
): Promise<void> {
  const body = `From: a@sender.example\nTo: ${server.seedAddress}\nSubject: first\n\nHello.\n`;
  const reply = await sendMail(server.smtp, { from: "a@sender.example", to: [server.seedAddress], body });
  if (!reply.startsWith("250")) throw new Error(`The message was rejected: ${reply}`);
  const { token, workspaceId } = makeToken(program);
  const headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId };
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(100)) {
    const answer = await fetch(`${server.http}/api/tests`, { headers });
    if (answer.status !== 200) throw new Error(`/api/tests returned ${answer.status}: ${await answer.text()}`);
    const { items } = (await answer.json()) as { items: { subject: string | null; status: string }[] };
    const [test] = items;
    if (test?.status === "analyzed" && test.subject === "first") return;
    if (test?.status === "failed") throw new Error("The analysis failed.");
  }
  throw new Error(`The message was not analyzed within ${patienceMs / 1_000} s.`);
}

export function runAssay({ command, dataDir, environment }: Program, ...args: string[]): string {
  const [program = "", ...rest] = command;
  const env = assayEnvironment(dataDir, environment);
  const { status, stdout, stderr, error } = spawnSync(program, [...rest, ...args], {
    cwd: dataDir,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`assay ${args.join(" ")} ended with ${status}. ${stderr}${error?.message ?? ""}`);
  return stdout;
}

export function makeToken(program: Program): { readonly token: string; readonly workspaceId: string } {
  const [workspace] = JSON.parse(runAssay(program, "workspace", "list", "--json")) as { id: string }[];
  const workspaceId = workspace?.id ?? "";
  const args = ["token", "create", "--workspace", workspaceId, "--name", "a script", "--json"];
  const { token } = JSON.parse(runAssay(program, ...args)) as { token: string };
  return { token, workspaceId };
}
