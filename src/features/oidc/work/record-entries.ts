// What an issuer changes here without a call of the person: entries of the audit log.

import { findActor, listChainsOf, toPerson } from "../../../platform/audit/rows/actors.ts";
import { bySystem } from "../../../platform/audit/rows/append.ts";
import { recordAlso } from "../../../platform/audit/rows/recording.ts";
import { serverChain, toDetailsText } from "../../../platform/audit/rules/entry.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Issuer } from "../rules.ts";

export function byIssuer({ label }: Pick<Issuer, "label">) {
  return { ...bySystem, actor_name: label };
}

/** Null: an issuer that was removed from the file. */
export async function recordEndedSessions(
  db: Db,
  issuer: Issuer | null,
  { userId, why, at }: { readonly userId: string; readonly why: string; readonly at: number },
): Promise<void> {
  const { name } = await findActor(db, toPerson(userId));
  const entry = {
    ...(issuer === null ? bySystem : byIssuer(issuer)),
    at,
    action: "session.end",
    object_kind: "user",
    object_id: userId,
    object_name: name,
    details: toDetailsText({ why }),
  };
  await recordAlso(db, [{ chains: [...(await listChainsOf(db, userId)), serverChain], entry }]);
}
