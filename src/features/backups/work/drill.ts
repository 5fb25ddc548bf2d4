// A drill after each backup: what was stored is restored into the work folder and read, as a person would do after a loss.

import { verifyCopy } from "../../../platform/database/engine/restore.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import { openStore } from "../../../platform/database/open.ts";
import { messageOf, Refusal } from "../../../platform/errors.ts";
import { createSecretKey } from "../../../platform/system/secret-key.ts";
import { openEachMonth, readNotedKey } from "../rows/whole-copy.ts";
import type { CopyTerms, MadeCopy } from "./make-copy.ts";
import { removeDigest, requireOwnDigest } from "./own-digest.ts";

type Restored = { readonly file: string; readonly addonFile: string | undefined; readonly name: string };

/** Returns why the backup could not be used. Null: it is as good as the database. */
export async function drill(
  restored: Restored,
  copied: Pick<MadeCopy, "tests">,
  system: CopyTerms["system"],
): Promise<string | null> {
  const { file, name } = restored;
  try {
    const { tests, keyFingerprint } = verifyCopy(restored, migrations.length);
    await requireOwnDigest(file, name);
    const key = readNotedKey(restored);
    if (key !== null && createSecretKey(key.trim()).fingerprint !== keyFingerprint)
      throw new Refusal("conflict", "The secret key in it is another one.");
    if (tests !== copied.tests)
      throw new Refusal("conflict", `It has ${tests} tests, and the database had ${copied.tests}.`);
    await removeDigest(file);
    await (await openStore({ databaseFile: file }, system)).close();
    openEachMonth(restored);
    return null;
  } catch (error) {
    return `The backup was stored, but its restore failed in a drill. ${messageOf(error)}`;
  }
}
