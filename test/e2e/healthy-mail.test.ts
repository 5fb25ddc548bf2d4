// Mail of a well-run sender, over SMTP with STARTTLS to the built program, and its report from the API.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { deliver } from "../fixtures/messages/deliver.ts";
import { bases } from "../fixtures/messages/fixture.ts";
import { all, type Letter, signedWith, withHeader } from "../fixtures/messages/letter.ts";
import { lists, toMailDate } from "../fixtures/messages/sender.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();

let folder: string;
let dns: TestDnsServer;
let server: AssayProcess;
let headers: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  dns = await startDnsServer({ zone: bases.N.zone });
  const environment = {
    ...dns.settings,
    ASSAY_DNSBLS: lists.join(","),
    ASSAY_SEED_DOMAINS: "seed.example",
    ASSAY_SMTP_HOSTNAME: "mx.seed.example",
    // The test stands where a load balancer would, and may so come from any address.
    ASSAY_SMTP_PROXY_FROM: "127.0.0.1",
  };
  server = await startAssay({ dataDir: join(folder, "data"), command: program, environment });
  headers = await createAccess();
});

afterAll(async () => {
  await server.end("SIGTERM");
  await dns.close();
  rmSync(folder, { recursive: true, force: true });
});

async function createAccess(): Promise<Record<string, string>> {
  const [workspace] = JSON.parse(await run("workspace", "list", "--json")) as [{ id: string }];
  const created = await run("token", "create", "--workspace", workspace.id, "--name", "e2e", "--json");
  const { token } = JSON.parse(created) as { token: string };
  return { authorization: `Bearer ${token}`, "x-workspace-id": workspace.id };
}

async function run(...args: string[]): Promise<string> {
  const { stdout } = await runProgram({ dataDir: join(folder, "data"), command: program }, args);
  return stdout;
}

/** Written now, to the seed address that there is. */
function sentNow(letter: Letter, now: number): Letter {
  const received = letter.headers.find(([name]) => name === "Received")?.[1] ?? "";
  return all(
    withHeader("To", `Ellen Marsh <${server.seedAddress}>`),
    withHeader("Date", toMailDate(now)),
    withHeader("Received", received.replace(/;.*$/s, `;\r\n\t${toMailDate(now)}`)),
    signedWith({ tags: { t: String(Math.floor(now / 1_000)) } }),
  )(letter);
}

type Listed = { readonly id: string; readonly subject: string; readonly status: string };

async function get<T>(path: string): Promise<T> {
  return (await fetch(server.http + path, { headers })).json() as Promise<T>;
}

async function untilAnalyzed(subject: string): Promise<Listed> {
  for (let tries = 0; tries < 200; tries++) {
    const { items } = await get<{ items: Listed[] }>("/api/tests");
    const found = items.find((one) => one.subject === subject && one.status === "analyzed");
    if (found) return found;
    await sleep(100);
  }
  throw new Error("not analysed in time");
}

type Shown = {
  readonly composite: number;
  readonly coverage: number;
  readonly kind: string;
  readonly grade: string;
  readonly findings: readonly { readonly id: string; readonly severity: string }[];
  readonly category_scores: readonly { readonly id: string; readonly score: number }[];
  readonly skipped: readonly { readonly check: string; readonly why: string }[];
  readonly not_applicable: readonly { readonly check: string }[];
};

describe.each([
  ["an order confirmation", bases.T, "transactional"],
  ["a newsletter", bases.N, "bulk"],
] as const)("%s from a well-run sender", (_what, base, kind) => {
  test("healthy mail gets full marks, with everything checked", async () => {
    const letter = sentNow(base, Date.now());
    const destination = { port: server.smtp.port, seed: server.seedAddress };
    expect(await deliver(letter, destination)).toMatch(/^250 /);
    const subject = letter.headers.find(([name]) => name === "Subject")?.[1] ?? "";
    const shown = await get<Shown>(`/api/tests/${(await untilAnalyzed(subject)).id}`);
    expect(shown.findings.filter(({ severity }) => !/^(?:info|good)$/.test(severity))).toEqual([]);
    expect(shown).toMatchObject({ composite: 100, coverage: 1, kind, grade: "A" });
    expect(shown.category_scores).toHaveLength(8);
    for (const { id, score } of shown.category_scores) expect({ id, score }).toEqual({ id, score: 100 });
    expect(shown.skipped).toMatchObject([{ check: "second-opinions", why: "off" }]);
    expect(shown.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["fcrdns.confirmed", "tls-used.modern", "spf-result.pass", "dmarc-result.pass"]),
    );
  });
});
