// What an endpoint can answer: its own answer, and every error with the codes of its status.

import { z } from "zod";
import { type Access, type Endpoint, isMedia, type Media } from "../contract/endpoint.ts";
import { type RefusalCode, statusOf } from "../errors.ts";
import { isScoped } from "./callers/auth.ts";

export type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

export type Header = {
  readonly description: string;
  /** False: only in some answers with this status. */
  readonly required: boolean;
  readonly schema: Schema;
};

export type Answers = Readonly<
  Record<
    string,
    { readonly description: string; readonly headers?: Readonly<Record<string, Header>>; readonly content?: Content }
  >
>;

export function toAnswers(endpoint: Endpoint, schemas: Schemas): Answers {
  const { status, emptyStatus } = endpoint;
  return {
    [status]: toAnswer(endpoint, schemas),
    ...(hasTag(endpoint) && { 304: { description: "Your copy is current.", headers: { ETag: tagHeader } } }),
    ...(emptyStatus === 202 && { 202: { description: "Done. There is nothing to answer." } }),
    ...(emptyStatus === 302 && {
      302: { description: "Redirects a browser that is logged in.", headers: { Location: locationHeader } },
    }),
    ...toErrorAnswers(endpoint),
  };
}

/** The errors of an endpoint: its own, and those that follow from how it is called. */
function errorsOf(endpoint: Endpoint): readonly RefusalCode[] {
  const codes = new Set<RefusalCode>(endpoint.errors);
  if (endpoint.access !== "public") codes.add("missing_token").add("forbidden");
  // The workspace may require it.
  if (isScoped(endpoint.access) || endpoint.token === "full") codes.add("second_factor_required");
  // Sent from a page of another site.
  if (endpoint.method !== "GET") codes.add("forbidden");
  // The database is locked, unavailable or out of disk space.
  if (knowsCallers(endpoint.access)) codes.add("overloaded");
  if (endpoint.needs === "payments") codes.add("billing_not_configured");
  if (hasFields(endpoint.params)) codes.add("not_found");
  if (endpoint.method !== "GET") codes.add("payload_too_large").add("unsupported_media_type");
  for (const code of [...fieldCodes(endpoint.query), ...fieldCodes(endpoint.body)]) codes.add(code);
  return [...codes.add("invalid_request").add("internal")].sort(
    (a, b) => statusOf[a] - statusOf[b] || a.localeCompare(b),
  );
}

export function toContent(content: z.ZodType | Media, io: "input" | "output", schemas: Schemas): Content {
  if (!isMedia(content)) return jsonContent(toSchema(content, io, schemas));
  const { mediaType, otherTypes = [], schema, form } = content;
  return {
    ...Object.fromEntries(otherTypes.map((type) => [type, {}])),
    [mediaType]: schema ? { schema: toSchema(schema, io, schemas) } : {},
    ...(form && { "multipart/form-data": { schema: formSchema } }),
  };
}

/** RFC 7578. A file has no format in OpenAPI 3.1. */
const formSchema: Schema = {
  type: "object",
  description: "The same bytes as the only file of a form.",
  properties: { file: { type: "string", contentMediaType: "message/rfc822" } },
  required: ["file"],
};

function withVariants({ answer, variants }: Endpoint): z.ZodType | Media {
  if (answer === null) throw new Error("This endpoint answers nothing.");
  return isMedia(answer) || variants.length === 0 ? answer : z.union([answer, ...variants]);
}

function hasTag({ headers }: Endpoint): boolean {
  return "if-none-match" in headers.shape;
}

function toAnswer(endpoint: Endpoint, schemas: Schemas): Answers[string] {
  const { answer, summary, access, status } = endpoint;
  const headers = {
    ...(knowsCallers(access) ? { "X-Assay-Version": versionHeader } : {}),
    ...(status === 302 ? { Location: locationHeader } : {}),
    ...(hasTag(endpoint) ? { ETag: tagHeader } : {}),
    ...(answer !== null && isMedia(answer) && answer.download ? { "Content-Disposition": fileHeader } : {}),
  };
  return {
    description: answer === null ? "Done." : summary,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(answer === null ? {} : { content: toContent(withVariants(endpoint), "output", schemas) }),
  };
}

