// The sending host, the domains in a message, and what blocklists and scanners say about them, as the Test resource
// shows them. Unknown values have a reason.

import { z } from "zod";
import type { Surroundings as Found } from "../reports/report.ts";
import { toSnakeCased } from "./primitives.ts";

const text = z.string().nullable();
const texts = z.array(z.string());

function fact<T extends z.ZodType>(value: T) {
  return z.union([
    z.strictObject({ known: z.literal(true), value }),
    z.strictObject({ known: z.literal(false), why: z.string() }),
  ]);
}

function rows<T extends z.ZodType>(value: T) {
  return z.array(z.strictObject({ of: z.string(), fact: fact(value) }));
}

const ptr = z.strictObject({
  count: z.int(),
  names: texts,
  forward: z.array(z.strictObject({ name: z.string(), addresses: fact(texts) })),
  confirmed: texts.describe("Names that resolve back to the address."),
  generic: z.enum(["dynamic", "provider-default"]).nullable(),
  pattern: text,
});

const helo = z.strictObject({
  text: z.string(),
  form: z.enum(["fqdn", "single-label", "local", "literal", "bare-ip", "empty", "invalid"]),
  ours: z.boolean(),
  addresses: fact(texts),
  is_client: z.boolean(),
});

const mx = z.strictObject({
  domain: z.string(),
  exists: z.boolean(),
  soa: fact(z.boolean()),
  wildcard: fact(z.boolean()),
  null_mx: z.boolean(),
  hosts: z.array(
    z.strictObject({
      name: z.string(),
      preference: z.int(),
      alias: fact(text),
      literal: z.boolean(),
      addresses: fact(texts),
      private: z.boolean(),
    }),
  ),
  hosts_left_out: z.int(),
  addresses: fact(texts).nullable(),
});

const linkHost = z.strictObject({
  host: z.string(),
  exists: z.boolean(),
});

const listed = { zone: z.string(), listed: z.boolean() };
const entry = { code: text, meaning: text, text, delist_url: text };

export const surroundings = z
  .strictObject({
    ptr: fact(ptr),
    helo: fact(helo),
    mx: rows(mx),
    link_hosts: rows(linkHost),
    listings: fact(
      rows(z.strictObject({ ...listed, class: z.enum(["major", "policy", "minor", "broad"]), ...entry })),
    ),
    allows: fact(
      rows(
        z.strictObject({
          ...listed,
          level: z.enum(["none", "low", "medium", "high"]).nullable(),
          category: text,
        }),
      ),
    ),
    domains: fact(
      rows(
        z.strictObject({
          ...listed,
          domain: z.string(),
          roles: texts,
          class: z.enum(["bad", "abused", "grey"]),
          ...entry,
        }),
      ),
    ),
    scanners: rows(
      z.strictObject({
        engine: z.enum(["rspamd", "spamassassin"]),
        version: text,
        score: z.number(),
        threshold: z.number(),
        action: text,
        symbols: z.array(z.strictObject({ name: z.string(), points: z.number(), text })),
      }),
    ),
  })
  .meta({ id: "Surroundings" });
type Surroundings = z.infer<typeof surroundings>;

export function toSurroundings(found: Found): Surroundings {
  return toSnakeCased(found);
}
