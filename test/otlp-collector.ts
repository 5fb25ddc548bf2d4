// A collector for OTLP over HTTP. It reads the protobuf wire format by the field numbers of opentelemetry-proto 1.x, and not
// with the package that writes it, so that a fault there is seen.

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type SeenSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
};

export type SeenPoint = {
  readonly labels: Readonly<Record<string, unknown>>;
  readonly value: number;
  /** Of a histogram. */
  readonly counts?: readonly number[];
  readonly bounds?: readonly number[];
  readonly sum?: number;
};

type SeenMetric = { readonly kind: "gauge" | "sum" | "histogram"; readonly points: readonly SeenPoint[] };

export type Collector = {
  readonly url: string;
  readonly spans: SeenSpan[];
  /** The newest of each name. */
  readonly metrics: Map<string, SeenMetric>;
  readonly resources: Readonly<Record<string, unknown>>[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>[];
  /** Everything that was received, for searches. */
  readonly bytes: () => Buffer;
  readonly requests: () => number;
  readonly close: () => Promise<void>;
};

/** `answer` replaces the answer of a collector in order. */
export async function startCollector(answer?: (response: ServerResponse) => void): Promise<Collector> {
  const [spans, resources, headers, bodies]: [
    SeenSpan[],
    Collector["resources"],
    Collector["headers"],
    Buffer[],
  ] = [[], [], [], []];
  const metrics = new Map<string, SeenMetric>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    bodies.push(body);
    headers.push(request.headers);
    if (answer) return answer(response);
    const read = readRequest(body);
    resources.push(...read.resources);
    if (request.url === "/v1/traces") spans.push(...read.items.map(toSpan));
    if (request.url === "/v1/metrics")
      for (const item of read.items) metrics.set(textOf(fieldsOf(item)(1)[0]), toMetric(item));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ spans, metrics, resources, headers },
    bytes: () => Buffer.concat(bodies),
    requests: () => bodies.length,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Spans or metrics: both kinds of requests have the same frame. */
function readRequest(body: Buffer) {
  const parts = readFields(body).map(({ bytes }) => fieldsOf(bytes));
  return {
    resources: parts.map((part) => toAttributes(fieldsOf(part(1)[0]?.bytes)(1))),
    items: parts.flatMap((part) =>
      part(2).flatMap((scope) => fieldsOf(scope.bytes)(2).map(({ bytes }) => bytes)),
    ),
  };
}

type Field = { readonly number: number; readonly bytes: Buffer; readonly value: bigint };
const nothing = Buffer.alloc(0);

function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [key, afterKey] = readVarint(bytes, at);
    const [field, after] = readValue(bytes, afterKey, Number(key & 7n));
    fields.push({ number: Number(key >> 3n), ...field });
    at = after;
  }
  return fields;
}

type Value = Omit<Field, "number">;

function readValue(bytes: Buffer, from: number, type: number): [Value, number] {
  const cut = (start: number, length: number): [Buffer, number] => {
    if (start + length > bytes.length) throw new Error("A field ends after the message.");
    return [bytes.subarray(start, start + length), start + length];
  };
  if (type === 0) {
    const [value, after] = readVarint(bytes, from);
    return [{ bytes: nothing, value }, after];
  }
  if (type === 1) {
    const [own, after] = cut(from, 8);
    return [{ bytes: own, value: own.readBigUInt64LE() }, after];
  }
  if (type === 5) {
    const [own, after] = cut(from, 4);
    return [{ bytes: own, value: BigInt(own.readUInt32LE()) }, after];
  }
  if (type !== 2) throw new Error(`Wire type ${type} is not used by OTLP.`);
  const [length, start] = readVarint(bytes, from);
  const [own, after] = cut(start, Number(length));
  return [{ bytes: own, value: 0n }, after];
}

function readVarint(bytes: Buffer, from: number): [bigint, number] {
  let value = 0n;
  for (let at = from, shift = 0n; ; at++, shift += 7n) {
    const byte = bytes[at];
    if (byte === undefined) throw new Error("A number is cut.");
    value |= BigInt(byte & 127) << shift;
    if (byte < 128) return [value, at + 1];
  }
}

function fieldsOf(bytes: Buffer = nothing): (number: number) => Field[] {
  const fields = readFields(bytes);
  return (number) => fields.filter((field) => field.number === number);
}

const textOf = (field?: Field) => field?.bytes.toString("utf8") ?? "";
const hexOf = (field?: Field) => field?.bytes.toString("hex") ?? "";
const doubleOf = (field?: Field) => field?.bytes.readDoubleLE() ?? 0;
const msOf = (field?: Field) => Number(field?.value ?? 0n) / 1e6;

function toAttributes(pairs: readonly Field[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map(({ bytes }) => {
      const pair = fieldsOf(bytes);
      const [value] = readFields(pair(2)[0]?.bytes ?? nothing);
      return [textOf(pair(1)[0]), toValue(value)];
    }),
  );
}

function toValue(value?: Field): unknown {
  if (value?.number === 1) return textOf(value);
  if (value?.number === 2) return value.value === 1n;
  return value?.number === 3 ? Number(value.value) : doubleOf(value);
}

function toSpan(bytes: Buffer): SeenSpan {
  const field = fieldsOf(bytes);
  return {
    ...{ traceId: hexOf(field(1)[0]), spanId: hexOf(field(2)[0]), parentId: hexOf(field(4)[0]) },
    ...{ name: textOf(field(5)[0]), kind: Number(field(6)[0]?.value ?? 0n) },
    ...{ startedAt: msOf(field(7)[0]), endedAt: msOf(field(8)[0]) },
    attributes: toAttributes(field(9)),
    failed: fieldsOf(field(15)[0]?.bytes)(3)[0]?.value === 2n,
  };
}

function toMetric(bytes: Buffer): SeenMetric {
  const field = fieldsOf(bytes);
  const [gauge, sum, histogram] = [field(5)[0], field(7)[0], field(9)[0]];
  const points = fieldsOf((gauge ?? sum ?? histogram)?.bytes)(1).map(({ bytes: point }) =>
    histogram ? toHistogramPoint(point) : toPoint(point),
  );
  return { kind: gauge ? "gauge" : sum ? "sum" : "histogram", points };
}

function toPoint(bytes: Buffer): SeenPoint {
  const field = fieldsOf(bytes);
  const integer = field(6)[0];
  const value = integer ? Number(integer.bytes.readBigInt64LE()) : doubleOf(field(4)[0]);
  return { labels: toAttributes(field(7)), value };
}

function toHistogramPoint(bytes: Buffer): SeenPoint {
  const field = fieldsOf(bytes);
  const eights = (packed: readonly Field[]) =>
    packed.flatMap(({ bytes: all }) =>
      Array.from({ length: all.length / 8 }, (_, index) => all.subarray(index * 8, index * 8 + 8)),
    );
  return {
    labels: toAttributes(field(9)),
    value: Number(field(4)[0]?.value ?? 0n),
    sum: doubleOf(field(5)[0]),
    counts: eights(field(6)).map((one) => Number(one.readBigUInt64LE())),
    bounds: eights(field(7)).map((one) => one.readDoubleLE()),
  };
}
