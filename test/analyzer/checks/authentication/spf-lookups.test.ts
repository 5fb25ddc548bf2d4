import { expect, test } from "vitest";
import { spfLookups } from "../../../../src/analyzer/checks/authentication/spf-lookups.ts";
import { spfVoidLookups } from "../../../../src/analyzer/checks/authentication/spf-void-lookups.ts";
import { known, unknown } from "../../../../src/analyzer/checks/fact.ts";
import type { KnownFacts } from "../../../../src/analyzer/checks/facts.ts";
import { runChecks } from "../../../../src/analyzer/checks/run.ts";
import type { Zone } from "../../../../src/analyzer/dns/zone.ts";
import { testCheck } from "../test-check.ts";
import { kindOf, messageOf, sessionOf, spfOf } from "./spf-facts.ts";

const onMessage = { message: messageOf(), session: sessionOf(), kind: kindOf(), own: { domains: [] } };
const foreign = { ...onMessage, message: messageOf("From: ann@b.example\r\n") };
const text = (record: string) => ({ TXT: [record] });
const names = (count: number, beginning: string) =>
  Array.from({ length: count }, (_, index) => `${beginning}${index}.example`);
const hosts = (count: number): Zone =>
  Object.fromEntries(names(count, "h").map((name) => [name, { A: ["192.0.2.9"] }]));
const includes = (count: number) =>
  names(count, "i")
    .map((name) => `include:${name}`)
    .join(" ");
const included = (count: number): Zone =>
  Object.fromEntries(names(count, "i").map((name) => [name, text("v=spf1 ip4:192.0.2.9 -all")]));

const eleven = await spfOf(`v=spf1 ${includes(11)} ip4:203.0.113.7 -all`, included(11));
const first = {
  ...included(9),
  "big.example": text("v=spf1 ip4:203.0.113.7 a:h0.example a:h1.example a:h2.example -all"),
  ...hosts(3),
};
const matchedFirst = await spfOf(`v=spf1 include:big.example ${includes(9)} -all`, first);
const manyMx: Zone = {
  "big.example": {
    MX: Array.from({ length: 12 }, (_, preference) => ({ preference, exchange: `h${preference}.example` })),
  },
};

testCheck(spfLookups, [
  {
    when: "passes two includes, and shows their lookups",
    facts: {
      ...onMessage,
      ...(await spfOf("v=spf1 include:i0.example include:i1.example -all", {
        ...included(1),
        "i1.example": text("v=spf1 a:h0.example -all"),
        ...hosts(1),
      })),
    },
    says: "The SPF record for a.example uses 3 of the 10 allowed DNS lookups: include:i1.example (2) and include:i0.example (1).",
  },
  {
    when: "finds the eleventh include",
    facts: { ...onMessage, ...eleven },
    finds: ["over-limit"],
    says: "The SPF record for a.example needs 11 DNS lookups. The limit is 10, so receivers treat SPF as broken (permerror).",
    fix: "Remove unused includes from the record for a.example: include:i0.example (1), include:i1.example (1), include:i2.example (1), include:i3.example (1), include:i4.example (1), and 6 more. Or send some of your mail from a subdomain of a.example with its own record.",
  },
  {
    when: "finds too many lookups in a service's record if the message is affected",
    facts: { ...foreign, ...eleven },
    finds: ["over-limit"],
    fix: "Ask a.example to shorten the record.",
  },
  {
    when: "does not apply to a service's record otherwise",
    facts: { ...foreign, ...matchedFirst },
    outcome: "not-applicable",
  },
  {
    when: "judges the whole tree of a domain without a message",
    facts: { spfRecord: matchedFirst.spfRecord },
    finds: ["over-limit"],
  },
  {
    when: "finds too many lookups that affect only other clients",
    facts: { ...onMessage, ...matchedFirst },
    finds: ["over-limit-elsewhere"],
    says: "SPF used 1 of 10 lookups for 203.0.113.7, but the full record for a.example needs 13, so senders listed later in it fail.",
  },
  {
    when: "is skipped if the SPF result is unknown",
    facts: { ...onMessage, ...matchedFirst, spf: { ...matchedFirst.spf, result: "temperror" } },
    outcome: "skipped",
  },
  {
    when: "finds ten lookups, which is close to the limit",
    facts: { ...onMessage, ...(await spfOf(`v=spf1 ${includes(10)} -all`, included(10))) },
    finds: ["near-limit"],
  },
  {
    when: "passes seven lookups",
    facts: { ...onMessage, ...(await spfOf(`v=spf1 ${includes(7)} -all`, included(7))) },
    finds: [],
  },
  {
    when: "finds an mx with twelve hosts",
    facts: { ...onMessage, ...(await spfOf("v=spf1 mx:big.example -all", manyMx)) },
    finds: ["mx-over-limit"],
    says: '"mx:big.example" in the SPF record for a.example resolves to 12 MX hosts. The limit is 10, so receivers treat SPF as broken (permerror).',
  },
  {
    when: "is skipped while an included record does not answer",
    facts: { ...onMessage, ...(await spfOf("v=spf1 include:slow.example -all", { "slow.example": "timeout" })) },
    outcome: "skipped",
  },
]);

