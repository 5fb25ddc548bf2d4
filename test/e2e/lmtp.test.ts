// The built program behind a real Postfix, which delivers mail over LMTP on a socket.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { openSession } from "../../scripts/smtp-client.ts";
import { testProgram } from "../program.ts";
import { hasPostfixServer, type MailServer, makeSocketFolder, startPostfixServer } from "./lmtp-postfix.ts";

const command = await testProgram();
const patience = { timeout: 60_000, interval: 100 };

if (!hasPostfixServer) console.warn("Skipped: Debian's package postfix, or the superuser's rights, are not there.");

describe.skipIf(!hasPostfixServer)("mail delivered by a real Postfix over LMTP", () => {
  let folder: string;
  let assay: AssayProcess;
  let postfix: MailServer;
  let headers: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-lmtp-"));
    chmodSync(folder, 0o755);
    const sockets = join(folder, "sockets");
    await makeSocketFolder(sockets, "postfix");
    const lmtp = `unix:${join(sockets, "lmtp")}`;
    const dataDir = join(folder, "data");
    assay = await startAssay({ dataDir, command, environment: { ASSAY_LMTP_LISTEN: lmtp } });
    const own = join(folder, "postfix");
    mkdirSync(own);
    postfix = await startPostfixServer({ folder: own, seedDomain: "seed.localhost", lmtp });
    const run = async (...args: string[]) => JSON.parse((await runProgram({ dataDir, command }, args)).stdout);
    const [{ id: workspace }] = await run("workspace", "list", "--json");
    const { token } = await run("token", "create", "--workspace", workspace, "--name", "e2e", "--json");
    headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  });

  afterAll(async () => {
    await postfix?.stop();
    await assay?.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (path: string) => (await fetch(assay.http + path, { headers })).json();

  test("mail delivered by a real Postfix over LMTP becomes a test that names LMTP and the client that Postfix recorded", async () => {
    const session = await openSession(
      { host: "127.0.0.1", port: postfix.port },
      { address: "192.0.2.7", helo: "mail.sender.example" },
    );
    const forged =
      "Received: from mx.bank.example (mx.bank.example [198.51.100.1]) by mail.operator.example; Thu, 26 Nov 2026 10:00:00 +0000";
    const mail = {
      from: "bounce@sender.example",
      to: [assay.seedAddress.replace("@", "+postfix@")],
      body: `${forged}\nFrom: ann@sender.example\nSubject: Handed over\nMessage-ID: <1@sender.example>\n\nHello\n`,
    };
    expect(await session.send(mail)).toMatch(/^250 /);
    session.close();
    await expect.poll(async () => (await get("/api/tests")).items[0]?.status, patience).toBe("analyzed");
    const [{ id }] = (await get("/api/tests")).items;
    const report = await get(`/api/tests/${id}`);
    expect(report).toMatchObject({ label: "postfix", subject: "Handed over" });
    expect(report.transport).toMatchObject({
      source: "claimed",
      mail_from: "bounce@sender.example",
      tls: null,
      door: { kind: "lmtp", recorded_by: "mail.operator.example" },
    });
    const unknown = report.transport.door.unknown.map(({ what }: { what: string }) => what);
    expect(unknown).toEqual(["session", "tls", "bytes"]);
    // SPF was checked for the client that Postfix saw, and not for the one in the sender's own header.
    expect(report.authentication.recorded.client_address).toBe("192.0.2.7");
    expect(report.skipped.map(({ check }: { check: string }) => check)).toContain("spf-result");
    expect(report.findings.filter(({ check }: { check: string }) => check.startsWith("tls"))).toEqual([]);
  });
});
