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
  const [spans, resources, headers, bodies]: [SeenSpan[], Collector["resources"], Collector["headers"], Buffer[]] =
    [[], [], [], []];
  const metrics = new Map<string, SeenMetric>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    bodies.push(body);
    headers.push(request.headers);
    if (answer) return answer(response);
    for (const part of readFields(body)) {
      const fields = fieldsOf(part.bytes);
      resources.push(toAttributes(fieldsOf(fields(1)[0]?.bytes)(1)));
      const inScope = fields(2).flatMap(({ bytes }) => fieldsOf(bytes)(2));
      if (request.url === "/v1/traces") spans.push(...inScope.map(({ bytes }) => toSpan(bytes)));
      if (request.url === "/v1/metrics")
        for (const { bytes } of inScope) metrics.set(textOf(fieldsOf(bytes)(1)[0]), toMetric(bytes));
    }
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

type Field = { readonly number: number; readonly bytes: Buffer; readonly value: bigint };
const nothing = Buffer.alloc(0);

function readFields(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [key, afterKey] = readVarint(bytes, at);
    const number = Number(key >> 3n);
    const type = Number(key & 7n);
    if (type === 0) {
      const [value, after] = readVarint(bytes, afterKey);
      fields.push({ number, bytes: nothing, value });
      at = after;
    } else if (type === 1 || type === 5) {
      const length = type === 1 ? 8 : 4;
      const own = bytes.subarray(afterKey, afterKey + length);
      fields.push({ number, bytes: own, value: length === 8 ? own.readBigUInt64LE() : BigInt(own.readUInt32LE()) });
      at = afterKey + length;
    } else if (type === 2) {
      const [length, start] = readVarint(bytes, afterKey);
      at = start + Number(length);
      if (at > bytes.length) throw new Error("A field ends after the message.");
      fields.push({ number, bytes: bytes.subarray(start, at), value: 0n });
    } else throw new Error(`Wire type ${type} is not used by OTLP.`);
  }
  return fields;
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
