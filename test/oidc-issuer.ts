// An organization's real issuer on loopback (oidc-provider), whose people a test changes; and one that answers what a test
// wants, right or wrong.

import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import { onTestFinished } from "vitest";

export const clientId = "assay";
export const clientSecret = "the-secret-of-the-client-0123456789";

export type Person = {
  readonly email?: string;
  readonly verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
};

type Payload = Record<string, unknown> & { readonly grantId?: string; readonly uid?: string };
type Handle = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(): Promise<{ server: Server; url: string; answer: { with: Handle }; asked: string[] }> {
  const answer: { with: Handle } = { with: (_request, response) => void response.writeHead(404).end() };
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${(request.url ?? "").split("?")[0]}`);
    answer.with(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answer, asked };
}

export type OrganizationIssuer = Awaited<ReturnType<typeof startOrganization>>;

export async function startOrganization({ refreshes = true }: { readonly refreshes?: boolean } = {}) {
  const { server, url, answer, asked } = await listen();
  const people = new Map<string, Person>();
  /** Who is in front of the browser. Undefined: they cancel. */
  const next: { subject: string | undefined } = { subject: "ann" };
  const client: Record<string, unknown> = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: ["https://unused.example/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "client_secret_post",
    backchannel_logout_session_required: true,
  };
  const provider = createProvider(url, people, { client, refreshes });
  const callback = provider.callback();
  answer.with = (request, response) => {
    if (request.url?.startsWith("/interaction/")) void interact(provider, next.subject, request, response);
    else callback(request, response);
  };
  return {
    url,
    asked,
    people,
    next,
    /** Where logout tokens go. */
    callBackAt: (assay: string) => {
      client.backchannel_logout_uri = `${assay}/api/oidc/company/logout`;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function createProvider(
  issuer: string,
  people: ReadonlyMap<string, Person>,
  { client, refreshes }: { readonly client: object; readonly refreshes: boolean },
): Provider {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const provider = new Provider(issuer, {
    adapter: createAdapter(client),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "one" }] },
    cookies: { keys: ["a key for cookies"] },
    scopes: ["openid", "offline_access", "email", "profile"],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "groups"] },
    findAccount: (_context: unknown, sub: string) => {
      const person = people.get(sub);
      if (person === undefined) return undefined;
      const { email, verified = true, name, groups } = person;
      return { accountId: sub, claims: () => ({ sub, email, email_verified: verified, name, groups }) };
    },
    issueRefreshToken: async () => refreshes,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    // Its own refuses loopback, where Assay takes logout tokens in a test.
    fetch: (to: string, { dispatcher: _guard, ...init }: RequestInit & { dispatcher?: unknown }) => fetch(to, init),
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { body: string }, form: string) => {
          context.body = form;
        },
      },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    ttl: { AccessToken: 3_600, RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 600, IdToken: 3_600 },
  });
  // The port of the client is known only when it listens.
  provider.Client.prototype.redirectUriAllowed = () => true;
  provider.Client.prototype.postLogoutRedirectUriAllowed = () => true;
  return provider;
}

function createAdapter(client: object) {
  const kept = new Map<string, Payload>();
  return class {
    readonly #kind: string;
    constructor(kind: string) {
      this.#kind = kind;
    }
    async upsert(id: string, payload: Payload) {
      kept.set(`${this.#kind}:${id}`, payload);
    }
    async find(id: string) {
      if (this.#kind === "Client") return id === clientId ? client : undefined;
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

async function interact(
  provider: Provider,
  subject: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (subject === undefined) {
    await provider.interactionFinished(request, response, { error: "access_denied" });
    return;
  }
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: subject, clientId });
  grant.addOIDCScope(String(params.scope));
  const result = { login: { accountId: subject }, consent: { grantId: await grant.save() } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

type TokenAnswer = (fields: URLSearchParams) => Promise<object>;

export type StrangeIssuer = Awaited<ReturnType<typeof startStrange>>;

/** Signs what a test wants. Its token endpoint answers what `tokens` returns. */
export async function startStrange() {
  const { url, answer, asked } = await listen();
  const key = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const jwk = { ...key.publicKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "strange" };
  const next: { tokens: TokenAnswer; metadata: object } = { tokens: async () => ({}), metadata: {} };
  const documents = (): Readonly<Record<string, object>> => ({
    "/.well-known/openid-configuration": {
      issuer: url,
      jwks_uri: `${url}/jwks`,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
      ...next.metadata,
    },
    "/jwks": { keys: [jwk] },
  });
  answer.with = async (request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const fields = new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
    const document = path === "/token" ? await next.tokens(fields) : documents()[path];
    response.writeHead(document ? 200 : 404, { "content-type": "application/json", "cache-control": "no-store" });
    response.end(JSON.stringify(document ?? {}));
  };
  return { url, asked, next, privateKey: key.privateKey as KeyObject, kid: "strange" };
}

export const newJti = () => randomBytes(8).toString("hex");

/** A browser with cookies for each host, that follows redirects. */
export function openBrowser() {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (at: URL) => {
    const jar = jars.get(at.host) ?? new Map<string, string>();
    jars.set(at.host, jar);
    return jar;
  };
  const send = async (at: URL, init: RequestInit = {}) => {
    const jar = jarOf(at);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { ...init, redirect: "manual", headers: { ...init.headers, cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (set.split(";")[0] ?? "").split(/=(.*)/s);
      if (value === "" || /max-age=0/i.test(set)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const open = async (url: string, until: (at: URL) => boolean = () => false) => {
    let at = new URL(url);
    for (let hops = 0; hops < 15; hops++) {
      if (until(at)) return { at, status: 302, text: "" };
      const answer = await send(at);
      const text = await answer.text();
      const location = answer.headers.get("location");
      if (location === null) return { at, status: answer.status, text };
      at = new URL(location, at);
    }
    throw new Error(`The redirects don't end: ${at.href}`);
  };
  return {
    open,
    cookieOf: (base: string, name: string) => jarOf(new URL(base)).get(name),
    setCookie: (base: string, name: string, value: string) => void jarOf(new URL(base)).set(name, value),
    /** From a page of the same host. */
    post: async (url: string, body: object | URLSearchParams) => {
      const at = new URL(url);
      const isForm = body instanceof URLSearchParams;
      const answer = await send(at, {
        method: "POST",
        body: isForm ? body.toString() : JSON.stringify(body),
        headers: {
          origin: at.origin,
          "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
        },
      });
      const text = await answer.text();
      return { status: answer.status, text, location: answer.headers.get("location") };
    },
    /** Answers of the API, with the session. */
    read: async (url: string) => {
      const answer = await send(new URL(url));
      const text = await answer.text();
      return { status: answer.status, json: text.startsWith("{") ? JSON.parse(text) : null };
    },
  };
}
