import { messageOf } from "../../errors.ts";
import { openObjects } from "../../store/messages.ts";
import { toObjectKey } from "../../system/objects.ts";
import { createHeading, type Examination } from "./row.ts";

/** Writes, reads and removes a small object, next to those of the installation, whose ID is in the database. */
export const examineMessages: Examination = async ({ config, system }) => {
  const heading = createHeading("raw-messages", "Raw messages");
  const place = config.messages;
  if (place === "database") return [heading.green("Stored in the database.")];
  const where = place === "s3" ? `the S3 bucket ${config.s3Bucket}` : "a directory";
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

const fix = "Check the ASSAY_S3_ settings or the directory. Nothing is lost: senders try again.";
