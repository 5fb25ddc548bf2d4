import { join, posix } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Counter, Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { readSources } from "../../scripts/imports.ts";
import { createId } from "../../src/ids.ts";
import { createFetchOperator } from "../../src/system/fetch-doors.ts";
import { openTelemetry } from "../../src/telemetry/open.ts";
import { toFirstSpanId, toTraceId } from "../../src/telemetry/spans.ts";
import { type Collector, startCollector } from "../otlp-collector.ts";
import { testSystem } from "../test-system.ts";

/** The SDK gives up on metrics after an interval, so it is long where a test needs them. */
const quick = { spansMs: 20, metricsMs: 5_000 };

const often = { spansMs: 20, metricsMs: 40 };

function open(url: string | null, { percent = 100, intervals = quick } = {}) {
  const registry = new Registry();
  const counter = new Counter({ name: "things_total", help: "Things.", registers: [registry] });
  const system = { ...testSystem(), fetchOperator: createFetchOperator() };
  const config = {
    ...{ otlpEndpoint: url, otlpHeaders: null, otlpService: "assay", otlpTracePercent: percent },
  };
  const readFigures = () => registry.getMetricsAsJSON();
  const opened = openTelemetry({
    config,
    system,
    owner: "one",
    host: "mx.example",
    readFigures,
    intervals,
  });
  onTestFinished(async () => (await opened).close());
  return { opened, counter, logged: system.logged };
}

const at = Date.UTC(2026, 0, 1);
const testId = createId("test", at, new Uint8Array(16).fill(7));
const span = (name: string) => ({ name, startedAt: at, endedAt: at + 1.5 });

test("a test's trace and its first span have IDs that follow from the test's", async () => {
  const collector = await start();
  const { spans, close } = await open(collector.url).opened;
  spans.note({ ...span("analyze message"), testId, failed: true });
  spans.note({ ...span("receive message"), testId, isFirst: true, parts: [span("store message")] });
  spans.note(span("chore prune"));
  await close();
  const find = (name: string) => collector.spans.find((one) => one.name === name);
  expect(toTraceId(testId)).toMatch(/^[0-9a-f]{32}$/);
  expect(find("receive message")).toMatchObject({
    ...{ traceId: toTraceId(testId), spanId: toFirstSpanId(testId), parentId: "" },
    ...{ startedAt: at, endedAt: at + 1.5, failed: false },
  });
  const { spanId } = find("analyze message") ?? {};
  expect(find("analyze message")).toMatchObject({ parentId: toFirstSpanId(testId), failed: true });
  expect(find("store message")).toMatchObject({
    traceId: toTraceId(testId),
    parentId: toFirstSpanId(testId),
  });
  expect(new Set([spanId, find("store message")?.spanId, toFirstSpanId(testId)]).size).toBe(3);
  expect(find("chore prune")?.traceId).not.toBe(toTraceId(testId));
});

test("different tests have different traces", () => {
  const ids = Array.from({ length: 50 }, (_, index) => createId("test", at, new Uint8Array(16).fill(index)));
  expect(new Set(ids.slice(0, 32).map(toTraceId)).size).toBe(32);
  expect(toTraceId("tst_7zzzzzzzzzzzzzzzzzzzzzzzzz")).toBe("f".repeat(32));
});

test("nothing is measured or sent without a collector", async () => {
  const { spans } = await open(null).opened;
  expect(spans.isOn).toBe(false);
});

test("the SDK is loaded only by the file that is imported when a collector is configured", () => {
  const sources = readSources(join(import.meta.dirname, "..", "..", "src"));
  const using = sources.filter(({ text }) => text.includes('from "@opentelemetry/')).map(({ path }) => path);
  expect(using.sort()).toEqual(["telemetry/figures.ts", "telemetry/otlp.ts"]);
  const loading = sources
    .filter(({ path, text }) =>
      [...text.matchAll(/^import (?!type )[^;]*? from "([^"]+)";/gm)].some(([, target = ""]) =>
        using.includes(posix.join(posix.dirname(path), target)),
      ),
    )
    .map(({ path }) => path);
  expect(loading).toEqual(["telemetry/otlp.ts"]);
});