test("the evidence contains the tree of includes, with the lookups of each", () => {
  const facts = { spfRecord: known(eleven.spfRecord), spf: known(eleven.spf), message: unknown("no-message") };
  const [outcome] = runChecks(
    [spfLookups],
    { on: "message", kind: "bulk", facts: facts as unknown as KnownFacts },
    () => {},
  );
  if (outcome?.outcome !== "found") throw new Error("Nothing was found.");
  expect(outcome.findings[0]?.evidence.tree).toMatchObject({
    domain: "a.example",
    term: null,
    lookups: 11,
    below: expect.arrayContaining([
      { domain: "i3.example", term: "include:i3.example", record: "v=spf1 ip4:192.0.2.9 -all", lookups: 1, below: [] },
    ]),
  });
});

const threeVoids = await spfOf("v=spf1 a:x.example a:y.example a:z.example -all");

testCheck(spfVoidLookups, [
  {
    when: "passes if every named host exists",
    facts: { ...onMessage, ...(await spfOf("v=spf1 a:h0.example -all", hosts(1))) },
    says: "The SPF record for a.example has no void lookups.",
  },
  {
    when: "finds three missing hosts, which give a permerror",
    facts: { ...onMessage, ...threeVoids },
    finds: ["over-limit"],
    says: "3 lookups in the SPF record for a.example return nothing (x.example, y.example, and z.example). The limit is 2, so receivers treat SPF as broken (permerror).",
    fix: 'In the record for a.example, remove terms whose hosts no longer exist: "a:x.example", "a:y.example", and "a:z.example"',
  },
  {
    when: "judges the whole tree of a domain without a message",
    facts: { spfRecord: threeVoids.spfRecord },
    finds: ["over-limit"],
  },
  {
    when: "finds void lookups in a service's record that affect the message",
    facts: { ...foreign, ...threeVoids },
    finds: ["over-limit"],
    fix: "Ask a.example to fix it.",
  },
  {
    when: "reports two missing hosts, which are allowed",
    facts: {
      ...onMessage,
      ...(await spfOf("v=spf1 a:x.example include:i0.example -all", { "i0.example": text("v=spf1 a:y.example -all") })),
    },
    finds: ["some"],
    says: 'The SPF record for a.example has terms that resolve to no address: "a:x.example" and "a:y.example" of i0.example.',
  },
  {
    when: "reports missing hosts after the matching term",
    facts: { ...onMessage, ...(await spfOf("v=spf1 ip4:203.0.113.7 a:x.example a:y.example a:z.example -all")) },
    finds: ["some"],
  },
]);
