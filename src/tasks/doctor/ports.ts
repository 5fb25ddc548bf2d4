import type { Door } from "../../system/knock.ts";
import { toVisibleCut } from "../../visible-text.ts";
import { createHeading, type DoctorRow, type Examination, type Heading, type Probes } from "./row.ts";

type Expected = Door & { readonly ours: RegExp; readonly what: string; readonly setting: string };

export const examineSmtpPorts: Examination = async ({ config, probes }) => {
  return Promise.all(
    config.smtpListen.map(({ host, port }) =>
      portRow(
        createHeading("smtp-port", "SMTP port"),
        { host, port, ours: /^220[ -].*\bAssay\b/, what: "SMTP listener", setting: "ASSAY_SMTP_LISTEN" },
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
    setting: "ASSAY_HTTP_PORT",
  };
  return [await portRow(createHeading("http-port", "HTTP port"), expected, probes)];
};

async function portRow(heading: Heading, expected: Expected, probes: Probes): Promise<DoctorRow> {
  const { port, what, setting } = expected;
  const where = `${expected.host.includes(":") ? `[${expected.host}]` : expected.host}:${port}`;
  if (port === 0) return heading.grey("The system chooses it at each start.");
  const outcome = await probes.knock({ ...expected, host: toReachable(expected.host) });
  if (outcome.state === "closed") return freePortRow(heading, expected, where, probes);
  if (outcome.state === "answered" && expected.ours.test(outcome.firstLine))
    return heading.green(`Our ${what} answers at ${where}: ${toVisibleCut(outcome.firstLine, 100)}`);
  const heard =
    outcome.state === "answered" ? `says ${toVisibleCut(outcome.firstLine, 100)}` : "says nothing";
  return heading.red(
    `Another program holds ${where} and ${heard}.`,
    `Stop it, or set ${setting} to another port.`,
  );
}

async function freePortRow(
  heading: Heading,
  { host, port, setting, what }: Expected,
  where: string,
  probes: Probes,
): Promise<DoctorRow> {
  const trouble = await probes.tryBind(host, port);
  if (trouble === null)
    return heading.grey(`Our ${what} is not running; ${where} is free.`, "Start it with: assay serve");
  if (trouble === "EACCES")
    return heading.red(
      `${where} may not be opened by this user.`,
      "Ports under 1024 need the capability CAP_NET_BIND_SERVICE (the systemd unit in README gives it).",
    );
  if (trouble === "EADDRNOTAVAIL")
    return heading.red(
      `This machine has no address ${host}.`,
      `Set ${setting.replace("PORT", "HOST")} to one that it has.`,
    );
  return heading.red(`${where} cannot be opened (${trouble}).`, `Set ${setting} to another port.`);
}

/** One listens on "all addresses" and cannot connect to them. */
function toReachable(host: string): string {
  return { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
}
