import { existsSync } from "node:fs";
import { openObjects, toOldFolder } from "../../../platform/database/messages.ts";
import { messageOf } from "../../../platform/errors.ts";
import { toObjectKey } from "../../../platform/system/objects.ts";
import { oldFolderFix, resumeSentence } from "../upkeep/object-owner.ts";
import { readMetrics } from "./own-server.ts";
import { createHeading, type Examination } from "./row.ts";

const paused = /^assay_object_deletion_paused\{place="s3"\} 1$/m;

/** Writes, reads and removes a small object, next to those of the installation, whose ID is in the database. */
export const examineMessages: Examination = async (patient) => {
  const { config, system } = patient;
  const heading = createHeading("raw-messages", "Raw messages");
  const metrics = (await readMetrics(patient)) ?? "";
  if (paused.test(metrics)) return [heading.red(sharedWords, sharedFix)];
  const folder = toOldFolder(config.dataDir);
  if (existsSync(folder)) return [heading.red(`Messages of an earlier version may be in ${folder}.`, oldFolderFix)];
  if (config.messages === "database") return [heading.green("Stored in the database.")];
  const where = `the S3 bucket ${config.s3?.bucket}`;
  const { s3: store } = await openObjects(config, "server-check");
  const key = toObjectKey("probe", system.random(16));
  const probe = Buffer.from("probe");
  try {
    await store?.put(key, probe);
    const read = await store?.get(key, probe.length);
    await store?.remove(key);
    if (read === undefined || Buffer.compare(read, probe) !== 0)
      return [heading.red(`What was written to ${where} could not be read back.`, fix)];
    return [heading.green(`Stored in ${where}, which can be written, read, and deleted.`)];
  } catch (error) {
    return [heading.red(`Mail is deferred, because ${where} does not work: ${messageOf(error)}.`, fix)];
  } finally {
    store?.close();
  }
};

const sharedWords =
  "Deleted messages stay in the S3 store, because this database was restored from a backup, or another database with the same installation ID uses the same place.";

const sharedFix = `${resumeSentence} Otherwise, give one of them another bucket first.`;
const fix = "Check ASSAY_S3_URL. Nothing is lost: senders try again.";
