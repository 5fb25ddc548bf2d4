// The built program as a separate process, over real sockets.

import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { openSession, sendMail } from "../../scripts/smtp-client.ts";
import { createSelfSigned, type PemPair } from "../../src/platform/system/self-signed.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();
const message = "From: Ann <ann@sender.example>\nSubject: Hello\n\nHi.\n";

let folder: string;
let running: AssayProcess[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((server) => server.end("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}) {
  const server = await startAssay({ dataDir: join(folder, "data"), command: program, environment });
  running.push(server);
  return server;
}

function run(args: string[], environment: Record<string, string> = {}) {
  return runProgram({ dataDir: join(folder, "data"), command: program, environment }, args);
}

type Access = { readonly id: string; readonly token: string; readonly workspaceId: string };
type Runner = (args: string[], environment?: Record<string, string>) => ReturnType<typeof runProgram>;

async function createToken(runHere: Runner = run): Promise<Access> {
  const [workspace] = JSON.parse((await runHere(["workspace", "list", "--json"])).stdout) as [{ id: string }];
  const created = await runHere(["token", "create", "--workspace", workspace.id, "--name", "e2e", "--json"]);
  const { id, token } = JSON.parse(created.stdout) as { id: string; token: string };
  return { id, token, workspaceId: workspace.id };
}

async function listTests(server: AssayProcess, access: Access, query = "") {
  const headers = { authorization: `Bearer ${access.token}`, "x-workspace-id": access.workspaceId };
  const answer = await fetch(`${server.http}/api/tests${query}`, { headers });
  return ((await answer.json()) as { items: Record<string, unknown>[] }).items;
}

async function untilAnalyzed(server: AssayProcess, access: Access, query = "") {
  for (let tries = 0; tries < 500; tries++) {
    const items = await listTests(server, access, query);
    if (items.length > 0 && items.every(({ status }) => status === "analyzed")) return items;
    await sleep(20);
  }
  throw new Error("not analysed in time");
}

function withLabel(address: string, label: string): string {
  return address.replace("@", `+${label}@`);
}

async function expectOneSentence(result: { exitCode: number | null; stderr: string }, names: string) {
  expect(result.exitCode).not.toBe(0);
  expect(result.stderr).toContain(names);
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
}

/** Each start takes as long as all that a test does with it. These tests leave alone what the others are about. */
describe("a server after its first start", () => {
  let home: string;
  let server: AssayProcess;
  let access: Access;

  const runHere: Runner = (args, environment = {}) =>
    runProgram({ dataDir: join(home, "data"), command: program, environment }, args);

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "assay-e2e-"));
    server = await startAssay({ dataDir: join(home, "data"), command: program });
    access = await createToken(runHere);
  });

  afterAll(async () => {
    await server?.end("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  test("a server after its first start has a workspace with a seed address, and logs a message from its client to its score", async () => {
    const from = "ann@sender.example";
    const to = withLabel(server.seedAddress, "followed");
    expect(await sendMail(server.smtp, { from, to: [to], body: message })).toMatch(/^250 /);
    const [test, ...more] = await untilAnalyzed(server, access, "?label=followed");
    expect(more).toEqual([]);
    expect(test).toMatchObject({ subject: "Hello", to: [to], status: "analyzed" });
    const told = server.log.filter((line) => line.test === test?.id);
    const analyzed = { message: "message analyzed", score: test?.composite };
    expect(told).toMatchObject([{ message: "message received", client: "127.0.0.1", from, to }, analyzed]);
    expect(told[0]?.bytes).toBeGreaterThan(message.length);
    expect(server.log.filter(({ message }) => /chore|migrated/i.test(String(message)))).toEqual([]);
  });

  test("a server after its first start shows a message with its attachments", async () => {
    const file = "Content-Type: text/csv; name=a.csv\n\na,b";
    const body = `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHi <b>.\n--b\n${file}\n--b--\n`;
    const to = [withLabel(server.seedAddress, "files")];
    await sendMail(server.smtp, { from: "ann@sender.example", to, body });
    const [test] = await listTests(server, access, "?label=files");
    const headers = { authorization: `Bearer ${access.token}`, "x-workspace-id": access.workspaceId };
    const get = async (path: string) => (await fetch(server.http + path, { headers })).text();
    expect(JSON.parse(await get(`/api/tests/${test?.id}/eml`))).toMatchObject({
      body: { text: "Hi <b>.", html: null },
      attachments: [{ part: "2", filename: "a.csv", size_bytes: 3 }],
    });
    expect(await get(`/preview/${test?.id}`)).toContain("Hi &lt;b&gt;.");
    expect(await get(`/api/tests/${test?.id}/attachments/2`)).toBe("a,b");
  });

  test("a server after its first start keeps the data directory readable only by its owner", () => {
    const mode = (path: string) => statSync(join(home, "data", path)).mode & 0o777;
    expect(mode("")).toBe(0o700);
    expect(mode("assay.db")).toBe(0o600);
    expect(mode("secret.key")).toBe(0o600);
  });

  test("a server after its first start is no relay, and rejects an unknown address", async () => {
    const to = (address: string) => sendMail(server.smtp, { from: "ann@sender.example", to: [address], body: message });
    expect(await to("someone@elsewhere.example")).toMatch(/^550 5\.7\.1 /);
    expect(await to("nobody-here@seed.localhost")).toMatch(/^550 5\.1\.1 /);
  });

  test("a server after its first start is alive and ready", async () => {
    expect((await fetch(`${server.http}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.http}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${server.http}/metrics`)).text()).toContain("assay_database_synchronous 2");
  });

  test("a server after its first start prevents a second server on the same data directory", async () => {
    await expectOneSentence(await runHere(["serve"]), "Another assay serve is running");
    expect((await fetch(`${server.http}/healthz`)).status).toBe(200);
  });

  test("a server after its first start accepts a token that the operator creates, until it is revoked", async () => {
    const created = await createToken(runHere);
    expect(await listTests(server, created, "?label=nothing")).toEqual([]);
    const listed = JSON.parse((await runHere(["token", "list", "--json"])).stdout) as { id: string }[];
    expect(listed.map(({ id }) => id)).toContain(created.id);
    expect((await runHere(["token", "revoke", created.id])).exitCode).toBe(0);
    const headers = { authorization: `Bearer ${created.token}`, "x-workspace-id": created.workspaceId };
    expect((await fetch(`${server.http}/api/tests`, { headers })).status).toBe(403);
  });

  test("a server after its first start rejects an empty or too long token name as the API does", async () => {
    for (const name of ["", "  ", "x".repeat(101)]) {
      expect((await runHere(["workspace", "create", name])).exitCode).toBe(2);
      expect((await runHere(["token", "create", "--name", name])).exitCode).toBe(2);
    }
  });

  test("a server after its first start writes a backup that opens with the same tests", async () => {
    const copy = join(home, "copy", "assay.db");
    mkdirSync(join(home, "copy"), { mode: 0o700 });
    expect((await runHere(["backup", copy])).exitCode).toBe(0);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    copyFileSync(join(home, "data", "secret.key"), join(home, "copy", "secret.key"));
    const { stdout } = await runHere(["workspace", "list", "--json"], { ASSAY_DATA_DIR: join(home, "copy") });
    expect(JSON.parse(stdout)).toMatchObject([{ seedAddress: server.seedAddress }]);
  });

  test("a server after its first start revokes a token by its ID with several workspaces", async () => {
    await runHere(["workspace", "create", "Second"]);
    const [, second] = JSON.parse((await runHere(["workspace", "list", "--json"])).stdout) as [unknown, { id: string }];
    const created = await runHere(["token", "create", "--workspace", second.id, "--name", "x", "--json"]);
    const { id } = JSON.parse(created.stdout) as { id: string };
    expect((await runHere(["token", "revoke", id])).exitCode).toBe(0);
    expect((await runHere(["token", "revoke", id])).exitCode).toBe(1);
  });
});

