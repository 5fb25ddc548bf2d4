// Rules for the weights: each refers to something that exists and counts when it is present. No issue ever helps a
// message.

import { describe, expect, test } from "vitest";
import type { FindingId } from "../../../src/analyzer/checks/check.ts";
import { type Fact, known, unknown } from "../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../src/analyzer/checks/facts.ts";
import type { Kind, KindFact } from "../../../src/analyzer/checks/kind.ts";
import { checks } from "../../../src/analyzer/checks/list.ts";
import type { Finding, Outcome } from "../../../src/analyzer/checks/run.ts";
import { noMailboxes } from "../../../src/analyzer/mail/headers/address.ts";
import { predictPlacement } from "../../../src/analyzer/placement/predict.ts";
import { type Provider, providers } from "../../../src/analyzer/placement/provider.ts";
import type { Sign } from "../../../src/analyzer/placement/signs.ts";
import { base, faults, signWeights } from "../../../src/analyzer/placement/weights-table.ts";
import { sureKind } from "../checks/sure-kind.ts";
import { byProvider, toFinding, toOutcomes } from "./given.ts";

const messageChecks = checks.filter(({ runsOn }) => runsOn.message);
const allFindings = messageChecks.flatMap(({ id, findings }) =>
  Object.keys(findings).map((name): FindingId => `${id}.${name}`),
);
const factNames = new Set<string>(checks.flatMap(({ needs, wants }) => [...needs, ...wants]));

function kindOf(kind: Kind): Fact<KindFact> {
  const rest = { overridden: false, forwarded: unknown("off"), mailingList: false, esp: null };
  return known({ ...sureKind(kind), ...rest });
}

const predict = (findings: readonly Finding[], facts: Partial<KnownFacts> = {}) =>
  byProvider(predictPlacement({ facts, outcomes: toOutcomes(findings) }));

/** Tabs of the inbox are the inbox. */
const inboxOdds = (findings: readonly Finding[], kind: Kind) => {
  const predicted = predict(findings, { kind: kindOf(kind) });
  return (provider: Provider) => predicted[provider].odds.inbox + predicted[provider].odds.promotions;
};

describe.each(faults)("the weight $id", (row) => {
  test("a weight refers to findings and facts that exist", () => {
    expect(allFindings).toEqual(expect.arrayContaining([...row.findings]));
    expect([...factNames]).toEqual(expect.arrayContaining([...row.facts]));
    expect(row.why).toMatch(/^[A-Z].+\.$/);
    expect(row.source).not.toBe("");
  });

  test.each(row.findings)("a weight raises the spam odds by its points for %s", (id) => {
    const evidence = row.each ? { [row.each.list]: ["one"] } : {};
    const predicted = predict([{ ...toFinding(id, evidence), gates: [] }]);
    for (const provider of providers) {
      const { odds, reasons } = predicted[provider];
      const { points } = row;
      expect(odds.spam).toBeCloseTo(1 / (1 + Math.exp(-(base + points))), 2);
      expect(reasons.filter(({ finding }) => finding === id)).toMatchObject(points === 0 ? [] : [{ points }]);
    }
  });
});

test("no finding belongs to two weights", () => {
  const counted = faults.flatMap(({ findings }) => findings);
  expect(new Set(counted).size).toBe(counted.length);
  const rows = [...faults, ...signWeights];
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
});

test("a weight per occurrence counts at most up to its limit", () => {
  const wording = (groups: readonly string[]) => predict([toFinding("wording.phrases", { groups })]).generic;
  const spam = [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]].map((it) => wording(it).odds.spam);
  expect(spam[1]).toBeGreaterThan(spam[0] ?? 1);
  expect(spam[3]).toBe(spam[2]);
});

const dmarcOf = (result: string, effective: string, alignedBy: readonly string[]) =>
  ({ dmarcResult: known({ result, alignedBy }), dmarc: known({ effective }) }) as unknown as Partial<KnownFacts>;
const vouching = { fact: known({ listed: true, level: "high" }) };
const none = noMailboxes;
const blank = { headers: [], from: none, to: none, cc: none, replyTo: none, inReplyTo: [], references: [] };

