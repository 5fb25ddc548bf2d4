// Who may delete objects in a place. Two databases with the same installation ID, such as a restored copy beside the
// original, use the same part of it, and each would delete what only the other one knows. So a token is both in the place
// and in the database, and is renewed before objects are deleted. If the place has another token, another database was
// there: then nothing is deleted, and a token that no database has makes the other one stop too, until an operator deletes
// the token from the place.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { lockName, readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import type { ObjectPlace } from "../../../platform/database/schema.ts";
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

/** Whether objects in this place may be deleted now. */
export async function claimPlace(
  place: ObjectPlace,
  objects: ObjectStore,
  { store, system }: OwnerTerms,
): Promise<boolean> {
  const found = await readToken(objects);
  if (!isOurs(found, await readOwnership(store, place))) {
    if (found?.startsWith(contested) !== true) await objects.put(tokenKey, Buffer.from(contested + toToken(system)));
    await notePaused(place, { store });
    return false;
  }
  const token = toToken(system);
  await store.write(async (db) => {
    await lockName(db, `objects ${place}`);
    const { tokens } = await readOwnership({ read: db }, place);
    const others = tokens.filter((one) => one !== found);
    const kept = [token, ...(found === null ? [] : [found]), ...others].slice(0, tokensKept);
    await writeMeta(db, `objects:${place}`, JSON.stringify({ tokens: kept, problem: null }));
  });
  await objects.put(tokenKey, Buffer.from(token));
  // Another database may have claimed it at the same moment. Then the token of one of them is gone.
  if (isOurs(await readToken(objects), await readOwnership(store, place))) return true;
  await notePaused(place, { store });
  return false;
}

export const resumeSentence =
  "If this is the only server that uses it, delete sweep-token beside the messages there, and run assay messages sweep.";

/** Places where nothing is deleted until an operator decides. */
export async function listPausedPlaces({ read }: Pick<Store, "read">): Promise<ObjectPlace[]> {
  const paused: ObjectPlace[] = [];
  for (const place of ["directory", "s3"] as const)
    if ((await readOwnership({ read }, place)).problem !== null) paused.push(place);
  return paused;
}

/** The sweep calls it every day. */
export function logPaused(place: ObjectPlace, { log }: Pick<System, "log">): void {
  const where = place === "s3" ? "the S3 store" : "the message directory";
  log.error(`no raw messages are deleted from ${where}, because another database may use it`, { fix: resumeSentence });
}

async function notePaused(place: ObjectPlace, { store }: Pick<OwnerTerms, "store">): Promise<void> {
  const before = await readOwnership(store, place);
  if (before.problem === "shared") return;
  const paused = JSON.stringify({ ...before, problem: "shared" satisfies OwnerProblem });
  await store.write((db) => writeMeta(db, `objects:${place}`, paused));
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

async function readOwnership({ read }: Pick<Store, "read">, place: ObjectPlace): Promise<Ownership> {
  const text = await readMeta(read, `objects:${place}`);
  // Written here and by a restore (platform/database/engine/restore.ts).
  const known = text === undefined ? null : (parseJsonObject(text) as Ownership | null);
  return known ?? { tokens: [], problem: null };
}