describe("the command assay serve", () => {
  test("the command assay serve logs the whole SMTP session at debug level, and every rejected recipient", async () => {
    const server = await start({ ASSAY_LOG_LEVEL: "debug" });
    const mail = { from: "ann@sender.example", body: message };
    const stranger = "nobody@seed.localhost";
    expect(await sendMail(server.smtp, { ...mail, to: [stranger] })).toMatch(/^550 /);
    await sendMail(server.smtp, { ...mail, to: [server.seedAddress] });
    await untilAnalyzed(server, await createToken());
    const lines = (message: string) => server.log.filter((entry) => entry.message === message);
    expect(lines("recipient rejected")).toMatchObject([
      { level: "info", client: "127.0.0.1", from: mail.from, reply: expect.stringMatching(/^550 5\.1\.1 /) },
    ]);
    expect(lines("recipient rejected")[0]?.command).toContain(stranger);
    const said = lines("SMTP <").map(({ line }) => line);
    expect(said).toEqual(expect.arrayContaining([`RCPT TO:<${server.seedAddress}>`, "DATA"]));
    expect(lines("SMTP >").map(({ line }) => line)).toContainEqual(expect.stringMatching(/^354 /));
    expect([...lines("analysis started"), ...lines("report saved")]).toHaveLength(2);
  });

  test("the command assay serve accepts other local parts with a catch-all, and does not start with an unknown one", async () => {
    const server = await start({ ASSAY_CATCH_ALL: "Default" });
    const mail = { from: "ann@sender.example", to: ["any.one@seed.localhost"], body: message };
    expect(await sendMail(server.smtp, mail)).toMatch(/^250 /);
    await server.end("SIGTERM");
    const { exitCode, stderr } = await run(["serve"], { ASSAY_CATCH_ALL: "Nobody" });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('ASSAY_CATCH_ALL is "Nobody": no workspace has this ID or name');
  });

  test("the command assay serve defers mail if the disk is nearly full", async () => {
    const server = await start({ ASSAY_MIN_FREE_BYTES: String(2 ** 50) });
    const mail = { from: "ann@sender.example", to: [server.seedAddress], body: message };
    expect(await sendMail(server.smtp, mail)).toMatch(/^451 4\.3\.2 /);
  });

  test("the command assay serve exits with 0 on SIGTERM and on two signals, and keeps its data for the next start", async () => {
    const first = await start();
    await sendMail(first.smtp, { from: "ann@sender.example", to: [first.seedAddress], body: message });
    expect(await first.end("SIGTERM")).toBe(0);
    const second = await start();
    expect(second.seedAddress).toBe(first.seedAddress);
    expect(await untilAnalyzed(second, await createToken())).toHaveLength(1);
    second.child.kill("SIGINT");
    expect(await second.end("SIGINT")).toBe(0);
  });

  test("the command assay serve writes the end of its log to a slow reader before it exits", async () => {
    const server = await start({ ASSAY_LOG_LEVEL: "debug" });
    server.child.stdout?.pause();
    // More than fits into the pipe.
    for (let round = 0; round < 60; round++)
      await Promise.all(Array.from({ length: 50 }, async () => await (await fetch(`${server.http}/readyz`)).text()));
    const closed = once(server.child, "close");
    server.child.kill("SIGTERM");
    while (
      await fetch(`${server.http}/readyz`).then(
        (answer) => answer.text(),
        () => null,
      )
    )
      await sleep(50);
    await sleep(200);
    server.child.stdout?.resume();
    expect(await closed).toEqual([0, null]);
    expect(server.log.map(({ message: said }) => said)).toContain("stopping");
  });

  test("the command assay serve completes and acknowledges a running message on SIGINT, and exits with 0", async () => {
    const server = await start();
    const session = await openSession(server.smtp);
    const body = `${message}${"x".repeat(5_000_000)}\n`;
    const mail = { from: "ann@sender.example", to: [server.seedAddress], body };
    expect(await session.begin(mail)).toBeNull();
    const exit = server.end("SIGINT");
    await sleep(200);
    const reply = await session.finish(mail);
    expect(reply).toMatch(/^250 /);
    session.close();
    expect(await exit).toBe(0);
  });
});

