// Sessions: logged-in browsers.

import { createSecret, hashSecret, secretBytes } from "../../accounts/secrets.ts";
import { maxSessions, sessionLifeMs } from "../../accounts/sessions.ts";
import { createId } from "../../ids.ts";
import { insertSession, removeOldestSessions } from "../../store/people/sessions.ts";
import type { Db } from "../../store/schema/schema.ts";
import type { System } from "../../system/system.ts";
import { toVisible } from "../../visible-text.ts";

export type Browser = {
  readonly address: string;
  /** The User-Agent header. */
  readonly agent: string;
  /** The cookie of a browser that has logged in before. */
  readonly knownBrowser?: string | null;
};

/** `secret` goes into the cookie and is not stored. */
export type StartedSession = { readonly id: string; readonly userId: string; readonly secret: string };

const longestAgent = 300;

export async function startSession(
  db: Db,
  system: Pick<System, "now" | "random">,
  userId: string,
  { address, agent }: Browser,
): Promise<StartedSession> {
  const now = system.now();
  const secret = createSecret(system.random(secretBytes));
  const id = createId("session", now, system.random(16));
  await removeOldestSessions(db, userId, maxSessions - 1);
  await insertSession(db, {
    id,
    user_id: userId,
    hash: hashSecret(secret),
    created_at: now,
    last_seen_at: now,
    expires_at: now + sessionLifeMs,
    address,
    agent: toVisible(agent.slice(0, longestAgent)),
  });
  return { id, userId, secret };
}
