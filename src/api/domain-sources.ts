// Who sends as a monitored domain, what passes, and whose sessions to it were encrypted: as receivers reported it.

import { z } from "zod";
import { senderKinds } from "../reports/seen-senders.ts";
import { toldFinding } from "./comparison.ts";
import { domainJudgmentFields } from "./domain-report.ts";
import { score, verdictWord } from "./domains.ts";
import { defineEndpoint } from "./endpoint.ts";
import { placementRates } from "./placement.ts";
import { identifier, idParams, listOf, queryInteger, timestamp } from "./primitives.ts";
import { givenRecords } from "./reanalysis.ts";
import { resultWords } from "./report.ts";

const day = z.iso.date();
const text = z.string().nullable();
const texts = z.array(z.string());

const sums = {
  messages: z.int(),
  passed: z.int().describe("Of them, those that passed DMARC: aligned by DKIM or by SPF."),
  dkimAligned: z.int(),
  spfAligned: z.int(),
  none: z.int().describe("What the receiver did by the policy: nothing."),
  quarantine: z.int(),
  reject: z.int(),
};

const source = z.strictObject({
  sourceIp: z.string(),
  name: text.describe("The sending service, where a domain of one it is known for passed SPF or DKIM."),
  ...sums,
  organizations: texts.describe("Who reported it; of this list and the next ones the ten most frequent."),
  headerFroms: texts.describe("Domains in From."),
  selectors: texts.describe("Of DKIM signatures, whether they verified or not."),
  dkimDomains: texts,
  spfDomains: texts,
  reasons: texts.describe("Why a policy was not applied, such as forwarded, mailing_list, local_policy."),
  knownFromTests: z
    .boolean()
    .describe(
      "The address, or a selector whose signature passed, was seen in authentic mail of the domain that this workspace received.",
    ),
  firstDay: day,
  lastDay: day,
});

const organization = z.strictObject({
  name: text,
  reports: z.int(),
  messages: z.int(),
  passed: z.int(),
});

const failure = z.strictObject({
  resultType: text.describe("RFC 8460 §4.3, such as certificate-expired; null: small ones, summed up."),
  mxHost: text,
  sessions: z.int(),
  organizations: texts,
});

const domainSources = z
  .strictObject({
    domain: z.string(),
    from: day,
    to: day.describe("Today, of which no report can have come yet. Days are those of UTC."),
    reports: z
      .int()
      .describe("DMARC reports that count messages of the domain. One that comes twice counts once."),
    organizations: z.array(organization).describe("The 50 that report most messages."),
    messages: z.int(),
    passed: z.int(),
    sources: z.array(source).describe("The 200 addresses that most messages came from, those first."),
    others: z
      .strictObject({ addresses: z.int(), ...sums })
      .describe(
        "All that is not among the sources: further addresses, and messages of which no address is told.",
      ),
    days: z.array(
      z.strictObject({
        day,
        messages: z.int(),
        passed: z.int(),
        none: z.int(),
        quarantine: z.int(),
        reject: z.int(),
      }),
    ),
    tls: z
      .strictObject({
        reports: z.int(),
        sessions: z.int(),
        failed: z.int(),
        failures: z.array(failure).describe("The 50 that most sessions failed by, those first."),
        days: z.array(z.strictObject({ day, sessions: z.int(), failed: z.int() })),
      })
      .describe("Of TLS reports: sessions of others to the domain's mail exchangers."),
  })
  .meta({ id: "DomainSources" });

export type DomainSources = z.infer<typeof domainSources>;

export const readDomainSources = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/sources",
  access: "member",
  summary:
    "Who sends as the domain, as DMARC reports that came by mail say, with those of the domains below it; and what TLS reports say. As reported: whoever knows the address for reports can send a forged one, so look at who reported it.",
  params: idParams,
  query: z.strictObject({
    days: queryInteger(1, 90).default(30).describe("Up to today; kept as long as the messages that told it."),
  }),
  answer: domainSources,
});

// How a monitored domain sends, learned from mail that authenticated here (src/decisions.md, "Monitored domains").

const domainSender = z
  .strictObject({
    kind: z
      .enum(senderKinds)
      .describe(
        "selector: of a DKIM signature of the domain that verified. The others: the domain of the return path, the sending host's address and the name that it greeted with, of messages from the domain or one below it that passed SPF and DMARC.",
      ),
    value: z.string(),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    messages: z.int().describe("At least so many."),
    watched: z
      .boolean()
      .describe("Seen in the last 30 days, so that checks of the domain heed it. After 180 it is forgotten."),
  })
  .meta({ id: "DomainSender" });

export type DomainSender = z.infer<typeof domainSender>;

export const listDomainSenders = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/senders",
  access: "member",
  summary:
    "The DKIM selectors, return path domains, addresses and HELO names that a domain was seen to send with, the last seen first.",
  params: idParams,
  answer: listOf(domainSender),
});

// What other records in DNS would change for a domain and its mail.

const standing = z.strictObject({
  spf: verdictWord,
  dkim: verdictWord,
  dmarc: verdictWord,
  bimi: verdictWord,
  score,
});

const { findings, plan } = domainJudgmentFields;

const messageStanding = z.strictObject({ ...resultWords, ...placementRates, composite: score });

export const askDomainWhatIf = defineEndpoint({
  method: "POST",
  path: "/api/domains/:id/what-if",
  access: "member",
  summary:
    "What these records in DNS would change, with all else as recorded: for the domain, and for the newest 50 tests of its mail. What was not recorded is asked now. Nothing is stored. A domain that has not been checked yet is refused with conflict.",
  params: idParams,
  body: givenRecords,
  answer: z
    .strictObject({
      before: standing.describe("As recorded, by today's rules."),
      after: standing,
      gone: z.array(toldFinding).describe("Findings that would be no more."),
      added: z.array(toldFinding).describe("Findings that would be new."),
      findings: findings.unwrap().describe("All that would be found."),
      plan: plan.unwrap(),
      messages: z.strictObject({
        total: z.int().describe("Tests of mail with the domain in From."),
        totalIsExact: z.boolean().describe("false: there are at least `total`."),
        seen: z.int().describe("How many were looked at, the newest."),
        unclear: z.int().describe("Of how many it could not be told, as nothing fit is recorded for them."),
        leftOut: z.int().describe("How many of `total` were not looked at."),
        better: z
          .int()
          .describe("Of `seen`: with a higher score, or as good a one and better placed or verified."),
        worse: z.int(),
        otherwise: z.int().describe("Changed, neither for better nor for worse."),
        unchanged: z.int(),
        changes: z
          .array(
            z.strictObject({
              testId: identifier("test"),
              receivedAt: timestamp,
              from: z.string().nullable(),
              subject: z.string().nullable(),
              before: messageStanding,
              after: messageStanding,
              says: z.array(z.string()).describe("In plain sentences, the most telling first."),
            }),
          )
          .describe("Each that would change, newest first."),
      }),
    })
    .meta({ id: "DomainWhatIf" }),
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});
