// Several Assay processes on one PostgreSQL behind a real HAProxy, which tells them the client's address with the PROXY
// protocol. A process that is replaced keeps its ports.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findPrograms, startPostgres } from "../../test/postgres.ts";
import { type AssayProcess, startAssay } from "../assay-process.ts";
import { findFreePorts, isOpen } from "../ports.ts";
import { until } from "../until.ts";

export type Cluster = {
  readonly databaseUrl: string | null;
  /** Of HAProxy. */
  readonly smtp: { readonly host: string; readonly port: number };
  readonly http: string;
  readonly members: readonly Member[];
  /** For commands that run beside the processes. */
  readonly environment: Readonly<Record<string, string>>;
  readonly dataDirOf: (member: number) => string;
  readonly start: (member: number, command?: readonly string[]) => Promise<AssayProcess>;
  readonly stop: () => Promise<void>;
};

export type Member = { process: AssayProcess };

type Terms = {
  readonly size: number;
  readonly database: "sqlite" | "postgres";
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
};

const haproxy = "/usr/sbin/haproxy";
const host = "127.0.0.1";
/** Acknowledged means on disk, as in production. */
const durable = { fsync: "on", full_page_writes: "on" };

export function lacksCluster(): string | undefined {
  const missing = [existsSync(haproxy) ? [] : "haproxy", findPrograms() ? [] : "postgresql"].flat();
  return missing.length > 0 ? `Debian's ${missing.join(" and ")}` : undefined;
}

export async function startCluster({ size, database, command, environment: more }: Terms): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "assay-scale-"));
  const postgres = database === "postgres" ? await startPostgres(findPrograms() ?? "", durable) : null;
  const [smtpPort = 0, httpPort = 0, ...ports] = await findFreePorts(2 + 2 * size);
  const portsOf = (member: number) => ({ smtp: ports[2 * member] ?? 0, http: ports[2 * member + 1] ?? 0 });
  const environment = {
    ...(postgres && { ASSAY_DATABASE_URL: postgres.url, ASSAY_SECRET_KEY: "k".repeat(32) }),
    ASSAY_SMTP_PROXY_FROM: host,
    ASSAY_TRUSTED_PROXIES: host,
    ASSAY_MIN_FREE_BYTES: "0",
    ASSAY_SMTP_MAX_CLIENTS: "400",
    ASSAY_SMTP_MAX_CLIENTS_PER_ADDRESS: "400",
    ...more,
  };
  const dataDirOf = (member: number) => join(folder, `data-${member}`);
  const start = (member: number, program = command) => {
    const { smtp, http } = portsOf(member);
    const own = { ASSAY_SMTP_LISTEN: `${host}:${smtp}`, ASSAY_HTTP_PORT: `${http}` };
    return startAssay({
      dataDir: dataDirOf(member),
      ...(program && { command: program }),
      environment: { ...environment, ...own },
    });
  };
  const numbers = Array.from({ length: size }, (_, member) => member);
  const members: Member[] = [];
  for (const member of numbers) members.push({ process: await start(member) });
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, toConfig({ smtpPort, httpPort }, numbers.map(portsOf)));
  const balancer = spawn(haproxy, ["-f", file, "-db"], { stdio: "ignore" });
  process.once("exit", () => balancer.kill("SIGKILL"));
  await until("HAProxy listens", () => isOpen(smtpPort));
  await sleep(1_500); // the first health checks
  return {
    databaseUrl: postgres?.url ?? null,
    smtp: { host, port: smtpPort },
    http: `http://${host}:${httpPort}`,
    members,
    environment,
    dataDirOf,
    start,
    stop: async () => {
      await Promise.all(members.map((member) => member.process.end("SIGKILL")));
      await end(balancer);
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  const ended = child.exitCode === null ? once(child, "exit") : null;
  child.kill("SIGKILL");
  await ended;
}

/** The handbook's configuration (src/handbook/scale.md), for this machine. */
function toConfig(
  { smtpPort, httpPort }: { readonly smtpPort: number; readonly httpPort: number },
  members: readonly { readonly smtp: number; readonly http: number }[],
): string {
  return `defaults
  timeout connect 5s
  timeout client 10m
  timeout server 10m
  option redispatch 1
  retries 3
  default-server check inter 500ms fall 2 rise 1
listen mail
  mode tcp
  bind ${host}:${smtpPort}
  balance leastconn
  option httpchk GET /readyz
${members.map(({ smtp, http }, index) => `  server assay-${index} ${host}:${smtp} send-proxy-v2 check port ${http}`).join("\n")}
listen web
  mode http
  bind ${host}:${httpPort}
  balance roundrobin
  option forwardfor
  option httpchk GET /readyz?for=web
${members.map(({ http }, index) => `  server assay-${index} ${host}:${http}`).join("\n")}
`;
}
