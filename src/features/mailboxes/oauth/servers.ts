// The providers' authorization servers, as the OAuth library (openid-client) sees them. The library is loaded on first
// use, because many installations do not need it. Discovery results are kept for an hour.

import type { Configuration, ServerMetadata } from "openid-client";
import type { Config, OauthProvider } from "../../../platform/settings/config.ts";
import { toLimitedFetch } from "../../../platform/system/oauth-failure.ts";
import type { System } from "../../../platform/system/system.ts";
import { oauthFacts } from "../rules/list.ts";
import type { OauthFacts } from "../rules/oauth-provider.ts";

export type OauthSettings = Pick<
  Config,
  "oauthClientId" | "oauthClientSecret" | "oauthIssuer" | "oauthAuthorizeUrl" | "oauthTokenUrl"
>;

type Library = typeof import("openid-client");

export type OauthServer = { readonly library: Library; readonly configuration: Configuration };

type OauthServers = {
  readonly isConfigured: (provider: OauthProvider) => boolean;
  readonly hasSecret: (provider: OauthProvider) => boolean;
  /** Throws the library's errors. */
  readonly open: (provider: OauthProvider) => Promise<OauthServer>;
};

type Terms = { readonly config: OauthSettings; readonly system: Pick<System, "now" | "fetchOperator"> };

const knownForMs = 3_600_000;
/** Seconds of clock difference to the provider. The nonce, not the time, prevents reuse of an ID token. */
const clockTolerance = 300;

export function createOauthServers(terms: Terms): OauthServers {
  const { config, system } = terms;
  const known = new Map<OauthProvider, { readonly until: number; readonly server: Promise<OauthServer> }>();
  return {
    isConfigured: (provider) => config.oauthClientId[provider] !== undefined,
    hasSecret: (provider) => config.oauthClientSecret[provider] !== undefined,
    open: async (provider) => {
      const kept = known.get(provider);
      if (kept && kept.until > system.now()) return await kept.server;
      const server = openServer(provider, terms);
      known.set(provider, { until: system.now() + knownForMs, server });
      try {
        return await server;
      } catch (error) {
        known.delete(provider);
        throw error;
      }
    },
  };
}

async function openServer(provider: OauthProvider, { config, system }: Terms): Promise<OauthServer> {
  const library = await import("openid-client");
  const facts = oauthFacts[provider];
  const fetch = toLimitedFetch(system.fetchOperator, facts);
  const secret = config.oauthClientSecret[provider];
  const clientId = config.oauthClientId[provider] ?? "";
  const client = { [library.clockTolerance]: clockTolerance };
  const authentication = secret === undefined ? library.None() : library.ClientSecretPost(secret);
  const named = namedServer(config, provider, facts);
  const execute = mayBePlain(config, provider) ? [library.allowInsecureRequests] : [];
  const create = (metadata: ServerMetadata) => {
    const configuration = new library.Configuration(metadata, clientId, client, authentication);
    configuration[library.customFetch] = fetch;
    for (const step of execute) step(configuration);
    return { library, configuration };
  };
  if (!("discoverAt" in named)) return create(named);
  const options = { [library.customFetch]: fetch, execute };
  const issuer = new URL(named.discoverAt);
  const discovered = await library.discovery(issuer, clientId, client, authentication, options);
  const { supportsPKCE: _, ...metadata } = discovered.serverMetadata();
  return create({ ...metadata, ...named.instead });
}

/** With both endpoints configured there is no discovery. A single one replaces the known or discovered endpoint. */
function namedServer(config: OauthSettings, provider: OauthProvider, { server }: OauthFacts) {
  const issuer = config.oauthIssuer[provider];
  const [authorizeUrl, tokenUrl] = [config.oauthAuthorizeUrl[provider], config.oauthTokenUrl[provider]];
  const own = server.discovers || issuer !== undefined ? undefined : server;
  const authorization_endpoint = authorizeUrl ?? own?.authorizeUrl;
  const token_endpoint = tokenUrl ?? own?.tokenUrl;
  if (authorization_endpoint === undefined || token_endpoint === undefined)
    return {
      discoverAt: issuer ?? server.issuer,
      instead: { ...(authorization_endpoint && { authorization_endpoint }), ...(token_endpoint && { token_endpoint }) },
    };
  const revokes = own && { revocation_endpoint: new URL(own.revokePath, token_endpoint).href };
  return { issuer: issuer ?? server.issuer, authorization_endpoint, token_endpoint, ...revokes };
}

/** Only if the operator configured it. Providers' own and discovered URLs are always TLS. */
function mayBePlain(config: OauthSettings, provider: OauthProvider): boolean {
  return [config.oauthIssuer, config.oauthAuthorizeUrl, config.oauthTokenUrl].some(
    (urls) => urls[provider]?.startsWith("http://") ?? false,
  );
}
