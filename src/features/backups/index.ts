// Backups: scheduled, encrypted, and restored.

import { join } from "node:path";
import { readMeta } from "../../platform/database/engine/meta.ts";
import { messageOf } from "../../platform/errors.ts";
import { defineFeature, stopTimes } from "../../platform/server.ts";
import { spawnThread } from "../../platform/system/assets.ts";
import { readKeyText } from "../../platform/system/secret-key.ts";

export const backups = defineFeature({
  name: "backups",
  says: "Copies the database somewhere safe.",
  examinations: { Backups: async (...known) => (await import("./doctor.ts")).examineBackups(...known) },
  duties: {
    backups: {
      oldest: async (db, { config }) =>
        config.backupTo === null ? null : await (await import("./work/schedule.ts")).readBackupDue(db),
      withinMs: 7_200_000,
    },
  },
  start: async (server) => {
    const { config, store, metrics, parts, system } = server;
    const { removeLeftWork } = await import("./work/make-copy.ts");
    const { dropSecondName } = await import("../../platform/database/engine/restore.ts");
    await removeLeftWork(config.dataDir)
      .then(() => dropSecondName(join(config.dataDir, "assay.db")))
      .catch((error) =>
        system.log.error("what killed backups left could not be removed", { problem: messageOf(error) }),
      );
    if (config.backupTo === null) return;
    const [{ createBackupSchedule }, { addBackupGauges }] = await Promise.all([
      import("./work/schedule.ts"),
      import("./gauges.ts"),
    ]);
    addBackupGauges(metrics, store);
    const schedule = createBackupSchedule({
      ...server,
      installationId: (await readMeta(store.read, "installation_id")) ?? "",
      // Read for each backup, because it can be changed while backups are made by another process.
      readKey: () => readKeyText(config),
      spawn: (setup) => spawnThread("backup-thread", setup),
    });
    parts.defer(() => schedule.stop(stopTimes.choresMs));
    await schedule.start();
  },
});
