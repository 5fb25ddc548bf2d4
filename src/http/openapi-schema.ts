// JSON Schema (draft 2020-12, as OpenAPI 3.1 has it) of what our schemas take and answer.

import { z } from "zod";

/** What we write of JSON Schema, and what the page at /docs reads of it. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
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

/** Schemas that bear an id in their meta become components, gathered in `schemas`. */
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

/** Of a time the format says all; the code that a field's refusal has of its own is worth telling to clients too. */
function adapt(jsonSchema: Record<string, unknown>, io: "input" | "output"): void {
  if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  // Bounds of the language, not of the interface.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Answers may gain fields within a major version (decisions §12).
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  for (const when of ["missing", "invalid"]) {
    if (when in jsonSchema) jsonSchema[`x-error-when-${when}`] = jsonSchema[when];
    delete jsonSchema[when];
  }
}

/** zod leaves them out where a value is transformed, because it takes them for what comes of that. */
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
