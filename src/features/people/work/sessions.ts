// Sessions: logged-in browsers.

import { toVisible } from "../../../analyzer/visible-text.ts";
import { toPerson } from "../../../platform/audit/rows/actors.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import { maxSessions, sessionLifeMs } from "../../../platform/contract/sessions.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { createId } from "../../../platform/ids.ts";
import type { System } from "../../../platform/system/system.ts";
import { hasFactor } from "../rows/second-factors.ts";
import { insertSession, removeOldestSessions } from "../rows/sessions.ts";
import { isEmergencyAccount } from "../rows/users.ts";

export type Browser = {
  readonly address: string;
  /** The User-Agent header. */
  readonly agent: string;
  /** The cookie of a browser that has logged in before. */
  readonly knownBrowser?: string | null;
};

/** `secret` goes into the cookie and is not stored. */
export type StartedSession = {
  readonly id: string;
  readonly userId: string;
  readonly secret: string;
  /** Opens nothing until the second factor was checked. */
  readonly isPending: boolean;
  readonly hasSecondFactor: boolean;
};

const longestAgent = 300;
/** To find a phone. */
const pendingLifeMs = 10 * 60_000;
const maxPending = 5;

/**
 * Every login begins here, so that none goes around the second factor. `secondFactorAt`: when it was checked, here or by
 * the organization's own login.
 */
export async function startSession(
  db: Db,
  system: Pick<System, "now" | "random">,
  userId: string,
  { address, agent }: Browser,
  { secondFactorAt = null }: { readonly secondFactorAt?: number | null } = {},
): Promise<StartedSession> {
  const now = system.now();
  const secret = createSecret(system.random(secretBytes));
  const id = createId("session", now, system.random(16));
  const isPending = secondFactorAt === null && (await hasFactor(db, userId));
  await removeOldestSessions(db, userId, { keep: (isPending ? maxPending : maxSessions) - 1, pending: isPending });
  await insertSession(db, {
    id,
    user_id: userId,
    hash: hashSecret(secret),
    created_at: now,
    last_seen_at: now,
    expires_at: now + (isPending ? pendingLifeMs : sessionLifeMs),
    address,
    agent: toVisible(agent.slice(0, longestAgent)),
    second_factor_at: secondFactorAt,
    pending: isPending ? JSON.stringify({ tries: 0, challenge: null }) : null,
  });
  // A pending one is no login yet, so the audit log doesn't say so.
  if (!isPending) {
    const details = (await isEmergencyAccount(db, userId)) ? { emergencyAccount: true } : {};
    recordChange({ by: toPerson(userId), details });
  }
  return { id, userId, secret, isPending, hasSecondFactor: secondFactorAt !== null };
}
