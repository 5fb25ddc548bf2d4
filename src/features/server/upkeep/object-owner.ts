// Who may delete objects in a place. Two databases with the same installation ID, such as a restored copy beside the
// original, use the same part of it, and each would delete what only the other one knows. So a token is both in the place
// and in the database, and is renewed before objects are deleted. If the place has another token, another database was
// there: then nothing is deleted, and a token that no database has makes the other one stop too, until an operator deletes
// the token from the place.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { lockName, readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { Store } from "../../../platform/database/store.ts";
import type { ObjectStore } from "../../../platform/system/objects.ts";
import type { System } from "../../../platform/system/system.ts";

type OwnerTerms = { readonly store: Pick<Store, "read" | "write">; readonly system: Pick<System, "random"> };

/**
 * Why nothing is deleted. `copy`: this database was restored, and hasn't told the other one yet. `shared`: each stops until
 * the token is deleted.
 */
type OwnerProblem = "copy" | "shared";
type Ownership = {
  /** Those that were written or tried last, because a failed write may have happened. */
  readonly tokens: readonly string[];
  readonly problem: OwnerProblem | null;
};

/** Not the name of an object, so it is never listed. */
const tokenKey = "sweep-token";
const tokensKept = 8;
const maxTokenBytes = 100;
/** The token of no database. */
const contested = "contested ";

/** Whether objects may be deleted now. */
export async function claimPlace(objects: ObjectStore, { store, system }: OwnerTerms): Promise<boolean> {
  const found = await readToken(objects);
  if (!isOurs(found, await readOwnership(store))) {
    if (found?.startsWith(contested) !== true) await objects.put(tokenKey, Buffer.from(contested + toToken(system)));
    await notePaused({ store });
    return false;
  }
  const token = toToken(system);
  await store.write(async (db) => {
    await lockName(db, "objects s3");
    const { tokens } = await readOwnership({ read: db });
    const others = tokens.filter((one) => one !== found);
    const kept = [token, ...(found === null ? [] : [found]), ...others].slice(0, tokensKept);
    await writeMeta(db, "objects:s3", JSON.stringify({ tokens: kept, problem: null }));
  });
  await objects.put(tokenKey, Buffer.from(token));
  // Another database may have claimed it at the same moment. Then the token of one of them is gone.
  if (isOurs(await readToken(objects), await readOwnership(store))) return true;
  await notePaused({ store });
  return false;
}

export const oldFolderFix =
  "Run assay messages move --to database, or --to s3. When all servers with this directory have done so, delete it.";

export const resumeSentence =
  "If this is the only server that uses it, delete sweep-token beside the messages there, and run assay messages sweep.";

/** Whether nothing is deleted until an operator decides. */
export async function isDeletionPaused(store: Pick<Store, "read">): Promise<boolean> {
  return (await readOwnership(store)).problem !== null;
}

/** The sweep calls it every day. */
export function logPaused({ log }: Pick<System, "log">): void {
  log.error("no raw messages are deleted from the S3 store, because another database may use it", {
    fix: resumeSentence,
  });
}

async function notePaused({ store }: Pick<OwnerTerms, "store">): Promise<void> {
  const before = await readOwnership(store);
  if (before.problem === "shared") return;
  const paused = JSON.stringify({ ...before, problem: "shared" satisfies OwnerProblem });
  await store.write((db) => writeMeta(db, "objects:s3", paused));
}

/** A place without a token is new, only earlier versions used it, or the operator has decided. */
function isOurs(found: string | null, { tokens, problem }: Ownership): boolean {
  if (problem === "copy") return false;
  return found === null || tokens.includes(found);
}

export async function readToken(objects: ObjectStore): Promise<string | null> {
  const bytes = await objects.get(tokenKey, maxTokenBytes);
  return bytes === undefined ? null : Buffer.from(bytes.subarray(0, maxTokenBytes)).toString("latin1");
}

function toToken({ random }: Pick<System, "random">): string {
  return Buffer.from(random(16)).toString("hex");
}

async function readOwnership({ read }: Pick<Store, "read">): Promise<Ownership> {
  const text = await readMeta(read, "objects:s3");
  // Written here and by a restore (platform/database/engine/restore.ts).
  const known = text === undefined ? null : (parseJsonObject(text) as Ownership | null);
  return known ?? { tokens: [], problem: null };
}
