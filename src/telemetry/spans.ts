// What the server did, for traces. A span is noted when its work is over, so nothing waits for telemetry and no context
// has to be passed around. Attributes never contain subjects, addresses, bodies, names from DNS, or tokens.

import { toHex } from "../ids.ts";

type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export type NotedSpan = {
  /** Without anything that differs from message to message or request to request. */
  readonly name: string;
  readonly kind?: "internal" | "server" | "client" | "consumer";
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The test whose trace this is part of. Without one, it begins a trace. */
  readonly testId?: string;
  /** The first span of the test's trace. The others are below it. */
  readonly isFirst?: boolean;
  readonly attributes?: SpanAttributes;
  readonly failed?: boolean;
  readonly parts?: readonly NotedSpan[];
};

export type Spans = {
  /** False: nothing is noted, so it need not be measured. */
  readonly isOn: boolean;
  readonly note: (span: NotedSpan) => void;
};

export const noSpans: Spans = { isOn: false, note: () => {} };

/** From the test's ID, so that the trace of a report can be found, and every process knows it. */
export function toTraceId(testId: string): string {
  return toHex(testId);
}

/** The first span of a test's trace: the random end of its ID. */
export function toFirstSpanId(testId: string): string {
  return toHex(testId).slice(16);
}