describe("HTTPS with certificate files", () => {
  test("HTTPS with certificate files uses a renewed certificate without a restart, and keeps the old one if the new one is invalid", async () => {
    const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
    const renew = ({ cert, key }: PemPair) => {
      writeFileSync(files.cert, cert);
      writeFileSync(files.key, key);
    };
    const [first, second] = [createSelfSigned(["localhost"], Date.now()), createSelfSigned(["localhost"], Date.now())];
    renew(first);
    const server = await start({ ASSAY_HTTP_TLS_CERT: files.cert, ASSAY_HTTP_TLS_KEY: files.key });
    expect(server.http).toMatch(/^https:/);
    const port = Number(new URL(server.http).port);
    expect(await servedSerial(port)).toBe(new X509Certificate(first.cert).serialNumber);
    renew({ cert: second.cert, key: first.key });
    await untilLogged(server, "new certificate cannot be used; keeping the old one");
    expect(await servedSerial(port)).toBe(new X509Certificate(first.cert).serialNumber);
    renew(second);
    await untilLogged(server, "certificate reloaded");
    expect(await servedSerial(port)).toBe(new X509Certificate(second.cert).serialNumber);
  });

  async function servedSerial(port: number) {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  }

  async function untilLogged(server: AssayProcess, message: string) {
    for (let tries = 0; tries < 200; tries++) {
      if (server.log.some((entry) => entry.message === message)) return;
      await sleep(100);
    }
    throw new Error(`never logged: ${message}`);
  }
});

