// The sending host, the domains in a message, and what blocklists and scanners say about them, as the Test resource
// shows them. Unknown values have a reason.

import { z } from "zod";
import { type Surroundings, surroundings as shapes } from "../../../analyzer/checks/infrastructure-facts.ts";
import type { Shape } from "../../../analyzer/checks/shape.ts";
import { type SnakeCased, toSnakeCase, toSnakeCased } from "../../../platform/contract/primitives.ts";

type SurroundingsField = SnakeCased<Surroundings>;

export const surroundings = toRecord(shapes).meta({ id: "Surroundings" }) as z.ZodType<SurroundingsField>;

export function toSurroundings(found: Surroundings): SurroundingsField {
  return toSnakeCased(found);
}

function toRecord(fields: Readonly<Record<string, Shape>>): z.ZodType {
  return z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, shape]) => [toSnakeCase(name), toSchema(shape)])),
  );
}

function toSchema(shape: Shape): z.ZodType {
  const schema = toBareSchema(shape);
  return shape.about === undefined ? schema : schema.describe(shape.about);
}

function toBareSchema(shape: Shape): z.ZodType {
  switch (shape.is) {
    case "text":
      return z.string();
    case "integer":
      return z.int();
    case "number":
      return z.number();
    case "boolean":
      return z.boolean();
    case "word":
      return z.enum(shape.of);
    case "record":
      return toRecord(shape.of);
    case "list":
      return z.array(toSchema(shape.of));
    case "nullable":
      return toSchema(shape.of).nullable();
    case "fact":
      return toFact(shape.of);
    case "rows":
      return z.array(z.strictObject({ of: z.string(), fact: toFact(shape.of) }));
  }
}

function toFact(shape: Shape) {
  return z.union([
    z.strictObject({ known: z.literal(true), value: toSchema(shape) }),
    z.strictObject({ known: z.literal(false), why: z.string() }),
  ]);
}
