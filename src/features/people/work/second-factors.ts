// Second factors of a person: setting them up, and removing them. second-factor-login.ts asks for them.

import { parseJsonObject } from "../../../analyzer/json.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { createId } from "../../../platform/ids.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import {
  confirmFactor,
  countRecoveryCodes,
  hasFactor,
  insertFactor,
  isCredentialKnown,
  listFactors,
  readFactor,
  removeAllFactors,
  removeFactor,
  removeUnconfirmed,
  replaceRecoveryCodes,
} from "../rows/second-factors.ts";
import { forgetSecondFactor, updateSecondFactorAt } from "../rows/sessions.ts";
import { readUser } from "../rows/users.ts";
import {
  createRecoveryCode,
  type FactorKind,
  findTotpStep,
  hashRecoveryCode,
  maxFactors,
  readTotpCode,
  recoveryCodeCount,
  toBase32,
  toTotpUri,
  totpSecretBytes,
} from "../rules/second-factors.ts";
import type { SecondFactorsTable, UsersTable } from "../tables.ts";
import type { PasswordChecker } from "./accounts.ts";
import { finishRegistration, offerRegistration, type Site, whyNoPasskeys } from "./passkeys.ts";

/** The purpose of the derived key. */
export const factorSealing = "second-factors";

export function factorSecretPlace(id: string): string {
  return `${id} secret`;
}

export type SecondFactorsOptions = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random">;
  readonly sealer: Sealer;
  readonly checkPassword: PasswordChecker;
};

type Factors = { readonly items: readonly SecondFactorsTable[]; readonly recoveryCodesLeft: number };

/** What a browser needs for the next step. */
type BegunFactor = { readonly id: string } & (
  | { readonly kind: "totp"; readonly secret: string; readonly uri: string }
  | { readonly kind: "passkey"; readonly options: unknown }
);

export type Answer = { readonly code: string } | { readonly recoveryCode: string } | { readonly passkey: unknown };

export type SecondFactors = ReturnType<typeof createSecondFactors>;

export function createSecondFactors(options: SecondFactorsOptions) {
  const { store } = options;
  return {
    list: async (userId: string): Promise<Factors> => ({
      items: await listFactors(store.read, userId),
      recoveryCodesLeft: await countRecoveryCodes(store.read, userId),
    }),
    begin: (wanted: WantedFactor) => begin(options, wanted),
    confirm: (given: GivenConfirmation) => confirm(options, given),
    remove: (given: PasswordGiven & { readonly id: string }) => remove(options, given),
    /** Replaces the old ones. */
    makeRecoveryCodes: async (given: PasswordGiven): Promise<readonly string[]> => {
      const user = await requirePassword(options, given);
      if (!(await hasFactor(store.read, user.id)))
        throw new Refusal("conflict", "Add an authenticator app or a passkey first.");
      return await store.write((db) => {
        recordChange();
        return writeRecoveryCodes(db, user.id, options);
      });
    },
  };
}

type PasswordGiven = { readonly userId: string; readonly password: string };

/** An open browser isn't enough to change how the account is protected. */
async function requirePassword(
  { store, checkPassword }: SecondFactorsOptions,
  { userId, password }: PasswordGiven,
): Promise<UsersTable> {
  const user = await readUser(store.read, userId);
  if (user === undefined) throw new Refusal("forbidden", "This account no longer exists.");
  if (user.password_hash === "")
    throw new Refusal("conflict", "This account has no password here. Your organization’s login protects it.");
  return await checkPassword(user.email, password);
}

type WantedFactor = PasswordGiven & { readonly kind: FactorKind; readonly name: string; readonly site: Site };

async function begin(
  options: SecondFactorsOptions,
  { kind, name, site, ...given }: WantedFactor,
): Promise<BegunFactor> {
  const { store, system, sealer } = options;
  const why = kind === "passkey" ? whyNoPasskeys(site) : null;
  if (why !== null) throw new Refusal("conflict", why);
  const user = await requirePassword(options, given);
  const existing = await listFactors(store.read, user.id);
  if (existing.length >= maxFactors)
    throw new Refusal("conflict", `You already have ${maxFactors} second factors. Remove one first.`);
  const now = system.now();
  const id = createId("secondFactor", now, system.random(16));
  const empty = { confirmed_at: null, last_used_at: null, last_step: null, credential_id: null };
  const row = { ...empty, id, user_id: user.id, kind, name, created_at: now };
  if (kind === "totp") {
    const secret = system.random(totpSecretBytes);
    const sealed = sealer.seal(Buffer.from(secret).toString("base64"), factorSecretPlace(id));
    await insert({ ...row, secret: sealed, passkey: null });
    const uri = toTotpUri(secret, { email: user.email, host: site.host });
    return { id, kind, secret: toBase32(secret), uri };
  }
  const known = existing.flatMap(({ passkey }) => (passkey === null ? [] : [passkey]));
  const offered = await offerRegistration(site, user, known);
  await insert({ ...row, secret: null, passkey: JSON.stringify({ challenge: offered.challenge }) });
  return { id, kind, options: offered };

  async function insert(factor: SecondFactorsTable): Promise<void> {
    await store.write(async (db) => {
      await removeUnconfirmed(db, user.id);
      await insertFactor(db, factor);
    });
  }
}

