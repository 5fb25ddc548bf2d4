// Requests thrown by dice from an OpenAPI document: most are nearly right, so that they get past the first check.

import type { OpenApi, Operation } from "../../src/http/openapi.ts";
import type { Schema } from "../../src/http/openapi-schema.ts";
import type { Dice } from "../dice.ts";

export type ThrownRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type Caller = { readonly token: string | null; readonly workspace: string | null };

export type Throwing = {
  readonly document: OpenApi;
  /** One is taken for each request. */
  readonly callers: readonly Caller[];
  /** Ids that there are, of whomever. */
  readonly ids: readonly string[];
  /** Ids without which every further request would be refused: the callers' own tokens and workspaces. */
  readonly spared: readonly string[];
};

export type RequestThrower = {
  readonly throwRequest: (dice: Dice) => ThrownRequest;
  /** Takes the ids in an answer, so that what was made is asked for and removed later. */
  readonly learn: (path: string, answer: string) => void;
};

type Place = { readonly method: string; readonly path: string; readonly operation: Operation };

export function createRequestThrower({ document, callers, ids, spared }: Throwing): RequestThrower {
  const known = new Map([["", [...ids]]]);
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]): Place => ({ method: method.toUpperCase(), path, operation }),
    ),
  );
  const throwValue = createValueThrower(document, known.get("") ?? []);
  const throwRequest = (dice: Dice) => {
    const place = pick(dice, places);
    const method = dice(40) === 0 ? pick(dice, oddMethods) : place.method;
    const body = method === "GET" || method === "HEAD" ? null : throwBody(dice, place.operation, throwValue);
    return {
      method,
      path: throwPath(dice, place, known, throwValue) + throwQuery(dice, place.operation, throwValue),
      headers: {
        ...credentialsOf(pick(dice, callers)),
        ...throwTypes(dice, place.operation, body),
        ...throwHeaders(dice),
      },
      body,
    };
  };
  const learn = (path: string, answer: string) => {
    for (const [, id = ""] of answer.matchAll(/"([a-z]{3}_[0-9a-z]{26})"/g))
      if (!spared.includes(id)) for (const noun of ["", nounOf(path)]) remember(known, noun, id);
  };
  return { throwRequest, learn };
}

/** What ids learned from an answer belong to: `tests` of `/api/tests?limit=1`. */
function nounOf(path: string): string {
  return /^\/api\/([\w-]+)/.exec(path)?.[1] ?? "";
}

/** The last hundred or so. */
function remember(known: Map<string, string[]>, noun: string, id: string): void {
  const ids = known.get(noun) ?? [];
  known.set(noun, ids);
  if (!ids.includes(id)) ids.push(id);
  if (ids.length > 100) ids.shift();
}

const oddMethods = ["PUT", "OPTIONS", "HEAD", "GET", "POST", "PATCH", "DELETE"];

type ThrowValue = (dice: Dice, schema: Schema, depth?: number) => unknown;

function credentialsOf({ token, workspace }: Caller): Record<string, string> {
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(workspace === null ? {} : { "x-workspace-id": workspace }),
  };
}

function throwPath(
  dice: Dice,
  { path }: Place,
  known: ReadonlyMap<string, readonly string[]>,
  throwValue: ThrowValue,
): string {
  const own = known.get(nounOf(path)) ?? [];
  const filled = path.replace(/\{\w+\}/g, () =>
    toSegment(
      own.length > 0 && dice(4) > 0
        ? pick(dice, own)
        : throwValue(dice, { type: "string", pattern: "^tst_[" }),
    ),
  );
  return dice(50) === 0 ? `${filled}/${toSegment(throwText(dice))}` : filled;
}

/** No dots alone: clients walk up the path at them. */
function toSegment(value: unknown): string {
  return encodeURIComponent(String(value).toWellFormed()).replace(/^\.{1,2}$/, "x");
}

function throwQuery(dice: Dice, { parameters = [] }: Operation, throwValue: ThrowValue): string {
  const pairs = parameters
    .filter((one) => one.in === "query" && (one.required || dice(3) > 0))
    .map(({ name, schema }) => [name, String(throwValue(dice, schema))]);
  if (dice(20) === 0) pairs.push([throwText(dice), throwText(dice)]);
  if (pairs.length === 0) return "";
  return `?${pairs.map((pair) => pair.map((text = "") => encodeURIComponent(text.toWellFormed())).join("=")).join("&")}`;
}

function throwBody(dice: Dice, { requestBody }: Operation, throwValue: ThrowValue): string | null {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return dice(10) === 0 ? throwText(dice) : null;
  if (content?.schema === undefined) return `Subject: ${throwText(dice)}\r\n\r\n${throwText(dice)}`;
  const text = JSON.stringify(throwValue(dice, content.schema));
  return dice(15) === 0 ? damage(dice, text) : text;
}

function throwTypes(dice: Dice, { requestBody }: Operation, body: string | null): Record<string, string> {
  if (body === null) return {};
  const [type = "application/json"] = Object.keys(requestBody?.content ?? {});
  return { "content-type": dice(25) === 0 ? pick(dice, ["text/plain", "x", "application/xml"]) : type };
}

function throwHeaders(dice: Dice): Record<string, string> {
  const odd = [
    "last-event-id",
    "x-forwarded-for",
    "x-forwarded-host",
    "origin",
    "cookie",
    "range",
    "if-none-match",
  ];
  const text = encodeURIComponent(throwText(dice).toWellFormed()).slice(0, 200);
  return dice(4) === 0 ? { [pick(dice, odd)]: text } : {};
}

function createValueThrower({ components }: OpenApi, ids: readonly string[]): ThrowValue {
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
  const odd = [
    minimum,
    maximum,
    minimum - 1,
    maximum + 1,
    0,
    -0,
    0.5,
    1e308,
    -1e308,
    2 ** 53,
    2 ** 31,
    2 ** 63,
  ];
  return dice(3) === 0 ? pick(dice, odd) : minimum + dice(Math.min(maximum - minimum + 1, 2 ** 31));
}

const oddTexts = [
  ...[
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
  ],
  ...[
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
  ],
  ...[
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
  ],
  ...[
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
  ],
  ...[
    "Europe/Berlin",
    "UTC",
    "Etc/GMT+12",
    "America/Nowhere",
    "2026-11-21",
    "2026-02-30T00:00:00Z",
    "9999-12-31T23:59:59Z",
  ],
  ...["=1+1", "@x", "+x", "-x", "\tx", "x".repeat(300), "ä".repeat(1_000), "0000-01-01T00:00:00Z"],
];

function throwText(dice: Dice): string {
  if (dice(3) > 0) return pick(dice, oddTexts);
  return Array.from({ length: dice(30) }, () =>
    String.fromCodePoint(dice(8) === 0 ? dice(0xd7ff) : 32 + dice(95)),
  ).join("");
}

function throwAnything(dice: Dice): unknown {
  return pick(dice, [
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    "",
    "x",
    [],
    {},
    [[]],
    [null],
    { a: 1 },
    throwText(dice),
  ]);
}

function damage(dice: Dice, text: string): string {
  const at = dice(text.length + 1);
  return (
    text.slice(0, at) + pick(dice, ["", "{", "]", '"', "\\", ",", "\u0000", "1"]) + text.slice(at + dice(3))
  );
}

function pick<T>(dice: Dice, values: readonly T[]): T {
  const value = values[dice(values.length)];
  if (value === undefined && values.length === 0) throw new Error("There is nothing to pick from.");
  return value as T;
}
