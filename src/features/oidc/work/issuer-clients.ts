// The issuers as the OpenID Connect library (openid-client) sees them. Only what the operator configured decides which
// hosts are asked. Discovery results are kept for an hour, and a failure for a few seconds, so that strangers who open the
// login page can't make us ask over and over.

import type { Configuration, TokenEndpointResponse, TokenEndpointResponseHelpers } from "openid-client";
import type { JsonObject } from "../../../analyzer/json.ts";
import { type Failure, toFailure, toLimitedFetch } from "../../../platform/system/oauth-failure.ts";
import type { System } from "../../../platform/system/system.ts";
import { type Issuer, toIssuerKey } from "../rules.ts";

type Library = typeof import("openid-client");

export type IssuerClient = {
  readonly issuer: Issuer;
  readonly library: Library;
  readonly configuration: Configuration;
};

/** What the issuer says about a person, after all checks. */
export type Said = {
  readonly subject: string;
  /** The ID token's claims with those of the user info endpoint. */
  readonly claims: JsonObject;
  /** The issuer's ID of this login. */
  readonly sid: string | null;
  /** Null: an answer to a refresh without one. */
  readonly idToken: string | null;
  readonly refreshToken: string | null;
};

export type IssuerClients = {
  readonly list: readonly Issuer[];
  readonly find: (name: string) => Issuer | undefined;
  /** Throws the library's errors. */
  readonly open: (issuer: Issuer) => Promise<IssuerClient>;
  /** `callback`: our callback URL with the issuer's parameters. */
  readonly redeem: (issuer: Issuer, callback: URL, proofs: Proofs) => Promise<Outcome>;
  readonly refresh: (issuer: Issuer, refreshToken: string, subject: string) => Promise<Outcome>;
};

/** Each request has its own, and only the browser that began it has them. */
export type Proofs = { readonly state: string; readonly nonce: string; readonly verifier: string };

type Outcome = { readonly ok: true; readonly said: Said } | ({ readonly ok: false } & Failure);

type Terms = { readonly issuers: readonly Issuer[]; readonly system: Pick<System, "now" | "log" | "fetchOperator"> };

const knownForMs = 3_600_000;
const failedForMs = 5_000;
/** Seconds of clock difference to the issuer. The nonce, not the time, prevents reuse of an ID token. */
const clockTolerance = 60;
/** OpenID Connect Core §2. */
const subjectForm = /^[\x20-\x7e]{1,255}$/;

export function createIssuerClients({ issuers, system }: Terms): IssuerClients {
  const known = new Map<string, { readonly until: number; readonly client: Promise<IssuerClient> }>();
  const open = async (issuer: Issuer) => {
    const kept = known.get(issuer.key);
    if (kept && kept.until > system.now()) return await kept.client;
    const client = openClient(issuer, system);
    known.set(issuer.key, { until: system.now() + knownForMs, client });
    client.catch(() => known.set(issuer.key, { until: system.now() + failedForMs, client }));
    return await client;
  };
  const attempt = async (issuer: Issuer, step: string, act: (client: IssuerClient) => Promise<Outcome>) => {
    try {
      return await act(await open(issuer));
    } catch (error) {
      const failure = toFailure(error);
      system.log.warn("An OpenID Connect request failed.", { issuer: issuer.name, step, code: failure.code });
      return { ok: false, ...failure } as const;
    }
  };
  return {
    list: issuers,
    find: (name) => issuers.find((issuer) => issuer.name === name),
    open,
    redeem: (issuer, callback, proofs) => attempt(issuer, "login", (client) => redeem(client, callback, proofs)),
    refresh: (issuer, refreshToken, subject) =>
      attempt(issuer, "refresh", (client) => refresh(client, refreshToken, subject)),
  };
}

async function openClient(issuer: Issuer, { fetchOperator }: Terms["system"]): Promise<IssuerClient> {
  const library = await import("openid-client");
  const { clientId, clientSecret, url } = issuer;
  const steps = [library.enableNonRepudiationChecks];
  if (url.startsWith("http://")) steps.push(library.allowInsecureRequests);
  const configuration = await library.discovery(
    new URL(url),
    clientId,
    { [library.clockTolerance]: clockTolerance },
    clientSecret === null ? library.None() : toAuthentication(library, clientSecret),
    { [library.customFetch]: toLimitedFetch(fetchOperator, {}), execute: steps },
  );
  // The library makes exceptions for Microsoft's shared issuers, whose tokens anyone's directory could have issued.
  if (toIssuerKey(configuration.serverMetadata().issuer) !== issuer.key)
    throw Object.assign(new Error("The issuer names another one."), { code: "other_issuer", attribute: "issuer" });
  return { issuer, library, configuration };
}

/** In the way that the server says it takes. Nearly all take both. */
function toAuthentication(library: Library, secret: string): ReturnType<Library["ClientSecretPost"]> {
  const post = library.ClientSecretPost(secret);
  const basic = library.ClientSecretBasic(secret);
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
    const use = methods.includes("client_secret_post") ? post : basic;
    use(server, client, body, headers);
  };
}

async function redeem(client: IssuerClient, callback: URL, proofs: Proofs): Promise<Outcome> {
  const { library, configuration } = client;
  const server = configuration.serverMetadata();
  const named = callback.searchParams.get("iss");
  // RFC 9207 §2.4. The library checks it too, but does not report it as a separate error.
  const isMissing = named === null && server.authorization_response_iss_parameter_supported === true;
  if (isMissing || (named !== null && named !== server.issuer)) return otherIssuer;
  const answer = await library.authorizationCodeGrant(configuration, callback, {
    expectedState: proofs.state,
    expectedNonce: proofs.nonce,
    pkceCodeVerifier: proofs.verifier,
    idTokenExpected: true,
  });
  const subject = answer.claims()?.sub ?? "";
  return await listen(client, answer, subject);
}

async function refresh(client: IssuerClient, refreshToken: string, subject: string): Promise<Outcome> {
  const answer = await client.library.refreshTokenGrant(client.configuration, refreshToken);
  const named = answer.claims()?.sub ?? subject;
  // OpenID Connect Core §12.2.
  return named === subject
    ? await listen(client, answer, subject)
    : { ok: false, kind: "lapsed", code: "other_subject" };
}

async function listen(
  client: IssuerClient,
  answer: TokenEndpointResponse & TokenEndpointResponseHelpers,
  subject: string,
): Promise<Outcome> {
  if (!subjectForm.test(subject)) return { ok: false, kind: "refused", code: "strange_subject" };
  const signed = answer.claims();
  const claims = { ...(await readUserInfo(client, answer.access_token, subject)), ...signed };
  const { sid } = claims as JsonObject;
  return {
    ok: true,
    said: {
      subject,
      claims,
      sid: typeof sid === "string" && subjectForm.test(sid) ? sid : null,
      idToken: answer.id_token ?? null,
      refreshToken: answer.refresh_token ?? null,
    },
  };
}

/** Many issuers return groups and email addresses only there. One that refuses it may have them in the ID token. */
async function readUserInfo(
  { library, configuration }: IssuerClient,
  accessToken: string,
  subject: string,
): Promise<JsonObject> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return await library.fetchUserInfo(configuration, accessToken, subject);
  } catch (error) {
    if (toFailure(error).kind === "silent" || !isChallenge(error)) throw error;
    return {};
  }
}

/** 401 or 403 with a reason (RFC 6750 §3). Anything else, such as another person's record, is an error. */
function isChallenge(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === "OAUTH_WWW_AUTHENTICATE_CHALLENGE";
}

const otherIssuer = { ok: false, kind: "issuer", code: "iss" } as const;
