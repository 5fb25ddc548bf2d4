// Sends reset links to people who forgot their password (src/decisions.md, "Mail about accounts"). The response comes before
// anything about the account is looked up, so neither its content nor its time says whether there is one.

import { type Intent, recordChange, recorded } from "../../../platform/audit/rows/recording.ts";
import { createSecret, hashSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import { inWorkspace } from "../../../platform/database/scope.ts";
import type { Store } from "../../../platform/database/store.ts";
import { messageOf, overloaded, Refusal } from "../../../platform/errors.ts";
import type { Config } from "../../../platform/settings/config.ts";
import type { System } from "../../../platform/system/system.ts";
import { removeConfirmationMail } from "../../alerts/rows/addresses.ts";
import { countMail } from "../../alerts/work/mail-limits.ts";
import { auditedUser } from "../audited.ts";
import { replacePasswordReset, takePasswordReset } from "../rows/one-time-links.ts";
import { listFactors } from "../rows/second-factors.ts";
import { countTokensOf } from "../rows/tokens.ts";
import { findUserByEmail, holdPassword, listIdentities, readUser } from "../rows/users.ts";
import { readFirstWorkspaceId } from "../rows/workspaces.ts";
import type { WaysIn } from "../rules/account-mail.ts";
import { mailedResetLifeMs } from "../rules/links.ts";
import type { UsersTable } from "../tables.ts";
import type { AccountMail } from "./account-mail.ts";
import { hasPassword } from "./password-use.ts";

export type ResetRequests = {
  /** Refuses if it can't be done for anyone. `email` must be normalized. */
  readonly request: (email: string, address: string) => void;
  /** Tells a person that their password was changed. */
  readonly noteChange: (userId: string, address: string) => void;
  /** Ends within that time. What isn't sent is logged. */
  readonly stop: (patienceMs: number) => Promise<void>;
};

type ResetTerms = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly config: Pick<Config, "login">;
  readonly findLabel: (issuer: string) => string | undefined;
  readonly mail: AccountMail;
  readonly pause: (ms: number) => Promise<void>;
};

/** In this process, over all accounts. Each may wait for the relay. */
const mostPending = 50;
/** So that the work doesn't slow down the requests right after. */
const waitMs = { least: 200, spread: 800 };

export function createResetRequests(terms: ResetTerms): ResetRequests {
  const { system, mail, pause } = terms;
  const pending = new Set<Promise<void>>();
  const closing = new AbortController();

  function start(what: string, work: (signal: AbortSignal) => Promise<unknown>): void {
    if (pending.size >= mostPending) throw overloaded("Too many account emails are being sent");
    const [chance = 0] = system.random(1);
    const run = async () => {
      await pause(waitMs.least + (waitMs.spread * chance) / 256);
      await work(closing.signal);
    };
    const running: Promise<void> = run()
      .catch((error: unknown) => system.log.error("account email failed", { what }, error))
      .finally(() => pending.delete(running));
    pending.add(running);
  }

  return {
    request: (email, address) => {
      mail.require();
      start("password reset", (signal) => mailLink(terms, { email, address, signal }));
    },
    noteChange: (userId, address) => {
      if (!mail.isReady()) return;
      try {
        start("password changed", (signal) => mailChange(terms, { userId, address, signal }));
      } catch (error) {
        // The password is changed already.
        const problem = messageOf(error);
        system.log.warn("account email not sent", { what: "password changed", user: userId, problem });
      }
    },
    stop: async (patienceMs) => {
      closing.abort();
      await Promise.race([Promise.all(pending), pause(patienceMs)]);
    },
  };
}

type Asked = { readonly email: string; readonly address: string; readonly signal: AbortSignal };

async function mailLink(terms: ResetTerms, { email, address, signal }: Asked): Promise<void> {
  const { store, system, mail } = terms;
  const user = await findUserByEmail(store.read, email);
  // An account without a password logs in elsewhere, or waits for the link of the operator who ended it.
  if (user === undefined || !(await hasPassword(terms, user))) return;
  const planned = await planLink(terms, user, address);
  if (planned === null) return;
  const outcome = await mail.sendReset(user, planned.secret, signal);
  // Without a rejection, it may have arrived all the same.
  if (outcome.ok || outcome.reply === null) return;
  await store.write(async (db) => {
    await takePasswordReset(db, hashSecret(planned.secret));
    await removeConfirmationMail(inWorkspace(db, planned.workspaceId), planned.countedAs);
  });
  system.log.info("password reset link removed", { user: user.id });
}

type PlannedLink = { readonly secret: string; readonly countedAs: string; readonly workspaceId: string };

/** Null: the mailbox got too many, or the password was changed meanwhile. */
async function planLink({ store, system }: ResetTerms, user: UsersTable, address: string): Promise<PlannedLink | null> {
  const secret = createSecret(system.random(secretBytes));
  const intent: Intent = {
    action: "password.reset-request",
    by: { type: "unknown", id: null, name: null, email: null },
    address,
    workspaceId: null,
    object: auditedUser,
    objectId: user.id,
    log: "person",
    effect: "maybe",
  };
  try {
    return await recorded({ store, system }, intent, () =>
      store.write(async (db) => {
        if (!(await holdPassword(db, user.id, user.password_hash))) return null;
        const workspaceId = (await readFirstWorkspaceId(db)) ?? "";
        const countedAs = await countMail(inWorkspace(db, workspaceId), "reset", user.email, system);
        const now = system.now();
        const expires_at = now + mailedResetLifeMs;
        await replacePasswordReset(db, { user_id: user.id, hash: hashSecret(secret), created_at: now, expires_at });
        recordChange();
        return { secret, countedAs, workspaceId };
      }),
    );
  } catch (error) {
    if (!(error instanceof Refusal && error.code === "rate_limited")) throw error;
    system.log.info("password reset email limited", { user: user.id, why: error.message });
    return null;
  }
}

type Changed = { readonly userId: string; readonly address: string; readonly signal: AbortSignal };

async function mailChange(terms: ResetTerms, { userId, address, signal }: Changed): Promise<void> {
  const user = await readUser(terms.store.read, userId);
  if (user === undefined) return;
  await terms.mail.sendChanged(user, { address, ways: await readWaysIn(terms, userId) }, signal);
}

/** Someone else may have opened the person's invitation before, and have left them (src/decisions.md, "Mail about accounts"). */
async function readWaysIn({ store, system, findLabel }: ResetTerms, userId: string): Promise<WaysIn> {
  const identities = await listIdentities(store.read, userId);
  const factors = await listFactors(store.read, userId);
  return {
    // The newest first, because the list is cut.
    logins: identities.toReversed().map(({ issuer, email }) => ({ issuer: findLabel(issuer) ?? issuer, email })),
    passkeys: factors.filter(({ kind }) => kind === "passkey").length,
    apps: factors.filter(({ kind }) => kind === "totp").length,
    tokens: await countTokensOf(store.read, userId, system.now()),
  };
}
