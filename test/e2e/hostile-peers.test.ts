// Every server that Assay calls, with each way in which it can be broken or hostile: the call ends, an answer without end is
// cut, a redirect isn't followed, and what an operator reads has no control characters. test/platform/system/fetch-doors.test.ts
// has more about HTTP, and test/features/mailboxes/work/hostile.test.ts about IMAP.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { runProgram, startAssay } from "../../scripts/assay-process.ts";
import { makeToken, takeFirstMessage } from "../../scripts/first-message.ts";
import { findFreePort } from "../../scripts/ports.ts";
import { sendMail } from "../../scripts/smtp-client.ts";
import { behaviors, type HostilePeer, httpBehaviors, startHostilePeer } from "../hostile-peer.ts";
import { fewOf, lane } from "../lanes.ts";
import { testProgram } from "../program.ts";
import { type Peer, peers } from "./hostile-peers-table.ts";

const patienceMs = 60_000;
/** What the largest accepted answer has (4 MiB, S3), twice for the second try, and what the kernel buffers of each. */
const mostTaken = 40_000_000;

let elsewhere: HostilePeer;
beforeAll(async () => {
  elsewhere = await startHostilePeer((socket) => void socket.end());
});
afterAll(() => elsewhere.close());

type Outcome = { readonly how: string; readonly says: string; readonly taken: number };

async function meet(name: string, how: string): Promise<Outcome> {
  const { ask, opening = "", isHttp = false }: Peer = peers[name as keyof typeof peers];
  const all = { ...behaviors, ...(isHttp && httpBehaviors(`http://127.0.0.1:${elsewhere.port}/`)) };
  const peer = await startHostilePeer(all[how as keyof typeof all], opening);
  if (how === refused) peer.close();
  const late = new AbortController();
  try {
    const says = await Promise.race([
      ask(peer.port).catch((error: unknown) => `broke: ${error}`),
      sleep(patienceMs, "never ended", { signal: late.signal }).catch(() => ""),
    ]);
    return { how, says, taken: peer.taken() };
  } finally {
    late.abort();
    peer.close();
  }
}

const refused = "refuses the connection";

test.concurrent.each(fewOf(Object.keys(peers)))(
  "%s can be hostile in every way",
  async (name) => {
    const { isHttp = false, accepts = [] }: Peer = peers[name as keyof typeof peers];
    const ways = [refused, ...Object.keys({ ...behaviors, ...(isHttp && httpBehaviors("")) })];
    // What bounds an answer without end is how much was taken. How soon, depends on the machine.
    const outcomes = await Promise.all(ways.map((how) => meet(name, how)));
    const wrong = outcomes.filter(
      ({ how, says, taken }) =>
        /^(?:broke|never)/.test(says) ||
        /[\p{Cc}\u202e]/u.test(says) ||
        taken > mostTaken ||
        (says === "fine" && !accepts.includes(how)),
    );
    expect(wrong).toEqual([]);
    expect(elsewhere.connections()).toBe(0);
  },
  90_000,
);

/** Which server the program meets where. */
const places = {
  ASSAY_RSPAMD_URL: ["rspamd", (port: number) => `http://127.0.0.1:${port}`],
  ASSAY_SPAMD_ADDRESS: ["SpamAssassin", (port: number) => `127.0.0.1:${port}`],
  ASSAY_CLAMD: ["clamd", (port: number) => `127.0.0.1:${port}`],
  ASSAY_SEND_SMTP_URL: ["the relay", (port: number) => `smtp://127.0.0.1:${port}`],
  ASSAY_S3_URL: ["S3, to list backups", (port: number) => `http://k:s@127.0.0.1:${port}/backups`],
} as const;

const command = await testProgram();

/** Only `npm run test:all` starts the program for the last two. */
const togetherThey = [
  "never answers",
  "answers with escape sequences",
  "sends a byte now and then in mid-answer",
  "sends blank lines without end",
] as const;

