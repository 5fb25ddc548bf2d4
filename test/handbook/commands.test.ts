// The handbook's commands, run against a real server: a wrong flag, path, or field fails here. `assay` and `npm run
// -s assay` are the built program; `curl` fails on an error status.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import type { Zone } from "../../src/analyzer/dns/zone.ts";
import { startDnsServer, type TestDnsServer } from "../dns-server.ts";
import { testProgramWithWebApp } from "../program.ts";
import { blocksOf, commandsOf, elsewhere, readHandbook, readReadme, slugs, whyElsewhere } from "./blocks.ts";

const program = await testProgramWithWebApp();
const hasSwaks = spawnSync("swaks", ["--version"]).status === 0;
const hasJq = spawnSync("jq", ["--version"]).status === 0;
if (!hasSwaks || !hasJq)
  console.warn("SKIPPED: commands of the handbook that need swaks or jq (Debian: apt install swaks jq).");

const zone: Zone = {
  "example.com": { TXT: ["v=spf1 ip4:203.0.113.7 ~all"], MX: [{ preference: 10, exchange: "mx.example.com" }] },
  "mx.example.com": { A: ["203.0.113.7"] },
  "_dmarc.example.com": { TXT: ["v=DMARC1; p=none; rua=mailto:dmarc@example.com"] },
  "example.org": { TXT: ["v=spf1 -all"] },
};
/** As the page about CI shows it. */
const [zoneFile = ""] = blocksOf(readHandbook("ci"), "dns");
const message = `From: News <news@example.com>
To: ann@example.net
Subject: Hello
Date: Thu, 26 Nov 2026 09:30:00 +0000
Message-ID: <1@example.com>
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8

Hello
`.replaceAll("\n", "\r\n");

let home: string;
let dns: TestDnsServer;
let server: AssayProcess;
let environment: Record<string, string>;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "assay-handbook-"));
  dns = await startDnsServer({ zone });
  const dataDir = join(home, "data");
  server = await startAssay({ dataDir, command: program, environment: dns.settings });
  environment = {
    ...dns.settings,
    ...(await prepare(dataDir)),
    ASSAY_DATA_DIR: dataDir,
    // Where commands for a server find it.
    ASSAY_HTTP_PORT: new URL(server.http).port,
    BASE: server.http,
    SEED: server.seedAddress,
    PATH: `${makeCommands()}:${process.env.PATH ?? ""}`,
  };
});

afterAll(async () => {
  await server?.end("SIGTERM");
  await dns?.close();
  rmSync(home, { recursive: true, force: true });
});

/** What the examples refer to: a token, a test with the label "welcome", a domain, an alert, a monitor. */
async function prepare(dataDir: string): Promise<Record<string, string>> {
  const run = async (...args: string[]) =>
    JSON.parse((await runProgram({ dataDir, command: program }, [...args, "--json"])).stdout);
  const [{ id: WORKSPACE }] = await run("workspace", "list");
  const { token: TOKEN } = await run("token", "create", "--name", "handbook");
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(server.http + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "x-workspace-id": WORKSPACE, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as { id: string; items: { id: string; status: string }[] };
  };
  const [local, domain] = server.seedAddress.split("@");
  const to = [`${local}+welcome@${domain}`];
  await sendMail(server.smtp, { from: "news@example.com", to, body: message });
  for (;;) {
    const { items } = await ask("/api/tests?label=welcome");
    const [first] = items;
    if (first?.status === "analyzed") {
      const { id: DOMAIN } = await ask("/api/domains", { domain: "example.com" });
      const url = "https://hooks.example.com/assay";
      const { id: ALERT } = await ask("/api/alerts", { label: "a", url, kind: "json", events: ["domain.drift"] });
      const { id: MONITOR } = await ask("/api/monitors/expected", {
        name: "Backup",
        schedule: { type: "interval", everyMinutes: 60 },
        match: { sender: "backup@*" },
      });
      return { TOKEN, WORKSPACE, TEST: first.id, DOMAIN, ALERT, MONITOR };
    }
    await sleep(100);
  }
}

/** DNS of the test doesn't answer everything (status 3), which is not what these tests are about. */
function makeCommands(): string {
  const folder = join(home, "bin");
  mkdirSync(folder);
  const assay = `${program.map((part) => `"${part}"`).join(" ")} "$@"`;
  const commands = {
    assay: `${assay}; status=$?; [ $status = 3 ] && exit 0; exit $status`,
    npm: `[ "$1 $2 $3 $4" = "run -s assay --" ] || exit 99; shift 4; exec assay "$@"`,
    curl: `PATH="${process.env.PATH}" exec curl --no-progress-meter --fail-with-body "$@"`,
  };
  for (const [name, script] of Object.entries(commands)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const pages = [["README", readReadme()], ...slugs.map((slug) => [slug, readHandbook(slug)])] as const;
const runnable = pages
  .map(([name = "", text = ""]) => ({
    name,
    commands: blocksOf(text, "sh")
      .flatMap(commandsOf)
      .filter((command) => whyElsewhere(command) === null),
  }))
  .filter(({ commands }) => commands.length > 0);

describe("the commands of a handbook page work", () => {
  test.each(runnable)("the commands of the handbook page $name work", async ({ name, commands }) => {
    const folder = join(home, `page-${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "message.eml"), message);
    writeFileSync(join(folder, "zone.txt"), zoneFile);
    mkdirSync(join(folder, "reports"));
    writeFileSync(join(folder, "reports", "receiver.xml"), dmarcReport);
    for (const command of commands.filter(isNew).filter(hasItsTools)) {
      const script = command.replaceAll("127.0.0.1:2525", `${server.smtp.host}:${server.smtp.port}`);
      const { status, said } = await runScript(script, folder);
      expect(status, `${command}\n${said}`).toBe(0);
    }
  });
});

const dmarcReport = `<feedback><report_metadata><org_name>Receiver</org_name><report_id>1</report_id><date_range><begin>1763596800</begin><end>1763683199</end></date_range></report_metadata><policy_published><domain>example.com</domain><p>none</p></policy_published></feedback>`;

/** Not in one go with spawnSync: the DNS server of this process has to answer meanwhile. */
async function runScript(script: string, folder: string) {
  const child = spawn("bash", ["-e", "-c", script], { cwd: folder, env: { ...environment, HOME: folder } });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk;
    });
  const [status] = (await once(child, "close")) as [number | null];
  return { status, said };
}

const ran = new Set<string>();

/** Many pages end with the same command, on the same message. */
function isNew(command: string): boolean {
  if (!command.startsWith("assay ")) return true;
  const isFirst = !ran.has(command);
  ran.add(command);
  return isFirst;
}

function hasItsTools(command: string): boolean {
  return (hasSwaks || !command.includes("swaks")) && (hasJq || !command.includes("jq "));
}

test("every exception for a command is still needed", () => {
  const commands = pages.flatMap(([, text = ""]) => blocksOf(text, "sh").flatMap(commandsOf));
  expect(commands.length).toBeGreaterThan(100);
  const idle = elsewhere.filter(([pattern]) => !commands.some((command) => pattern.test(command)));
  expect(idle.map(([pattern]) => String(pattern))).toEqual([]);
});
