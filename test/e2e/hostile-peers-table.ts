// The servers that Assay calls. `ask` returns what an operator reads, and "fine" if the server seems to work.

import { known, unknown } from "../../src/analyzer/checks/fact.ts";
import { askClamdVersion, scanWithClamd } from "../../src/analyzer/facts/clamd.ts";
import { askRspamd } from "../../src/analyzer/facts/rspamd.ts";
import { askSpamd } from "../../src/analyzer/facts/spamd.ts";
import { claimedSession } from "../../src/analyzer/mail/session/session.ts";
import { postToReceiver } from "../../src/features/alerts/work/targets.ts";
import { createPayments } from "../../src/features/billing/work/payments.ts";
import { connectMailbox } from "../../src/features/mailboxes/work/connection.ts";
import { describeTrouble } from "../../src/features/mailboxes/work/problems.ts";
import { createIssuerClients } from "../../src/features/oidc/work/issuer-clients.ts";
import { deliverThrough, whyNoRelay } from "../../src/features/sending/work/guarded-relay.ts";
import { createRelayTransport } from "../../src/features/sending/work/transports.ts";
import { messageOf } from "../../src/platform/errors.ts";
import { createFetchOperator, createFetchStranger } from "../../src/platform/system/fetch-doors.ts";
import { createCertificateAsker } from "../../src/platform/system/mail-certificate.ts";
import { toFailure } from "../../src/platform/system/oauth-failure.ts";
import { createS3Objects } from "../../src/platform/system/object-s3.ts";
import { toObjectKey } from "../../src/platform/system/objects.ts";
import { probePort } from "../../src/platform/system/probe-port.ts";
import { createS3Files } from "../../src/platform/system/s3-files.ts";
import { streamToOperator } from "../../src/platform/system/stream-exchange.ts";
import { testSystem } from "../test-system.ts";

export type Peer = {
  /** What a working server begins with. */
  readonly opening?: string;
  readonly isHttp?: boolean;
  /** Ways that are no trouble, because the answer doesn't matter. */
  readonly accepts?: readonly string[];
  readonly ask: (port: number) => Promise<string>;
};

const timeoutMs = 1_000;
const host = "127.0.0.1";
const fetchOperator = createFetchOperator();
const fetchStranger = createFetchStranger({
  allow: { all: true, networks: [] },
  resolveHost: async () => ({ ok: true, addresses: [host] }),
});
const httpHead = "HTTP/1.1 200 OK\r\n\r\n";
const raw = Buffer.from("Subject: hello\r\n\r\nbody\r\n");
const message = {
  raw,
  session: claimedSession({ clientAddress: null, helo: null, mailFrom: null, rcptTo: [] }),
  clientName: null,
  receiver: "mx.example",
  receivedAt: 0,
};
const outgoing = { mark: null as never, mailFrom: "a@shop.example", rcptTo: "b@shop.example", raw };
const ourName = "mx.example";

function toSays(fact: { readonly known: boolean; readonly why?: unknown }): string {
  return fact.known ? "fine" : `unknown: ${fact.why}`;
}

async function whyNot(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "fine";
  } catch (error) {
    return messageOf(error);
  }
}

const s3Terms = (port: number) => ({
  endpoint: `http://${host}:${port}`,
  bucket: "mail",
  region: "r",
  accessKey: "k",
  secretKey: "s",
  prefix: "",
  timeoutMs,
});

async function withS3(port: number, work: (objects: ReturnType<typeof createS3Objects>) => Promise<unknown>) {
  const objects = createS3Objects(s3Terms(port));
  return await whyNot(work(objects)).finally(() => objects.close());
}

const key = toObjectKey("tst_1", Buffer.alloc(16));

async function* chunks() {
  yield raw;
}

async function withFiles(port: number, work: (files: ReturnType<typeof createS3Files>) => Promise<unknown>) {
  const files = createS3Files(s3Terms(port));
  return await whyNot(work(files)).finally(() => files.close());
}

const issuer = (port: number) => ({
  name: "sso",
  label: "SSO",
  url: `http://${host}:${port}`,
  key: `http://${host}:${port}`,
  clientId: "assay",
  clientSecret: "s",
  clientSecretFile: null,
  scopes: ["openid"],
  parameters: {},
  emailClaim: "email",
  trustEmail: false,
  roles: [],
});

const operatorRelay = (url: string) => ({ url, name: ourName, findAddresses: null });
const memberRelay = (port: number) => ({
  url: `smtp://relay.example:${port}`,
  name: ourName,
  findAddresses: async () => ({ ok: true as const, addresses: [host] }),
});

async function logIn(port: number, tls: "implicit" | "starttls"): Promise<string> {
  const server = { host: "localhost", port, tls };
  const login = { user: "ann", password: "x" };
  try {
    const terms = { server, login, findAddresses: null, ca: null, patienceMs: timeoutMs, idles: false };
    (await connectMailbox(terms)).close();
    return "fine";
  } catch (error) {
    return describeTrouble("localhost", error).problem;
  }
}

