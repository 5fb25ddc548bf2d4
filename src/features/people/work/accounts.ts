// Setup, login, invitations and password changes. A password is hashed before the write that needs it, because a write
// awaits only queries.

import { recordChange } from "../../../platform/audit/rows/recording.ts";
import { createKnownBrowser, knownBrowserTries, readKnownBrowser } from "../../../platform/contract/known-browsers.ts";
import { hashSecret } from "../../../platform/contract/secrets.ts";
import { failuresForgottenMs, logInDelayMs } from "../../../platform/contract/sessions.ts";
import type { Store } from "../../../platform/database/store.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import { removeSessionsOf } from "../rows/sessions.ts";
import {
  countLoginTry,
  findUserByEmail,
  forgetLoginFailures,
  readUser,
  replacePasswordHash,
  updatePassword,
} from "../rows/users.ts";
import type { LinkKind } from "../rules/links.ts";
import { whyPasswordIsWeak } from "../rules/passwords.ts";
import type { UsersTable } from "../tables.ts";
import type { PasswordHasher } from "./password-hasher.ts";
import { requirePasswordLogin, requirePasswordUse, requireSamePassword, wrongPassword } from "./password-use.ts";
import {
  acceptInvitation,
  checkLink,
  findInvitedEmail,
  resetPassword,
  setUp,
  type WantedMember,
  type WantedOwner,
  type WantedPassword,
} from "./redeem-links.ts";
import { type Browser, type StartedSession, startSession } from "./sessions.ts";

export type Accounts = {
  /** Refuses a link that is of no use. */
  readonly checkLink: (kind: LinkKind, token: string) => Promise<void>;
  /** Creates the first owner. */
  readonly setUp: (wanted: WantedOwner, browser: Browser) => Promise<StartedSession>;
  /** Returns the user, or refuses. Slows down guessing. */
  readonly checkPassword: PasswordChecker;
  readonly logIn: (credentials: Credentials, browser: Browser) => Promise<StartedSession>;
  readonly changePassword: (change: PasswordChange) => Promise<void>;
  readonly acceptInvitation: (wanted: WantedMember, browser: Browser) => Promise<StartedSession>;
  /** The address that an invitation's link is for. */
  readonly findInvitedEmail: (token: string) => Promise<string | undefined>;
  readonly resetPassword: (wanted: WantedPassword, browser: Browser) => Promise<StartedSession>;
  /** The cookie for a browser that has just logged in to this account. */
  readonly rememberBrowser: (email: string) => string;
};

type Credentials = { readonly email: string; readonly password: string };

type PasswordChange = {
  readonly userId: string;
  /** This session stays; all others end. */
  readonly sessionId: string | null;
  readonly current: string;
  readonly next: string;
  readonly knownBrowser: string | null;
  /** The client's. */
  readonly address: string;
};

type AccountsOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly hasher: PasswordHasher;
  readonly pause: (ms: number) => Promise<void>;
  /** Signs the cookies of known browsers. */
  readonly browserKey: Uint8Array;
  /** The password was changed, from that address. */
  readonly notePasswordChange: (userId: string, address: string) => void;
  /** With `oidc`, only emergency accounts can use a password. */
  readonly config: Pick<Config, "login">;
};

/** What redeeming a link and changing a password need. */
export type AccountSteps = AccountsOptions & {
  readonly checkPassword: PasswordChecker;
  /** Refuses a weak password. `own`: the owner's name and address; `field`: the password's field in the request. */
  readonly hashNewPassword: (password: string, own: readonly string[], field: string) => Promise<string>;
};

