// Whether the scheduled backups are there, read from where they are stored.

import { megabytes } from "../../platform/database/engine/sqlite-files.ts";
import { messageOf } from "../../platform/errors.ts";
import { createHeading, type DatabaseExamination, type DoctorRow, type Heading } from "../server/doctor/row.ts";
import { type BackupNote, isOfOwner } from "./rules/stored-backups.ts";
import { openBackupPlace } from "./work/places.ts";
import { nextBackupAt } from "./work/schedule.ts";

const hourMs = 3_600_000;
/** A backup of a large database takes a while. */
const graceMs = 2 * hourMs;
/** A person waits for it. */
const patienceMs = 5_000;

export const examineBackups: DatabaseExamination = async ({ config, system }, database) => {
  const heading = createHeading("backups", "Backups");
  if (config.backupTo === null)
    return [
      heading.grey(
        "No backups are scheduled.",
        "Set ASSAY_BACKUP_TO to a folder on another disk or to a bucket. If you back up in another way, ignore this.",
      ),
    ];
  const reading = await database;
  // Several installations may use one folder. If this one is unknown, all count.
  const owner = (reading.state === "reached" && reading.installationId) || null;
  const place = await openBackupPlace(config, patienceMs);
  if (place === null) return [];
  try {
    const own = (await place.list()).filter(({ name }) => owner === null || isOfOwner(name, owner));
    return [judge(heading, own, { where: place.where, now: system.now() })];
  } catch (error) {
    return [heading.red(messageOf(error), fix)];
  } finally {
    place.close();
  }
};

const fix = "Look for “backup failed” in the log, or run assay backup to see why.";

type Schedule = { readonly where: string; readonly now: number };

/** `own`: newest first. */
function judge(heading: Heading, own: readonly BackupNote[], { where, now }: Schedule): DoctorRow {
  const [newest] = own;
  if (newest === undefined) return heading.red(`There is no verified backup in ${where} yet.`, fix);
  const { at, bytes, encrypted, messagesOutside, drill } = newest;
  const says = `The last verified backup is ${toAge(now - at)} old, ${megabytes(bytes)}, ${encrypted ? "encrypted" : "not encrypted"}, in ${where}. ${toDrillWords(own, now)}`;
  // The one after the next, so that a backup that is in progress is not reported.
  const isLate = now > nextBackupAt(nextBackupAt(at)) + graceMs;
  if (isLate) return heading.red(`${says} At least one scheduled backup is missing.`, fix);
  if (drill === "failed") return heading.red(says, "Look for “restore drill failed” in the log to see why.");
  if (drill === "no room")
    return heading.grey(says, "Free up disk space in the data directory, so that the next one can be.");
  if (messagesOutside > 0)
    return heading.grey(
      `${says} It does not contain ${messagesOutside} raw messages that are stored elsewhere.`,
      "Back these up too, or run assay backup without --without-messages.",
    );
  return heading.green(says);
}

function toDrillWords([newest, ...earlier]: readonly BackupNote[], now: number): string {
  if (newest?.drill === "restored") return "Its restore succeeded in a drill.";
  const last = earlier.find(({ drill }) => drill === "restored");
  const became =
    newest?.drill === "failed"
      ? "Its restore failed in a drill."
      : `It was not restored in a drill${newest?.drill === "no room" ? ", because the disk has no room for that" : ""}.`;
  return `${became} ${last ? `The last one that was is ${toAge(now - last.at)} old.` : "No other one was."}`;
}

function toAge(ms: number): string {
  const hours = Math.max(0, Math.floor(ms / hourMs));
  if (hours === 0) return "less than an hour";
  if (hours < 48) return hours === 1 ? "1 hour" : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}