function toErrorAnswers(endpoint: Endpoint): Answers {
  const codesByStatus = Map.groupBy(errorsOf(endpoint), (code) => statusOf[code]);
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      status,
      {
        description: codes.join(", "),
        ...(headersOfStatus[status] ? { headers: headersOfStatus[status] } : {}),
        content: jsonContent({
          allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { error: { enum: codes } } }],
        }),
      },
    ]),
  );
}

const text: Schema = { type: "string" };
const versionHeader: Header = { description: "Server version.", required: true, schema: text };
const tagHeader: Header = { description: "Send it as If-None-Match next time.", required: true, schema: text };
const locationHeader: Header = { description: "Redirect target.", required: true, schema: text };
const fileHeader: Header = { description: "`attachment` with a file name.", required: true, schema: text };
const retryAfter = "Seconds to wait before retrying.";
const seconds: Schema = { type: "integer", minimum: 1 };

export const headersOfStatus: Readonly<Record<number, Readonly<Record<string, Header>>>> = {
  401: { "WWW-Authenticate": { description: "With `missing_token`: `Bearer`.", required: false, schema: text } },
  429: { "Retry-After": { description: retryAfter, required: true, schema: seconds } },
  503: { "Retry-After": { description: retryAfter, required: false, schema: seconds } },
};

function knowsCallers(access: Access): boolean {
  return access !== "public" && access !== "metrics";
}

function jsonContent(schema: Schema): Content {
  return { "application/json": { schema } };
}

function fieldCodes(schema: z.ZodType | Media): RefusalCode[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.values(schema.shape).flatMap((field) => {
    const { missing, invalid } = (field.meta() ?? {}) as { missing?: RefusalCode; invalid?: RefusalCode };
    return [missing, invalid].filter((code) => code !== undefined);
  });
}

// JSON Schema (draft 2020-12, as in OpenAPI 3.1) for the input and output of our schemas.

/** The parts of JSON Schema that we write and that /docs reads. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};

export type Schemas = Record<string, Schema>;

/** Schemas with an ID in their meta become components, collected in `schemas`. */
export function toSchema(schema: z.ZodType, io: "input" | "output", schemas: Schemas): Schema {
  const { $schema, $defs, ...own } = z.toJSONSchema(schema, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      adapt(jsonSchema, io);
      if (io === "input") restoreWhatIsSent(zodSchema, jsonSchema);
    },
  });
  for (const [id, component] of Object.entries($defs ?? {})) schemas[id] = withComponentRefs(component);
  return withComponentRefs(own);
}

/** For times, `format` is enough. The error code of a field's own refusal is useful to clients too. */
function adapt(jsonSchema: Record<string, unknown>, io: "input" | "output"): void {
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Limits of JavaScript, not of the API.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Answers may gain fields within a major version (src/decisions.md, "Versions").
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  for (const when of ["missing", "invalid"]) {
    if (when in jsonSchema) jsonSchema[`x-error-when-${when}`] = jsonSchema[when];
    delete jsonSchema[when];
  }
}

/** zod drops these if a value is transformed, because it applies them to the result. */
function restoreWhatIsSent(schema: z.core.$ZodType, jsonSchema: Record<string, unknown>): void {
  const { examples } = z.globalRegistry.get(schema) ?? {};
  if (examples !== undefined) jsonSchema.examples = examples;
  if (schema instanceof z.ZodDefault) jsonSchema.default = schema.def.defaultValue;
}

function withComponentRefs(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

export function hasFields(schema: z.ZodType): boolean {
  return !(schema instanceof z.ZodObject) || Object.keys(schema.shape).length > 0;
}
