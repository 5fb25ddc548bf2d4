// The sample gallery in the built program: each sample over its own socket to its report, and what a stranger
// cannot do with it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { preparedMessages } from "../../src/analyzer/samples/messages-table.ts";
import type { PreparedMessage } from "../../src/features/samples/contract.ts";
import type { TestReport } from "../../src/features/tests/contract/tests.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { openDialogue } from "../features/intake/smtp/dialogue.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();

let folder: string;
let dns: TestDnsServer;
let server: AssayProcess;
let headers: Record<string, string>;

const start = () =>
  startAssay({
    dataDir: join(folder, "data"),
    command,
    environment: {
      ...dns.settings,
      ASSAY_DNSBLS: "zen.spamhaus.org,dbl.spamhaus.org",
      ASSAY_SMTP_PROXY_FROM: "127.0.0.1",
    },
  });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  dns = await startDnsServer({ zone: {} });
  server = await start();
  const run = async (...args: string[]) =>
    JSON.parse((await runProgram({ dataDir: join(folder, "data"), command }, args)).stdout);
  const [{ id: workspace }] = await run("workspace", "list", "--json");
  const { token } = await run("token", "create", "--workspace", workspace, "--name", "e2e", "--json");
  headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
});

afterAll(async () => {
  await server?.end("SIGTERM");
  await dns?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: object) {
  const asked = { method, headers: { ...headers, "content-type": "application/json" } };
  const answer = await fetch(server.http + path, body ? { ...asked, body: JSON.stringify(body) } : asked);
  return { status: answer.status, json: await answer.json() };
}

async function readPrepared(): Promise<readonly PreparedMessage[]> {
  return (await ask("GET", "/api/laboratory")).json.items;
}

async function readReport(id: string): Promise<TestReport> {
  const prepared = (await readPrepared()).find((one) => one.id === id);
  return (await ask("GET", `/api/tests/${prepared?.test?.id}`)).json;
}

function faultsOf({ findings }: TestReport): string[] {
  return (findings ?? []).filter(({ severity }) => !/^(?:info|good)$/.test(severity)).map(({ id }) => id);
}

/** Of a fault, what is one with it. */
const alongside: Readonly<Record<string, readonly string[]>> = { "no-way-out": ["unsubscribe-link.missing"] };

describe("the sample gallery", { timeout: 240_000 }, () => {
  test("the sample gallery sends all samples at once, without any DNS query", async () => {
    expect((await readPrepared()).map(({ test: of }) => of)).toEqual(preparedMessages.map(() => null));
    const { status, json } = await ask("POST", "/api/laboratory", {});
    expect({ status, json }).toEqual({ status: 202, json: { sent: preparedMessages.length } });
    const readStates = async () => (await readPrepared()).map(({ test: of }) => of?.status);
    await expect.poll(readStates, { interval: 100 }).toEqual(preparedMessages.map(() => "analyzed"));
    expect(dns.queries.map(({ name, type }) => `${name} ${type}`)).toEqual([]);
  });

  test.each(preparedMessages)("the sample gallery shows the problem of “$title” and no others", async (prepared) => {
    const report = await readReport(prepared.id);
    const { id, finding, host } = prepared;
    const more = alongside[id] ?? ("others" in prepared ? prepared.others : []);
    expect(faultsOf(report).sort()).toEqual(finding === null ? [] : [finding, ...more].sort());
    expect(report.sample).toBe(true);
    expect(report.transport).toMatchObject({
      client_address: host.address,
      helo: host.helo,
      looped: true,
      tls: { version: expect.stringMatching(/^TLSv1\.[23]$/) },
    });
    if (finding === null) expect(report).toMatchObject({ grade: "A", spf: "pass", dkim: "pass", dmarc: "pass" });
    else expect(report.composite).toBeLessThan(100);
    if (id !== "sample") return;
    expect(report.composite).toBeGreaterThanOrEqual(70);
    expect(report.composite).toBeLessThanOrEqual(85);
  });

  test("the sample gallery does not count on the dashboard", async () => {
    const { json } = await ask("GET", "/api/dashboard/summary");
    expect(json).toMatchObject({ window: expect.anything(), testCount: 0, topIssues: [], recentTests: [] });
  });

  test("the sample gallery judges a sample by its own zone after a re-analysis and a restart", async () => {
    const before = await readReport("unaligned");
    await server.end("SIGTERM");
    server = await start();
    for (const query of ["", "?dns=recorded"]) {
      const again = (await ask("POST", `/api/tests/${before.id}/reanalyze${query}`)).json;
      expect(faultsOf(again)).toEqual(["dmarc-result.policy-reject"]);
      expect(again).toMatchObject({ composite: before.composite, spf: "pass", dkim: "pass", dmarc: "fail" });
    }
    expect(dns.queries).toEqual([]);
  });

  test("the sample gallery does not apply a sample's zone to the same message from a stranger", async () => {
    const { id, transport } = await readReport("newsletter");
    const raw = await (await fetch(`${server.http}/api/tests/${id}/raw`, { headers })).text();
    const dialogue = await openDialogue(server.smtp.port, "127.0.0.1");
    dialogue.write(`PROXY TCP4 ${transport.client_address} 127.0.0.1 41822 25\r\n`);
    await dialogue.reply();
    await dialogue.say(`EHLO ${transport.helo}`);
    await dialogue.say(`MAIL FROM:<${transport.mail_from}>`);
    await dialogue.say(`RCPT TO:<${server.seedAddress.replace("@", "+lab-newsletter@")}>`);
    await dialogue.say("DATA");
    dialogue.write(raw.replace(/^\./gm, ".."));
    expect(await dialogue.say(".")).toMatch(/^250 /);
    dialogue.destroy();
    const readNewest = async () => (await ask("GET", "/api/tests")).json.items[0];
    await expect.poll(readNewest, { interval: 50 }).toMatchObject({ status: "analyzed", sample: false });
    expect(await readNewest()).toMatchObject({ spf: null, dkim: null, dmarc: null, grade: null });
    expect(dns.queries.map(({ name }) => name)).toContain("_dmarc.meadow.example");
    expect((await readReport("newsletter")).id).toBe(id);
  });

  test("the sample gallery is deleted completely, without other tests", async () => {
    const { status, json } = await ask("DELETE", "/api/laboratory");
    expect({ status, json }).toEqual({ status: 200, json: { deleted: preparedMessages.length } });
    expect((await ask("GET", "/api/tests")).json).toMatchObject({ total: 1, items: [{ sample: false }] });
    expect((await readPrepared()).map(({ test: of }) => of)).toEqual(preparedMessages.map(() => null));
  });
});
