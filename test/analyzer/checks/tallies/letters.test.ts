// Whole messages, and how many of each provider's rules they follow.

import { describe, expect, test } from "vitest";
import { checkCatalog } from "../../../../src/analyzer/checks/catalog.ts";
import type { Dns } from "../../../../src/analyzer/dns/answer.ts";
import { createZoneDns } from "../../../../src/analyzer/dns/zone.ts";
import { toProviderRules } from "../../../../src/features/tests/contract/rules.ts";
import type { Letter } from "../../../fixtures/messages/letter.ts";
import { newsletter } from "../../../fixtures/messages/newsletter.ts";
import { analystWith, analyze } from "../../../fixtures/messages/run.ts";
import { transactional } from "../../../fixtures/messages/transactional.ts";

async function rulesOf(letter: Letter, dns: Dns = createZoneDns(letter.zone)) {
  const { judgment } = await analyze(letter, analystWith(dns));
  return judgment.tallies.map((tally) => toProviderRules(tally, checkCatalog));
}

async function countsOf(letter: Letter) {
  const rules = await rulesOf(letter);
  return Object.fromEntries(
    rules.map(({ provider, met, total, unknown }) => [provider, `${met} of ${total}, ${unknown} unknown`]),
  );
}

/** Each rule that is not met, with the findings that tell why and the reply that it earns. */
async function breachesOf(letter: Letter) {
  const items = (await rulesOf(letter)).flatMap((tally) => tally.items);
  return Object.fromEntries(
    items
      .filter(({ met }) => met === false)
      .map(({ rule, findings, smtp_reply }) => [rule, [findings.join(" "), smtp_reply]]),
  );
}

const without = (letter: Letter, name: string): Letter => ({
  ...letter,
  zone: Object.fromEntries(Object.entries(letter.zone).filter(([key]) => key !== name)),
});

describe("a healthy message", () => {
  test("a healthy newsletter follows every bulk sender rule", async () => {
    expect(await countsOf(newsletter)).toEqual({
      gmail: "15 of 15, 0 unknown",
      yahoo: "7 of 7, 0 unknown",
      outlook: "8 of 8, 0 unknown",
      icloud: "8 of 8, 0 unknown",
    });
  });

  test("a healthy order confirmation follows every rule for all senders", async () => {
    expect(await countsOf(transactional)).toEqual({
      gmail: "13 of 13, 0 unknown",
      yahoo: "4 of 4, 0 unknown",
      outlook: "4 of 4, 0 unknown",
      icloud: "6 of 6, 0 unknown",
    });
  });

  test("a healthy message breaks no rule while DNS is down, and rules that need DNS are unknown", async () => {
    const dead: Dns = {
      query: async (name, type) => ({
        name,
        type,
        status: "timeout",
        records: [],
        ttlSeconds: null,
        authenticated: false,
        server: null,
        durationMs: 0,
        at: 0,
      }),
    };
    const items = (await rulesOf(newsletter, dead)).flatMap((tally) => tally.items);
    expect(items.filter(({ met }) => met === false)).toEqual([]);
    const unknown = items.filter(({ met, applies }) => met === null && applies).map(({ rule }) => rule);
    expect(unknown).toEqual([
      "gmail.spf-and-dkim",
      "gmail.dmarc",
      "gmail.alignment",
      "gmail.reverse-dns",
      "gmail.one-click",
      "yahoo.spf-and-dkim",
      "yahoo.dmarc",
      "yahoo.reverse-dns",
      "yahoo.domains-exist",
      "microsoft.spf",
      "microsoft.dkim",
      "microsoft.dmarc",
      "microsoft.reverse-dns",
      "microsoft.static-address",
      "microsoft.reply",
      "apple.spf",
      "apple.dkim",
      "apple.dmarc",
      "apple.reverse-dns",
      "apple.clean-links",
    ]);
  });
});

describe("a message with one problem", () => {
  test("a message without a DMARC record breaks the bulk sender rules of all four providers", async () => {
    expect(await breachesOf(without(newsletter, "_dmarc.a.example"))).toEqual({
      "gmail.dmarc": ["dmarc-record.missing", "550 5.7.40 (421 4.7.40, or 4.7.31)"],
      "yahoo.dmarc": ["dmarc-record.missing", "550 5.7.9"],
      "microsoft.dmarc": ["dmarc-record.missing", "550 5.7.515"],
      "apple.dmarc": ["dmarc-record.missing", null],
    });
  });

  test("a message without reverse DNS is deferred by Gmail and rejected by Microsoft", async () => {
    expect(await breachesOf(without(transactional, "7.113.0.203.in-addr.arpa"))).toEqual({
      "gmail.reverse-dns": ["ptr-record.missing", "421 4.7.0, then 550 5.7.25 (over IPv6 550 5.7.1)"],
      "yahoo.reverse-dns": ["ptr-record.missing", null],
      "microsoft.reverse-dns": ["ptr-record.missing", "550 5.7.25"],
      "apple.reverse-dns": ["ptr-record.missing", null],
    });
  });

  test("a message without a DKIM signature breaks the bulk sender rules and Apple's general rule", async () => {
    expect(await breachesOf({ ...newsletter, signatures: [] })).toEqual({
      "gmail.one-click": ["", null],
      "gmail.spf-and-dkim": ["dkim-present.missing-bulk", "550 5.7.30"],
      "yahoo.spf-and-dkim": ["dkim-present.missing-bulk", "550 5.7.9"],
      "microsoft.dkim": ["dkim-present.missing-bulk", "550 5.7.515"],
      "apple.dkim": ["dkim-present.missing-bulk", null],
    });
    expect(await breachesOf({ ...transactional, signatures: [] })).toEqual({
      "apple.dkim": ["dkim-present.missing", null],
    });
  });

  test("a message with two From addresses breaks the From rules of Gmail and Microsoft", async () => {
    const headers = transactional.headers.map(
      ([name, value]) => [name, name === "From" ? "ann@a.example, bob@a.example" : value] as const,
    );
    const breaches = await breachesOf({ ...transactional, headers });
    expect(breaches["gmail.one-author"]).toEqual(["from-header.several-addresses", "550 5.7.1"]);
    expect(breaches["microsoft.format"]?.[0]).toBe("from-header.several-addresses");
  });
});
