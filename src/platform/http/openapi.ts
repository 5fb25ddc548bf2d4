// The API as an OpenAPI 3.1 document, generated from the endpoints that validate and answer.

import type { z } from "zod";
import { type Endpoint, errorBody, isMedia, workspaceParameter } from "../contract/endpoint.ts";
import { cookieName } from "../contract/sessions.ts";
import { isScoped } from "./callers/auth.ts";
import {
  type Answers,
  type Content,
  hasFields,
  type Schema,
  type Schemas,
  toAnswers,
  toContent,
  toSchema,
} from "./openapi-answers.ts";

type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
};

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly object[];
  /** Whether a token that is limited to a label may call it. Absent if no token may. */
  readonly "x-label-tokens"?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Answers;
};

export type NamedOperation = { readonly method: string; readonly path: string; readonly operation: Operation };

export type OpenApi = {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Schemas>; readonly securitySchemes: object };
};

export function createOpenApi(endpoints: readonly Endpoint[], version: string): OpenApi {
  const schemas: Schemas = {};
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: toOperation(endpoint, schemas) };
  }
  toSchema(errorBody, "output", schemas);
  return {
    openapi: "3.1.0",
    info: { title: "Assay", version, description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    tags: subjectsOf(endpoints).map((name) => ({ name })),
    paths,
    components: { schemas, securitySchemes },
  };
}

const description = `Requests and responses are JSON in UTF-8. Times are RFC 3339 in UTC. Requests with unknown fields or query parameters are rejected with an error that names them. Query parameters that begin with \`_\` or \`utm_\` are ignored.
Every error has the form \`{"error", "message"}\`, with \`field\` if one field is invalid. The code in \`error\` is stable, but the message may change.
Unknown paths return 404 \`not_found\`. A trailing slash redirects (308) to the path without it. Unsupported methods return 405 \`method_not_allowed\` with \`Allow\`. HEAD works like GET without the body.
All paths under \`/api/auth/\` share a limit of 30 requests per 60 seconds for each IP address. Further requests return 429 \`rate_limited\`.
Within a major version, responses only gain fields.`;

const securitySchemes = {
  token: {
    type: "http",
    scheme: "bearer",
    description:
      "An API token for the workspace in X-Workspace-Id: `asy_` followed by 40 characters. An operation names the scope that it needs: `read`, `write`, `admin`, or `full`. Each scope includes the ones before it. Operations without this scheme concern a person and no workspace, and need a login. A token can also be limited to one label: it then reaches the tests with exactly this label, and only operations with `x-label-tokens: true`. A token without the right gets 403 `forbidden`, and a test with another label 404 `not_found`.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: cookieName(true),
    description: `Set by /api/auth/login. Over plain HTTP, its name is ${cookieName(false)}. Requests that change data must come from a page on this server. Where a browser can't send X-Workspace-Id, such as for a download, a GET request can name the workspace as \`?${workspaceParameter}=\` instead.`,
  },
  metricsToken: {
    type: "http",
    scheme: "bearer",
    description: "The token set in ASSAY_METRICS_TOKEN. Not needed on loopback.",
  },
};

/** OpenAPI 3.1 lets a requirement name roles. */
function toSecurity({ access, token }: Endpoint): readonly object[] {
  if (access === "public") return [];
  if (access === "metrics") return [{ metricsToken: [] }, {}];
  const withToken = token === "person" ? [] : [{ token: [token] }];
  return access === "token" ? withToken : [...withToken, { session: [] }];
}

function toOperation(endpoint: Endpoint, schemas: Schemas): Operation {
  const { query, headers, params, access, body, token, labelToken } = endpoint;
  const parameters = [
    ...(isScoped(access) ? [workspaceHeader] : []),
    ...(access === "token" ? [ownWorkspace] : []),
    ...toParameters(params, "path", schemas),
    ...toParameters(query, "query", schemas),
    ...toParameters(headers, "header", schemas),
  ];
  return {
    operationId: operationId(endpoint),
    tags: [subjectOf(endpoint)],
    summary: endpoint.summary,
    security: toSecurity(endpoint),
    ...(token === null || token === "person" ? {} : { "x-label-tokens": labelToken !== null }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isMedia(body) || hasFields(body) ? { requestBody: toRequestBody(body, schemas) } : {}),
    responses: toAnswers(endpoint, schemas),
  };
}

const aWorkspace: Schema = { type: "string", examples: ["wsp_01kakzq3v1c8w2e5m7r9t0xyza"] };
const whichWorkspace = "Workspace ID.";

const ownWorkspace: Parameter = {
  name: "X-Workspace-Id",
  in: "header",
  required: false,
  description: `${whichWorkspace} Defaults to the token's.`,
  schema: aWorkspace,
};

const workspaceHeader: Parameter = {
  name: "X-Workspace-Id",
  in: "header",
  required: true,
  description: whichWorkspace,
  schema: aWorkspace,
};

/** `GET /api/tokens/:id` becomes getTokensId: readable and unique. */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== "" && word !== "api");
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}

/** For paths whose first word doesn't name the subject. */
const subjectOfWord: Readonly<Record<string, string>> = {
  "": "Documentation",
  docs: "Documentation",
  "openapi.json": "Documentation",
  checks: "Documentation",
  preview: "Tests",
  "seed-list": "Seed inboxes",
  "seed-list.txt": "Seed inboxes",
  s: "Shares",
  mcp: "AI agents",
  me: "People",
  auth: "People",
  members: "People",
  sessions: "People",
  setup: "People",
  invite: "People",
  reset: "People",
  "account.js": "People",
  healthz: "Server",
  readyz: "Server",
  metrics: "Server",
  "server-state": "Server",
};

/** The subjects that most readers look for come first. */
function subjectsOf(endpoints: readonly Endpoint[]): string[] {
  const last = ["People", "Documentation", "Server"];
  const subjects = [...new Set(endpoints.map(subjectOf))];
  return [...subjects.filter((name) => !last.includes(name)), ...last.filter((name) => subjects.includes(name))];
}

function subjectOf({ path }: Endpoint): string {
  const word = path.replace(/^\/(?:api\/)?/, "").split("/")[0] ?? "";
  return subjectOfWord[word] ?? `${word[0]?.toUpperCase()}${word.slice(1).replaceAll("-", " ")}`;
}

function toParameters(schema: z.ZodObject, place: Parameter["in"], schemas: Schemas): Parameter[] {
  const { properties, required } = toSchema(schema, "input", schemas);
  return Object.entries(properties ?? {}).map(([name, { description: says = "", ...property }]) => ({
    name,
    in: place,
    description: says,
    required: required?.includes(name) ?? false,
    schema: property,
  }));
}

/** A missing body counts as an empty object. */
function toRequestBody(body: Endpoint["body"], schemas: Schemas): NonNullable<Operation["requestBody"]> {
  const required = isMedia(body) || !body.safeParse({}).success;
  return { required, content: toContent(body, "input", schemas) };
}
