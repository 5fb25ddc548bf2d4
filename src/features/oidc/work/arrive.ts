// A person comes back from their issuer. The account is found by issuer and subject, never by email address alone:
// otherwise anyone who can set an address at an issuer could take over the account that has it. An address that already
// has an account needs that account's password once.

import type { JsonObject } from "../../../analyzer/json.ts";
import { toStorableCut } from "../../../analyzer/mail/text/bounds.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import { toPerson } from "../../../platform/audit/rows/actors.ts";
import { auditedObject } from "../../../platform/audit/rows/objects.ts";
import { recordChange } from "../../../platform/audit/rows/recording.ts";
import type { AuditDetails } from "../../../platform/audit/rules/entry.ts";
import { readEmail } from "../../../platform/contract/emails.ts";
import type { Db } from "../../../platform/database/schema.ts";
import type { Store } from "../../../platform/database/store.ts";
import { createId } from "../../../platform/ids.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { insertSessionLogin } from "../../people/rows/sessions.ts";
import {
  findIdentity,
  findUserByEmail,
  insertIdentity,
  insertUser,
  readUser,
  updateEmail,
  updateIdentity,
} from "../../people/rows/users.ts";
import type { IdentitiesTable } from "../../people/tables.ts";
import { type Browser, type StartedSession, startSession } from "../../people/work/sessions.ts";
import { removeSessionsOfIdentity } from "../rows.ts";
import { claimAt, type Issuer } from "../rules.ts";
import type { LogInProblem } from "../words.ts";
import { type GrantTerms, grantRoles } from "./grant-roles.ts";
import type { Said } from "./issuer-clients.ts";
import { sealLogin } from "./session-secrets.ts";

export const auditedIdentity = auditedObject({
  kind: "identity",
  table: "identities",
  isScoped: false,
  columns: ["issuer", "email", "user_id"],
  toName: ({ issuer }) => issuer,
});

export type ArrivalTerms = GrantTerms & {
  readonly store: Store;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly sealer: Sealer;
};

type Arrival =
  | { readonly ok: true; readonly session: StartedSession }
  | {
      readonly ok: false;
      readonly problem: LogInProblem;
      /** With `account_exists`: whose password is asked for. */
      readonly email?: string;
    };

/** Ends a write without a trace: the person isn't logged in, and the login page says why. */
class LogInRefused extends Error {
  readonly problem: LogInProblem;

  constructor(problem: LogInProblem) {
    super(problem);
    this.name = "LogInRefused";
    this.problem = problem;
  }
}

const longestName = 100;

export async function arrive(terms: ArrivalTerms, issuer: Issuer, said: Said, browser: Browser): Promise<Arrival> {
  const email = readSaidEmail(issuer, said.claims);
  const now = terms.system.now();
  try {
    return await terms.store.write(async (db): Promise<Arrival> => {
      const known = await findIdentity(db, issuer.key, said.subject);
      const identity = known ?? (await createAccount(db, terms, { issuer, said, email }));
      const claims = trustedClaims(issuer, said.claims, email);
      const { hasAccess, isFull } = await grantRoles(db, terms, issuer, identity, claims);
      if (!hasAccess) {
        const problem = isFull ? "no_room" : "no_role";
        // A new account is undone. What a known one lost stays lost.
        if (known === undefined) throw new LogInRefused(problem);
        await removeSessionsOfIdentity(db, identity.id);
        return { ok: false, problem };
      }
      const newEmail = await noteLogin(db, now, identity, email);
      // The organization decides what a login takes.
      const secondFactorAt = terms.system.now();
      const session = await startSession(db, terms.system, identity.user_id, browser, { secondFactorAt });
      await insertSessionLogin(db, {
        id: session.id,
        identity_id: identity.id,
        sid: said.sid,
        confirmed_at: now,
        checked_at: now,
        ...sealLogin(terms.sealer, session.id, said),
      });
      recordChange({ details: { with: issuer.name, ...(known === undefined && { isNewAccount: true }), ...newEmail } });
      return { ok: true, session };
    });
  } catch (error) {
    if (error instanceof LogInRefused) return await explain(terms.store.read, error.problem, email);
    throw error;
  }
}

