// The built program reads a mailbox at a real IMAP server as a seed address.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { type Dovecot, hasDovecot, startDovecot } from "../dovecot.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();

const message = (subject: string, ...top: string[]) =>
  [
    ...top,
    "From: Ann <ann@sender.example>",
    "To: Seed <ann+spring@localhost.example>",
    `Subject: ${subject}`,
    "Date: Thu, 26 Nov 2026 12:00:00 +0000",
    `Message-ID: <${subject.replaceAll(" ", ".")}@sender.example>`,
    "",
    "Hello",
    "",
  ].join("\r\n");

describe.skipIf(!hasDovecot)("a mailbox used as a seed address", () => {
  let dovecot: Dovecot;
  let assay: AssayProcess;
  let dataDir: string;
  let headers: Record<string, string>;

  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${assay.http}${path}`, {
      method,
      headers: { ...headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text.startsWith("{") ? JSON.parse(text) : undefined };
  };
  const options = () => ({
    dataDir,
    command,
    environment: {
      ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8,::1",
      ASSAY_IMAP_PORTS: `${dovecot.ports.implicit}`,
      NODE_EXTRA_CA_CERTS: dovecot.caFile,
      ASSAY_SMTP_MAX_MESSAGE_BYTES: "200000",
    },
  });
  const listSubjects = async (): Promise<string[]> =>
    (await ask("GET", "/api/tests")).json.items.map(({ subject }: { subject: string }) => subject).sort();

  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await pause(50);
  }

  async function untilAnalyzed(count: number): Promise<void> {
    await until(async () => {
      const { items } = (await ask("GET", "/api/tests")).json;
      return items.length >= count && items.every(({ status }: { status: string }) => status === "analyzed");
    });
  }

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "assay-imap-inbox-"));
    dovecot = await startDovecot({ users: { ann: "ann's" } });
    dovecot.deliver({ user: "ann", message: message("Old"), arrivedAt: Date.now() - 60_000 });
    assay = await startAssay(options());
    const workspaces = JSON.parse((await runProgram(options(), ["workspace", "list", "--json"])).stdout);
    const made = await runProgram(options(), ["token", "create", "--name", "test", "--json"]);
    const { token } = JSON.parse(made.stdout);
    headers = { authorization: `Bearer ${token}`, "x-workspace-id": (workspaces.items ?? workspaces)[0].id };
  });
  afterAll(async () => {
    await assay.end("SIGTERM");
    await dovecot.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a mailbox used as a seed address creates a test from each new message, with its folder and what is unknown", async () => {
    const connected = await ask("POST", "/api/integrations/imap", {
      host: "localhost",
      port: dovecot.ports.implicit,
      tls: true,
      user: "ann",
      password: "ann's",
      address: "ann@localhost.example",
      reads: "tests",
      trust: ["mx.provider.example"],
    });
    expect(connected.json).toMatchObject({ reads: "tests" });
    const stamp =
      "Received: from mail.sender.example (mail.sender.example [192.0.2.7]) by mx.provider.example with ESMTPS;\r\n Thu, 26 Nov 2026 12:00:01 +0000";
    const verdict = "Authentication-Results: mx.provider.example; spf=pass smtp.mailfrom=b@sender.example";
    dovecot.deliver({ user: "ann", message: message("Known", "Return-Path: <b@sender.example>", verdict, stamp) });
    dovecot.deliver({ user: "ann", folder: "Junk", message: message("Spam") });
    dovecot.deliver({ user: "ann", message: `${message("Big")}${"x".repeat(300_000)}` });
    await untilAnalyzed(2);
    expect(await listSubjects()).toEqual(["Known", "Spam"]);
    const { items } = (await ask("GET", "/api/tests")).json;
    const read = async (subject: string) => {
      const { id } = items.find((item: { subject: string }) => item.subject === subject);
      return (await ask("GET", `/api/tests/${id}`)).json;
    };
    const known = await read("Known");
    expect(known).toMatchObject({ label: "spring", transport: { source: "claimed" } });
    expect(known.transport.rcpt_to).toEqual(["ann+spring@localhost.example"]);
    expect(known.transport.door).toMatchObject({
      kind: "imap",
      mailbox: "ann@localhost.example",
      recorded_by: "mx.provider.example",
    });
    const missing = known.transport.door.unknown.map(({ what }: { what: string }) => what);
    expect(missing).toEqual(["session", "tls", "recipients", "bytes"]);
    expect(known.authentication.recorded).toMatchObject({ by: "mx.provider.example", spf: "pass" });
    const placed = ({ placement_results: rows }: { placement_results: { provider: string }[] }) =>
      rows.find(({ provider }) => provider.startsWith("imap:"));
    await until(async () => placed(await read("Spam")) !== undefined);
    expect(placed(await read("Known"))).toMatchObject({ method: "observed", folder: "inbox" });
    expect(placed(await read("Spam"))).toMatchObject({ method: "observed", folder: "spam" });
    expect((await read("Spam")).transport.door.unknown).toHaveLength(7);
  });

  test("a mailbox used as a seed address creates no test twice, after kill -9 and when a message is moved", async () => {
    await assay.end("SIGKILL");
    dovecot.deliver({ user: "ann", message: message("While away") });
    // The same bytes in another folder, as after a move.
    dovecot.deliver({ user: "ann", folder: "Junk", message: message("While away") });
    assay = await startAssay(options());
    await untilAnalyzed(3);
    dovecot.deliver({ user: "ann", message: message("Last") });
    await untilAnalyzed(4);
    expect(await listSubjects()).toEqual(["Known", "Last", "Spam", "While away"]);
  });

  test("a mailbox used as a seed address continues after a lost secret key and a new password, with the messages in between", async () => {
    await assay.end("SIGTERM");
    rmSync(join(dataDir, "secret.key"));
    expect((await runProgram(options(), ["secret-key", "forget", "--yes"])).exitCode).toBe(0);
    dovecot.deliver({ user: "ann", message: message("After the loss") });
    assay = await startAssay(options());
    const read = async () =>
      (await ask("GET", "/api/integrations")).json.items.find(
        ({ provider }: { provider: string }) => provider === "imap",
      );
    await until(async () => (await read()).status === "reconnect");
    const { id, reads } = await read();
    expect(reads).toBe("tests");
    // The username was lost with the password, and isn't the address.
    const renew = (body: object) => ask("PATCH", `/api/integrations/${id}`, body);
    expect(await renew({ password: "ann's" })).toMatchObject({ status: 400, json: { field: "password" } });
    const renewed = await renew({ password: "ann's", user: "ann" });
    expect(renewed).toMatchObject({ status: 200, json: { reads: "tests" } });
    await untilAnalyzed(5);
    expect(await listSubjects()).toEqual(["After the loss", "Known", "Last", "Spam", "While away"]);
  });
});
