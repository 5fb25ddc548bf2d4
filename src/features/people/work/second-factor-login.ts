// The second step of a login. The right password of a person with a second factor gets a session that is pending
// (sessions.ts). It opens nothing. Here it is turned into a real one (src/decisions.md, "Second factors").

import { parseJsonObject } from "../../../analyzer/json.ts";
import { hashSecret, isSecret } from "../../../platform/contract/secrets.ts";
import { failuresForgottenMs } from "../../../platform/contract/sessions.ts";
import { Refusal } from "../../../platform/errors.ts";
import { countRecoveryCodes, listFactors, takeRecoveryCode, usePasskey, useStep } from "../rows/second-factors.ts";
import { findPendingSession, removeSessionByHash, updatePendingSession } from "../rows/sessions.ts";
import { countLoginTry, forgetLoginFailures, readUser } from "../rows/users.ts";
import { hashRecoveryCode } from "../rules/second-factors.ts";
import type { SessionsTable } from "../tables.ts";
import { checkPasskey, offerLogin, type Site, whyNoPasskeys } from "./passkeys.ts";
import { type Answer, findStep, type SecondFactorsOptions } from "./second-factors.ts";
import { type Browser, type StartedSession, startSession } from "./sessions.ts";

type Options = Pick<SecondFactorsOptions, "store" | "system" | "sealer">;

export type SecondFactorLogin = ReturnType<typeof createSecondFactorLogin>;

/** `secret`: of the pending session, from its cookie. */
export function createSecondFactorLogin(options: Options) {
  return {
    /** Whose login is pending. Null: none is. */
    findEmail: (secret: string | null) => findEmail(options, secret),
    /** What a pending login may use, with a new challenge for its passkeys. */
    offer: (secret: string | null, site: Site) => offer(options, secret, site),
    logIn: (secret: string | null, answer: Answer, browser: Browser & { readonly site: Site }) =>
      logIn(options, secret, answer, browser),
  };
}

/** In a session's `pending`. */
type Pending = { readonly tries: number; readonly challenge: string | null };

/** Then the password is needed again. */
const maxTries = 5;
/** Wrong codes in a day, over all logins. With more, a code could be guessed. Each try needs the right password. */
const maxWrongCodes = 30;

async function findEmail({ store, system }: Options, secret: string | null): Promise<string | null> {
  if (secret === null || !isSecret(secret)) return null;
  const session = await findPendingSession(store.read, hashSecret(secret), system.now());
  return session === undefined ? null : ((await readUser(store.read, session.user_id))?.email ?? null);
}

async function findPending(
  { store, system }: Options,
  secret: string | null,
): Promise<SessionsTable & { readonly pending: string }> {
  const isThere = secret !== null && isSecret(secret);
  const session = isThere ? await findPendingSession(store.read, hashSecret(secret), system.now()) : undefined;
  if (!session?.pending) throw expired();
  return { ...session, pending: session.pending };
}

function expired(): Refusal {
  return new Refusal("conflict", "This login has expired. Log in again.");
}

async function offer(options: Options, secret: string | null, site: Site) {
  const { store } = options;
  const session = await findPending(options, secret);
  const factors = await listFactors(store.read, session.user_id);
  const passkeys = factors.flatMap(({ kind, passkey }) => (kind === "passkey" && passkey ? [passkey] : []));
  const offered = passkeys.length > 0 && whyNoPasskeys(site) === null ? await offerLogin(site, passkeys) : null;
  if (offered) {
    const pending = JSON.stringify({ ...readPending(session.pending), challenge: offered.challenge });
    await store.write((db) => updatePendingSession(db, session.id, { before: session.pending, pending }));
  }
  return {
    totp: factors.some(({ kind, secret: sealed }) => kind === "totp" && sealed !== null),
    passkey: offered as unknown,
    recoveryCodesLeft: await countRecoveryCodes(store.read, session.user_id),
  };
}