export function createAccounts(options: AccountsOptions): Accounts {
  const { store, system, hasher, browserKey: key } = options;
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
    checkPassword: steps.checkPassword,
    checkLink: (kind, token) => checkLink(steps, kind, token),
    setUp: (wanted, browser) => setUp(steps, wanted, browser),
    logIn: async ({ email, password }, browser) => {
      const user = await steps.checkPassword(email, password, browser.knownBrowser);
      await requirePasswordLogin(options, user.id, browser);
      return await store.write(async (db) => {
        await requireSamePassword(db, user);
        return await startSession(db, system, user.id, browser);
      });
    },
    changePassword: (change) => changePassword(steps, change),
    acceptInvitation: (wanted, browser) => acceptInvitation(steps, wanted, browser),
    findInvitedEmail: (token) => findInvitedEmail(steps, token),
    resetPassword: (wanted, browser) => resetPassword(steps, wanted, browser),
    rememberBrowser: (email) => createKnownBrowser({ key, email, now: system.now() }, system.random(16)),
  };
}

async function changePassword(
  steps: AccountSteps,
  { userId, sessionId, current, next, knownBrowser, address }: PasswordChange,
): Promise<void> {
  const { store, checkPassword, hashNewPassword } = steps;
  await requirePasswordUse(steps, userId);
  const user = await readUser(store.read, userId);
  if (user === undefined) throw new Refusal("forbidden", "This account no longer exists.");
  const checked = await checkPassword(user.email, current, knownBrowser);
  const passwordHash = await hashNewPassword(next, [user.email, user.name], "next");
  await store.write(async (db) => {
    await requireSamePassword(db, checked);
    await updatePassword(db, userId, passwordHash);
    recordChange();
    await removeSessionsOf(db, userId, sessionId);
  });
  steps.notePasswordChange(userId, address);
}

// Checks a password. An unknown account takes the same steps and the same time and gets the same answer, so nothing
// reveals which accounts exist. Each try is counted before it is judged, so parallel tries are slowed down like
// sequential ones.

export type PasswordChecker = (email: string, password: string, knownBrowser?: string | null) => Promise<UsersTable>;

type PasswordCheckerOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now">;
  readonly hasher: PasswordHasher;
  readonly pause: (ms: number) => Promise<void>;
  readonly browserKey: Uint8Array;
};

/** Each delayed login holds a connection. Without a limit, a stranger could use up all connections. */
const maxDelayed = 200;

/** Returns the user, or refuses. `email` must be normalized. */
function createPasswordChecker(options: PasswordCheckerOptions): PasswordChecker {
  const { store, system, hasher, pause, browserKey: key } = options;
  let delayed = 0;

  async function delay(tries: number): Promise<void> {
    const delayMs = logInDelayMs(tries);
    if (delayMs === 0) return;
    if (delayed >= maxDelayed) throw overloaded("Too many failed logins are being delayed");
    delayed++;
    await pause(delayMs).finally(() => delayed--);
  }

  async function rehash(user: UsersTable, password: string): Promise<UsersTable> {
    const fresh = await hasher.hash(password);
    await store.write((db) => replacePasswordHash(db, user.id, { old: user.password_hash, fresh }));
    return { ...user, password_hash: fresh };
  }

  function countTry(account: string): Promise<number> {
    const now = system.now();
    const forgottenBefore = now - failuresForgottenMs;
    return store.write((db) => countLoginTry(db, account, { now, forgottenBefore }));
  }

  /** Returns under which names the try was counted. */
  async function slowDown(email: string, knownBrowser: string | null): Promise<string[]> {
    const browser = readKnownBrowser({ key, email, now: system.now() }, knownBrowser);
    if (browser !== null && (await countTry(browser)) <= knownBrowserTries) return [browser];
    const account = hashSecret(email);
    await delay(await countTry(account));
    return browser === null ? [account] : [browser, account];
  }

  return async (email, password, knownBrowser = null) => {
    const counted = await slowDown(email, knownBrowser);
    const user = await findUserByEmail(store.read, email);
    const { fits, isOutdated } = await hasher.verify(password, user?.password_hash ?? "");
    if (user === undefined || !fits) throw wrongPassword();
    // A known browser doesn't end the slow-down of others, who may still be guessing.
    await store.write(async (db) => {
      for (const account of counted) await forgetLoginFailures(db, account);
    });
    return isOutdated ? await rehash(user, password) : user;
  };
}