test.each(togetherThey.slice(0, lane === "all" ? 4 : 2))(
  "with every server that %s, Assay receives, analyzes, explains itself, and stops",
  async (how) => {
    const dataDir = mkdtempSync(join(tmpdir(), "assay-peers-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const httpPort = await findFreePort();
    const environment: Record<string, string> = {
      ASSAY_HTTP_PORT: String(httpPort),
      ASSAY_BASE_URL: `http://127.0.0.1:${httpPort}`,
      ASSAY_MIN_FREE_BYTES: "0",
      ASSAY_SECRET_KEY: "k".repeat(32),
      ASSAY_ALERT_FROM: "alerts@assay.example",
      ASSAY_BACKUP_TO: "s3://backups/x",
      ASSAY_ANALYSIS_BUDGET_MS: "2000",
      ASSAY_ALLOW_PRIVATE_TARGETS: "127.0.0.0/8",
    };
    const meetPeer = async (name: keyof typeof peers) => {
      const peer = await startHostilePeer(behaviors[how], (peers[name] as Peer).opening);
      onTestFinished(peer.close);
      return peer.port;
    };
    for (const [setting, [name, toValue]] of Object.entries(places))
      environment[setting] = toValue(await meetPeer(name));
    const imapPort = await meetPeer("a mailbox");
    environment.ASSAY_IMAP_PORTS = String(imapPort);
    const issuer = `http://127.0.0.1:${await meetPeer("the login provider")}`;
    environment.ASSAY_OIDC = join(dataDir, "oidc.json");
    writeFileSync(
      environment.ASSAY_OIDC,
      JSON.stringify({
        issuers: { sso: { label: "SSO", issuer, clientId: "assay", roles: [{ when: "everyone", role: "member" }] } },
      }),
    );
    const program = { dataDir, command, environment };
    const server = await startAssay(program);
    onTestFinished(() => void server.end("SIGKILL"));

    // Mail is received and analyzed, and what no scanner said is unknown.
    await takeFirstMessage(server, program, patienceMs);
    const { token, workspaceId } = makeToken(program);
    const headers = {
      authorization: `Bearer ${token}`,
      "x-workspace-id": workspaceId,
      "content-type": "application/json",
    };
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(server.http + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      return { status: answer.status, text: await answer.text() };
    };
    const [first] = JSON.parse((await call("GET", "/api/tests")).text).items;
    const { text: report } = await call("GET", `/api/tests/${first.id}/report`);
    expect(report).toMatch(/did not respond|didn’t respond|silent|unfit/);

    // The server check says which servers are to blame.
    const { stdout } = await runProgram(program, ["doctor", "--json"]);
    const rows = JSON.parse(stdout).items as { id: string; state: string; says: string }[];
    for (const id of ["relay", "malware", "spam-filter", "login-provider", "backups"])
      expect(rows.filter((row) => row.id === id).map(({ state }) => state)).toContain("red");
    expect(JSON.stringify(rows)).not.toMatch(/\\u00(?:0|1[0-9a-f])|\\u202e/);

    // People wait for all of them at once, and the others are served meanwhile.
    const imap = { host: "localhost", port: imapPort, tls: true, user: "ann", password: "x" };
    const hook = `http://127.0.0.1:${await meetPeer("a webhook's receiver")}/`;
    const alert = { label: "hook", url: hook, kind: "json", events: ["test.low_score"] };
    const relay = {
      name: "theirs",
      url: `smtp://127.0.0.1:${await meetPeer("a member's relay")}`,
      mailFrom: "a@assay.example",
    };
    const [alertId, relayId] = await Promise.all(
      [call("POST", "/api/alerts", alert), call("POST", "/api/relays", relay)].map(
        async (made) => JSON.parse((await made).text).id,
      ),
    );
    const waiting = Promise.allSettled([
      call("POST", "/api/tests/send-test", { subject: "x", from: server.seedAddress }),
      call("POST", `/api/alerts/${alertId}/test`),
      call("POST", `/api/relays/${relayId}/test`),
      call("POST", "/api/integrations/imap", imap),
      call("GET", "/api/oidc/sso/start"),
      call("GET", "/api/doctor?fresh=1"),
    ]);
    expect((await call("GET", "/api/tests")).status).toBe(200);
    expect((await fetch(`${server.http}/readyz`)).status).toBe(200);
    const again = { from: "a@sender.example", to: [server.seedAddress], body: "Subject: again\n\nHello.\n" };
    expect(await sendMail(server.smtp, again)).toMatch(/^250/);

    // No server holds up the end for as long as an operating system waits, and Assay wrote each line of the log.
    expect(await Promise.race([server.end("SIGTERM"), sleep(60_000, "still running")])).toBe(0);
    await waiting;
    expect(server.log.filter(({ level }) => level === undefined)).toEqual([]);
    expect(JSON.stringify(server.log)).not.toMatch(/forged/);
  },
  180_000,
);
