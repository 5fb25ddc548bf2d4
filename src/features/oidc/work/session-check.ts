// Whether a session may go on. One that began at an issuer is asked about there, at most once a minute while it is used,
// so that a person whose access was revoked is out within a minute. An issuer that doesn't respond revokes no one, but a
// login that it hasn't confirmed for half a day ends.

import { setTimeout as pause } from "node:timers/promises";
import type { OtherLogins } from "../../people/work/other-logins.ts";
import { mayUsePassword, type PasswordUseTerms } from "../../people/work/password-use.ts";
import {
  claimSessionCheck,
  confirmSession,
  findSessionLogin,
  removeSessionById,
  removeSessionsOfIdentity,
  type SessionLogin,
} from "../rows.ts";
import { hasRuleClaims, type Issuer } from "../rules.ts";
import { type ArrivalTerms, readSaidEmail, trustedClaims } from "./arrive.ts";
import { grantRoles } from "./grant-roles.ts";
import type { IssuerClients, Said } from "./issuer-clients.ts";
import { recordEndedSessions } from "./record-entries.ts";
import { refreshTokenPlace, sealLogin } from "./session-secrets.ts";

type SessionCheckTerms = ArrivalTerms &
  PasswordUseTerms & { readonly clients: Pick<IssuerClients, "list" | "refresh"> };

const checkedEveryMs = 60_000;
/** A request waits this long for the issuer. Then the person goes on, and the answer counts for their next request. */
const longestWaitMs = 2_000;
const unconfirmedForMs = 43_200_000;

export function createSessionCheck(terms: SessionCheckTerms): OtherLogins["admits"] {
  const { store, system, clients } = terms;
  const asked = new Map<string, Promise<boolean>>();
  return async ({ id, user_id: userId }) => {
    if (clients.list.length === 0) return true;
    const begun = asked.get(id);
    if (begun) return await waitFor(begun);
    const login = await findSessionLogin(store.read, id);
    if (login === undefined) return await mayUsePassword(terms, userId);
    const issuer = clients.list.find(({ key }) => key === login.issuer);
    const now = system.now();
    if (issuer === undefined || now - login.confirmed_at > unconfirmedForMs) {
      await store.write(async (db) => {
        await removeSessionById(db, id);
        const why = issuer === undefined ? "issuer_removed" : "not_confirmed";
        await recordEndedSessions(db, issuer ?? null, { userId, why, at: now });
      });
      return false;
    }
    if (login.refresh_token === null || now - login.checked_at < checkedEveryMs) return true;
    // Another request of this session may have begun while this one read.
    const running = asked.get(id) ?? check(terms, issuer, login).finally(() => asked.delete(id));
    asked.set(id, running);
    return await waitFor(running);
  };
}

async function waitFor(answer: Promise<boolean>): Promise<boolean> {
  const late = new AbortController();
  const patience = pause(longestWaitMs, true, { ref: false, signal: late.signal }).catch(() => true);
  return await Promise.race([answer, patience]).finally(() => late.abort());
}

async function check(terms: SessionCheckTerms, issuer: Issuer, login: SessionLogin): Promise<boolean> {
  const { store, system, sealer, clients } = terms;
  const { id, subject } = login;
  if (!(await store.write((db) => claimSessionCheck(db, login, system.now())))) return true;
  const token = sealer.open(login.refresh_token ?? "", refreshTokenPlace(id));
  if (token === undefined) throw new Error(`The refresh token of session ${id} cannot be decrypted.`);
  const outcome = await clients.refresh(issuer, token, subject);
  if (outcome.ok) return await goOn(terms, issuer, login, outcome.said);
  if (outcome.kind !== "lapsed") return true;
  await store.write(async (db) => {
    await removeSessionById(db, id);
    const why = "refused_by_issuer";
    await recordEndedSessions(db, issuer, { userId: login.user_id, why, at: system.now() });
  });
  system.log.info("An issuer ended a session.", { issuer: issuer.name, userId: login.user_id });
  return false;
}

async function goOn(terms: SessionCheckTerms, issuer: Issuer, login: SessionLogin, said: Said): Promise<boolean> {
  const { store, system, sealer } = terms;
  const { id, identity_id: identityId, user_id } = login;
  const sealed = sealLogin(sealer, id, said);
  const claims = trustedClaims(issuer, said.claims, readSaidEmail(issuer, said.claims));
  // Without an ID token, the claims of the rules may be missing because they are only there.
  const saysRoles = said.idToken !== null || hasRuleClaims(issuer.roles, claims);
  return await store.write(async (db) => {
    await confirmSession(db, id, {
      confirmed_at: system.now(),
      ...(sealed.refresh_token !== null && { refresh_token: sealed.refresh_token }),
      ...(sealed.id_token !== null && { id_token: sealed.id_token }),
    });
    const person = { id: identityId, user_id };
    if (!saysRoles || (await grantRoles(db, terms, issuer, person, claims)).hasAccess) return true;
    await removeSessionsOfIdentity(db, identityId);
    await recordEndedSessions(db, issuer, { userId: user_id, why: "no_role", at: system.now() });
    system.log.info("A person lost all roles at an issuer.", { issuer: issuer.name, userId: user_id });
    return false;
  });
}