/** A try is counted before it is judged, so parallel tries count like sequential ones. */
async function countTry({ store }: Options, session: SessionsTable & { readonly pending: string }): Promise<Pending> {
  const before = readPending(session.pending);
  // A challenge is for one try.
  const pending = JSON.stringify({ tries: before.tries + 1, challenge: null });
  const isCounted =
    before.tries < maxTries &&
    (await store.write((db) => updatePendingSession(db, session.id, { before: session.pending, pending })));
  if (isCounted) return before;
  if (before.tries >= maxTries) await store.write((db) => removeSessionByHash(db, session.hash));
  throw new Refusal("invalid_credentials", "Too many tries. Log in again.");
}

async function logIn(
  options: Options,
  secret: string | null,
  answer: Answer,
  { site, ...browser }: Browser & { readonly site: Site },
): Promise<StartedSession> {
  const { store, system } = options;
  const session = await findPending(options, secret);
  const { challenge } = await countTry(options, session);
  if ("code" in answer) await useCode(options, session.user_id, answer.code);
  else if ("recoveryCode" in answer) await useRecoveryCode(options, session.user_id, answer.recoveryCode);
  else await useKey(options, session.user_id, { challenge, response: answer.passkey, site });
  // A new secret: the old one was known before the second factor was.
  return await store.write(async (db) => {
    // A new password or an administrator may have ended it meanwhile.
    if ((await removeSessionByHash(db, session.hash)) === undefined) throw expired();
    await forgetLoginFailures(db, codesOf(session.user_id));
    return await startSession(db, system, session.user_id, browser, { secondFactorAt: system.now() });
  });
}

/** The account under which wrong codes are counted, apart from wrong passwords. */
function codesOf(userId: string): string {
  return hashSecret(`second-factor:${userId}`);
}

async function useCode({ store, system, sealer }: Options, userId: string, typed: string): Promise<void> {
  const now = system.now();
  const forgottenBefore = now - failuresForgottenMs;
  const tries = await store.write((db) => countLoginTry(db, codesOf(userId), { now, forgottenBefore }));
  if (tries > maxWrongCodes)
    throw new Refusal(
      "invalid_credentials",
      "Too many wrong codes were entered for this account. Use a passkey or a recovery code, or try again in a day.",
    );
  for (const factor of await listFactors(store.read, userId)) {
    const step = factor.kind === "totp" ? findStep(sealer, factor, typed, now) : undefined;
    if (step === undefined) continue;
    if (await store.write((db) => useStep(db, factor.id, { step, now }))) return;
    throw new Refusal("invalid_credentials", "This code was already used. Wait for the next one.", { field: "code" });
  }
  throw new Refusal("invalid_credentials", "Wrong code.", { field: "code" });
}

async function useRecoveryCode({ store }: Options, userId: string, typed: string): Promise<void> {
  const hash = hashRecoveryCode(typed);
  if (hash !== undefined && (await store.write((db) => takeRecoveryCode(db, userId, hash)))) return;
  throw new Refusal("invalid_credentials", "This recovery code is wrong or was already used.", {
    field: "recoveryCode",
  });
}

type KeyAnswer = { readonly challenge: string | null; readonly response: unknown; readonly site: Site };

async function useKey(
  { store, system }: Options,
  userId: string,
  { challenge, response, site }: KeyAnswer,
): Promise<void> {
  const id = parseId(response);
  const factors = await listFactors(store.read, userId);
  const factor = factors.find(({ kind, credential_id }) => kind === "passkey" && credential_id === id);
  if (challenge === null || !factor?.passkey)
    throw new Refusal("invalid_credentials", "The passkey was not accepted. Try again.");
  const passkey = await checkPasskey(site, challenge, factor.passkey, response);
  if (!(await store.write((db) => usePasskey(db, factor, { passkey, now: system.now() }))))
    throw new Refusal("invalid_credentials", "The passkey was not accepted. Try again.");
}

function parseId(response: unknown): string | undefined {
  const id = (response as { id?: unknown } | null)?.id;
  return typeof id === "string" ? id : undefined;
}

function readPending(text: string): Pending {
  const { tries, challenge } = parseJsonObject(text) ?? {};
  return {
    tries: typeof tries === "number" ? tries : maxTries,
    challenge: typeof challenge === "string" ? challenge : null,
  };
}
