// The true program and a collector: what it gets to know, and that mail goes on without one.

import { mkdtempSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type AssayProcess, runProgram, startAssay } from "../../scripts/assay-process.ts";
import { openSession } from "../../scripts/smtp-client.ts";
import { toTraceId } from "../../src/telemetry/spans.ts";
import { type Collector, type SeenSpan, startCollector } from "../otlp-collector.ts";
import { testProgram } from "../program.ts";

const program = await testProgram();

test("a collector gets the trace of each message and the values of /metrics, and nothing that is personal", async () => {
  const collector = await startCollector();
  onTestFinished(collector.close);
  const dataDir = openFolder();
  const server = await start(dataDir, {
    ASSAY_OTLP_ENDPOINT: `${collector.url}/`,
    ASSAY_OTLP_HEADERS: "Authorization=Bearer collectors-secret,x-team=mail",
    ASSAY_OTLP_SERVICE: "assay-test",
  });
  const { token, workspaceId } = await createToken(dataDir);
  await send(server);
  const testId = await untilAnalyzed(server);
  const asked = { headers: { authorization: `Bearer ${token}`, "x-workspace-id": workspaceId } };
  expect((await fetch(`${server.http}/api/tests/${testId}?utm_source=private-query`, asked)).status).toBe(
    200,
  );
  expect((await fetch(`${server.http}/healthz`)).status).toBe(200);
  const figures = await (await fetch(`${server.http}/metrics`)).text();
  expect(await server.end("SIGTERM")).toBe(0);

  const own = collector.spans.filter(({ traceId }) => traceId === toTraceId(testId));
  const named = (name: string) => own.filter((span) => span.name === name);
  const [received, analyzed] = [only(named("receive message")), only(named("analyze message"))];
  expect(received.parentId).toBe("");
  expect(received.attributes).toMatchObject({ "assay.test.id": testId, "assay.door": "smtp" });
  expect(analyzed.parentId).toBe(received.spanId);
  expect(analyzed).toMatchObject({ failed: false, attributes: { "assay.outcome": "answer" } });
  for (const name of ["read data", "store message"]) expect(only(named(name)).parentId).toBe(received.spanId);
  for (const name of ["recognising", "reading", "verifying", "judging", "writing"])
    expect(only(named(name)).parentId, name).toBe(analyzed.spanId);
  const queries = own.filter(({ name }) => name.startsWith("DNS "));
  expect(queries.length).toBeGreaterThan(3);
  for (const { parentId, attributes, failed } of queries) {
    expect(parentId).toBe(only(named("verifying")).spanId);
    expect(Object.keys(attributes).sort()).toEqual(["assay.dns.status", "dns.question.type"]);
    expect(failed).toBe(true);
  }
  for (const one of own) {
    expect(one.endedAt).toBeGreaterThanOrEqual(one.startedAt);
    const above = own.find(({ spanId }) => spanId === one.parentId);
    if (above) expect(one.startedAt).toBeGreaterThanOrEqual(above.startedAt);
  }

  const request = only(collector.spans.filter(({ name }) => name === "GET /api/tests/:id"));
  expect(request).toMatchObject({ kind: 2, attributes: { "http.route": "/api/tests/:id" } });
  expect(collector.spans.filter(({ name }) => /healthz|metrics|tst_/.test(name))).toEqual([]);
  expect(collector.spans.some(({ name }) => name.startsWith("chore "))).toBe(true);

  expect(collector.headers[0]).toMatchObject({ authorization: "Bearer collectors-secret", "x-team": "mail" });
  expect(collector.resources[0]).toMatchObject({ "service.name": "assay-test" });
  const everything = collector.bytes().toString("latin1");
  for (const secret of ["ann@sender", "sender.example", "Quarterly", "body-words", "seed.localhost", token])
    expect(everything).not.toContain(secret);
  expect(everything).not.toContain("private-query");
  expect(JSON.stringify(server.log)).not.toContain("collectors-secret");
  expectSameFigures(collector, figures);
});

