// Random requests generated from an OpenAPI document. Most are nearly valid, so that they pass the first validation.

import type { OpenApi, Operation } from "../../src/platform/http/openapi.ts";
import type { Dice } from "../dice.ts";
import { createValueThrower, damage, pick, type ThrowValue, throwText } from "./values.ts";

export type ThrownRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

export type Caller = {
  readonly token: string | null;
  readonly workspace: string | null;
  /** A logged-in user on a page of that origin. */
  readonly session?: { readonly cookie: string; readonly origin: string };
};

export type Throwing = {
  readonly document: OpenApi;
  /** One is chosen for each request. */
  readonly callers: readonly Caller[];
  /** Existing IDs, in any workspace. */
  readonly ids: readonly string[];
  /** IDs whose removal would make all further requests fail: the callers' own tokens, sessions and workspaces. */
  readonly spared: readonly string[];
};

export type RequestThrower = {
  readonly throwRequest: (dice: Dice) => ThrownRequest;
  /** Collects the IDs in an answer, so that created objects are read and removed later. */
  readonly learn: (path: string, answer: string) => void;
};

type Place = { readonly method: string; readonly path: string; readonly operation: Operation };

export function createRequestThrower({ document, callers, ids, spared }: Throwing): RequestThrower {
  const known = new Map([["", [...ids]]]);
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Place => ({ method: method.toUpperCase(), path, operation })),
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
        ...credentialsOf(pick(dice, callers), place),
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

/** The noun that IDs in an answer belong to: `tests` for `/api/tests?limit=1`. */
function nounOf(path: string): string {
  return /^\/api\/([\w-]+)/.exec(path)?.[1] ?? "";
}

/** Keeps about the last hundred. */
function remember(known: Map<string, string[]>, noun: string, id: string): void {
  const ids = known.get(noun) ?? [];
  known.set(noun, ids);
  if (!ids.includes(id)) ids.push(id);
  if (ids.length > 100) ids.shift();
}

const oddMethods = ["PUT", "OPTIONS", "HEAD", "GET", "POST", "PATCH", "DELETE"];

/** Logging out would end a caller's session, and trying an account's passwords slows down its later logins. */
const notWithSession = ["/api/auth/logout", "/api/auth/oidc/logout", "/api/auth/password"];

function credentialsOf({ token, workspace, session }: Caller, { path }: Place): Record<string, string> {
  return {
    ...(session === undefined || notWithSession.includes(path) ? {} : session),
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
      own.length > 0 && dice(4) > 0 ? pick(dice, own) : throwValue(dice, { type: "string", pattern: "^tst_[" }),
    ),
  );
  return dice(50) === 0 ? `${filled}/${toSegment(throwText(dice))}` : filled;
}

/** Never only dots, which clients resolve as a parent path. */
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
  const text = JSON.stringify(asSomebodyElse(dice, throwValue(dice, content.schema)));
  return dice(15) === 0 ? damage(dice, text) : text;
}

/** For the same reason. */
function asSomebodyElse(dice: Dice, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("email" in value && "password" in value)) return value;
  return /@/.test(String(value.email)) ? { ...value, email: `ann${dice(2 ** 31)}@people.example` } : value;
}

function throwTypes(dice: Dice, { requestBody }: Operation, body: string | null): Record<string, string> {
  if (body === null) return {};
  const [type = "application/json"] = Object.keys(requestBody?.content ?? {});
  return { "content-type": dice(25) === 0 ? pick(dice, ["text/plain", "x", "application/xml"]) : type };
}

function throwHeaders(dice: Dice): Record<string, string> {
  const odd = ["last-event-id", "x-forwarded-for", "x-forwarded-host", "origin", "cookie", "range", "if-none-match"];
  const text = encodeURIComponent(throwText(dice).toWellFormed()).slice(0, 200);
  return dice(4) === 0 ? { [pick(dice, odd)]: text } : {};
}