export const peers = {
  rspamd: {
    isHttp: true,
    opening: httpHead,
    ask: async (port) => toSays(await askRspamd(`http://${host}:${port}`, message, fetchOperator, timeoutMs)),
  },
  SpamAssassin: {
    opening: "SPAMD/1.1 0 EX_OK\r\n",
    ask: async (port) => toSays(await askSpamd({ host, port }, message, streamToOperator, timeoutMs)),
  },
  clamd: {
    opening: "stream: O",
    ask: async (port) => toSays(await scanWithClamd({ host, port }, raw, streamToOperator, timeoutMs)),
  },
  "clamd in the server check": {
    opening: "ClamAV",
    ask: async (port) => {
      const version = await askClamdVersion({ host, port }, streamToOperator, timeoutMs);
      return toSays(version === undefined ? unknown("silent") : known(version));
    },
  },
  "S3, to store a message": {
    isHttp: true,
    opening: httpHead,
    ask: (port) => withS3(port, (objects) => objects.put(key, raw)),
  },
  "S3, to read a message": {
    isHttp: true,
    opening: httpHead,
    ask: (port) =>
      withS3(port, async (objects) => {
        const read = await objects.get(key, raw.length);
        // Its hash is compared with that of the row.
        if (read === undefined || Buffer.compare(read, raw) !== 0) throw new Error("not the message");
      }),
  },
  "S3, to list messages": {
    isHttp: true,
    opening: httpHead,
    ask: (port) => withS3(port, (objects) => objects.list(null)),
  },
  "S3, to list backups": { isHttp: true, opening: httpHead, ask: (port) => withFiles(port, (files) => files.list()) },
  "S3, to store a backup": {
    isHttp: true,
    opening: httpHead,
    ask: (port) => withFiles(port, (files) => files.put("backup", chunks(), raw.length)),
  },
  "S3, to read a backup": {
    isHttp: true,
    opening: httpHead,
    ask: (port) => withFiles(port, (files) => Array.fromAsync(files.read("backup", raw.length))),
  },
  "the relay": {
    opening: "220 relay ESMTP\r\n",
    ask: async (port) => {
      const transport = createRelayTransport(`smtp://${host}:${port}`, ourName);
      return await whyNot(transport.deliver(outgoing, AbortSignal.timeout(timeoutMs))).finally(transport.close);
    },
  },
  "the relay in the server check": {
    opening: "220 relay ESMTP\r\n",
    ask: async (port) => (await whyNoRelay(operatorRelay(`smtp://${host}:${port}`))) ?? "fine",
  },
  "a member's relay": {
    opening: "220 relay ESMTP\r\n",
    ask: (port) => whyNot(deliverThrough(memberRelay(port), outgoing, AbortSignal.timeout(timeoutMs))),
  },
  "a member's relay that is tried out": {
    opening: "220 relay ESMTP\r\n",
    ask: async (port) => (await whyNoRelay(memberRelay(port), AbortSignal.timeout(timeoutMs))) ?? "fine",
  },
  "the payment provider": {
    isHttp: true,
    opening: httpHead,
    ask: async (port) => {
      const system = testSystem();
      const payments = createPayments({
        secretKey: "sk",
        webhookSecret: null,
        apiUrl: `http://${host}:${port}`,
        system: { ...system, fetchOperator },
      });
      const says = await whyNot(payments.createPortal("cus_1", "https://assay.example/"));
      return `${says} ${system.logged.map(({ fields }) => fields.problem).join(" ")}`;
    },
  },
  "the login provider": {
    isHttp: true,
    opening: httpHead,
    ask: async (port) => {
      const clients = createIssuerClients({ issuers: [issuer(port)], system: { ...testSystem(), fetchOperator } });
      try {
        await clients.open(issuer(port));
        return "fine";
      } catch (error) {
        return JSON.stringify(toFailure(error));
      }
    },
  },
  "a webhook's receiver": {
    isHttp: true,
    opening: httpHead,
    accepts: [
      "sends a byte now and then in mid-answer",
      "sends a line without end in mid-answer",
      "sends blank lines without end",
      "sends lines without end",
      "closes in mid-answer",
      "answers with escape sequences",
      "announces more than it sends",
    ],
    ask: async (port) => {
      const url = `http://receiver.example:${port}/`;
      const outcome = await postToReceiver({ fetchStranger }, { url, headers: {}, body: "{}" });
      return !outcome.ok ? outcome.problem : outcome.status < 300 ? "fine" : String(outcome.status);
    },
  },
  "a mailbox": { opening: "* OK hello\r\n", ask: (port) => logIn(port, "starttls") },
  "a mailbox with TLS from the first byte": { ask: (port) => logIn(port, "implicit") },
  "a monitored domain's mail server": {
    opening: "220 mx ESMTP\r\n",
    ask: async (port) => {
      const guard = async () => ({ ok: true as const, addresses: [host] });
      const ask = createCertificateAsker({ guard, now: () => 0, ownName: ourName, port, timeoutMs });
      return toSays(await ask("mx.example"));
    },
  },
  "a port of this machine in the server check": {
    opening: "HTTP/1.1 200",
    ask: async (port) => {
      const { state } = await probePort({ host, port, say: "GET / HTTP/1.0\r\n\r\n" });
      return state;
    },
  },
  HTTPS: {
    ask: async (port) => {
      const outcome = await fetchStranger(`https://policy.example:${port}/`, { timeoutMs, maxBytes: 1_000 });
      return outcome.ok ? "fine" : outcome.problem;
    },
  },
  "the relay with TLS from the first byte": {
    ask: async (port) => (await whyNoRelay(operatorRelay(`smtps://${host}:${port}`))) ?? "fine",
  },
  "a relay with STARTTLS": {
    opening: "220 relay ESMTP\r\n250-relay\r\n250 STARTTLS\r\n220 go\r\n",
    ask: async (port) => (await whyNoRelay(operatorRelay(`smtp://user:pa55@${host}:${port}`))) ?? "fine",
  },
} as const satisfies Readonly<Record<string, Peer>>;
