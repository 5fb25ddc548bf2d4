// The few forms that every noun shares (src/decisions.md, "Resources").

import { z } from "zod";
import { readEmail } from "../accounts/emails.ts";
import type { RefusalCode } from "../errors.ts";
import { type IdKind, idPrefixes } from "../ids.ts";

/** A schema may name the refusal that its field gets, where the contract has a code of its own for it. */
export type FieldRefusals = { readonly missing?: RefusalCode; readonly invalid?: RefusalCode };

/** A time in an answer: RFC 3339, UTC, milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ["2026-11-21T06:19:00.000Z"] });

/** A time in a request may bear an offset and any precision; it becomes epoch milliseconds. */
export const requestTime = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** Names of mail servers whose recorded verdicts count, separated by commas. */
export const trustedHosts = z
  .string()
  .regex(/^[\w.,-]{0,1000}$/)
  .transform((text) => text.split(",").filter((name) => name !== ""));

export function identifier(kind: IdKind) {
  const prefix = idPrefixes[kind];
  return z.string().regex(new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`));
}

/** The `:id` of a path. Whatever its form: one that nothing bears is not found. */
export const idParams = z.strictObject({ id: z.string().describe("As `id` in the record.") });

/** A number in a query: digits, and no other way to write one (an empty text, `0x10`, `1e1`). */
export function queryInteger(minimum: number, maximum?: number) {
  const bounded = z.int().min(minimum);
  return z.preprocess(
    // A decimal is a number too, so that the answer says that a whole one is wanted.
    (text) => (typeof text === "string" && /^-?\d{1,16}(?:\.\d{1,9})?$/.test(text) ? Number(text) : text),
    maximum === undefined ? bounded : bounded.max(maximum),
  );
}

/** The same with up to three decimals. */
export function queryDecimal(minimum: number, maximum: number) {
  return z.preprocess(
    (text) => (typeof text === "string" && /^\d{1,13}(\.\d{1,3})?$/.test(text) ? Number(text) : text),
    z.number().min(minimum).max(maximum),
  );
}

/** The required name of a thing, shown to people. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ missing: "missing_name" } satisfies FieldRefusals);

/** In its one form (accounts/emails.ts). */
export const email = z
  .string()
  .transform((typed, context) => {
    const address = readEmail(typed);
    if (address !== undefined) return address;
    context.addIssue({ code: "custom", message: "must be an e-mail address like ann@example.com" });
    return z.NEVER;
  })
  .meta({ invalid: "invalid_email" } satisfies FieldRefusals);

export function listOf<T extends z.ZodType>(entry: T) {
  return z.strictObject({ items: z.array(entry) });
}

/** How a long list is asked for: by the place behind the page before, which costs the same however deep, or by a number of rows. */
export function pageQuery(kind: IdKind) {
  return {
    limit: queryInteger(1, 100).default(50).describe("How many at most."),
    offset: queryInteger(0).default(0).describe("How many to leave out before them."),
    cursor: identifier(kind).optional().describe("`next` of the page before; `offset` counts from there."),
  };
}

export function pageOf<T extends z.ZodType>(entry: T) {
  return z.strictObject({
    items: z.array(entry),
    total: z.int().describe("Of the whole list."),
    totalIsExact: z.boolean().describe("Without filters always; false: there are at least `total`."),
    limit: z.int(),
    offset: z.int(),
    next: z.string().nullable().describe("For `cursor`; null: this is the last page."),
  });
}

export function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** RFC 3339 §5.6 has four digits for a year. */
const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Null too for a time that a stranger wrote and no timestamp can tell, like a signature's `x=` in the year 30000. */
export function toTimestampOrNull(epochMs: number | null): string | null {
  return epochMs === null || Math.abs(epochMs) > latestTime ? null : toTimestamp(epochMs);
}

// Our values as the test resource shows them: the same, with names in snake case (src/decisions.md, "Resources"). Only for
// values whose keys are our names; what strangers write is in values, never in keys.

type SnakeCase<Name extends string> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name;

export type SnakeCased<T> = T extends readonly (infer Entry)[]
  ? SnakeCased<Entry>[]
  : T extends object
    ? { [Key in keyof T as Key extends string ? SnakeCase<Key> : never]: SnakeCased<T[Key]> }
    : T;

export function toSnakeCased<T>(value: T): SnakeCased<T> {
  return convert(value) as SnakeCased<T>;
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [toSnakeCase(key), convert(entry)]));
}

export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
