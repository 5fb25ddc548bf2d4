import type { Config } from "../config.ts";
import type { Store } from "../store/store.ts";
import type { System } from "../system/system.ts";
import type { Comparer } from "../tasks/comparer.ts";
import type { ExportTests } from "../tasks/export-tests.ts";
import type { Reanalyze } from "../tasks/reanalyze.ts";
import type { ReceiveUpload } from "../tasks/receive-upload.ts";
import type { Viewer } from "../tasks/viewer.ts";
import type { WhatIf } from "../tasks/what-if.ts";
import type { Metrics } from "./metrics.ts";

/** What the handlers stand on. */
export type Dependencies = {
  readonly config: Pick<Config, "seedDomains" | "metricsToken" | "trustedProxies" | "smtpMaxMessageBytes">;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly store: Store;
  readonly metrics: Metrics;
  readonly receiveUpload: ReceiveUpload;
  readonly reanalyze: Reanalyze;
  readonly whatIf: WhatIf;
  readonly comparer: Comparer;
  readonly viewer: Viewer;
  readonly exportTests: ExportTests;
  readonly version: string;
  /** What must hold for /readyz: each named as it completes "Not ready: …". */
  readonly readiness: readonly ReadinessCheck[];
};

export type ReadinessCheck = { readonly trouble: string; readonly holds: () => boolean | Promise<boolean> };
