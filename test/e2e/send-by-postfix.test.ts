// Samples through a real Postfix that requires a login and STARTTLS, and their bounces.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { createRelayTransport } from "../../src/features/sending/work/transports.ts";
import { startRelay } from "../features/sending/work/relay-server.ts";
import {
  type Certificate,
  hasPostfix,
  login,
  loginInUrl,
  makeCertificate,
  type Postfix,
  startPostfix,
} from "../postfix.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();
const patience = { timeout: 60_000, interval: 100 };

if (!hasPostfix)
  console.warn("Skipped: Debian's packages postfix and dovecot-core, or the superuser's rights, are not there.");

describe.skipIf(!hasPostfix)("a real Postfix as relay", () => {
  let folder: string;
  let certificate: Certificate;
  let port: number;
  /** Of a server behind the relay. */
  let farPort: number;
  let server: AssayProcess;
  let postfix: Postfix;
  let headers: Record<string, string>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "assay-e2e-"));
    certificate = makeCertificate(folder);
    port = await findFreePort();
    farPort = await findFreePort();
    const dataDir = join(folder, "data");
    const environment = {
      ASSAY_SEND_SMTP_URL: `smtp://${loginInUrl}@localhost:${port}`,
      NODE_EXTRA_CA_CERTS: certificate.file,
    };
    server = await startAssay({ dataDir, command, environment });
    const next = server.smtp;
    postfix = await startPostfix({ next, port, transports: `/\\+gone@/ smtp:[127.0.0.1]:${farPort}` }, certificate);
    const run = async (...args: string[]) => JSON.parse((await runProgram({ dataDir, command }, args)).stdout);
    const [{ id: workspace }] = await run("workspace", "list", "--json");
    const { token } = await run("token", "create", "--workspace", workspace, "--name", "e2e", "--json");
    headers = { authorization: `Bearer ${token}`, "x-workspace-id": workspace };
  });

  afterAll(async () => {
    await postfix?.stop();
    await server?.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (path: string) => (await fetch(server.http + path, { headers })).json();
  const send = async (body: object) => {
    const sent = await fetch(`${server.http}/api/tests/send-test`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ subject: "Hello", from: server.seedAddress, ...body }),
    });
    return { status: sent.status, json: await sent.json() };
  };

  test("a real Postfix as relay accepts a sample with login and STARTTLS, and the test has its send_id", async () => {
    const { status, json } = await send({ label: "by relay" });
    expect({ status, json }).toMatchObject({ status: 202, json: { transport: "relay" } });
    const shown = () => get(`/api/sends/${json.id}`);
    await expect.poll(shown, patience).toMatchObject({ status: "sent", testId: expect.any(String) });
    const { testId } = await shown();
    const report = () => get(`/api/tests/${testId}`);
    await expect.poll(report, patience).toMatchObject({ status: "analyzed" });
    expect(await report()).toMatchObject({
      send_id: json.id,
      label: "by relay",
      transport: { looped: false, helo: "relay.example" },
    });
    expect(postfix.log()).toMatch(/sasl_method=PLAIN, sasl_username=ann/);
    expect(postfix.log()).not.toContain(login.password);
  });

  test("a real Postfix as relay returns a bounce that is matched to its send", async () => {
    const nobody = Object.assign(new Error("5.1.1 Nobody lives here"), { responseCode: 550 });
    await startRelay({ onRcptTo: (_address, _session, done) => done(nobody) }, farPort);
    const to = server.seedAddress.replace("@", "+gone@");
    const { status, json } = await send({ to });
    expect(status).toBe(202);
    const shown = () => get(`/api/sends/${json.id}`);
    await expect.poll(shown, patience).toMatchObject({ status: "bounced", bounceId: expect.any(String) });
    const { problem, bounceId, testId } = await shown();
    expect({ problem, testId }).toEqual({ problem: expect.stringContaining("Nobody lives here"), testId: null });
    expect(await get(`/api/bounces/${bounceId}`)).toMatchObject({
      kind: "bounce",
      sendId: json.id,
      authenticated: true,
      recipients: [{ status: "5.1.1", hard: true }],
    });
  });

  const refusals = [
    ["sender", /^The relay rejected the sender: 550 5\.7\.1 .*Nobody sends from there$/],
    ["recipient", /^The relay rejected the recipient: 550 5\.1\.1 .*No such user here$/],
    ["size", /^The relay rejected the message: 552 5\.3\.4 .*(too big|size)/],
  ] as const;

  test.each(refusals)("a real Postfix as relay is quoted if it rejects the %s", async (what, words) => {
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const road = createRelayTransport(`smtp://${loginInUrl}@localhost:${postfix.others[what]}`, "mail.example");
    onTestFinished(road.close);
    const raw = Buffer.from(`From: ann@shop.example\r\n\r\n${"Hi.\r\n".repeat(1_000)}`);
    const mark = { sendId: "snd_1", workspaceId: "wsp_1", label: null };
    const outgoing = { mark, mailFrom: "bounce+x@seed.example", rcptTo: "w7@seed.example", raw };
    await expect(road.deliver(outgoing, AbortSignal.timeout(20_000))).rejects.toThrow(words);
  });

  test("a real Postfix as relay is reported if it rejects the password or is down", async () => {
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, certificate.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const road = createRelayTransport(`smtp://ann:wrong@localhost:${port}`, "mail.example");
    onTestFinished(road.close);
    const mark = { sendId: "snd_1", workspaceId: "wsp_1", label: null };
    const outgoing = { mark, mailFrom: "b@seed.example", rcptTo: "w7@seed.example", raw: Buffer.from("X: y\r\n\r\n") };
    await expect(road.deliver(outgoing, AbortSignal.timeout(20_000))).rejects.toThrow(
      /^The relay rejected the login: 535 5\.7\.8 /,
    );
    await postfix.stop();
    const { status, json } = await send({});
    expect({ status, json }).toMatchObject({ status: 502, json: { error: "send_failed" } });
    expect(json.message).toMatch(/^The relay could not be reached: .*ECONNREFUSED/);
    const { items } = await get("/api/sends?limit=1");
    expect(items).toMatchObject([{ status: "failed", problem: json.message }]);
    expect(JSON.stringify(server.log)).not.toContain(login.password);
  });
});
