// Logging out at the issuer, in both directions: a person who logs out here is led to the issuer's logout page, and an
// issuer reports who is logged out by a signed token (OpenID Connect Back-Channel Logout 1.0).

import type { FetchImplementation, JWTVerifyGetKey } from "jose";
import { isJsonObject, type JsonObject } from "../../../analyzer/json.ts";
import type { Store } from "../../../platform/database/store.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toLimitedFetch } from "../../../platform/system/oauth-failure.ts";
import type { Sealer } from "../../../platform/system/secret-key.ts";
import type { System } from "../../../platform/system/system.ts";
import { findSession } from "../../people/rows/sessions.ts";
import { findSessionLogin, removeSessionsNamed, useOnce } from "../rows.ts";
import { claimAt, type Issuer } from "../rules.ts";
import type { IssuerClient, IssuerClients } from "./issuer-clients.ts";
import { recordEndedSessions } from "./record-entries.ts";
import { idTokenPlace } from "./session-secrets.ts";

type LogOutTerms = {
  readonly store: Store;
  readonly system: Pick<System, "now" | "log" | "fetchOperator">;
  readonly sealer: Sealer;
  readonly clients: IssuerClients;
};

/**
 * The issuer's logout page for a session. Null if the session didn't begin there, or the issuer has none or doesn't
 * respond.
 */
export async function findLogOutUrl(
  { store, system, sealer, clients }: LogOutTerms,
  sessionHash: string,
  returnTo: string,
): Promise<string | null> {
  const session = await findSession(store.read, sessionHash, system.now());
  const login = session && (await findSessionLogin(store.read, session.id));
  const issuer = clients.list.find(({ key }) => key === login?.issuer);
  if (login === undefined || issuer === undefined) return null;
  const hint = login.id_token === null ? undefined : sealer.open(login.id_token, idTokenPlace(login.id));
  try {
    const { library, configuration } = await clients.open(issuer);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    const parameters = { post_logout_redirect_uri: returnTo, ...(hint && { id_token_hint: hint }) };
    return library.buildEndSessionUrl(configuration, parameters).href;
  } catch {
    return null;
  }
}

const event = "http://schemas.openid.net/event/backchannel-logout";
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const toleranceSeconds = 60;
/** The standard recommends two minutes at most. */
const oldestSeconds = 300;

/** Loaded with the first logout token: most servers get none. */
type Library = typeof import("jose");
const loadLibrary = (): Promise<Library> => import("jose");

/** Returns whose sessions it ended. */
export type NoteLogOut = (issuer: Issuer, token: string) => Promise<readonly string[]>;

/** Ends the sessions that a logout token names. Throws a refusal if it isn't a valid one. */
export function createLogOutNotes({ store, system, clients }: LogOutTerms): NoteLogOut {
  const keys = new Map<string, JWTVerifyGetKey>();
  const keysOf = async ({ issuer, configuration }: IssuerClient): Promise<JWTVerifyGetKey> => {
    const { jwks_uri: uri } = configuration.serverMetadata();
    if (uri === undefined) throw invalid();
    const known = keys.get(uri);
    if (known) return known;
    const fetchKeys = toLimitedFetch(system.fetchOperator, {});
    const { createRemoteJWKSet, customFetch } = await loadLibrary();
    const fetchJwks: FetchImplementation = async (url, { headers, method }) =>
      await fetchKeys(url, { headers: Object.fromEntries(headers), method, body: null, redirect: "manual" });
    // A token with an unknown key, which a stranger may send, makes us look once in this time.
    const made = createRemoteJWKSet(new URL(uri), { cooldownDuration: 30_000, [customFetch]: fetchJwks });
    keys.set(uri, made);
    system.log.debug("Reading an issuer's keys.", { issuer: issuer.name });
    return made;
  };
  return async (issuer, token) => {
    const claims = await readToken(issuer, token, { clients, keysOf, now: system.now() });
    const { sub, sid, iat } = claims;
    const subject = typeof sub === "string" ? sub : null;
    const login = typeof sid === "string" ? sid : null;
    if (subject === null && login === null) throw invalid();
    const userIds = await store.write(async (db) => {
      if (!(await useOnce(db, `${issuer.key} ${claims.jti}`, system.now()))) return [];
      const ended = await removeSessionsNamed(db, {
        issuer: issuer.key,
        subject,
        sid: login,
        // A token that arrives late ends no later session.
        startedBefore: (Number(iat) + toleranceSeconds) * 1_000,
      });
      const at = system.now();
      for (const userId of new Set(ended)) await recordEndedSessions(db, issuer, { userId, why: "logout_token", at });
      return ended;
    });
    system.log.info("An issuer logged a person out.", { issuer: issuer.name, sessions: userIds.length });
    return userIds;
  };
}

type TokenTerms = {
  readonly clients: Pick<IssuerClients, "open">;
  readonly keysOf: (client: IssuerClient) => Promise<JWTVerifyGetKey>;
  readonly now: number;
};

async function readToken(issuer: Issuer, token: string, { clients, keysOf, now }: TokenTerms): Promise<JsonObject> {
  const client = await clients.open(issuer).catch(() => {
    throw invalid();
  });
  // Before any key is asked for.
  const { jwtVerify, decodeJwt } = await loadLibrary();
  if (!isFrom(decodeJwt, token, client.configuration.serverMetadata().issuer)) throw invalid();
  const { payload } = await jwtVerify(token, await keysOf(client), {
    algorithms,
    issuer: client.configuration.serverMetadata().issuer,
    audience: issuer.clientId,
    currentDate: new Date(now),
    clockTolerance: toleranceSeconds,
    maxTokenAge: oldestSeconds,
    requiredClaims: ["iat", "jti", "events"],
  }).catch(() => {
    throw invalid();
  });
  // An ID token has a nonce and no such event, so it can't be used to log a person out.
  const isLogOut = isJsonObject(payload.events) && isJsonObject(claimAt(payload.events, event));
  if (!isLogOut || payload.nonce !== undefined) throw invalid();
  return payload;
}

function isFrom(decodeJwt: Library["decodeJwt"], token: string, issuer: string): boolean {
  try {
    return decodeJwt(token).iss === issuer;
  } catch {
    return false;
  }
}

/** The same answer for every problem, because a stranger may have sent it. */
function invalid(): Refusal {
  return new Refusal("invalid_request", "This is not a valid logout token.", { field: "logout_token" });
}
