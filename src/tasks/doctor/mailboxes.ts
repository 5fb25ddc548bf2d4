// How the seed mailboxes fare. The running server is asked and not the database, which the doctor never touches.

import { toHostPort } from "../../setting-kinds.ts";
import { toReachable } from "./ports.ts";
import { createHeading, type Examination, type Patient } from "./row.ts";

const figure = /^assay_mailboxes\{status="(connecting|connected|trouble|reconnect)"\} (\d+)$/gm;

export const examineMailboxes: Examination = async (patient) => {
  const heading = createHeading("mailboxes", "Seed mailboxes");
  const metrics = await readMetrics(patient);
  if (metrics === undefined)
    return [heading.grey("How they fare cannot be told: our web server does not answer.")];
  const counts = new Map([...metrics.matchAll(figure)].map(([, status, count]) => [status, Number(count)]));
  const countOf = (status: string) => counts.get(status) ?? 0;
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const see = "GET /api/integrations says of each what it is.";
  if (total === 0) return [heading.grey("None is connected.")];
  if (countOf("reconnect") > 0)
    return [
      heading.red(
        `${countOf("reconnect")} of ${total} wait for a person: a password or a consent is no longer good.`,
        `Give them a new password, or connect them again. ${see}`,
      ),
    ];
  if (countOf("trouble") > 0)
    return [heading.red(`${countOf("trouble")} of ${total} cannot be watched; they are tried again.`, see)];
  return [heading.green(`${countOf("connected")} of ${total} are connected.`)];
};

async function readMetrics({ config, system, probes }: Patient): Promise<string | undefined> {
  const { httpPort: port, httpTlsCert, metricsToken } = config;
  const door = { host: toReachable(config.httpHost), port, tls: httpTlsCert !== null };
  const say = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  if (port === 0 || (await probes.knock({ ...door, say })).state !== "answered") return undefined;
  const outcome = await system.fetchOperator(`http${door.tls ? "s" : ""}://${toHostPort(door)}/metrics`, {
    timeoutMs: 3_000,
    maxBytes: 4_000_000,
    ...(metricsToken !== null && { headers: { authorization: `Bearer ${metricsToken}` } }),
  });
  return outcome.ok && outcome.status === 200 ? Buffer.from(outcome.body).toString("utf8") : undefined;
}
