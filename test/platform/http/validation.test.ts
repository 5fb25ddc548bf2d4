import { describe, expect, test } from "vitest";
import { z } from "zod";
import { name } from "../../../src/platform/contract/primitives.ts";
import { Refusal } from "../../../src/platform/errors.ts";
import { validate } from "../../../src/platform/http/validation.ts";

const schema = z.strictObject({
  label: name.optional(),
  email: z.email().meta({ invalid: "invalid_email" }).optional(),
  url: z.httpUrl().meta({ invalid: "invalid_url" }).nullish(),
  kind: z.enum(["slack", "json"]).optional(),
  score: z.number().min(0).max(100).default(70),
  limit: z.coerce.number().int().min(1).max(100).optional(),
  records: z
    .array(z.strictObject({ name, ttl: z.int() }))
    .max(2)
    .optional(),
});

function refusal(value: unknown): Pick<Refusal, "code" | "message"> & { field: string | undefined } {
  try {
    validate(schema, value, "body");
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, field: error.details.field, message: error.message };
  }
  throw new Error("It was not refused.");
}

describe("a rejected value", () => {
  test.each([
    [{ label: " " }, "missing_name", "label", '"label" must not be empty.'],
    [{ label: "x".repeat(101) }, "invalid_request", "label", '"label" must have at most 100 characters.'],
    [{ email: "nobody" }, "invalid_email", "email", '"email" must be an email address.'],
    [{ email: 7 }, "invalid_email", "email", '"email" must be text.'],
    [{ url: "nowhere" }, "invalid_url", "url", '"url" must be a URL that starts with http:// or https://.'],
    [{ url: "ftp://a.example/" }, "invalid_url", "url", '"url" must be a URL that starts with http:// or https://.'],
    [{ kind: "teams" }, "invalid_request", "kind", '"kind" must be "slack" or "json".'],
    [{ score: 101 }, "invalid_request", "score", '"score" must be at most 100.'],
    [{ score: "7" }, "invalid_request", "score", '"score" must be a number.'],
    [{ limit: "0" }, "invalid_request", "limit", '"limit" must be at least 1.'],
    [{ limit: "ten" }, "invalid_request", "limit", '"limit" must be a number.'],
    [{ limit: "1.5" }, "invalid_request", "limit", '"limit" must be a whole number.'],
    [{ records: "none" }, "invalid_request", "records", '"records" must be a list.'],
    [{ records: [{}] }, "missing_name", "records.0.name", '"records.0.name" is required.'],
    [
      { records: [{ name: "a", ttl: 1, tll: 2 }] },
      "invalid_request",
      "records.0.tll",
      'Unknown field "records.0.tll".',
    ],
    [{ records: [1] }, "invalid_request", "records.0", '"records.0" must be a JSON object.'],
    [{ records: [1, 2, 3] }, "invalid_request", "records", '"records" must have at most 2 entries.'],
    [{ "a\u001b[31m\u202eb": 1 }, "invalid_request", "a[31mb", 'Unknown field "a[31mb".'],
    [[], "invalid_request", undefined, "The body must be a JSON object."],
  ])("the invalid value %j gives the code %s for the field %s with a message", (value, code, field, message) => {
    expect(refusal(value)).toEqual({ code, field, message });
  });
});
