// Metrics of what should not fail: analyses, alerts, and certificates.

import { Counter, type Registry } from "prom-client";
import type { Config } from "../../../platform/settings/config.ts";
import { readExpiry } from "../../../platform/system/tls-files.ts";
import { type AlertKind, alertKinds } from "../../alerts/rules/alert-event.ts";
import type { Metrics } from "./metrics.ts";

type TriedDelivery = { readonly channel: AlertKind; readonly result: "delivered" | "failed" | "gone" };

const results: readonly TriedDelivery["result"][] = ["delivered", "failed", "gone"];

export type OutcomeMetrics = {
  /** A message could not be analyzed. */
  readonly noteFailure: () => void;
  /** An alert was sent, or could not be sent. */
  readonly noteDelivery: (tried: TriedDelivery) => void;
};

/** All values from the start, because a rate needs the zero before the first one. */
export function countOutcomes(registry: Registry): OutcomeMetrics {
  const failures = new Counter({
    name: "assay_analysis_failures_total",
    help: "Messages that could not be analyzed.",
    registers: [registry],
  });
  const tries = new Counter({
    name: "assay_alert_deliveries_total",
    help: "Attempts to deliver alerts, by channel and result. gone: the receiver is turned off.",
    labelNames: ["channel", "result"],
    registers: [registry],
  });
  for (const channel of alertKinds) for (const result of results) tries.inc({ channel, result }, 0);
  return { noteFailure: () => failures.inc(), noteDelivery: ({ channel, result }) => tries.inc({ channel, result }) };
}

type TlsSettings = Pick<Config, "httpTlsCert" | "smtpTlsCert">;

/** Only certificates of the operator. Assay renews its own. */
export function addCertificateGauge({ addGaugeBy }: Metrics, { httpTlsCert, smtpTlsCert }: TlsSettings): void {
  const files = Object.entries({ http: httpTlsCert, smtp: smtpTlsCert });
  const name = "assay_certificate_expiry_timestamp_seconds";
  const help = "When a configured certificate expires, as a Unix time, by listener. Absent if unreadable.";
  addGaugeBy("listener", name, help, async () => {
    const read = files.map(async ([listener, file]) => {
      const at = file === null ? null : await readExpiry(file);
      return at === null ? [] : [[listener, at / 1_000] as const];
    });
    return new Map((await Promise.all(read)).flat());
  });
}
