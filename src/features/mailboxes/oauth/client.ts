// Talks to authorization servers and returns outcomes as values. Logs contain only short codes, because responses
// contain tokens.

import { createHash } from "node:crypto";
import { createSecret, secretBytes } from "../../../platform/contract/secrets.ts";
import { overloaded, Refusal } from "../../../platform/errors.ts";
import type { OauthProvider } from "../../../platform/settings/config.ts";
import { type Failure, toFailure } from "../../../platform/system/oauth-failure.ts";
import type { System } from "../../../platform/system/system.ts";
import { readGivenAccount } from "../rules/given-account.ts";
import { oauthFacts } from "../rules/list.ts";
import { type ConnectProblem, type Words, wordsOf } from "../rules/oauth-provider.ts";
import { createOauthServers, type OauthServer, type OauthSettings } from "./servers.ts";

type Tokens = {
  readonly accessToken: string;
  /** Null: none was issued, or on a refresh, the old one stays valid. */
  readonly refreshToken: string | null;
  readonly expiresAt: number | null;
};

export type Granted = Tokens & { readonly scopes: readonly string[]; readonly claims: Words; readonly answer: Words };

/** Secrets kept while the user is at the provider. */
export type Errand = { readonly verifier: string; readonly nonce: string };

export type OauthClient = {
  readonly isConfigured: (provider: OauthProvider) => boolean;
  /** Throws a Refusal if the provider cannot be reached or rejects our settings. */
  readonly begin: (
    provider: OauthProvider,
    asked: { readonly redirectUri: string; readonly state: string },
  ) => Promise<{ readonly url: string; readonly errand: Errand }>;
  /** `callback`: our callback URL with the provider's parameters. */
  readonly finish: (
    provider: OauthProvider,
    callback: URL,
    errand: Errand & { readonly state: string },
  ) => Promise<
    { readonly ok: true; readonly granted: Granted } | { readonly ok: false; readonly problem: ConnectProblem }
  >;
  readonly refresh: (
    provider: OauthProvider,
    refreshToken: string,
  ) => Promise<{ readonly ok: true; readonly tokens: Tokens } | ({ readonly ok: false } & Failure)>;
  /** False if the provider cannot revoke or failed to. */
  readonly revoke: (provider: OauthProvider, token: string) => Promise<boolean>;
};

type OauthTerms = {
  readonly config: OauthSettings;
  readonly system: Pick<System, "now" | "random" | "log" | "fetchOperator">;
};

const longestLifeMs = 10 * 365 * 86_400_000;

export function createOauthClient(terms: OauthTerms): OauthClient {
  const { system } = terms;
  const { isConfigured, hasSecret, open } = createOauthServers(terms);
  const note = (provider: OauthProvider, step: string, failure: Failure) =>
    system.log.warn("oauth request failed", { provider, step, code: failure.code });
  const usesPkce = (provider: OauthProvider) => oauthFacts[provider].pkce === "always" || !hasSecret(provider);
  return {
    isConfigured,
    begin: async (provider, asked) => {
      const errand = { verifier: newSecret(system), nonce: newSecret(system) };
      try {
        const server = await open(provider);
        return { url: toAuthorizeUrl(provider, server, { ...asked, ...errand }, usesPkce(provider)), errand };
      } catch (error) {
        const failure = toFailure(error);
        note(provider, "begin", failure);
        throw toRefusal(provider, failure);
      }
    },
    finish: async (provider, callback, errand) => {
      try {
        const server = await open(provider);
        return await redeem(provider, server, callback, errand, { system, usesPkce: usesPkce(provider) });
      } catch (error) {
        const failure = toFailure(error);
        note(provider, "finish", failure);
        return { ok: false, problem: toProblem(failure) };
      }
    },
    refresh: async (provider, refreshToken) => {
      try {
        const { library, configuration } = await open(provider);
        const askedAt = system.now();
        const answer = await library.refreshTokenGrant(configuration, refreshToken);
        return { ok: true, tokens: toTokens(answer, askedAt) };
      } catch (error) {
        const failure = toFailure(error);
        note(provider, "refresh", failure);
        return { ok: false, ...failure };
      }
    },
    revoke: async (provider, token) => {
      try {
        const { library, configuration } = await open(provider);
        if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
        await library.tokenRevocation(configuration, token);
        return true;
      } catch (error) {
        note(provider, "revoke", toFailure(error));
        return false;
      }
    },
  };
}

