import { describe, expect, test } from "vitest";
import { espRows, findEsp } from "../../../src/analyzer/checks/esp.ts";
import samples from "./esp-samples.json" with { type: "json" };

/** Each row has samples that must match, and similar ones that must not. */
const rows = espRows.map((row, index) => ({ row, ...row, fires: [""], quiet: [""], ...samples[index] }));

/** A header field, or a domain. */
function find(sample: string) {
  const [, name, value = ""] = /^([\w-]+): (.*)$/.exec(sample) ?? [];
  return name === undefined
    ? findEsp({ headers: [], domains: ["a.example", sample] })
    : findEsp({ headers: [{ name, key: name.toLowerCase(), value }], domains: [] });
}

describe("an email service provider", () => {
  test.each(rows.flatMap(({ name, fires, row }) => fires.map((sample) => [name, sample, row] as const)))(
    "the email service provider %s is recognized by %s",
    (_, sample, row) => {
      expect(find(sample)).toBe(row);
    },
  );

  test.each(rows.flatMap(({ name, quiet }) => quiet.map((sample) => [name, sample] as const)))(
    "the email service provider %s is not recognized by %s",
    (name, sample) => {
      expect(find(sample)?.name).not.toBe(name);
    },
  );

  test("an email service provider has a sample for every way to recognize it", () => {
    expect(samples.map(({ name }) => name)).toEqual(espRows.map(({ name }) => name));
    for (const { name, headers = [], domains = "", fires, quiet } of rows) {
      const ways = [headers.length > 0, domains !== ""].filter(Boolean).length;
      expect(quiet.length, name).toBeGreaterThan(0);
      expect(fires.length, name).toBeGreaterThanOrEqual(ways);
    }
  });

  test("an email service provider shares no domain with another provider", () => {
    const domains = espRows.flatMap(({ domains = "" }) => domains.split(" ").filter(Boolean));
    expect(new Set(domains).size).toBe(domains.length);
  });
});

test("an email service provider is recognized by a header before a domain, because a header names the product", () => {
  const headers = [{ name: "X-Mailin-Campaign", key: "x-mailin-campaign", value: "12" }];
  expect(findEsp({ headers, domains: ["u1.sendgrid.net"] })).toMatchObject({ name: "Brevo", transactional: false });
});

test("a campaign header decides between two headers of one provider, in any order", () => {
  const keys = ["x-mailin-eid", "x-mailin-campaign"];
  const headers = keys.map((key) => ({ name: key, key, value: "12" }));
  expect(findEsp({ headers, domains: [] })).toMatchObject({ transactional: false });
});
