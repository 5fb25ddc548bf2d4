// What an issuer changes here without a call of the person: entries of the audit log.

import type { Issuer } from "../../accounts/issuers.ts";
import { serverChain, toDetailsText } from "../../audit/entry.ts";
import { listChainsOf } from "../../store/audit/actors.ts";
import { bySystem } from "../../store/audit/append.ts";
import { recordAlso } from "../../store/audit/recording.ts";
import { readUser } from "../../store/people/users.ts";
import type { Db } from "../../store/schema/schema.ts";

export function byIssuer({ label }: Pick<Issuer, "label">) {
  return { ...bySystem, actor_name: label };
}

/** Null: an issuer that was removed from the file. */
export async function recordEndedSessions(
  db: Db,
  issuer: Issuer | null,
  { userId, why, at }: { readonly userId: string; readonly why: string; readonly at: number },
): Promise<void> {
  const name = (await readUser(db, userId))?.name ?? null;
  const entry = {
    ...(issuer === null ? bySystem : byIssuer(issuer)),
    ...{ at, action: "session.end" },
    ...{ object_kind: "user", object_id: userId, object_name: name },
    details: toDetailsText({ why }),
  };
  await recordAlso(db, [{ chains: [...(await listChainsOf(db, userId)), serverChain], entry }]);
}
