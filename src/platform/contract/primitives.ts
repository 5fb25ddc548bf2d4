// Schemas that every resource shares (src/decisions.md, "Resources").

import { z } from "zod";
import { isTimeZone } from "../../analyzer/reports/sums.ts";
import type { RefusalCode } from "../errors.ts";
import { type IdKind, idPrefixes } from "../ids.ts";
import { readEmail } from "./emails.ts";

/** A schema may name the error code for its field, if the contract has one. */
export type FieldRefusals = { readonly missing?: RefusalCode; readonly invalid?: RefusalCode };

/** A time in an answer: RFC 3339, UTC, milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({ examples: ["2026-11-21T06:19:00.000Z"] });

/** A time in a request may have an offset and any precision. It becomes epoch milliseconds. */
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

/** For an answer with a tag, so that one that hasn't changed isn't sent again. */
export const ifNoneMatch = z.strictObject({
  "if-none-match": z.string().optional().describe("ETag of your cached copy. If it is current, the response is 304."),
});

/** The `:id` of a path, in any form: an ID that doesn't exist is not found. */
/** A time of day. */
export const dayTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

export const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, "must be an IANA time zone like Europe/Berlin")
  .describe("IANA time zone.");

export const idParams = z.strictObject({ id: z.string().describe("ID of the record.") });

/** A number in a query: digits only. An empty text, `0x10` and `1e1` are refused. */
export function queryInteger(minimum: number, maximum?: number) {
  const bounded = z.int().min(minimum);
  return z.preprocess(
    // Decimals count as numbers here, so that the error asks for a whole number.
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

/** For `refine`. */
export const oneLine = [
  (text: string) => !/[\p{Cc}\u2028\u2029]/u.test(text),
  "must have no line breaks and no control characters",
] as const;

/** A required name, shown to people. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ missing: "missing_name" } satisfies FieldRefusals);

/** In canonical form (platform/contract/emails.ts). */
export const email = z
  .string()
  .transform((typed, context) => {
    const address = readEmail(typed);
    if (address !== undefined) return address;
    context.addIssue({ code: "custom", message: "must be an email address like ann@example.com" });
    return z.NEVER;
  })
  .meta({ invalid: "invalid_email" } satisfies FieldRefusals);

export function listOf<T extends z.ZodType>(entry: T) {
  return z.strictObject({ items: z.array(entry) });
}

/** Pagination of long lists: by cursor, which costs the same at any depth, or by offset. */
export function pageQuery(kind: IdKind) {
  return {
    limit: queryInteger(1, 100).default(50).describe("Maximum number of items."),
    offset: queryInteger(0).default(0).describe("Number of items to skip."),
    cursor: identifier(kind).optional().describe("`next` from the previous page. `offset` then counts from there."),
  };
}

export function pageOf<T extends z.ZodType>(entry: T) {
  return z.strictObject({
    items: z.array(entry),
    total: z.int().describe("Number of items in the whole list."),
    totalIsExact: z.boolean().describe("`false` if `total` is a lower bound, which happens only with filters."),
    limit: z.int(),
    offset: z.int(),
    next: z.string().nullable().describe("Cursor of the next page. `null` on the last page."),
  });
}

export function toTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** RFC 3339 §5.6 has four digits for a year. */
const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Also null for a foreign time that no timestamp can express, such as a signature's `x=` in the year 30000. */
export function toTimestampOrNull(epochMs: number | null): string | null {
  return epochMs === null || Math.abs(epochMs) > latestTime ? null : toTimestamp(epochMs);
}

// Our values in the test resource, with names in snake case (src/decisions.md, "Resources"). Only for values whose keys
// are our names. Foreign text is in values, never in keys.

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

/** Only these fields: what is added to the record later stays out. */
export function pick<From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;
}