/** A message without text, changed in one way. */
function messageOf(change: object): Partial<KnownFacts> {
  const empty = { ...blank, subject: "The garden", messageId: null, date: null, text: null, html: null };
  return { message: known({ ...empty, ...change }) } as unknown as Partial<KnownFacts>;
}

const textOf = (text: string) => messageOf({ text: { text } });
const headersOf = (...pairs: (readonly [string, string])[]) =>
  messageOf({ headers: pairs.map(([key, value]) => ({ name: key, key, value })) });
const mailbox = (local: string, domain: string, name: string | null = "Ann") => ({
  list: [{ name, address: `${local}@${domain}`, local, domain, problem: null }],
  count: 1,
  groups: [],
});

function handedOver(hop: object, change: object = {}): Partial<KnownFacts> {
  const plain = { header: "received", from: null, name: null, helo: null, by: "mx.b.example", with: "SMTP", id: null };
  const hops = [{ ...plain, ip: "192.0.2.7", reach: "public", at: null, trusted: false, ...hop }];
  return { ...messageOf(change), received: known({ hops, lineCount: 1 }) } as unknown as Partial<KnownFacts>;
}

const sent = Date.UTC(2026, 10, 20);
const held: Record<Sign, Partial<KnownFacts>> = {
  "fails-quarantine": dmarcOf("fail", "quarantine", []),
  "fails-reject": dmarcOf("fail", "reject", []),
  "proven-twice": dmarcOf("pass", "reject", ["spf", "dkim"]),
  "in-conversation": messageOf({ inReplyTo: ["<1@b.example>"], subject: "Re: The garden" }),
  "list-post": { kind: known({ mailingList: true }) } as unknown as Partial<KnownFacts>,
  "vouched-for": { dnswl: known([vouching]) } as unknown as Partial<KnownFacts>,
  "message-id-added": handedOver({ helo: "a.example", id: "ABC123" }, { messageId: "<20261120.ABC123@mx.b.example>" }),
  "greets-as-sender": handedOver({ helo: "a.example" }, { from: mailbox("ann", "a.example") }),
  "greets-as-address": handedOver({ helo: "[192.0.2.7]" }),
  "date-ahead": handedOver(
    { at: sent },
    { date: { written: "", reading: { ok: true, date: { at: sent + 5 * 3_600_000 } } } },
  ),
  "false-outlook": headersOf(["x-mailer", "Microsoft Outlook Express 6.00"]),
  "bare-priority": headersOf(["x-priority", "3"]),
  "high-priority": headersOf(["importance", "High"]),
  "nameless-sender": messageOf({ from: mailbox("ann", "a.example", null) }),
  "numbered-sender": messageOf({ from: mailbox("ann4711", "a.example") }),
  "reply-to-free-mailbox": messageOf({ from: mailbox("ann", "a.example"), replyTo: mailbox("ann", "gmail.com") }),
  "exclaiming-subject": messageOf({ subject: "The garden!" }),
  exclaiming: textOf("One! Two! Three!"),
  "free-mailbox-in-text": textOf("Write to ann@gmail.com."),
  "numbered-host": {
    ...messageOf({}),
    links: known({ list: [{ host: "shop4711.example" }], total: 1 }),
  } as unknown as Partial<KnownFacts>,
  "images-undescribed": {
    ...messageOf({}),
    images: known({ list: [{ place: "img", alt: null }], total: 1 }),
  } as unknown as Partial<KnownFacts>,
  "short-page-alone": messageOf({ html: { text: "", decodedBytes: 200 } }),
  quoting: textOf("> How is the garden?\nFine."),
};

describe.each(signWeights)("the sign $id", (row) => {
  test("a sign counts its points only if it is present", () => {
    expect([...factNames]).toEqual(expect.arrayContaining([...row.facts]));
    for (const provider of providers) {
      const points = (facts: Partial<KnownFacts>) =>
        predict([], facts)[provider].reasons.find(({ text }) => text === row.says)?.points ?? 0;
      expect(points(held[row.sign])).toBe(row.points);
      expect(points(messageOf({}))).toBe(0);
    }
  });
});

