// The entry point of the thread that makes a scheduled backup. It ends with it.

import { randomBytes } from "node:crypto";
import { platform } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../../platform/errors.ts";
import type { Log, LogFields } from "../../../platform/system/log.ts";
import { type Backup, type BackupTerms, makeBackup, stepBack } from "./make-backup.ts";

export type BackupThreadSetup = Omit<BackupTerms, "system">;
export type BackupThreadAnswer =
  | { readonly warning: string; readonly fields: LogFields }
  | { readonly backup: Backup }
  | { readonly problem: string };

const tell = (answer: BackupThreadAnswer) => parentPort?.postMessage(answer);

const warn = (warning: string, fields: LogFields = {}) => tell({ warning, fields });
const log: Log = { debug: () => {}, info: () => {}, warn, error: warn, with: () => log };

stepBack(platform());
makeBackup({
  ...(workerData as BackupThreadSetup),
  system: { now: () => Date.now(), random: (count) => randomBytes(count), log },
}).then(
  (backup) => tell({ backup }),
  (error) => tell({ problem: messageOf(error) }),
);
