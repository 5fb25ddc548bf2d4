// The outcome of a check whose facts are missing or incomplete.

import { expect, test } from "vitest";
import { spfHelo } from "../../../src/analyzer/checks/authentication/spf-helo.ts";
import { linkText } from "../../../src/analyzer/checks/content/link-text.ts";
import { known, unknown } from "../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../src/analyzer/checks/facts.ts";
import { runChecks } from "../../../src/analyzer/checks/run.ts";
import { maxLinks } from "../../../src/analyzer/mail/links/links.ts";
import { linking } from "./content/given.ts";

const onBroken = (_: string, error: unknown) => {
  throw error;
};

test("links are not reported as good if some were not read", () => {
  const harmless = '<a href="https://shop.example/">Shop</a>';
  const bad = '<a href="http://203.0.113.99/login">https://www.paypal.com/</a>';
  const outcomeOf = (html: string) => {
    const { links, message } = linking(html);
    const facts = { links: known(links), message: known(message) } as Partial<KnownFacts>;
    return runChecks([linkText], { on: "message", kind: "bulk", facts }, onBroken)[0]?.outcome;
  };
  expect(outcomeOf(harmless)).toBe("passed");
  expect(outcomeOf(harmless.repeat(maxLinks) + bad)).toBe("not-applicable");
  expect(outcomeOf(bad + harmless.repeat(maxLinks))).toBe("found");
});

test("the SPF result of a private client IP counts as not checked", () => {
  const facts = { spfHelo: unknown("not-public"), spf: unknown("not-public") } as Partial<KnownFacts>;
  expect(runChecks([spfHelo], { on: "message", kind: "bulk", facts }, onBroken)).toEqual([
    { check: "spf-helo", outcome: "skipped", why: "not-public" },
  ]);
});
