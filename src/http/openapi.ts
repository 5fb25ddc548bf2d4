// The interface as an OpenAPI 3.1 document, made from the endpoints that validate and answer.

import type { z } from "zod";
import { cookieName } from "../accounts/sessions.ts";
import { type Access, type Endpoint, errorBody, isMedia, workspaceParameter } from "../api/endpoint.ts";
import { isScoped } from "./auth.ts";
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
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Answers;
};

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

const description = `Requests and answers are JSON in UTF-8, times are RFC 3339 in UTC. A field or a query parameter that is not listed is refused by name; query names that begin with \`_\` or \`utm_\` are ignored.
Every error has the form \`{"error", "message"}\`, with \`field\` where one field is at fault: the code is the contract, the message may change.
A path that is not listed is 404 \`not_found\`, one with a slash at its end redirects (308) to the path without it; a method that its path does not take is 405 \`method_not_allowed\`, with \`Allow\`. HEAD is a GET without the body.
Everything under \`/api/auth/\`, listed or not, takes 30 requests within 60 seconds from one address; what comes after them is 429 \`rate_limited\`.
Within a major version answers only gain fields.`;

const securitySchemes = {
  token: {
    type: "http",
    scheme: "bearer",
    description: "An API token of the workspace that X-Workspace-Id names: `asy_` and 40 characters.",
  },
  session: {
    type: "apiKey",
    in: "cookie",
    name: cookieName(true),
    description: `As /api/auth/login sets it; over plain HTTP it is ${cookieName(false)}. What changes something must come from a page of this server's.`,
  },
  metricsToken: {
    type: "http",
    scheme: "bearer",
    description: "The token in the setting ASSAY_METRICS_TOKEN. On loopback none is asked for.",
  },
};

const securityOf: Readonly<Record<Access, readonly object[]>> = {
  public: [],
  caller: [{ token: [] }, { session: [] }],
  member: [{ token: [] }, { session: [] }],
  owner: [{ token: [] }, { session: [] }],
  metrics: [{ metricsToken: [] }, {}],
};

function toOperation(endpoint: Endpoint, schemas: Schemas): Operation {
  const { query, headers, params, access, body } = endpoint;
  const parameters = [
    ...(isScoped(access) ? workspaceParameters(endpoint) : []),
    ...toParameters(params, "path", schemas),
    ...toParameters(query, "query", schemas),
    ...toParameters(headers, "header", schemas),
  ];
  return {
    operationId: operationId(endpoint),
    tags: [subjectOf(endpoint)],
    summary: endpoint.summary,
    security: securityOf[access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isMedia(body) || hasFields(body) ? { requestBody: toRequestBody(body, schemas) } : {}),
    responses: toAnswers(endpoint, schemas),
  };
}

const aWorkspace: Schema = { type: "string", examples: ["wsp_01kakzq3v1c8w2e5m7r9t0xyza"] };
const whichWorkspace = "The workspace that is asked about; one that is not the caller's is `forbidden`.";

/** A token says it in the header and nowhere else; a browser that can send none says it in the query. */
function workspaceParameters({ method }: Endpoint): Parameter[] {
  const header = { name: "X-Workspace-Id", in: "header", schema: aWorkspace } as const;
  if (method !== "GET") return [{ ...header, required: true, description: whichWorkspace }];
  const inQuery = "The same, of a session that sends no header; a token never says it here.";
  return [
    { ...header, required: false, description: `${whichWorkspace} Required of a token.` },
    { name: workspaceParameter, in: "query", required: false, description: inQuery, schema: aWorkspace },
  ];
}

/** `GET /api/tokens/:id` is getTokensId: plain, and no two are alike. */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== "" && word !== "api");
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}

/** Where the first word of the path does not say it. */
const subjectOfWord: Readonly<Record<string, string>> = {
  "": "Documentation",
  docs: "Documentation",
  "openapi.json": "Documentation",
  checks: "Documentation",
  preview: "Tests",
  "seed-list": "Seed inboxes",
  "seed-list.txt": "Seed inboxes",
  s: "Shares",
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
};

/** What a reader came for stands first. */
function subjectsOf(endpoints: readonly Endpoint[]): string[] {
  const last = ["People", "Documentation", "Server"];
  const subjects = [...new Set(endpoints.map(subjectOf))];
  return [
    ...subjects.filter((name) => !last.includes(name)),
    ...last.filter((name) => subjects.includes(name)),
  ];
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

/** No body counts as an empty object. */
function toRequestBody(body: Endpoint["body"], schemas: Schemas): NonNullable<Operation["requestBody"]> {
  const required = isMedia(body) || !body.safeParse({}).success;
  return { required, content: toContent(body, "input", schemas) };
}