test("with 0 percent, only metrics are sent", async () => {
  const collector = await start();
  const { opened, counter } = open(collector.url, { percent: 0 });
  const { spans, close } = await opened;
  expect(spans.isOn).toBe(false);
  counter.inc(3);
  await close();
  expect(collector.metrics.get("things_total")).toMatchObject({ kind: "sum", points: [{ value: 3 }] });
  expect(collector.spans).toEqual([]);
});

test("a share of the traces is sent, and always whole traces", async () => {
  const collector = await start();
  const { spans, close } = await open(collector.url, { percent: 50 }).opened;
  const ids = Array.from({ length: 200 }, (_, number) =>
    createId(
      "test",
      at + number,
      Uint8Array.from({ length: 16 }, (_item, place) => (number * 37 + place * 11) % 256),
    ),
  );
  for (const id of ids) {
    spans.note({ ...span("receive message"), testId: id, isFirst: true });
    spans.note({ ...span("analyze message"), testId: id, parts: [span("reading")] });
  }
  await close();
  const sizes = [...Map.groupBy(collector.spans, ({ traceId }) => traceId).values()].map((one) => one.length);
  expect(new Set(sizes)).toEqual(new Set([3]));
  expect(sizes.length).toBeGreaterThan(40);
  expect(sizes.length).toBeLessThan(160);
});

test("an outage is logged once, and so is its end with what was lost", async () => {
  let isOut = true;
  const collector = await start((response) => {
    response.writeHead(isOut ? 400 : 200, { "content-type": "application/x-protobuf" }).end();
  });
  const { opened, logged } = open(collector.url, { intervals: often });
  const { spans } = await opened;
  const lines = (what: string) => logged.filter(({ fields }) => fields.what === what);
  for (let round = 0; round < 3; round++) {
    spans.note(span("chore prune"));
    await untilMore(collector, 2);
  }
  isOut = false;
  spans.note(span("chore prune"));
  await until(() => lines("traces").length > 1 && lines("metrics").length > 1);
  await untilMore(collector, 3);
  for (const what of ["traces", "metrics"])
    expect(lines(what).map(({ level, message }) => [level, message])).toEqual([
      ["warn", "telemetry cannot be sent, and is dropped until it can"],
      ["info", "telemetry is sent again"],
    ]);
  expect(lines("traces")[0]?.fields.problem).toBe("The collector answered with status 400.");
  expect(Number(lines("traces")[1]?.fields.lost)).toBeGreaterThan(0);
});

test.each([503, 429])("a request that fails with %i is sent again", async (status) => {
  let answers = 0;
  const collector = await start((response) => response.writeHead(answers++ < 2 ? status : 200).end());
  const { opened, logged } = open(collector.url, { intervals: often });
  const { spans } = await opened;
  spans.note(span("chore prune"));
  await untilMore(collector, 4);
  expect(logged).toEqual([]);
});

test("more spans than can wait are dropped, not kept", async () => {
  const collector = await start(() => {});
  const { opened } = open(collector.url);
  const { spans, close } = await opened;
  for (let number = 0; number < 20_000; number++) spans.note(span("chore prune"));
  await close();
  // One batch under way, then 16 with all that may wait, and the metrics. All spans would be 40 batches.
  expect(collector.requests()).toBeLessThanOrEqual(18);
});

async function start(answer?: Parameters<typeof startCollector>[0]): Promise<Collector> {
  const collector = await startCollector(answer);
  onTestFinished(collector.close);
  return collector;
}

async function untilMore(collector: Collector, count: number): Promise<void> {
  const before = collector.requests();
  await until(() => collector.requests() >= before + count);
}

async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 10_000; !holds(); await pause(5))
    if (Date.now() > deadline) throw new Error("It did not happen.");
}
