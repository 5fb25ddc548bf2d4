// The interface as an OpenAPI 3.1 document, made from the endpoints that validate and answer.

import { z } from "zod";
import { cookieName } from "../accounts/sessions.ts";
import { type Endpoint, isMedia, type Media, workspaceParameter } from "../api/endpoint.ts";
import { errorBody } from "../api/errors.ts";
import type { RefusalCode } from "../errors.ts";
import { isScoped } from "./auth.ts";
import { statusOf } from "./errors.ts";

/** What we write of JSON Schema, and what the page at /docs reads of it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
};

type Schemas = Record<string, Schema>;
type Content = Readonly<Record<string, { readonly schema?: Schema }>>;
type Parameter = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
};

export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
};

export type OpenApi = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly license: object };
  readonly servers: readonly object[];
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
    info: { title: "Assay", version, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: "/" }],
    paths,
    components: { schemas, securitySchemes },
  };
}

const securitySchemes = {
  token: { type: "http", scheme: "bearer" },
  session: {
    type: "apiKey",
    in: "cookie",
    name: cookieName(true),
    description: `As /api/auth/login sets it; over plain HTTP it is ${cookieName(false)}. What changes something must come from a page of this server's.`,
  },
};

/** What an endpoint may refuse: what it says itself, and what follows from how it is asked. */
export function errorsOf(endpoint: Endpoint): readonly RefusalCode[] {
  const codes = new Set<RefusalCode>(endpoint.errors);
  if (endpoint.access !== "public") codes.add("missing_token").add("forbidden");
  if (endpoint.needs === "payments") codes.add("billing_not_configured");
  if (hasFields(endpoint.params)) codes.add("not_found");
  if (endpoint.method !== "GET") codes.add("payload_too_large").add("unsupported_media_type");
  for (const code of [...fieldCodes(endpoint.query), ...fieldCodes(endpoint.body)]) codes.add(code);
  return [...codes.add("invalid_request").add("internal")].sort(
    (a, b) => statusOf[a] - statusOf[b] || a.localeCompare(b),
  );
}

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
    summary: endpoint.summary,
    security: access === "public" ? [] : [{ token: [] }, ...(access === "metrics" ? [] : [{ session: [] }])],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(isMedia(body) || hasFields(body)
      ? { requestBody: { required: true, content: toContent(body, "input", schemas) } }
      : {}),
    responses: { [endpoint.status]: toAnswer(endpoint, schemas), ...errorAnswers(endpoint) },
  };
}

/** A token says it in the header and nowhere else; a browser that can send none says it in the query. */
function workspaceParameters({ method }: Endpoint): Parameter[] {
  const header = { name: "X-Workspace-Id", in: "header" } as const;
  if (method !== "GET") return [{ ...header, required: true, schema: { type: "string" } }];
  const inHeader = "Required of a token.";
  const inQuery = "Of a session that sends no header.";
  return [
    { ...header, required: false, schema: { type: "string", description: inHeader } },
    {
      name: workspaceParameter,
      in: "query",
      required: false,
      schema: { type: "string", description: inQuery },
    },
  ];
}

/** `GET /api/tokens/:id` is getTokensId: plain, and no two are alike. */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[^A-Za-z]+/).filter((word) => word !== "" && word !== "api");
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}

function toParameters(schema: z.ZodObject, place: Parameter["in"], schemas: Schemas): Parameter[] {
  const { properties, required } = toSchema(schema, "input", schemas);
  return Object.entries(properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: required?.includes(name) ?? false,
    schema: property,
  }));
}

function toAnswer({ answer, summary }: Endpoint, schemas: Schemas): Operation["responses"][string] {
  if (answer === null) return { description: "Done." };
  return { description: summary, content: toContent(answer, "output", schemas) };
}

function toContent(content: z.ZodType | Media, io: "input" | "output", schemas: Schemas): Content {
  if (!isMedia(content)) return jsonContent(toSchema(content, io, schemas));
  const { mediaType, schema } = content;
  return { [mediaType]: schema ? { schema: toSchema(schema, io, schemas) } : {} };
}

function errorAnswers(endpoint: Endpoint): Operation["responses"] {
  const codesByStatus = Map.groupBy(errorsOf(endpoint), (code) => statusOf[code]);
  const content = jsonContent({ $ref: "#/components/schemas/Error" });
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [status, { description: codes.join(", "), content }]),
  );
}

function jsonContent(schema: Schema): Content {
  return { "application/json": { schema } };
}

/** Schemas that bear an id in their meta become components, gathered in `schemas`. */
function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Schemas): Schema {
  const { $schema, $defs, ...own } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => adapt(jsonSchema, io),
  });
  for (const [id, component] of Object.entries($defs ?? {})) schemas[id] = withComponentRefs(component);
  return withComponentRefs(own);
}

/** Of a time the format says all; the code that a field's refusal has of its own is worth telling to clients too. */
function adapt(jsonSchema: Record<string, unknown>, io: "input" | "output"): void {
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Answers may gain fields within a major version (decisions §12).
  if (io === "output") delete jsonSchema.additionalProperties;
  for (const when of ["missing", "invalid"]) {
    if (when in jsonSchema) jsonSchema[`x-error-when-${when}`] = jsonSchema[when];
    delete jsonSchema[when];
  }
}

function withComponentRefs(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function hasFields(schema: z.ZodType): boolean {
  return !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;
}

function fieldCodes(schema: z.ZodType | Media): RefusalCode[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.values(schema.shape).flatMap((field) => {
    const { missing, invalid } = (field.meta() ?? {}) as { missing?: RefusalCode; invalid?: RefusalCode };
    return [missing, invalid].filter((code) => code !== undefined);
  });
}
