// Who knows the password. Whoever does not is told nothing more: an account that does not exist is looked up, waited for
// and hashed for like one that does, and gets the same answer. Each try is counted before it is judged, so that many at
// the same time are as slow as one after the other.

import { failuresForgottenMs, logInDelayMs } from "../accounts/log-in-delay.ts";
import { hashSecret } from "../accounts/secrets.ts";
import { overloaded, Refusal } from "../errors.ts";
import { countLoginTry, forgetLoginFailures } from "../store/login-failures.ts";
import type { UsersTable } from "../store/people-schema.ts";
import type { Store } from "../store/store.ts";
import { findUserByEmail, replacePasswordHash } from "../store/users.ts";
import type { PasswordHasher } from "../system/password-hasher.ts";
import type { System } from "../system/system.ts";

export type PasswordChecker = (email: string, password: string) => Promise<UsersTable>;

export type PasswordCheckerOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now">;
  readonly hasher: PasswordHasher;
  readonly pause: (ms: number) => Promise<void>;
};

/** Each holds a connection: past these a stranger could take them all. */
const maxDelayed = 200;

/** Answers the user, or refuses. `email` in its one form. */
export function createPasswordChecker({
  store,
  system,
  hasher,
  pause,
}: PasswordCheckerOptions): PasswordChecker {
  let delayed = 0;

  async function delay(tries: number): Promise<void> {
    const delayMs = logInDelayMs(tries);
    if (delayMs === 0) return;
    if (delayed >= maxDelayed) throw overloaded("Too many failed log-ins are being slowed down");
    delayed++;
    await pause(delayMs).finally(() => delayed--);
  }

  async function rehash(user: UsersTable, password: string): Promise<void> {
    const fresh = await hasher.hash(password);
    await store.write((db) => replacePasswordHash(db, user.id, { old: user.password_hash, fresh }));
  }

  return async (email, password) => {
    const account = hashSecret(email);
    const now = system.now();
    const forgottenBefore = now - failuresForgottenMs;
    await delay(await store.write((db) => countLoginTry(db, account, { now, forgottenBefore })));
    const user = await findUserByEmail(store.read, email);
    const { fits, isOutdated } = await hasher.verify(password, user?.password_hash ?? "");
    if (user === undefined || !fits)
      throw new Refusal("invalid_credentials", "E-mail and password do not fit together.");
    await store.write((db) => forgetLoginFailures(db, account));
    if (isOutdated) await rehash(user, password);
    return user;
  };
}