function newSecret({ random }: Pick<System, "random">): string {
  return createSecret(random(secretBytes));
}

function toAuthorizeUrl(
  provider: OauthProvider,
  { library, configuration }: OauthServer,
  asked: Errand & { readonly redirectUri: string; readonly state: string },
  usesPkce: boolean,
): string {
  const { scopes, authorizeParameters, isOpenId } = oauthFacts[provider];
  const challenge = createHash("sha256").update(asked.verifier).digest("base64url");
  const url = library.buildAuthorizationUrl(configuration, {
    ...authorizeParameters,
    redirect_uri: asked.redirectUri,
    scope: scopes.join(" "),
    state: asked.state,
    ...(usesPkce && { code_challenge: challenge, code_challenge_method: "S256" }),
    ...(isOpenId && { nonce: asked.nonce }),
  });
  return url.href;
}

async function redeem(
  provider: OauthProvider,
  { library, configuration }: OauthServer,
  callback: URL,
  { state, verifier, nonce }: Errand & { readonly state: string },
  { system, usesPkce }: { readonly system: Pick<System, "now">; readonly usesPkce: boolean },
): Promise<{ ok: true; granted: Granted } | { ok: false; problem: ConnectProblem }> {
  const { scopes, isOpenId } = oauthFacts[provider];
  const server = configuration.serverMetadata();
  const issuer = callback.searchParams.get("iss");
  // RFC 9207 §2.4. The library checks it too, but does not report it as a separate error.
  const isMissing = issuer === null && server.authorization_response_iss_parameter_supported === true;
  if (isMissing || (issuer !== null && issuer !== server.issuer)) return { ok: false, problem: "wrong_issuer" };
  const askedAt = system.now();
  const answer = await library.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    ...(usesPkce && { pkceCodeVerifier: verifier }),
    ...(isOpenId && { expectedNonce: nonce, idTokenExpected: true }),
  });
  const claims = answer.claims();
  const granted = {
    ...toTokens(answer, askedAt),
    scopes: answer.scope === undefined ? scopes : answer.scope.split(/[\s,]+/).filter(Boolean),
    answer: { ...answer } as Words,
  };
  const isEnough = readGivenAccount(oauthFacts[provider], wordsOf(claims), granted.answer) !== null;
  if (isEnough || server.userinfo_endpoint === undefined || claims === undefined)
    return { ok: true, granted: { ...granted, claims: wordsOf(claims) } };
  // Many servers return the email address only there.
  const user = await library.fetchUserInfo(configuration, granted.accessToken, claims.sub);
  return { ok: true, granted: { ...granted, claims: wordsOf(user) } };
}

function toTokens(answer: { access_token: string; refresh_token?: string; expires_in?: number }, now: number): Tokens {
  const lifeMs = (answer.expires_in ?? Number.NaN) * 1_000;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresAt: lifeMs >= 0 && lifeMs < longestLifeMs ? now + Math.floor(lifeMs) : null,
  };
}

function toProblem({ kind }: Failure): ConnectProblem {
  if (kind === "silent") return "provider_silent";
  if (kind === "denied") return "denied";
  return kind === "issuer" ? "wrong_issuer" : "provider_refused";
}

function toRefusal(provider: OauthProvider, { kind }: Failure): Refusal {
  const { label } = oauthFacts[provider];
  return kind === "silent"
    ? overloaded(`${label} is not responding`)
    : new Refusal(
        "integration_not_configured",
        `${label} rejected this server's OAuth settings. The server's log has details.`,
      );
}
