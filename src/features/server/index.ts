// The server itself: its state, settings, metrics, check, and upkeep.

import { existsSync } from "node:fs";
import { type Messages, toOldFolder } from "../../platform/database/messages.ts";
import { defineFeature, type ReadinessCheck, stopTimes } from "../../platform/server.ts";
import { readFreeBytes } from "../../platform/system/data-directory.ts";
import { createProbes } from "../../platform/system/doctor-probes.ts";
import { createDoctorOnCall, type DoctorOnCall, type OpenProbes } from "./doctor/on-call.ts";
import { addGauges, addServiceGauges, type Metrics } from "./metrics/metrics.ts";
import { addObjectMetrics } from "./metrics/object-metrics.ts";
import { addCertificateGauge } from "./metrics/outcome-metrics.ts";
import { createLateWork, type LateWork } from "./readiness/late-work.ts";
import type { IntakeRoom } from "./readiness/room.ts";
import type { ServiceState } from "./readiness/state.ts";
import { doctorRoutes, healthRoutes } from "./routes/health.ts";
import { serverSettingRoutes } from "./routes/server-settings.ts";
import { watchForDamage } from "./upkeep/damage.ts";
import { oldFolderFix } from "./upkeep/object-owner.ts";
import { upkeepChores } from "./upkeep/recurring.ts";
import { followSavedSettings, type ServerSettings } from "./work/server-settings.ts";

declare module "../../platform/server.ts" {
  interface Server {
    readonly metrics: Metrics;
    /** What keeps mail from being received, and what is postponed. */
    readonly service: ServiceState;
    readonly hasRoom: IntakeRoom;
    readonly serverSettings: ServerSettings;
    readonly openProbes: OpenProbes;
    readonly doctor: DoctorOnCall;
    readonly lateWork: LateWork;
  }
}

export const server = defineFeature({
  name: "server",
  says: "Tells whether the server works, and keeps it tidy.",
  probes: healthRoutes,
  paths: ["/doctor", "/settings", "/settings/:section"],
  routes: [...doctorRoutes, ...serverSettingRoutes],
  open: (server) => {
    const { config, system, store, metrics, service, serverSettings, parts } = server;
    addGauges(metrics, store);
    addServiceGauges(metrics, service, () => readFreeBytes(config.dataDir));
    addObjectMetrics(metrics, store);
    addCertificateGauge(metrics, config);
    const lateWork = createLateWork(server);
    parts.defer(() => lateWork.stop(stopTimes.choresMs));
    metrics.addGaugeBy(
      "work",
      "assay_overdue_seconds",
      "For how long the oldest row of background work has waited beyond its time, by kind of work.",
      lateWork.readAges,
    );
    if (config.databaseUrl !== null) parts.defer(followSavedSettings(serverSettings, system));
    return {
      readiness: [
        {
          code: "database_unavailable",
          trouble: "the database takes no writes",
          holds: () => store.write(async () => true),
        },
        {
          code: "smtp_not_listening",
          trouble: "the SMTP listener is not bound",
          isForMail: true,
          holds: () => server.smtpListens.length > 0,
        },
        ...(config.messages === "database" ? [] : [messagesCheck(store.messages)]),
      ],
      openProbes: () => createProbes(config, system.now),
      doctor: createDoctorOnCall({ ...server, openProbes: () => server.openProbes() }),
      noteRequest: metrics.noteRequest,
      lateWork,
      summarizeTrouble: (workspaceId) =>
        [service.summarize(workspaceId), ...lateWork.summarize(workspaceId)].join(" ").trim(),
    };
  },
  start: (server) => {
    server.lateWork.start();
    const directory = toOldFolder(server.config.dataDir);
    if (existsSync(directory))
      server.system.log.warn("raw messages of an earlier version may be in a directory", {
        directory,
        fix: oldFolderFix,
      });
    if (server.store.sqlite) server.parts.defer(watchForDamage(server));
  },
  chores: ({ config, system, store, metrics }) => upkeepChores({ config, system, store, onPruned: metrics.notePruned }),
});

/** The reason is for the operator, and has no address or secret in it. */
function messagesCheck({ findTrouble }: Messages): ReadinessCheck {
  let trouble = "raw messages cannot be stored";
  return {
    code: "messages_unavailable",
    isForMail: true,
    get trouble() {
      return trouble;
    },
    holds: async () => {
      const found = await findTrouble();
      trouble = `raw messages cannot be stored${found === null ? "" : ` (${found})`}`;
      return found === null;
    },
  };
}
