import { expect, test } from "vitest";
import { toWelcome } from "../../src/cli/welcome.ts";

const where = { http: "http://127.0.0.1:8080", smtp: ["127.0.0.1:2525"], seedAddress: "a@seed.localhost" };

test("whoever starts a server without an owner is shown the link that makes one", () => {
  const setUpLink = "http://127.0.0.1:8080/setup#abc";
  expect(toWelcome({ ...where, setUpLink })).toContain(
    `Create the owner's account (once, within 24 hours):\n    ${setUpLink}\n`,
  );
  expect(toWelcome({ ...where, setUpLink: null })).not.toContain("account");
});

test("whose first workspace has no inbox at a served domain is told to make one, and no line that would be refused", () => {
  const said = toWelcome({ ...where, seedAddress: null, setUpLink: null });
  expect(said).toContain("Seed  none at a domain of ASSAY_SEED_DOMAINS: make a seed inbox under Settings");
  expect(said).not.toMatch(/--mail-rcpt|null/);
});
