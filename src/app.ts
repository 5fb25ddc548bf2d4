// Builds every part and joins them: the one place that wires.

import { hostname } from "node:os";
import type { Config } from "./config.ts";
import { createHttpServer } from "./http/server.ts";
import { createMetrics } from "./http/metrics.ts";
import type { ListenAddress } from "./setting-kinds.ts";
import { createSmtpListener } from "./smtp/listener.ts";
import { createIntake } from "./store/intake/intake.ts";
import { openStore, storeLocation } from "./store/open.ts";
import { lockDataDirectory } from "./store/serve-lock.ts";
import type { Store } from "./store/store.ts";
import { spawnThread } from "./system/assets.ts";
import { prepareDataDirectory } from "./system/data-directory.ts";
import { loadSecretKey } from "./system/secret-key.ts";
import { ensureSelfSigned } from "./system/self-signed.ts";
import type { System } from "./system/system.ts";
import { createAnalysisThread } from "./tasks/analysis-thread.ts";
import { createAnalysisQueue } from "./tasks/analyze-tests.ts";
import { type Chore, createChoreRunner } from "./tasks/chores.ts";
import { ensureInstallation, type Installation } from "./tasks/first-start.ts";
import { pruneTests } from "./tasks/prune.ts";
import { receiveMessage } from "./tasks/receive-message.ts";
import { routeRecipient } from "./tasks/route-recipient.ts";
import { version } from "./version.ts";

export type Addresses = { readonly http: string; readonly smtp: readonly string[]; readonly seedAddress: string };

export type App = {
  readonly addresses: Addresses;
  /** Takes nothing new, finishes what is in flight, within 10 s. */
  readonly stop: () => Promise<void>;
};

/** Together under the 10 s in which a stop ends. */
const patience = { requestsMs: 4_000, analysesMs: 3_000 };
const hourMs = 3_600_000;
/** A message that has not come back from the analyser this long after its look-ups' time is up never will. */
const analysisGraceMs = 5_000;

export function createApp(config: Config, system: System): App {
  const parts = new AsyncDisposableStack();
  return {
    start: async () => {
      try {
        return await start(config, system, parts);
      } catch (error) {
        await parts.disposeAsync();
        throw error;
      }
    },
    stop: () => parts.disposeAsync(),
  };
}

/** Each part is handed to `parts` as soon as it is there; they end in the opposite order. */
async function start(config: Config, system: System, parts: AsyncDisposableStack): Promise<Addresses> {
  await prepareDataDirectory(config.dataDir);
  if (!config.databaseUrl) parts.defer(lockDataDirectory(config.dataDir).release);
  const { store, seedAddress } = await openInstallation(config, system);
  parts.defer(store.close);
  const host = config.smtpHostname ?? hostname();
  const queue = startAnalysis(config, system, store, host, parts);
  await startChores(config, system, store, parts);
  const listeners = await startListeners(config, system, { store, host, onReceived: queue.kick }, parts);
  return { ...listeners, seedAddress };
}