test("a From header with a name in one of its parts is not called nameless", () => {
  const [named, nameless] = [mailbox("ann", "a.example"), mailbox("ann", "a.example", null)];
  const bare = [{ name: null, address: "Ann", local: null, domain: null, problem: "no-at" }];
  for (const first of [nameless.list, bare]) {
    const from = { ...named, list: [...first, ...(first === bare ? nameless : named).list], count: 2 };
    expect(JSON.stringify(predict([], messageOf({ from })).gmail.reasons)).not.toContain("display name");
  }
});

test("the recipient's own address in the text is not the sender's free mailbox", () => {
  const reasonsFor = (to: object) =>
    JSON.stringify(predict([], messageOf({ to, text: { text: "For ann@gmail.com" } })).gmail.reasons);
  expect(reasonsFor(mailbox("bob", "gmail.com"))).toContain("free mailbox");
  expect(reasonsFor(mailbox("ann", "gmail.com"))).not.toContain("free mailbox");
});

test("a background image needs no alt text", () => {
  const images = known({ list: [{ place: "style", alt: null }], total: 1 });
  const facts = { ...messageOf({}), images } as unknown as Partial<KnownFacts>;
  expect(JSON.stringify(predict([], facts).gmail.reasons)).not.toContain("alt text");
});

test("a rejection at a provider's discretion is not predicted", () => {
  const predicted = predict([toFinding("helo-name.impersonates")]);
  expect(predicted.outlook).toMatchObject({ folder: "inbox", smtpReply: null, odds: { rejected: 0 } });
});

test("a skipped check lowers the confidence, and one that does not apply does not", () => {
  const confidence = (outcome: Outcome) =>
    predictPlacement({ facts: {}, outcomes: [outcome] }).predictions.map((one) => one.confidence);
  const whole = confidence({ check: "ip-blocklist", outcome: "not-applicable", why: "So." });
  const less = confidence({ check: "ip-blocklist", outcome: "skipped", why: "refused" });
  for (const [index, sure] of less.entries()) expect(sure).toBeLessThan(whole[index] ?? 0);
});

test("a DMARC policy does not count against a message that a verified forwarder confirms", () => {
  const forwarded = { is: true, verified: true, by: "l.example", reasons: [], first: { dmarc: "pass" } };
  const kind = known({ kind: "personal", mailingList: false, esp: null, forwarded: known(forwarded) });
  const facts = { ...held["fails-quarantine"], kind } as unknown as Partial<KnownFacts>;
  expect(predict([], facts).gmail.folder).toBe("inbox");
});

describe.each<Kind>(["bulk", "transactional", "personal"])("the weights for %s mail", (kind) => {
  const few = ["dmarc-record.missing", "link-text.mismatch", "helo-name.not-a-name", "tls-used.none"] as const;

  test.each([
    ["nothing", []],
    ["a few faults", few],
  ] as const)("no issue raises the inbox odds in addition to %s", (_, beside) => {
    const others = beside.map((id) => toFinding(id));
    const least = inboxOdds(others, kind);
    for (const id of allFindings) {
      const now = inboxOdds([...others, toFinding(id)], kind);
      for (const provider of providers)
        expect(now(provider), `${id} at ${provider}`).toBeLessThanOrEqual(least(provider));
    }
  });

  test("each further issue keeps or lowers the inbox odds", () => {
    const gathered: Finding[] = [];
    let least = inboxOdds([], kind);
    for (const id of [...allFindings].reverse()) {
      gathered.push(toFinding(id));
      const now = inboxOdds(gathered, kind);
      for (const provider of providers) expect(now(provider), id).toBeLessThanOrEqual(least(provider));
      least = now;
    }
  });
});

test("the odds of every prediction add up to 1", () => {
  for (const id of allFindings)
    for (const { odds } of Object.values(predict([toFinding(id)], { kind: kindOf("bulk") })))
      expect(Object.values(odds).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6);
});
