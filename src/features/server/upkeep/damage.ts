// Looks for damage in a SQLite database that no request has met yet: soon after the start, and once a week. The check reads
// all of the file in a thread. PostgreSQL reports damage itself.

import { join } from "node:path";
import { parseJsonObject } from "../../../analyzer/json.ts";
import { checkSqlite } from "../../../platform/database/engine/check-database.ts";
import { readMeta, writeMeta } from "../../../platform/database/engine/meta.ts";
import { migrations } from "../../../platform/database/migrations/list.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/server.ts";
import { raiseServerAlert } from "../../alerts/work/raise.ts";

type WatchTerms = Pick<Server, "config" | "store" | "system" | "service">;

/** Not at the start, which should be fast. */
const afterStartMs = 3_000;
const weekMs = 7 * 86_400_000;

/** Returns what stops it, after the table that is being read. */
export function watchForDamage({ config, store, system, service }: WatchTerms): () => void {
  let isStopped = false;
  let timer = setTimeout(check, afterStartMs).unref();
  const readLeftMs = () => (isStopped ? 0 : Number.POSITIVE_INFINITY);

  async function check(): Promise<void> {
    timer = setTimeout(check, weekMs).unref();
    const reading = await checkSqlite(join(config.dataDir, "assay.db"), migrations.length, readLeftMs);
    system.log.debug("the database was checked", { state: reading.state });
    if (reading.state !== "damaged") return;
    service.noteTrouble("database_damaged");
    system.log.error("the database is damaged", { problem: reading.problem });
    await store
      .write((db) => tellOnce(db, reading.problem, system))
      .catch((error) =>
        system.log.warn("the alert about the damage could not be stored", { problem: messageOf(error) }),
      );
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** Not again after a restart. */
async function tellOnce(db: Db, problem: string, system: WatchTerms["system"]): Promise<void> {
  if ((await readMeta(db, "damage")) === problem) return;
  await writeMeta(db, "damage", problem);
  const backup = parseJsonObject((await readMeta(db, "backup")) ?? "{}");
  const { at } = (backup?.good ?? {}) as { readonly at?: number };
  const lastGoodAt = at === undefined ? null : new Date(at).toISOString();
  const nextTryAt = new Date(system.now() + weekMs).toISOString();
  await raiseServerAlert(db, { state: "damaged", problem, lastGoodAt, nextTryAt }, system);
}
