import { expect, test } from "vitest";
import type { Receiving } from "../../../../src/features/intake/contract/receiving.ts";
import { toSnippets } from "../../../../src/features/intake/words/sending-snippets.ts";

const receiving: Omit<Receiving, "snippets"> = {
  address: "w7k3qz2m9p@seed.goodshop.org",
  listeners: [{ host: "mx.goodshop.org", port: 25, reach: "all", login: "none" }],
  certificate: "own",
  isProxied: false,
  isReserved: false,
};

const textOf = (given: Partial<typeof receiving>, id: string) =>
  toSnippets({ ...receiving, ...given }).find((one) => one.id === id);

test("the Gmail snippet uses an address that Gmail can reach", () => {
  expect(textOf({}, "gmail")?.note).toContain("enter w7k3qz2m9p@seed.goodshop.org");
  expect(textOf({ isReserved: true }, "gmail")?.note).toContain("Set up your own domain first");
  const local = { host: "127.0.0.1", port: 2525, reach: "machine", login: "any" } as const;
  expect(textOf({ listeners: [local] }, "gmail")?.note).toContain("Set up your own domain first");
});

test("a snippet skips certificate validation only for a self-signed certificate", () => {
  for (const id of ["node", "php", "laravel", "wordpress"]) {
    const pattern = /rejectUnauthorized|SMTPAutoTLS|verify_peer/;
    expect(textOf({}, id)?.text).not.toMatch(pattern);
    expect(textOf({ certificate: "self-signed" }, id)?.text).toMatch(pattern);
  }
});