describe("a failing start", () => {
  test("a failing start names all invalid settings and exits with an error", async () => {
    const { exitCode, stderr } = await run(["serve"], { ASSAY_HTTP_PORT: "x", ASSAY_SEED_DOMAINS: ";" });
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain("ASSAY_HTTP_PORT");
    expect(stderr).toContain("ASSAY_SEED_DOMAINS");
    expect(stderr).not.toContain("    at ");
  });

  test("a failing start says in one sentence that the data directory is a file", async () => {
    writeFileSync(join(folder, "data"), "");
    await expectOneSentence(await run(["serve"]), "data");
  });

  test("a failing start exits with a status that service managers do not retry if others can read the data directory", async () => {
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "of-another-program"), "");
    chmodSync(join(folder, "data"), 0o755);
    expect((await run(["serve"])).exitCode).toBe(78);
  });

  test("a failing start says in one sentence that the data directory is read-only", async () => {
    mkdirSync(join(folder, "data"), { mode: 0o500 });
    // The superuser writes anywhere; a file system that is read-only for everyone stands in.
    const dataDir = process.getuid?.() === 0 ? "/proc/assay" : join(folder, "data");
    await expectOneSentence(await run(["serve"], { ASSAY_DATA_DIR: dataDir }), dataDir);
    chmodSync(join(folder, "data"), 0o700);
  });

  test.each(["ASSAY_HTTP_PORT", "ASSAY_SMTP_LISTEN"])(
    "a failing start says in one sentence that %s is in use",
    async (name) => {
      const other = createServer().listen(0, "127.0.0.1");
      await once(other, "listening");
      const { port } = other.address() as { port: number };
      const value = name === "ASSAY_SMTP_LISTEN" ? `127.0.0.1:${port}` : String(port);
      await expectOneSentence(await run(["serve"], { [name]: value }), name);
      other.close();
    },
  );

  test("a failing start names two ports in use together, with a command to paste", async () => {
    const others = [createServer(), createServer()].map((server) => server.listen(0, "127.0.0.1"));
    await Promise.all(others.map((server) => once(server, "listening")));
    const [smtp, http] = others.map((server) => (server.address() as { port: number }).port);
    const busy = { ASSAY_SMTP_LISTEN: `127.0.0.1:${smtp}`, ASSAY_HTTP_PORT: String(http) };
    const { exitCode, stderr } = await run(["serve"], busy);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^Ports \d+ and \d+ are in use\. Try: ASSAY_HTTP_PORT=\d+ ASSAY_SMTP_LISTEN=127\.0\.0\.1:\d+ npm start\n$/,
    );
    for (const port of [smtp, http]) expect(stderr.split(" Try: ")[0]).toContain(String(port));
    for (const server of others) server.close();
  });

  test("a failing start rejects a different secret key, and does not replace a deleted one", async () => {
    const server = await start();
    await server.end("SIGTERM");
    await expectOneSentence(await run(["serve"], { ASSAY_SECRET_KEY: "k".repeat(40) }), "ASSAY_SECRET_KEY");
    const key = join(folder, "data", "secret.key");
    renameSync(key, join(folder, "kept.key"));
    await expectOneSentence(await run(["serve"]), "is missing");
    expect(existsSync(key)).toBe(false);
    renameSync(join(folder, "kept.key"), key);
    expect((await run(["workspace", "list"])).exitCode).toBe(0);
  });
});

describe("commands next to a running server", () => {
  test("commands next to a running server include send-sample, which sends the sample and prints its score and report", async () => {
    const server = await start();
    const port = new URL(server.http).port;
    const { exitCode, stdout } = await run(["send-sample", "--json"], { ASSAY_HTTP_PORT: port });
    expect(exitCode).toBe(0);
    const sample = JSON.parse(stdout);
    expect(sample).toEqual({
      id: expect.stringMatching(/^tst_/),
      score: expect.any(Number),
      report: `${server.http}/tests/${sample.id}`,
    });
    expect(JSON.parse((await run(["token", "list", "--json"])).stdout)).toEqual([]);
    await server.end("SIGTERM");
    const late = await run(["send-sample"], { ASSAY_HTTP_PORT: port });
    expect(late.exitCode).toBe(6);
    expect(late.stderr).toMatch(/^No server is running on .*Start it first \(npm start\)/);
  });
});
