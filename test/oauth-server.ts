// A true authorization server on loopback (oidc-provider), and a browser that gives consent there or denies it.

import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { onTestFinished } from "vitest";

export const clientId = "assay-client";
export const clientSecret = "the-secret-of-the-client-0123456789";
export const mailScope = "https://mail.google.com/";

export type OauthServerOptions = {
  /** Tells the address in the ID token, as Google does, and not only in the user's record. */
  readonly emailInIdToken?: boolean;
  readonly withoutRefresh?: boolean;
};

export type OauthServer = Awaited<ReturnType<typeof startOauthServer>>;

/** Whose consent is given; null: it is denied. `scopes`: all that were asked for, unless told. */
export type Consent = { readonly email: string | null; readonly scopes?: readonly string[] };

export async function startOauthServer(options: OauthServerOptions = {}) {
  const next: { consent: Consent } = { consent: { email: "ann@gmail.example" } };
  /** What the token endpoint and its siblings were asked. */
  const asked: string[] = [];
  /** Everything that may not be told: each token as it was issued. */
  const issued: string[] = [];
  /** Between a request and its answer. */
  const gate: { wait: (path: string) => Promise<void> } = { wait: async () => {} };
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  const server = createServer(async (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (request.method === "POST") asked.push(path);
    await gate.wait(path);
    noteTokens(response, issued);
    handle?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const kept = new Map<string, Payload>();
  const provider = createProvider(issuer, options, kept);
  const callback = provider.callback();
  handle = (request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(provider, next.consent, request, response);
    else callback(request, response);
  };
  return {
    issuer,
    asked,
    issued,
    next,
    gate,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
    /** Ends every consent that was given, as its owner could. */
    withdraw: () => kept.clear(),
  };
}

type Payload = Record<string, unknown> & { readonly grantId?: string; readonly uid?: string };

/** Where the server keeps what it knows. */
function createAdapter(kept: Map<string, Payload>) {
  return class {
    readonly #kind: string;
    constructor(kind: string) {
      this.#kind = kind;
    }
    async upsert(id: string, payload: Payload) {
      kept.set(`${this.#kind}:${id}`, payload);
    }
    async find(id: string) {
      return kept.get(`${this.#kind}:${id}`);
    }
    async findByUid(uid: string) {
      return [...kept.values()].find((payload) => payload.uid === uid);
    }
    async consume(id: string) {
      Object.assign(kept.get(`${this.#kind}:${id}`) ?? {}, { consumed: 1 });
    }
    async destroy(id: string) {
      kept.delete(`${this.#kind}:${id}`);
    }
    async revokeByGrantId(grantId: string) {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
    }
  };
}

function createProvider(
  issuer: string,
  { emailInIdToken = false, withoutRefresh = false }: OauthServerOptions,
  kept: Map<string, Payload>,
) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const provider = new Provider(issuer, {
    adapter: createAdapter(kept),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ["https://unused.example/callback"],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "one" }] },
    cookies: { keys: ["a key for cookies"] },
    scopes: ["openid", "offline_access", "email", mailScope],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: !emailInIdToken,
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, email: sub, email_verified: true }),
    }),
    issueRefreshToken: async () => !withoutRefresh,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, revocation: { enabled: true, allowedPolicy: () => true } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 3_600, RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 600, IdToken: 3_600 },
  });
  // The port of the client is known only when it listens.
  provider.Client.prototype.redirectUriAllowed = () => true;
  return provider;
}

async function interact(
  provider: Provider,
  { email, scopes }: Consent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (email === null) {
    await provider.interactionFinished(request, response, { error: "access_denied" });
    return;
  }
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: email, clientId });
  const wanted = String(params.scope).split(" ");
  const given = scopes ?? wanted;
  grant.addOIDCScope(given.join(" "));
  grant.rejectOIDCScope(wanted.filter((scope) => !given.includes(scope)).join(" "));
  const grantId = await grant.save();
  const result = { login: { accountId: email }, consent: { grantId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

function noteTokens(response: ServerResponse, issued: string[]): void {
  const end = response.end.bind(response);
  response.end = ((chunk: unknown, ...rest: never[]) => {
    const text = chunk instanceof Uint8Array || typeof chunk === "string" ? String(chunk) : "";
    for (const [, token = ""] of text.matchAll(/"(?:access|refresh|id)_token":"([^"]+)"/g)) issued.push(token);
    return end(chunk as never, ...rest);
  }) as typeof response.end;
}

/** Opens the address as a browser does, and goes along until it would leave the authorization server. */
export async function giveConsent(url: string): Promise<URL> {
  const jar = new Map<string, string>();
  const { origin } = new URL(url);
  let at = new URL(url);
  for (let hops = 0; hops < 10 && at.origin === origin; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split(/=(.*)/s);
      jar.set(name, value);
    }
    const location = answer.headers.get("location");
    if (location === null)
      throw new Error(`The authorization server stopped with ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
    at = new URL(location, at);
  }
  return at;
}