/** Begun setups expire, because their secret was shown on a screen. */
const setUpWithinMs = 30 * 60_000;

type GivenConfirmation = {
  readonly userId: string;
  readonly id: string;
  readonly answer: Answer;
  readonly site: Site;
  /** Null: a token. */
  readonly sessionId: string | null;
};

/** Returns recovery codes with the first factor. */
async function confirm(
  options: SecondFactorsOptions,
  { userId, id, answer, site, sessionId }: GivenConfirmation,
): Promise<readonly string[]> {
  const { store, system } = options;
  const now = system.now();
  const factor = await readFactor(store.read, userId, id);
  if (factor === undefined || factor.confirmed_at !== null || factor.created_at < now - setUpWithinMs)
    throw new Refusal("not_found", "This setup has expired. Start again.");
  const confirmed = { confirmed_at: now, ...(await checkNew(options, factor, { answer, site, now })) };
  return await store.write(async (db) => {
    const isFirst = !(await hasFactor(db, userId));
    if (!(await confirmFactor(db, id, confirmed)))
      throw new Refusal("conflict", "This second factor was already added.");
    recordChange();
    if (sessionId !== null) await updateSecondFactorAt(db, sessionId, now);
    return isFirst ? await writeRecoveryCodes(db, userId, options) : [];
  });
}

async function checkNew(
  { store, sealer }: SecondFactorsOptions,
  factor: SecondFactorsTable,
  { answer, site, now }: { readonly answer: Answer; readonly site: Site; readonly now: number },
) {
  if (factor.kind === "totp" && "code" in answer) {
    const step = findStep(sealer, factor, answer.code, now);
    if (step === undefined)
      throw new Refusal(
        "invalid_credentials",
        "Wrong code. Enter the current one from your app, and check that your phone’s clock is right.",
        { field: "code" },
      );
    return { last_step: step };
  }
  if (factor.kind !== "passkey" || !("passkey" in answer))
    throw new Refusal("invalid_request", factor.kind === "totp" ? '"code" is required.' : '"passkey" is required.', {
      field: factor.kind === "totp" ? "code" : "passkey",
    });
  const challenge = readChallenge(factor.passkey);
  if (challenge === undefined) throw new Refusal("not_found", "This setup has expired. Start again.");
  const { passkey, credentialId } = await finishRegistration(site, challenge, answer.passkey);
  if (await isCredentialKnown(store.read, credentialId))
    throw new Refusal("conflict", "This passkey was already added.");
  return { passkey, credential_id: credentialId };
}

/** The step of a right code. */
export function findStep(sealer: Sealer, { id, secret }: SecondFactorsTable, typed: string, now: number) {
  const code = readTotpCode(typed);
  const opened = secret === null ? undefined : sealer.open(secret, factorSecretPlace(id));
  if (code === undefined || opened === undefined) return undefined;
  return findTotpStep(Buffer.from(opened, "base64"), code, now);
}

async function writeRecoveryCodes(
  db: Parameters<typeof replaceRecoveryCodes>[0],
  userId: string,
  { system }: SecondFactorsOptions,
): Promise<readonly string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => createRecoveryCode(system.random(16)));
  await replaceRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashRecoveryCode(code) ?? ""),
  );
  return codes;
}

async function remove(
  options: SecondFactorsOptions,
  { id, ...given }: PasswordGiven & { readonly id: string },
): Promise<void> {
  if (!(await readFactor(options.store.read, given.userId, id)))
    throw new Refusal("not_found", "Second factor not found.");
  const user = await requirePassword(options, given);
  await options.store.write(async (db) => {
    if (!(await removeFactor(db, user.id, id))) throw new Refusal("not_found", "Second factor not found.");
    recordChange();
    if (await hasFactor(db, user.id)) return;
    // Codes without a factor would be asked for by no login.
    await removeAllFactors(db, user.id);
    await forgetSecondFactor(db, user.id);
  });
}

function readChallenge(text: string | null): string | undefined {
  const challenge = text === null ? undefined : parseJsonObject(text)?.challenge;
  return typeof challenge === "string" ? challenge : undefined;
}
