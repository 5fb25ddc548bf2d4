// Random values for a schema: most of the right type, some at its limits, some that often cause errors.

import type { OpenApi } from "../../src/platform/http/openapi.ts";
import type { Schema } from "../../src/platform/http/openapi-answers.ts";
import type { Dice } from "../dice.ts";

export type ThrowValue = (dice: Dice, schema: Schema, depth?: number) => unknown;

/** `ids` are the values used for IDs. */
export function createValueThrower({ components }: OpenApi, ids: readonly string[]): ThrowValue {
  const throwString = (dice: Dice, { pattern = "", format }: Schema): string => {
    if (/^\^\w+_\[/.test(pattern) && dice(4) > 0) return pick(dice, ids);
    return format === "date-time" && dice(4) > 0 ? throwTime(dice) : throwText(dice);
  };
  const ofType: Readonly<Record<string, (dice: Dice, schema: Schema, depth: number) => unknown>> = {
    object: throwObject,
    array: (dice, { items = {} }, depth) =>
      Array.from({ length: depth > 6 ? 0 : dice(4) }, () => throwValue(dice, items, depth + 1)),
    integer: throwNumber,
    number: throwNumber,
    boolean: (dice) => dice(2) === 0,
    null: () => null,
    string: throwString,
  };

  function named(reference: string): Schema {
    return components.schemas[reference.slice(reference.lastIndexOf("/") + 1)] ?? {};
  }

  function throwValue(dice: Dice, schema: Schema, depth = 0): unknown {
    if (dice(12) === 0) return throwAnything(dice);
    if (schema.$ref !== undefined) return throwValue(dice, named(schema.$ref), depth + 1);
    const ready = schema.enum ?? (dice(3) === 0 ? schema.examples : undefined);
    if (ready) return pick(dice, ready);
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (choices) return throwValue(dice, pick(dice, choices), depth + 1);
    if (schema.const !== undefined) return schema.const;
    return ofType[pick(dice, [schema.type ?? "string"].flat())]?.(dice, schema, depth);
  }

  function throwObject(dice: Dice, { properties = {}, required = [] }: Schema, depth: number): unknown {
    const fields = Object.entries(properties)
      .filter(([name]) => (required.includes(name) ? dice(15) > 0 : dice(2) === 0))
      .map(([name, one]) => [name, throwValue(dice, one, depth + 1)]);
    if (dice(15) === 0) fields.push([throwText(dice), throwAnything(dice)]);
    return Object.fromEntries(fields);
  }
  return throwValue;
}

function throwTime(dice: Dice): string {
  return new Date(Date.UTC(2026, 10, 21) + (dice(4_000_000) - 2_000_000) * 60_000).toISOString();
}

function throwNumber(dice: Dice, { minimum = -10, maximum = 1_000 }: Schema): number {
  const odd = [minimum, maximum, minimum - 1, maximum + 1, 0, -0, 0.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 2 ** 63];
  return dice(3) === 0 ? pick(dice, odd) : minimum + dice(Math.min(maximum - minimum + 1, 2 ** 31));
}

const oddTexts = [
  "",
  " ",
  "x",
  "0",
  "null",
  "true",
  "[]",
  "{}",
  "-1",
  "1e999",
  "NaN",
  "__proto__",
  "constructor",
  "toString",
  "a@b.example",
  "ann@sender.example",
  "<>",
  "@",
  "wsp_",
  "tst_",
  "%",
  "%%",
  "_",
  "\\",
  "'",
  '"',
  "`",
  ";--",
  "' or 1=1 --",
  "') union select 1 --",
  "a\u0000b",
  "\ud800",
  "\u202e",
  "é",
  "🦊",
  "ﬁ",
  "İ",
  "ß",
  "\r\nX: y",
  "*",
  '"*"',
  "a AND NOT b",
  "NEAR(a b)",
  "(",
  "a*",
  "^a",
  "a:b",
  "../../etc/passwd",
  "http://127.0.0.1/",
  "::1",
  "Europe/Berlin",
  "UTC",
  "Etc/GMT+12",
  "America/Nowhere",
  "2026-11-21",
  "2026-02-30T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "=1+1",
  "@x",
  "+x",
  "-x",
  "\tx",
  "x".repeat(300),
  "ä".repeat(1_000),
  "0000-01-01T00:00:00Z",
];

export function throwText(dice: Dice): string {
  if (dice(3) > 0) return pick(dice, oddTexts);
  return Array.from({ length: dice(30) }, () =>
    String.fromCodePoint(dice(8) === 0 ? dice(0xd7ff) : 32 + dice(95)),
  ).join("");
}

function throwAnything(dice: Dice): unknown {
  return pick(dice, [null, true, false, 0, -1, 1.5, 1e308, "", "x", [], {}, [[]], [null], { a: 1 }, throwText(dice)]);
}

export function damage(dice: Dice, text: string): string {
  const at = dice(text.length + 1);
  return text.slice(0, at) + pick(dice, ["", "{", "]", '"', "\\", ",", "\u0000", "1"]) + text.slice(at + dice(3));
}

export function pick<T>(dice: Dice, values: readonly T[]): T {
  const value = values[dice(values.length)];
  if (value === undefined && values.length === 0) throw new Error("There is nothing to pick from.");
  return value as T;
}
