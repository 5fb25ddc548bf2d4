// Sends traces and metrics if a collector is configured. The SDK is loaded only then, so that other installations start
// as fast and use as little memory as before.

import type { Config } from "../config.ts";
import type { System } from "../system/system.ts";
import type { Figure } from "./figures.ts";
import { noSpans, type Spans } from "./spans.ts";

type TelemetrySettings = Pick<Config, "otlpEndpoint" | "otlpHeaders" | "otlpService" | "otlpTracePercent">;

export type TelemetryTerms = {
  readonly config: TelemetrySettings;
  readonly system: Pick<System, "now" | "log" | "fetchOperator">;
  /** Names this process. */
  readonly owner: string;
  readonly host: string;
  readonly readFigures: () => Promise<readonly Figure[]>;
  /** Between two exports. */
  readonly intervals?: { readonly spansMs: number; readonly metricsMs: number };
};

export type Telemetry = {
  readonly spans: Spans;
  /** Sends what is left, for a moment. */
  readonly close: () => Promise<void>;
};

export async function openTelemetry(terms: TelemetryTerms): Promise<Telemetry> {
  const { otlpEndpoint: endpoint } = terms.config;
  if (endpoint === null) return { spans: noSpans, close: async () => {} };
  const { startExport } = await import("./otlp.ts");
  return startExport({ ...terms, endpoint });
}
