// The built program with a real IMAP server: a mailbox is connected, shows where a test landed, and gets a new
// password.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { type Dovecot, hasDovecot, startDovecot } from "../dovecot.ts";
import { testProgram } from "../program.ts";

const command = await testProgram();

describe.skipIf(!hasDovecot)("a seed mailbox on a real IMAP server", () => {
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
    return { status: response.status, text, json: text.startsWith("{") ? JSON.parse(text) : undefined };
  };
  const connect = (changes: object = {}) =>
    ask("POST", "/api/integrations/imap", {
      host: "localhost",
      port: dovecot.ports.implicit,
      tls: true,
      user: "ann",
      password: "ann's",
      ...changes,
    });
  const options = () => ({
    dataDir,
    command,
    environment: {
      ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8,::1",
      ASSAY_IMAP_PORTS: `${dovecot.ports.implicit},${dovecot.ports.starttls}`,
      NODE_EXTRA_CA_CERTS: dovecot.caFile,
    },
  });

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "assay-mailboxes-"));
    dovecot = await startDovecot({ users: { ann: "ann's", bob: "bob's" } });
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

  /** Where the newest test's message was seen by mailboxes of no provider. */
  async function readPlaced(): Promise<{ provider: string; folder: string; method: string }[]> {
    const { id } = (await ask("GET", "/api/tests")).json.items[0] ?? {};
    if (id === undefined) return [];
    const { placement_results: rows } = (await ask("GET", `/api/tests/${id}`)).json;
    return (rows ?? []).filter(({ provider }: { provider: string }) => provider.startsWith("imap:"));
  }

  async function readMailbox(name: string): Promise<{ integrationId: string; status: string } | undefined> {
    const { items } = (await ask("GET", "/api/seed-list")).json;
    return items.find(({ account }: { account: string | null }) => account === name);
  }

  async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await holds())) await pause(50);
  }

  test("a seed mailbox on a real IMAP server is rejected with another user's password, on another port, and without required TLS", async () => {
    expect((await connect({ password: "bob's" })).json).toMatchObject({ field: "password" });
    expect((await connect({ tls: false })).json).toMatchObject({ field: "host" });
    expect((await connect({ port: 993 })).json).toMatchObject({ field: "port" });
    expect((await ask("GET", "/metrics")).text).toContain('assay_mailboxes{status="connecting"} 0');
  });

  test("a seed mailbox on a real IMAP server is connected, and shows a test that was delivered to spam", async () => {
    const others = { user: "bob", password: "bob's", port: dovecot.ports.starttls, tls: false };
    for (const changes of [{}, others]) expect((await connect(changes)).status).toBe(201);
    await until(async () => (await ask("GET", "/metrics")).text.includes('assay_mailboxes{status="connected"} 2'));
    const { json: list } = await ask("GET", "/api/seed-list");
    const message = [
      "From: shop@sender.example",
      "To: reader@mailbox.example",
      "Subject: Sale",
      "Message-ID: <1@sender.example>",
      `X-Assay-Id: ${list.token}`,
      "",
      "Hello.",
      "",
    ].join("\r\n");
    await sendMail(assay.smtp, { from: "shop@sender.example", to: [list.items[0].address], body: message });
    dovecot.deliver({ user: "ann", folder: "Junk", message });
    dovecot.deliver({ user: "bob", folder: "Promotions", message: message.replace(/Message-ID.*\r\n/, "") });
    const seen = [
      { provider: "imap:ann", folder: "spam" },
      { provider: "imap:bob", folder: "promotions" },
    ];
    await until(async () => {
      const placed = (await readPlaced()).filter(({ method, folder }) => method === "observed" && folder !== "pending");
      return placed.length === seen.length;
    });
    expect(await readPlaced()).toMatchObject(seen);
  });

  test("a seed mailbox on a real IMAP server waits for the user after a rejected password, and continues with a new one", async () => {
    const ann = await readMailbox("ann");
    const renew = (password: string) => ask("PATCH", `/api/integrations/${ann?.integrationId}`, { password });
    dovecot.setPassword("ann", "another");
    await dovecot.kick("ann");
    await until(async () => (await readMailbox("ann"))?.status === "reconnect");
    expect((await renew("wrong")).status).toBe(400);
    expect((await renew("another")).json).toMatchObject({ status: "connecting", problem: null });
    await until(async () => (await readMailbox("ann"))?.status === "connected");
    expect(await dovecot.countConnections("ann")).toBeLessThanOrEqual(3);
  });

  test("a seed mailbox on a real IMAP server is released immediately at shutdown", async () => {
    expect(await assay.end("SIGTERM")).toBe(0);
    await until(async () => (await dovecot.countConnections("ann")) === 0);
    const files = readdirSync(dataDir).filter((name) => name.startsWith("assay.db"));
    for (const name of files) expect(readFileSync(join(dataDir, name), "latin1")).not.toContain("another");
  });
});
