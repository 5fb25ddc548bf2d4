// The commands for pipelines as processes: with --url they print and exit as they do next to the database.

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { dmarcSamples } from "../analyzer/mail/reports/samples.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();
const body =
  "From: Ann <ann@example.com>\nSubject: Build \x1b[31m<42> | `x`\nMessage-ID: <42@sender.example>\n\nHello.\n";

let folder: string;
let server: AssayProcess;
/** Commands find the server of their machine at the port of the settings. */
let environment: Record<string, string>;
let remote: Record<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-pipeline-"));
  environment = { ASSAY_HTTP_PORT: String(await findFreePort()) };
  server = await startAssay({ dataDir: join(folder, "data"), command: program, environment });
  const { stdout } = await here("token", "create", "--name", "ci", "--json");
  remote = { ASSAY_URL: server.http, ASSAY_TOKEN: (JSON.parse(stdout) as { token: string }).token };
  const [local, domain] = server.seedAddress.split("@");
  await sendMail(server.smtp, { from: "ann@sender.example", to: [`${local}+build-42@${domain}`], body });
});

afterAll(async () => {
  await server?.end("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

function here(...args: string[]) {
  return runProgram({ dataDir: join(folder, "data"), command: program, environment }, args);
}

/** Without a data directory. */
function there(...args: string[]) {
  return runProgram({ dataDir: "/nowhere", command: program, environment: remote }, args);
}

test.each([[], ["--json", "--strict"], ["--junit", "--fail-under", "99"]])(
  "wait %j gives the same result with --url and next to the database",
  async (...options) => {
    const args = ["wait", "--label", "build-42", ...options];
    const [local, far] = await Promise.all([here(...args), there(...args)]);
    expect(far).toEqual(local);
    expect(local.stdout).toContain("build-42");
    expect(local.stdout).not.toContain("\x1b");
  },
);

test("a new address finds only its own message, by its token too", async () => {
  const { address, token } = JSON.parse((await there("address", "--label", "build-42", "--json")).stdout);
  expect(address).toMatch(/^[a-z0-9]+\+build-42\+[a-z0-9]{10}@seed\.localhost$/);
  const none = await there("wait", "--address", address, "--timeout", "0");
  expect(none).toEqual({ exitCode: 4, stdout: "", stderr: `No test to ${address} arrived in time.\n` });
  await sendMail(server.smtp, { from: "ann@sender.example", to: [address], body: body.replace("Build", "Mine") });
  const found = await there("wait", "--address", address.toUpperCase().replace(token.toUpperCase(), token), "--json");
  expect(JSON.parse(found.stdout)).toMatchObject({ label: "build-42", subject: expect.stringContaining("Mine") });
  const { id } = JSON.parse((await here("wait", "--label", token, "--json")).stdout);
  expect((await there("report", id, "--json")).stdout).toBe(found.stdout);
  // People find both by the label, and the newest of it is the same in both ways.
  for (const filter of [
    ["--query", "label:build-42"],
    ["--label", "build-42"],
  ])
    expect(JSON.parse((await there("tests", ...filter, "--json")).stdout)).toHaveLength(2);
  expect(JSON.parse((await there("tests", "--query", "-label:build-42", "--json")).stdout)).toEqual([]);
});

test("a rehearsal address takes the other names of a receiver", async () => {
  const { stdout } = await there("address", "--as", "Hotmail", "--label", "signup");
  expect(stdout).toMatch(/^[a-z0-9]+\+as-outlook\.signup\+[a-z0-9]{10}@seed\.localhost\n$/);
});

test("a Message-ID finds its message both ways, with and without brackets", async () => {
  const far = await there("wait", "--message-id", "42@sender.example", "--json");
  const near = await here("wait", "--message-id", "<42@sender.example>", "--json");
  expect(JSON.parse(far.stdout).message_id).toBe("<42@sender.example>");
  expect(near.stdout).toBe(far.stdout);
  const none = await there("wait", "--message-id", "43@sender.example", "--timeout", "0");
  expect(none.exitCode).toBe(4);
});

test("a report is saved in the format of each file's extension, without colors", async () => {
  const names = ["a.txt", "a.json", "a.xml", "a.sarif", "a.md"].map((name) => join(folder, name));
  const args = ["wait", "--label", "build-42", "--fail-under", "99", ...names.flatMap((name) => ["--save", name])];
  const { exitCode, stdout } = await there(...args);
  expect(exitCode).toBe(1);
  const [text = "", json = "", xml, sarif = "", markdown] = names.map((name) => readFileSync(name, "utf8"));
  expect(text).toBe(stdout);
  expect(JSON.parse(json).label).toBe("build-42");
  expect(xml).toContain('<testsuite name="build-42"');
  expect(JSON.parse(sarif).version).toBe("2.1.0");
  expect(markdown).toMatch(/^## build-42: [\d.]+ of 100.*\n\n\*\*Failed:\*\* [\d.]+ is below 99\.\n\n/);
});

test("an upload becomes a test with its report", async () => {
  const file = join(folder, "message.eml");
  writeFileSync(file, body);
  const { stdout, stderr } = await there("upload", file, "--label", "by-hand", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ label: "by-hand", message_id: "<42@sender.example>" });
  expect(stderr).toContain("SPF, DKIM, and DMARC not checked, because the sending server is unknown.");
  expect((await there("upload", join(folder, "none.eml"))).exitCode).toBe(2);
});

test("an upload of reports says at once what they are", async () => {
  const file = join(folder, "google.com!shop.example!1.xml.gz");
  writeFileSync(file, gzipSync(dmarcSamples[0]?.content ?? ""));
  const says = "DMARC report of google.com about shop.example: 12 messages, 12 failed.";
  const { exitCode, stdout } = await there("upload", file);
  expect([exitCode, stdout]).toEqual([0, `${says}\nIt isn’t listed as a test, but under Feedback.\n`]);
  const { stdout: json } = await there("upload", file, "--json");
  expect(JSON.parse(json)).toMatchObject({ not_a_test: { kind: "report", says: [says] } });
  expect((await there("upload", file, "--fail-under", "80")).exitCode).toBe(3);
});

describe("commands without --url", () => {
  test("the same commands use a temporary token", async () => {
    const list = await here("tests", "--label", "build-42");
    expect(list.stdout).toMatch(
      /^ID .*SUBJECT\n(?:tst_.*\n)?tst_\w{26} .*build-42 +Build \\u001b\[31m<42> \| `x`\n\nProvisional: .*\n$/,
    );
    expect((await here("alerts")).stdout).toBe("No alerts.\n");
    expect(JSON.parse((await here("token", "list", "--json")).stdout)).toHaveLength(1);
  });

  test("the commands say if no server runs", async () => {
    const empty = { dataDir: join(folder, "empty"), command: program };
    const { exitCode, stderr } = await runProgram(empty, ["tests"]);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 6,
      stderr: expect.stringContaining("name another server with --url"),
    });
  });
});

test("a sample and the user's own message are sent through the server", async () => {
  const sample = JSON.parse((await there("send-sample", "--json")).stdout);
  expect(sample).toMatchObject({ report: `${server.http}/tests/${sample.id}` });
  const { stdout, stderr } = await there("send", "--from", server.seedAddress, "--subject", "Order 4711", "--json");
  expect(JSON.parse(stdout).subject, stderr).toBe("Order 4711");
  const foreign = await there("send", "--from", "ann@foreign.example", "--subject", "Hi");
  expect(foreign.exitCode).toBe(2);
});

test("a token in the arguments is hidden from other users of the machine", async () => {
  const { ASSAY_URL = "", ASSAY_TOKEN = "" } = remote;
  const [command = "", ...before] = program;
  const argv = [...before, "wait", "--label", "never", "--url", ASSAY_URL, "--token", ASSAY_TOKEN];
  const child = spawn(command, argv, { stdio: "ignore" });
  try {
    const shown = () => readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
    await vi.waitFor(() => expect(shown()).toMatch(/^assay wait\0/), { timeout: 60_000 });
    expect(shown()).not.toContain(ASSAY_TOKEN);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a domain is checked by the server that monitors it", async () => {
  const unknown = await there("domain", "sender.example");
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("pass --add") });
  const added = await there("domain", "sender.example", "--add", "--json");
  expect(JSON.parse(added.stdout).domain).toBe("sender.example");
  expect(added.stderr).toContain("The server monitors sender.example from now on.");
  const checked = await there("domain", "sender.example", "--json");
  expect(checked.stderr).not.toContain("Not checked again");
  const again = await there("domain", "sender.example", "--json");
  expect(again.stderr).toContain("Not checked again");
  expect(again.stdout).toBe(checked.stdout);
  const zone = join(folder, "zone.txt");
  writeFileSync(zone, 'sender.example. TXT "v=spf1 -all"\n');
  const local = await there("domain", "sender.example", "--dns", zone, "--json");
  expect(JSON.parse(local.stdout).details.spf.record).toBe("v=spf1 -all");
});