const troubles: readonly (readonly [string, ((response: ServerResponse) => void) | null])[] = [
  ["is dead", null],
  ["never answers", () => {}],
  ["answers nonsense", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hi")],
];

test.each(troubles)(
  "mail, HTTP and the stop go on while the collector %s, and the log says so once",
  async (how, answer) => {
    const collector = await startCollector(answer ?? undefined);
    onTestFinished(collector.close);
    if (answer === null) await collector.close();
    const dataDir = openFolder();
    const server = await start(dataDir, { ASSAY_OTLP_ENDPOINT: collector.url });
    await send(server);
    const testId = await untilAnalyzed(server);
    expect((await fetch(`${server.http}/readyz`)).status).toBe(200);
    // The first batch of spans has failed before the stop.
    if (how !== "never answers") await until(() => dropped(server).length > 0);
    await send(server);
    await until(() => countAnalyzed(server) === 2);
    expect(await server.end("SIGTERM")).toBe(0);
    expect(testId).toMatch(/^tst_/);
    for (const what of ["traces", "metrics"])
      expect(dropped(server).filter((line) => line.what === what).length).toBeLessThanOrEqual(1);
    expect(server.log.filter(({ level }) => level === "error")).toEqual([]);
  },
);

function dropped({ log }: AssayProcess) {
  return log.filter(({ message }) => message === "telemetry cannot be sent, and is dropped until it can");
}

/** Values that nothing changes between the two readings. */
function expectSameFigures({ metrics }: Collector, figures: string): void {
  const names = [...figures.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type]) => ({
    name,
    type,
  }));
  const kinds = { counter: "sum", gauge: "gauge", histogram: "histogram" };
  for (const { name, type } of names) {
    const isEmpty = !new RegExp(`^${name}(_count)?[ {]`, "m").test(figures);
    if (!isEmpty) expect(metrics.get(name)?.kind, name).toBe(kinds[type as keyof typeof kinds]);
  }
  const read = (series: string) =>
    Number(
      figures
        .split("\n")
        .find((line) => line.startsWith(`${series} `))
        ?.slice(series.length + 1),
    );
  const pointOf = (name: string, labels: Record<string, string>) =>
    metrics.get(name)?.points.find((point) => JSON.stringify(point.labels) === JSON.stringify(labels));
  expect(pointOf("assay_messages_total", { kind: "test" })?.value).toBe(
    read('assay_messages_total{kind="test"}'),
  );
  expect(read('assay_messages_total{kind="test"}')).toBe(1);
  expect(pointOf("assay_dns_timeouts_total", {})?.value).toBe(read("assay_dns_timeouts_total"));
  const labels = { method: "GET", route: "/api/tests/:id" };
  const series = `assay_http_request_duration_seconds`;
  const written = 'method="GET",route="/api/tests/:id"';
  const point = pointOf(series, labels);
  expect(point?.value).toBe(read(`${series}_count{${written}}`));
  expect(point?.sum).toBe(read(`${series}_sum{${written}}`));
  let sum = 0;
  for (const [index, bound] of (point?.bounds ?? []).entries()) {
    sum += point?.counts?.[index] ?? 0;
    expect(sum, String(bound)).toBe(read(`${series}_bucket{le="${bound}",${written}}`));
  }
  expect(point?.counts).toHaveLength((point?.bounds?.length ?? 0) + 1);
  expect(point?.counts?.reduce((all, one) => all + one, 0)).toBe(point?.value);
}

function only(found: readonly SeenSpan[]): SeenSpan {
  const [first, ...others] = found;
  if (first === undefined || others.length > 0) throw new Error(`${found.length} spans instead of one`);
  return first;
}

function openFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-telemetry-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

async function start(dataDir: string, environment: Record<string, string>): Promise<AssayProcess> {
  const server = await startAssay({ dataDir, command: program, environment });
  onTestFinished(async () => void (await server.end("SIGKILL")));
  return server;
}

async function createToken(
  dataDir: string,
): Promise<{ readonly token: string; readonly workspaceId: string }> {
  const { stdout } = await runProgram({ dataDir, command: program }, ["token", "create", "--name", "ci"]);
  const [[token = ""] = [], [workspaceId = ""] = []] = [
    /asy_[\w-]+/.exec(stdout) ?? [],
    /wsp_\w+/.exec(stdout) ?? [],
  ];
  return { token, workspaceId };
}

async function send(server: AssayProcess): Promise<void> {
  const session = await openSession(server.smtp);
  const body = "From: Ann <ann@sender.example>\nSubject: Quarterly figures\n\nbody-words for you\n";
  expect(await session.send({ from: "ann@sender.example", to: [server.seedAddress], body })).toMatch(/^250/);
  session.close();
}

function analyzedLines({ log }: AssayProcess) {
  return log.filter(({ message }) => message === "message analyzed");
}

const countAnalyzed = (server: AssayProcess) => analyzedLines(server).length;

async function untilAnalyzed(server: AssayProcess): Promise<string> {
  await until(() => countAnalyzed(server) > 0);
  return String(analyzedLines(server)[0]?.test);
}

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !holds(); await sleep(50))
    if (Date.now() > deadline) throw new Error("It did not happen.");
}