async function explain(db: Db, problem: LogInProblem, { address }: SaidEmail): Promise<Arrival> {
  if (problem !== "account_exists" || address === null) return { ok: false, problem };
  const user = await findUserByEmail(db, address);
  return user?.password_hash
    ? { ok: false, problem, email: address }
    : { ok: false, problem: "account_without_password" };
}

/** Connects a person at an issuer with an account whose owner has proved that it is theirs. */
export async function connectIdentity(
  terms: Pick<ArrivalTerms, "store" | "system">,
  userId: string,
  { issuer, subject, email }: { readonly issuer: string; readonly subject: string; readonly email: string | null },
): Promise<IdentitiesTable | undefined> {
  const now = terms.system.now();
  const id = createId("identity", now, terms.system.random(16));
  return await terms.store.write(async (db) => {
    const row = { id, user_id: userId, issuer, subject, email, created_at: now, last_login_at: now };
    if (await insertIdentity(db, row)) {
      recordChange({
        instead: { action: "identity.connect", object: auditedIdentity },
        by: toPerson(userId),
        objectId: id,
        objectName: issuer,
        details: { after: { issuer, email } },
      });
      return row;
    }
    const known = await findIdentity(db, issuer, subject);
    return known?.user_id === userId ? known : undefined;
  });
}

type NewPerson = { readonly issuer: Issuer; readonly said: Said; readonly email: SaidEmail };

async function createAccount(
  db: Db,
  { system }: ArrivalTerms,
  { issuer, said, email: { address, isVerified } }: NewPerson,
): Promise<IdentitiesTable> {
  if (address === null) throw new LogInRefused("no_email");
  if (!isVerified) throw new LogInRefused("unverified_email");
  const now = system.now();
  const userId = createId("user", now, system.random(16));
  const name = toName(said.claims) ?? address.split("@")[0] ?? "";
  const user = { id: userId, name, email: address, password_hash: "", created_at: now };
  if (!(await insertUser(db, user))) throw new LogInRefused("account_exists");
  const identity = {
    id: createId("identity", now, system.random(16)),
    user_id: userId,
    issuer: issuer.key,
    subject: said.subject,
    email: address,
    created_at: now,
    last_login_at: now,
  };
  // Two first logins at the same moment: the other one has made the account.
  if (!(await insertIdentity(db, identity))) throw new LogInRefused("interrupted");
  return identity;
}

/**
 * The address of an account without a password follows the issuer's, because only the issuer says who this is. Returns a
 * change of it for the audit log.
 */
async function noteLogin(
  db: Db,
  now: number,
  identity: IdentitiesTable,
  { address, isVerified }: SaidEmail,
): Promise<AuditDetails> {
  await updateIdentity(db, identity.id, { email: address, last_login_at: now });
  const user = await readUser(db, identity.user_id);
  if (address === null || !isVerified || user === undefined || user.password_hash !== "") return {};
  if (user.email === address || (await findUserByEmail(db, address)) !== undefined) return {};
  await updateEmail(db, user.id, address);
  return { before: { email: user.email }, after: { email: address } };
}

type SaidEmail = { readonly address: string | null; readonly isVerified: boolean };

export function readSaidEmail(issuer: Issuer, claims: JsonObject): SaidEmail {
  const said = claimAt(claims, issuer.emailClaim);
  const address = typeof said === "string" ? (readEmail(said) ?? null) : null;
  // Some issuers send the text.
  const isVerified = claims.email_verified === true || claims.email_verified === "true";
  return { address, isVerified: issuer.trustEmail || (issuer.emailClaim === "email" && isVerified) };
}

/** An address that isn't verified gives no role. */
export function trustedClaims(issuer: Issuer, claims: JsonObject, email: SaidEmail): JsonObject {
  const address = email.isVerified && email.address !== null ? email.address : undefined;
  // Also hides a nested claim: a name with dots is looked up as it is first.
  return { ...claims, [issuer.emailClaim]: address, email: address };
}

function toName(claims: JsonObject): string | null {
  const given = [claims.name, claims.preferred_username, claims.nickname];
  const name = given.find((one) => typeof one === "string" && one.trim() !== "") as string | undefined;
  return name === undefined ? null : toStorableCut(toVisible(name.trim()), longestName);
}
