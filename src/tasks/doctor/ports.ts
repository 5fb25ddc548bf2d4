import type { ProbedPort } from "../../system/probe-port.ts";
import { toVisibleCut } from "../../visible-text.ts";
import { createHeading, type DoctorRow, type Examination, type Heading, type Probes } from "./row.ts";

type Expected = ProbedPort & {
  readonly ours: RegExp;
  readonly what: string;
  readonly setting: { readonly host: string; readonly port: string };
};

export const examineSmtpPorts: Examination = async ({ config, probes }) => {
  return Promise.all(
    config.smtpListen.map(({ host, port }) =>
      portRow(
        createHeading("smtp-port", "SMTP port"),
        {
          host,
          port,
          ours: /^220[ -].*\bAssay\b/,
          what: "SMTP listener",
          setting: { host: "ASSAY_SMTP_LISTEN", port: "ASSAY_SMTP_LISTEN" },
        },
        probes,
      ),
    ),
  );
};

export const examineHttpPort: Examination = async ({ config, probes }) => {
  const expected: Expected = {
    host: config.httpHost,
    port: config.httpPort,
    tls: config.httpTlsCert !== null,
    say: "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    ours: /^HTTP\/1\.1 200 /,
    what: "web server",
    setting: { host: "ASSAY_HTTP_HOST", port: "ASSAY_HTTP_PORT" },
  };
  return [await portRow(createHeading("http-port", "HTTP port"), expected, probes)];
};

/** Binding is tried first: where that succeeds nobody listens, and where the address is not ours nobody is disturbed. */
async function portRow(heading: Heading, expected: Expected, probes: Probes): Promise<DoctorRow> {
  const { host, port, what, setting } = expected;
  const where = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  if (port === 0) return heading.grey("The system chooses it at each start.");
  const trouble = await probes.tryBind(host, port);
  if (trouble === null)
    return heading.grey(`Our ${what} is not running; ${where} is free.`, "Start it with: assay serve");
  if (trouble === "EADDRNOTAVAIL")
    return heading.red(`This machine has no address ${host}.`, `Name one that it has in ${setting.host}.`);
  const outcome = await probes.knock({ ...expected, host: toReachable(host) });
  if (outcome.state === "closed") return closedPortRow(heading, where, trouble, setting.port);
  if (outcome.state === "answered" && expected.ours.test(outcome.firstLine))
    return heading.green(`Our ${what} answers at ${where}: ${toVisibleCut(outcome.firstLine, 100)}`);
  const heard =
    outcome.state === "answered" ? `says ${toVisibleCut(outcome.firstLine, 100)}` : "says nothing";
  return heading.red(
    `Another program holds ${where} and ${heard}.`,
    `Stop it, or name another port in ${setting.port}.`,
  );
}

function closedPortRow(heading: Heading, where: string, trouble: string, setting: string): DoctorRow {
  if (trouble === "EACCES")
    return heading.red(
      `${where} may not be opened by this user.`,
      "Ports under 1024 need the capability CAP_NET_BIND_SERVICE (the systemd unit in the handbook sets it: /docs/production).",
    );
  return heading.red(`${where} cannot be opened (${trouble}).`, `Name another port in ${setting}.`);
}

/** One listens on "all addresses" and cannot connect to them. */
export function toReachable(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
}
