// Two Assay processes on one PostgreSQL, with a real Postfix between a canary and its seed inbox.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findPrograms, startPostgres } from "../../test/postgres.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { makeToken } from "../first-message.ts";
import { findFreePort, greets } from "../ports.ts";
import { postfixProgram, writePostfixFiles } from "../postfix-files.ts";

const run = promisify(execFile);

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, checked by what reads them.
type Json = any;
export type Told = {
  readonly at: number;
  readonly monitor: string;
  readonly state: string;
  readonly code: string;
  readonly says: string;
};

export type CanaryWorld = Awaited<ReturnType<typeof openCanaryWorld>>;

export async function openCanaryWorld(command: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "assay-canaries-"));
  chmodSync(folder, 0o755);
  const programs = findPrograms();
  if (programs === undefined) throw new Error("PostgreSQL is missing (Debian: apt install postgresql).");
  const postgres = await startPostgres(programs);
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  const environment = {
    ASSAY_DATABASE_URL: postgres.url,
    ASSAY_SECRET_KEY: "k".repeat(32),
    ASSAY_SEED_DOMAINS: "seed.example",
    ASSAY_ALLOW_PRIVATE_TARGETS: "1",
    ASSAY_MIN_FREE_BYTES: "0",
  };
  const program = (name: string) => ({ dataDir: join(folder, name), environment, command });
  const first = await startAssay(program("one"));
  const second = await startAssay(program("two"));
  const { token, workspaceId } = makeToken(program("one"));
  const policy = await startPolicy();
  const refuser = await startRefuser();
  const ports = { policy: policy.port, refuser: refuser.port };
  const postfix = await preparePostfix(folder, first.smtp, ports);
  await postfix.start();
  const told: Told[] = [];
  const receiver = await startReceiver(told);
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(first.http + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : await answer.json();
  };
  await call("POST", "/api/alerts", { label: "Ops", kind: "json", url: receiver.url, events: ["monitor.changed"] });
  const relay = await call("POST", "/api/relays", {
    name: "Postfix",
    url: `smtp://127.0.0.1:${postfix.port}`,
    mailFrom: "canary@shop.example",
  });
  return {
    call,
    told,
    relayId: relay.id as string,
    policy,
    postfix,
    database,
    second: second as AssayProcess,
    seedAddress: first.seedAddress,
    /** A canary that is sent more often than the API allows. */
    addCanary: async (name: string, { everyMs, objectiveMs }: { everyMs: number; objectiveMs: number }) => {
      const { id } = await call("POST", "/api/monitors/canaries", {
        name,
        relayId: relay.id,
        schedule: { everyMinutes: 1 },
      });
      await database.query(
        "update monitors set terms = (terms::jsonb || $2::jsonb)::text, next_at = next_at - 50000, due_at = due_at - 50000 where id = $1",
        [id, JSON.stringify({ schedule: { everyMs }, objectiveMs })],
      );
      return id as string;
    },
    until: async (what: string, holds: () => boolean | Promise<boolean>, withinMs: number) => {
      const begun = Date.now();
      while (!(await holds())) {
        if (Date.now() - begun > withinMs) throw new Error(`Not in ${withinMs / 1_000} s: ${what}`);
        await sleep(100);
      }
      return Date.now() - begun;
    },
    close: async () => {
      await Promise.all([first.end("SIGTERM"), second.end("SIGTERM")]);
      await postfix.stop();
      policy.close();
      refuser.close();
      receiver.close();
      await database.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Takes what Assay's alert sends. */
async function startReceiver(told: Told[]) {
  const server = createHttpServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    request.on("end", () => {
      const { type, data } = JSON.parse(text);
      if (type === "monitor.changed")
        told.push({ at: Date.now(), monitor: data.monitor.id, state: data.state, ...data.reason });
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() };
}

/** Postfix's policy delegation protocol (SMTPD_POLICY_README). */
async function startPolicy() {
  const state = { action: "DUNNO" };
  const server = createServer((socket) => {
    socket.on("data", (chunk) => {
      if (chunk.toString().includes("\n\n")) socket.write(`action=${state.action}\n\n`);
    });
    socket.on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    set: (action: string) => {
      state.action = action;
    },
    close: () => server.close(),
  };
}

/** A mail server without mailboxes, so that Postfix, which has taken the message, returns it. */
async function startRefuser() {
  const server = createServer((socket) => {
    socket.write("220 gone.example ESMTP\r\n");
    socket.on("data", (chunk) => {
      for (const line of chunk
        .toString()
        .split("\r\n")
        .filter((one) => one !== "")) {
        const isRcpt = /^RCPT/i.test(line);
        socket.write(isRcpt ? "550 5.1.1 No such user here\r\n" : /^QUIT/i.test(line) ? "221 Bye\r\n" : "250 OK\r\n");
      }
    });
    socket.on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

async function preparePostfix(
  folder: string,
  next: { host: string; port: number },
  ports: { policy: number; refuser: number },
) {
  const port = await findFreePort();
  const own = mkdtempSync(join(folder, "postfix-"));
  chmodSync(own, 0o755);
  const transports = join(own, "transports");
  writeFileSync(transports, `/\\+gone@/ smtp:[127.0.0.1]:${ports.refuser}\n`);
  const settings = {
    mynetworks: "127.0.0.0/8",
    smtpd_relay_restrictions: "permit_mynetworks, reject",
    smtpd_recipient_restrictions: `check_policy_service inet:127.0.0.1:${ports.policy}, permit_mynetworks, reject`,
    transport_maps: `regexp:${transports}`,
  };
  const services = [`127.0.0.1:${port} inet n - n - - smtpd`, "anvil unix - - n - 1 anvil"];
  const etc = await writePostfixFiles(own, { hostname: "relay.example", next, settings, services });
  let master: ChildProcess | null = null;
  const stop = async () => {
    if (master === null) return;
    const ended = once(master, "exit");
    await run(postfixProgram, ["-c", etc, "abort"]).catch(() => {});
    master.kill("SIGTERM");
    await ended;
    master = null;
  };
  return {
    port,
    start: async () => {
      master = spawn(postfixProgram, ["-c", etc, "start-fg"], { stdio: "ignore" });
      while (!(await greets(port))) await sleep(100);
    },
    stop,
    /** Releases what is on hold. */
    release: async () => {
      await run("/usr/sbin/postsuper", ["-c", etc, "-H", "ALL"]);
      await run("/usr/sbin/postqueue", ["-c", etc, "-f"]);
    },
    /** Message-IDs of what it took, once for each time. */
    listTaken: () =>
      [...readFileSync(join(own, "log"), "utf8").matchAll(/cleanup\[\d+\]: \w+: message-id=<([^>]*)>/g)].map(
        ([, id = ""]) => id,
      ),
  };
}
