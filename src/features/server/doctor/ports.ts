import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import type { ProbedPort } from "../../../platform/system/probe-port.ts";
import { createHeading, type DoctorRow, type Examination, type Heading, type Probes } from "./row.ts";

type Expected = ProbedPort & {
  readonly ours: RegExp;
  readonly setting: { readonly host: string; readonly port: string };
};

export const examineSmtpPorts: Examination = async ({ config, probes }) => {
  return Promise.all(
    config.smtpListen.map(({ host, port }) =>
      portRow(
        createHeading("smtp-port", "SMTP port"),
        { host, port, ours: /^220[ -].*\bAssay\b/, setting: { host: "ASSAY_SMTP_LISTEN", port: "ASSAY_SMTP_LISTEN" } },
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
    setting: { host: "ASSAY_HTTP_HOST", port: "ASSAY_HTTP_PORT" },
  };
  return [await portRow(createHeading("http-port", "Web port"), expected, probes)];
};

/** Binding comes first. If it succeeds, nothing listens there, and no other server is contacted. */
async function portRow(heading: Heading, expected: Expected, probes: Probes): Promise<DoctorRow> {
  const { host, port, setting } = expected;
  const where = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  if (port === 0) return heading.grey("Port 0: the system chooses a port at each start.");
  const trouble = await probes.tryBind(host, port);
  if (trouble === null) return heading.grey(`Assay is not running. ${where} is free.`, "Start Assay.");
  if (trouble === "EADDRNOTAVAIL")
    return heading.red(
      `This machine does not have the address ${host}.`,
      `Set ${setting.host} to one of its addresses.`,
    );
  const outcome = await probes.knock({ ...expected, host: toReachable(host) });
  if (outcome.state === "closed") return closedPortRow(heading, where, trouble, setting.port);
  if (outcome.state === "answered" && expected.ours.test(outcome.firstLine))
    return heading.green(`Assay responds at ${where}.`);
  const heard =
    outcome.state === "answered" ? `It responded: ${toVisibleCut(outcome.firstLine, 100)}` : "It did not respond.";
  return heading.red(`Another program uses ${where}. ${heard}`, `Stop it, or set ${setting.port} to another port.`);
}

function closedPortRow(heading: Heading, where: string, trouble: string, setting: string): DoctorRow {
  if (trouble === "EACCES")
    return heading.red(
      `This user may not listen on ${where}.`,
      "Ports below 1024 need CAP_NET_BIND_SERVICE. The systemd unit in the handbook grants it: /docs/production.",
    );
  return heading.red(`Cannot listen on ${where} (${trouble}).`, `Set ${setting} to another port.`);
}

/** "All addresses" can be listened on, but not connected to. */
export function toReachable(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
}
