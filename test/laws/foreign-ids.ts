// Where an endpoint takes ids besides its path, and requests that are whole but for one id: read from the schemas.

import { type Endpoint, isMedia } from "../../src/platform/contract/endpoint.ts";
import { type Schema, toSchema } from "../../src/platform/http/openapi-answers.ts";
import type { Asked } from "../http/ask.ts";

export type IdPlace = {
  /** For people: `query (cursor)`. */
  readonly words: string;
  readonly part: "query" | "body";
  /** The keys that lead to it; a list has it as its one entry. */
  readonly keys: readonly string[];
  /** What ids of its kind begin with. */
  readonly prefix: string;
};

export function findIds(endpoint: Endpoint): IdPlace[] {
  const { query, body } = endpoint;
  const parts = [["query", query] as const, ...(isMedia(body) ? [] : [["body", body] as const])];
  return parts.flatMap(([part, schema]) => {
    const components: Record<string, Schema> = {};
    const read = toSchema(schema, "input", components);
    return findIn(read, components).map(({ keys, prefix }) => ({
      words: `${part} (${keys.join(".")})`,
      part,
      keys,
      prefix,
    }));
  });
}

type Found = Pick<IdPlace, "keys" | "prefix">;

function findIn(schema: Schema, components: Readonly<Record<string, Schema>>): Found[] {
  if (schema.$ref) return findIn(components[schema.$ref.split("/").at(-1) ?? ""] ?? {}, components);
  const [, prefix] = /^\^(\w+)_\[/.exec(schema.pattern ?? "") ?? readPrefix(schema.examples);
  if (prefix !== undefined) return [{ keys: [], prefix }];
  const under = (key: string, one: Schema) =>
    findIn(one, components).map((found) => ({ ...found, keys: [key, ...found.keys] }));
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, one]) => under(key, one)),
    ...(schema.items ? under("[]", schema.items) : []),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => findIn(one, components)),
  ];
}

/** Where an id may have any form, an example shows what is meant. */
function readPrefix([example]: readonly unknown[] = []): readonly string[] {
  return /^([a-z]{3})_[0-9a-z]{26}$/.exec(String(example)) ?? [];
}

/** The id in its place of a request that is whole otherwise. */
export function putId(
  endpoint: Endpoint,
  { part, keys }: IdPlace,
  id: string,
): { readonly query: string; readonly body: Pick<Asked, "body" | "headers"> } {
  const sample = toSampleBody(endpoint);
  if (part === "query") return { query: `?${keys[0]}=${encodeURIComponent(id)}`, body: sample };
  return { query: "", body: { ...sample, body: withId(sample.body, keys, id) } };
}

function withId(value: unknown, [key, ...rest]: readonly string[], id: string): unknown {
  if (key === undefined) return id;
  if (key === "[]") return [withId(Array.isArray(value) ? value[0] : undefined, rest, id)];
  const whole = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return { ...whole, [key]: withId(whole[key], rest, id) };
}

/** A body that the endpoint takes: the one that the OpenAPI document shows. */
export function toSampleBody(endpoint: Endpoint, headers: Asked["headers"] = {}): Pick<Asked, "body" | "headers"> {
  const { body, method } = endpoint;
  if (method === "GET") return { headers };
  if (isMedia(body)) return { body: "Subject: x\r\n\r\nx", headers: { ...headers, "content-type": body.mediaType } };
  const [example] = toSchema(body, "input", {}).examples ?? [];
  return example === undefined ? { headers } : { body: example, headers };
}

/** Of the same kind and time, and nobody has it. */
export function nobodys(id: string): string {
  return `${id.slice(0, -8)}00000000`;
}
