import { openObjects } from "../../../platform/database/messages.ts";
import { messageOf } from "../../../platform/errors.ts";
import { toObjectKey } from "../../../platform/system/objects.ts";
import { resumeSentence } from "../upkeep/object-owner.ts";
import { readMetrics } from "./own-server.ts";
import { createHeading, type Examination } from "./row.ts";

const paused = /^assay_object_deletion_paused\{place="(directory|s3)"\} 1$/gm;

/** Writes, reads and removes a small object, next to those of the installation, whose ID is in the database. */
export const examineMessages: Examination = async (patient) => {
  const { config, system } = patient;
  const heading = createHeading("raw-messages", "Raw messages");
  const metrics = (await readMetrics(patient)) ?? "";
  const [shared] = [...metrics.matchAll(paused)].map(([, place]) => place);
  if (shared !== undefined) return [heading.red(toSharedWords(shared), sharedFix)];
  const place = config.messages;
  if (place === "database") return [heading.green("Stored in the database.")];
  const where = place === "s3" ? `the S3 bucket ${config.s3?.bucket}` : "a directory";
  const objects = await openObjects(config, "server-check");
  const store = objects.get(place);
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
    for (const each of objects.values()) each.close();
  }
};

function toSharedWords(place: string): string {
  const where = place === "s3" ? "the S3 store" : "the message directory";
  return `Deleted messages stay in ${where}, because this database was restored from a backup, or another database with the same installation ID uses the same place.`;
}

const sharedFix = `${resumeSentence} Otherwise, give one of them another bucket or data directory first.`;
const fix = "Check ASSAY_S3_URL or the directory. Nothing is lost: senders try again.";
