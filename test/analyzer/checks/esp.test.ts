import { describe, expect, test } from "vitest";
import { findEsp } from "../../../src/analyzer/checks/esp.ts";
import { espRows } from "../../../src/analyzer/checks/esp-table.ts";

/** A header field, or a domain. */
function find(sample: string) {
  const [, name, value = ""] = /^([\w-]+): (.*)$/.exec(sample) ?? [];
  return name === undefined
    ? findEsp({ headers: [], domains: ["a.example", sample] })
    : findEsp({ headers: [{ name, key: name.toLowerCase(), value }], domains: [] });
}

describe("each service is told by its own marks", () => {
  test.each(espRows.flatMap((row) => row.fires.map((sample) => [row.name, sample, row] as const)))(
    "%s by %s",
    (_, sample, row) => {
      expect(find(sample)).toBe(row);
    },
  );

  test.each(espRows.flatMap((row) => row.quiet.map((sample) => [row.name, sample] as const)))(
    "%s not by %s",
    (name, sample) => {
      expect(find(sample)?.name).not.toBe(name);
    },
  );

  test("every way to tell it has a sample", () => {
    for (const { name, headers = [], domains = "", fires, quiet } of espRows) {
      const ways = [headers.length > 0, domains !== ""].filter(Boolean).length;
      expect(quiet.length, name).toBeGreaterThan(0);
      expect(fires.length, name).toBeGreaterThanOrEqual(ways);
    }
  });

  test("no two services share a domain", () => {
    const domains = espRows.flatMap(({ domains = "" }) => domains.split(" ").filter(Boolean));
    expect(new Set(domains).size).toBe(domains.length);
  });
});

test("a header field outweighs a domain, because it names the product", () => {
  const headers = [{ name: "X-Mailin-Campaign", key: "x-mailin-campaign", value: "12" }];
  expect(findEsp({ headers, domains: ["u1.sendgrid.net"] })).toMatchObject({ name: "Brevo", transactional: false });
});

test("of two marks of one service the campaign's holds, in whatever order they stand", () => {
  const keys = ["x-mailin-eid", "x-mailin-campaign"];
  const headers = keys.map((key) => ({ name: key, key, value: "12" }));
  expect(findEsp({ headers, domains: [] })).toMatchObject({ transactional: false });
});
