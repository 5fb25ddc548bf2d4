// How people come into their accounts. A password is hashed before the write that needs it: a write awaits nothing but
// queries.

import { whyPasswordIsWeak } from "../accounts/passwords.ts";
import { Refusal } from "../errors.ts";
import { removeSessionsOf } from "../store/sessions.ts";
import type { Store } from "../store/store.ts";
import { readUser, updatePassword } from "../store/users.ts";
import type { PasswordHasher } from "../system/password-hasher.ts";
import type { System } from "../system/system.ts";
import { createPasswordChecker, type PasswordChecker } from "./log-in.ts";
import {
  acceptInvitation,
  resetPassword,
  setUp,
  type WantedMember,
  type WantedOwner,
  type WantedPassword,
} from "./redeem-links.ts";
import { type Browser, type StartedSession, startSession } from "./sessions.ts";

export type Accounts = {
  /** The first owner, by the set-up link. */
  readonly setUp: (wanted: WantedOwner, browser: Browser) => Promise<StartedSession>;
  readonly logIn: (credentials: Credentials, browser: Browser) => Promise<StartedSession>;
  readonly changePassword: (change: PasswordChange) => Promise<void>;
  readonly acceptInvitation: (wanted: WantedMember, browser: Browser) => Promise<StartedSession>;
  readonly resetPassword: (wanted: WantedPassword, browser: Browser) => Promise<StartedSession>;
};

export type Credentials = { readonly email: string; readonly password: string };

export type PasswordChange = {
  readonly userId: string;
  /** The session that goes on; all others end. */
  readonly sessionId: string | null;
  readonly current: string;
  readonly next: string;
};

export type AccountsOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random">;
  readonly hasher: PasswordHasher;
  readonly pause: (ms: number) => Promise<void>;
};

/** What the steps of redeeming a link and of changing a password stand on. */
export type AccountSteps = AccountsOptions & {
  readonly checkPassword: PasswordChecker;
  /** Refuses one that is weak. `own`: what belongs to its owner; `field`: the request's name for it. */
  readonly hashNewPassword: (password: string, own: readonly string[], field: string) => Promise<string>;
};

export function createAccounts(options: AccountsOptions): Accounts {
  const { store, system, hasher } = options;
  const steps: AccountSteps = {
    ...options,
    checkPassword: createPasswordChecker(options),
    hashNewPassword: async (password, own, field) => {
      const weakness = whyPasswordIsWeak(password, own);
      if (weakness !== null) throw new Refusal("invalid_request", `"${field}" ${weakness}.`, { field });
      return await hasher.hash(password);
    },
  };
  return {
    setUp: (wanted, browser) => setUp(steps, wanted, browser),
    logIn: async ({ email, password }, browser) => {
      const user = await steps.checkPassword(email, password);
      return await store.write((db) => startSession(db, system, user.id, browser));
    },
    changePassword: (change) => changePassword(steps, change),
    acceptInvitation: (wanted, browser) => acceptInvitation(steps, wanted, browser),
    resetPassword: (wanted, browser) => resetPassword(steps, wanted, browser),
  };
}

async function changePassword(
  { store, checkPassword, hashNewPassword }: AccountSteps,
  { userId, sessionId, current, next }: PasswordChange,
): Promise<void> {
  const user = await readUser(store.read, userId);
  if (user === undefined) throw new Refusal("forbidden", "This account is no more.");
  await checkPassword(user.email, current);
  const passwordHash = await hashNewPassword(next, [user.email, user.name], "next");
  await store.write(async (db) => {
    await updatePassword(db, userId, passwordHash);
    await removeSessionsOf(db, userId, sessionId);
  });
}
