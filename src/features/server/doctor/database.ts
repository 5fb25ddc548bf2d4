// Whether the database is reached and sound, and whether the secret key is the one that it was encrypted with.

import { join } from "node:path";
import {
  checkPostgres,
  checkSqlite,
  type DatabaseReading,
  type Soundness,
} from "../../../platform/database/engine/check-database.ts";
import { toTooOldWords } from "../../../platform/database/engine/schema-version.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import type { Config } from "../../../platform/settings/config.ts";
import { inspectSecretKey } from "../../../platform/system/secret-key.ts";
import { createHeading, type DatabaseExamination, type DoctorRow, toSize } from "./row.ts";

/** A person waits for it. */
const withinMs = 10_000;

export async function readDatabase({ databaseUrl, dataDir }: Config): Promise<DatabaseReading> {
  const end = performance.now() + withinMs;
  return databaseUrl === null
    ? await checkSqlite(join(dataDir, "assay.db"), migrations.length, () => end - performance.now())
    : await checkPostgres(databaseUrl, migrations.length, withinMs / 2);
}

/** Only the database tells whether the secret key is the right one. */
export const examineDatabaseAndKey: DatabaseExamination = async ({ config }, database) => {
  const reading = await database;
  const { keyFingerprint: known = null } = reading.state === "reached" ? reading : {};
  return [
    toRow(reading, config.databaseUrl !== null),
    toBacklogRow(reading, config.maxBacklog),
    await toKeyRow(config, known),
  ];
};

export function toBacklogRow(reading: DatabaseReading, maxBacklog: number): DoctorRow {
  const heading = createHeading("backlog", "Backlog");
  if (reading.state !== "reached" || reading.waiting === null)
    return heading.grey(reading.state === "absent" ? "There is no database yet." : "Unknown without the database.");
  const { waiting } = reading;
  const count = waiting === 0 ? "No message waits" : waiting === 1 ? "1 message waits" : `${waiting} messages wait`;
  const says = `${count} for analysis. New mail is deferred once ${maxBacklog.toLocaleString("en-US")} wait.`;
  return waiting < maxBacklog
    ? heading.green(says)
    : heading.red(says, "Wait until some are analyzed. If this happens often, add processor cores or another process.");
}

async function toKeyRow(config: Config, known: string | null): Promise<DoctorRow> {
  const heading = createHeading("secret-key", "Secret key");
  const { state, says } = await inspectSecretKey(config.secretKey, config.dataDir, known);
  if (state === "wrong") return heading.red(says, "Assay will not start until this is fixed.");
  return state === "fits" ? heading.green(says) : heading.grey(says);
}

export function toRow(reading: DatabaseReading, isPostgres: boolean): DoctorRow {
  const heading = createHeading("database", "Database");
  switch (reading.state) {
    case "absent":
      return heading.grey("There is no database yet. Assay creates it at first start.");
    case "unreachable":
      return heading.red(
        `The database cannot be reached: ${reading.problem.replace(/\.$/, "")}. Mail is deferred.`,
        isPostgres
          ? "Check that PostgreSQL runs and that ASSAY_DATABASE_URL is right."
          : "Check the permissions of the data directory.",
      );
    case "damaged":
      return heading.red(
        `${reading.file ?? "The PostgreSQL database"} is damaged: ${toProblem(reading.problem)}`,
        "Stop Assay, restore your newest backup with assay restore, and start it again (see Backup, restore, upgrade in the handbook). Until then, each write may damage more.",
      );
    case "reached":
      return toReached(reading, heading);
  }
}

type Reached = Extract<DatabaseReading, { readonly state: "reached" }>;

function toReached(
  { engine, bytes, schema, soundness }: Reached,
  heading: ReturnType<typeof createHeading>,
): DoctorRow {
  const says = `${engine}, ${toSize(bytes)}.`;
  const { applied, known } = schema;
  if (applied === "too-old") return heading.red(`${says} ${toTooOldWords("It")}`, "Until then, Assay will not start.");
  if (applied !== "unreleased" && applied > known)
    return heading.red(
      `${says} It was written by a newer version of Assay.`,
      "Install that version, or restore a backup of this one.",
    );
  const older = applied === "unreleased" || applied < known ? " It is migrated at the next start." : "";
  return toSound(soundness, `${says}${older}`, heading);
}

function toSound(soundness: Soundness, says: string, heading: ReturnType<typeof createHeading>): DoctorRow {
  switch (soundness.is) {
    case "sound":
      return heading.green(`${says} All tables and indexes are intact.`);
    case "unfinished":
      return heading.grey(
        `${says} ${soundness.tables} of ${soundness.of} tables are intact. The others were not checked, because that takes too long here.`,
        "To check all of them, make a backup with assay backup, which verifies it.",
      );
    case "not-checked":
      return soundness.hasChecksums
        ? heading.green(`${says} PostgreSQL verifies its own files with checksums.`)
        : heading.green(`${says} PostgreSQL runs without data checksums, so it may not notice a damaged disk.`);
  }
}

const longestProblem = 300;
const lineBreaks = /\s+/g;

/** The database's own words. */
function toProblem(problem: string): string {
  return problem.replace(lineBreaks, " ").slice(0, longestProblem);
}
