// Turns a schema error into a refusal that a person understands: the code, the field and one sentence.

import { z } from "zod";
import type { FieldRefusals } from "../contract/primitives.ts";
import { Refusal } from "../errors.ts";

type Part = "body" | "query" | "headers";

export function validate<T extends z.ZodType>(schema: T, value: unknown, part: Part): z.output<T> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // An unknown parameter is probably a misspelling of the missing one.
  const unknown = part === "query" ? issues.find(({ code }) => code === "unrecognized_keys") : undefined;
  const first = unknown ?? (issues[0] && toNearest(issues[0]));
  throw first ? toRefusal(schema, first, part) : new Refusal("invalid_request", "The request is not valid.");
}

/** If a value can have several forms, what is wrong in the one that it resembles most. */
function toNearest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const forms = issue.errors.filter(([first]) => first?.code !== "invalid_type" || first.path.length > 0);
  const [inner] = forms.toSorted((one, other) => countStrange(one) - countStrange(other))[0] ?? [];
  return inner ? toNearest({ ...inner, path: [...issue.path, ...inner.path] }) : issue;
}

/** Fields that this form doesn't have, or that are missing for it. */
function countStrange(issues: readonly z.core.$ZodIssue[]): number {
  return issues.filter(
    (issue) => issue.code === "unrecognized_keys" || (issue.code === "invalid_type" && issue.input === undefined),
  ).length;
}

function toRefusal(schema: z.ZodType, issue: z.core.$ZodIssue, part: Part): Refusal {
  if (issue.code === "unrecognized_keys") {
    const field = printable([...issue.path, issue.keys[0]].join("."));
    const kind = part === "body" ? "field" : "parameter";
    return new Refusal("invalid_request", `Unknown ${kind} "${field}".`, { field });
  }
  if (issue.path.length === 0) return new Refusal("invalid_request", `The ${part} ${complaint(issue)}.`);
  const field = printable(issue.path.join("."));
  const refusals = fieldRefusals(schema, issue.path);
  const code = (isBlank(issue.input) ? refusals.missing : undefined) ?? refusals.invalid ?? "invalid_request";
  return new Refusal(code, `"${field}" ${complaint(issue)}.`, { field });
}

function isBlank(input: unknown): boolean {
  return input === undefined || input === null || (typeof input === "string" && input.trim() === "");
}

/** What the schema of the invalid field says about its errors in its meta. */
function fieldRefusals(schema: z.ZodType, path: readonly PropertyKey[]): FieldRefusals {
  const own = (schema.meta() ?? {}) as FieldRefusals;
  if (own.missing !== undefined || own.invalid !== undefined) return own;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldRefusals(schema.unwrap() as z.ZodType, path);
  const [key, ...rest] = path;
  if (schema instanceof z.ZodObject && typeof key === "string" && Object.hasOwn(schema.shape, key))
    return fieldRefusals(schema.shape[key], rest);
  if (schema instanceof z.ZodArray) return fieldRefusals(schema.element as z.ZodType, rest);
  return {};
}

/** Completes `"name" …`. */
function complaint(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${typeWords[issue.expected] ?? issue.expected}`;
    case "too_small":
      return issue.minimum === 1 && issue.origin === "string"
        ? "must not be empty"
        : `must ${sizeWords(issue.origin, "at least", issue.minimum)}`;
    case "too_big":
      return `must ${sizeWords(issue.origin, "at most", issue.maximum)}`;
    case "invalid_format":
      return formatWords[issue.format] ?? "has an invalid format";
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "custom":
      return issue.message;
    default:
      return "is not valid";
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
};

const formatWords: Readonly<Record<string, string>> = {
  datetime: "must be a time like 2026-11-21T06:19:00.000Z",
  email: "must be an email address",
  url: "must be a URL that starts with http:// or https://",
};

function sizeWords(origin: string, bound: string, size: number | bigint): string {
  if (origin === "string") return `have ${bound} ${size} characters`;
  if (origin === "array") return `have ${bound} ${size} entries`;
  return `be ${bound} ${size}`;
}

/** The name of an unknown field is the sender's own text. */
function printable(field: string): string {
  return field.replace(/\p{C}/gu, "").slice(0, 100);
}
