// A request as a test asks it, whose every answer is held against the contract.

import { expect } from "vitest";
import { z } from "zod";
import { version } from "../../src/analyzer/version.ts";
import { type Endpoint, errorBody, isMedia } from "../../src/platform/contract/endpoint.ts";
import { statusOf } from "../../src/platform/errors.ts";
import { createOpenApi } from "../../src/platform/http/openapi.ts";
import { routes } from "../../src/server.ts";
import { createContract } from "./contract.ts";

export type Asked = {
  readonly token?: string;
  readonly workspace?: string;
  /** Of a session, as a browser sends it from a page of this server's. */
  readonly cookie?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What a test reads is checked by what it expects. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests are about
  readonly json: any;
};

export async function ask(base: string, method: string, path: string, asked: Asked): Promise<Answered> {
  const { token, workspace, cookie, body } = asked;
  const response = await fetch(base + path, {
    method,
    redirect: "manual",
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(workspace === undefined ? {} : { "x-workspace-id": workspace }),
      ...(cookie === undefined ? {} : { cookie, origin: base }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...asked.headers,
    },
    ...(body === undefined ? {} : { body: toBody(body) }),
  });
  const text = await readText(response);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
  const answered = { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
  holdAgainstContract(method, path, answered);
  return answered;
}

/** A stream of events has no end to wait for. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return await response.text();
  await response.body?.cancel();
  return "";
}

function toBody(body: unknown): string | Buffer<ArrayBuffer> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return typeof body === "string" ? body : JSON.stringify(body);
}

const openApi = createOpenApi(
  routes.map(({ endpoint }) => endpoint),
  version,
);
const contract = createContract(openApi);

/**
 * Every answer is as the OpenAPI document declares it. The document lets answers gain fields, which clients are to bear;
 * that we answer none that we do not tell of is for the endpoint's own schema to say.
 */
export function holdAgainstContract(method: string, path: string, answered: Answered): void {
  expectSecurityHeaders(answered.headers);
  contract.hold(method, path, answered);
  if (answered.status === 304) return;
  if (answered.status >= 400) {
    if (method !== "HEAD") expect(answered.status).toBe(statusOf[errorBody.parse(answered.json).error]);
    return;
  }
  const { answer = null, variants = [] } = endpointAt(method, path.split("?")[0] ?? "") ?? {};
  if (answer !== null && !isMedia(answer))
    (path.includes("?") ? z.union([answer, ...variants]) : answer).parse(answered.json);
}

function expectSecurityHeaders(headers: Headers): void {
  const policy = headers.get("content-security-policy");
  // A stranger's bytes are a download in a sandbox (src/decisions.md, "Strangers' bytes").
  if (headers.get("content-disposition")?.startsWith("attachment")) expect(policy).toBe("sandbox");
  else {
    expect(policy).toContain("default-src 'none'");
    // A message is shown in a frame of our own, and in a sandbox there too.
    expect(policy).toMatch(/frame-ancestors 'none'|^sandbox(?: allow-same-origin)?;.*frame-ancestors 'self'$/);
  }
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  // A form needs its origin (plain-page.ts).
  expect(headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/);
}

const patterns = routes.map(({ endpoint }) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+")}$`),
}));

/** A path that is written out names one thing before a template does. */
function endpointAt(method: string, path: string): Endpoint | undefined {
  const fitting = patterns.filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
  return (fitting.find(({ endpoint }) => endpoint.path === path) ?? fitting[0])?.endpoint;
}
