// Who sends as a monitored domain, what passes, and which sessions to it were encrypted, as reported by receivers.

import { z } from "zod";
import { senderKinds } from "../../../analyzer/reports/seen-senders.ts";
import { senderKinds as namedKinds, senderProofs } from "../../../analyzer/senders/name-sender.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import { identifier, listOf, queryInteger, timestamp } from "../../../platform/contract/primitives.ts";
import { toldFinding } from "../../compare/contract.ts";
import { domainJudgmentFields } from "../../domains/contract/domain-report.ts";
import { score, verdictWord } from "../../domains/contract/domains.ts";
import { placementRates } from "../../tests/contract/placement.ts";
import { givenRecords } from "../../tests/contract/reanalysis.ts";
import { resultWords } from "../../tests/contract/report.ts";

const day = z.iso.date();
const days = queryInteger(1, 366)
  .default(30)
  .describe("Number of days, ending today. Data is kept for as long as the messages it came from.");

const text = z.string().nullable();
const texts = z.array(z.string());

const sums = {
  messages: z.int(),
  passed: z.int().describe("Messages that passed DMARC, aligned by DKIM or SPF."),
  dkimAligned: z.int(),
  spfAligned: z.int(),
  none: z.int().describe("Messages for which the receiver took no policy action."),
  quarantine: z.int(),
  reject: z.int(),
};

const span = { firstDay: day, lastDay: day };

const source = z.strictObject({
  sourceIp: z.string(),
  sender: text.describe("`key` of its sender."),
  name: text.describe("Name of its sender. `null` if nothing names it."),
  host: text.describe("Confirmed reverse DNS."),
  country: text.describe("Two letters. `null` without a database of networks."),
  ...sums,
  forwarded: z.int().describe("Messages that fail DMARC and that the receiver says were forwarded."),
  knownFromTests: z.boolean().describe("Whether this workspace received authenticated mail of the domain from it."),
  ...span,
});

export const sourceMarks = ["approved", "ignored"] as const;

const named = {
  name: z.string(),
  kind: z
    .enum(namedKinds)
    .describe(
      "`gateway`: filters mail for others. `network`: gives people access to the internet. `own`: your server.",
    ),
  by: z
    .enum(senderProofs)
    .describe(
      "What the name is from. A domain that didn't pass, and reverse DNS that no forward lookup confirms, don't count.",
    ),
  evidence: text.describe("The domain, host, or network that names it."),
};

const sender = z.strictObject({
  key: z.string().describe("Identifies the sender over time."),
  ...named,
  country: text.describe("Two letters, of most of its mail. `null` without a database of networks."),
  page: text.describe("The service's own page on authenticating a domain."),
  ...sums,
  forwarded: z.int().describe("Messages that fail DMARC and that the receiver says were forwarded."),
  addresses: z.int(),
  ...span,
  mark: z.enum(sourceMarks).nullable().describe("What a member said: `approved`: it is ours. `ignored`: it isn't."),
  note: z.string(),
  needs: z
    .enum(["nothing", "set-up", "find-out", "policy"])
    .describe(
      "`set-up`: it is yours and fails. `find-out`: it fails, and only you know whether it is yours. `policy`: it isn't yours, and a DMARC policy stops it.",
    ),
  says: z.string().describe("What to do, in a sentence."),
});
export type NamedSource = z.infer<typeof sender>;

const organization = z.strictObject({ name: text, reports: z.int(), messages: z.int(), passed: z.int() });

const failure = z.strictObject({
  resultType: text.describe(
    "Failure type (RFC 8460 §4.3), such as `certificate-expired`. `null` for small ones combined.",
  ),
  mxHost: text,
  sessions: z.int(),
  organizations: texts,
});

const domainSources = z
  .strictObject({
    domain: z.string(),
    from: day,
    to: day.describe("Today. Reports for today cannot have arrived yet. Days are in UTC."),
    reports: z.int().describe("DMARC reports about the domain's messages. Duplicates count once."),
    organizations: z.array(organization).describe("The 50 organizations that report the most messages."),
    messages: z.int(),
    passed: z.int(),
    sources: z.array(source).describe("The 200 addresses with the most messages, highest first."),
    senders: z.array(sender).describe("The 100 senders with the most messages, highest first."),
    allSenders: z.int().describe("How many senders there are."),
    others: z
      .strictObject({ addresses: z.int(), ...sums })
      .describe("Everything not in `sources`: other addresses, and messages reported without an address."),
    days: z.array(
      z.strictObject({ day, messages: z.int(), passed: z.int(), none: z.int(), quarantine: z.int(), reject: z.int() }),
    ),
    tls: z
      .strictObject({
        reports: z.int(),
        sessions: z.int(),
        failed: z.int(),
        failures: z.array(failure).describe("The 50 most frequent failures, highest first."),
        days: z.array(z.strictObject({ day, sessions: z.int(), failed: z.int() })),
      })
      .describe("From TLS reports: sessions that other servers opened to the domain's mail servers."),
  })
  .meta({ id: "DomainSources" });

export type SourceTrends = z.infer<typeof readSourceTrends.answer>;
export type SourceWords = z.infer<typeof readSourceWords.answer>;
export type DomainSources = z.infer<typeof domainSources>;

export const readDomainSources = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/sources",
  token: "read",
  summary:
    "Lists who sends as the domain and its subdomains according to DMARC reports, and summarizes TLS reports. This includes reports that are not authenticated. Anyone who knows the report address can send a forged one, so check who sent the report.",
  query: z.strictObject({ days }),
  answer: domainSources,
});

export const readSourceTrends = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/sources/trends",
  token: "read",
  summary: "Returns the messages of each sender of GET /api/domains/:id/sources over time, for charts.",
  query: z.strictObject({ days }),
  answer: z
    .strictObject({
      from: day,
      spanDays: z.int().describe("Days of each span. The last one ends today and may be shorter."),
      items: z.array(
        z.strictObject({
          key: z.string(),
          messages: z.array(z.int()).describe("A number for each span, oldest first."),
          passed: z.array(z.int()),
        }),
      ),
    })
    .meta({ id: "SourceTrends" }),
});

export const readSourceWords = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/sources/words",
  token: "read",
  summary: "Returns what reports say about the messages of an address, at most ten words of each kind.",
  query: z.strictObject({
    days,
    address: z.string().max(45).optional().describe("`sourceIp`. Left out: all addresses."),
  }),
  answer: z
    .strictObject({
      organizations: texts.describe("Organizations that reported it."),
      headerFroms: texts.describe("Domains in the From header."),
      selectors: texts.describe("DKIM selectors, whether or not their signatures verified."),
      dkimDomains: texts,
      spfDomains: texts,
      reasons: texts.describe("Why a policy was not applied, such as `forwarded`, `mailing_list`, or `local_policy`."),
    })
    .meta({ id: "SourceWords" }),
});

export const markSource = defineEndpoint({
  method: "POST",
  path: "/api/domains/:id/sources/marks",
  token: "write",
  summary:
    "Says whether a sender is yours, with a note. One that is or isn't yours raises no alert as a new sender, and one that isn't doesn't block a stricter policy, which is there to stop it.",
  body: z
    .strictObject({
      key: z.string().min(1).max(400).describe("`key` of the sender."),
      mark: z.enum(sourceMarks).nullable().describe("`null` takes it back."),
      note: z.string().max(500).optional().describe("Left out: stays as it is."),
    })
    .meta({ examples: [{ key: "service:SendGrid", mark: "approved", note: "The shop's order emails." }] }),
  answer: z.strictObject({ key: z.string(), mark: z.enum(sourceMarks).nullable(), note: z.string() }),
  status: 200,
});

export const downloadDomainSources = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/sources.csv",
  token: "read",
  summary:
    "Downloads the senders of a domain as CSV, a row for each address, with its sender and counts. What reports count without an address, and addresses beyond the 5,000 with the most messages, are in the last row.",
  query: z.strictObject({ days }),
  answer: { mediaType: "text/csv", download: true },
});

// How a monitored domain sends, learned from mail that was authenticated here (src/decisions.md, "Monitored domains").

const domainSender = z
  .strictObject({
    kind: z
      .enum(senderKinds)
      .describe(
        "`selector`: from a verified DKIM signature of the domain. The other kinds come from messages that the domain or its subdomains sent and that passed SPF and DMARC: the return path domain, and the IP address and HELO name of the sending host.",
      ),
    value: z.string(),
    sender: z
      .strictObject(named)
      .nullable()
      .describe("Who sends from the address, or whose return path domain it is. `null` if nothing names them."),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    messages: z.int().describe("Since `firstSeenAt`. A lower bound."),
    watched: z
      .boolean()
      .describe(
        "Whether it was seen in the last 30 days, so that checks of the domain use it. Removed after 180 days.",
      ),
  })
  .meta({ id: "DomainSender" });

export type DomainSender = z.infer<typeof domainSender>;

export const listDomainSenders = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/senders",
  token: "read",
  summary:
    "Lists DKIM selectors, return path domains, addresses, and HELO names seen in the domain's mail, most recent first.",
  answer: listOf(domainSender),
});

// The effect of other DNS records on a domain and its mail.

const standing = z.strictObject({ spf: verdictWord, dkim: verdictWord, dmarc: verdictWord, bimi: verdictWord, score });

const { findings, plan } = domainJudgmentFields;

const messageStanding = z.strictObject({
  ...resultWords,
  ...placementRates,
  composite: score,
  dmarcAction: z
    .enum(["none", "quarantine", "reject"])
    .nullable()
    .describe("What the DMARC policy asks receivers to do with this message. `null` if unknown."),
});

export const askDomainWhatIf = defineEndpoint({
  method: "POST",
  path: "/api/domains/:id/what-if",
  token: "read",
  summary:
    "Previews the effect of these DNS records on the domain and on the newest 50 tests of its mail. Everything else is taken from the recorded DNS responses. Names that were not recorded are looked up now. Nothing is stored. Returns `conflict` if the domain has not been checked yet.",
  body: givenRecords,
  answer: z
    .strictObject({
      before: standing.describe("Based on the recorded DNS responses and the current rules."),
      after: standing,
      gone: z.array(toldFinding).describe("Findings that would no longer apply."),
      added: z.array(toldFinding).describe("New findings."),
      findings: findings.unwrap().describe("All findings with these records."),
      plan: plan.unwrap(),
      messages: z.strictObject({
        total: z.int().describe("Tests of messages with this domain in the From header."),
        totalIsExact: z.boolean().describe("`false` if `total` is a lower bound."),
        seen: z.int().describe("Tests examined, newest first."),
        unclear: z.int().describe("Tests whose result is unknown, because too little was recorded for them."),
        leftOut: z.int().describe("Number of tests not analyzed."),
        better: z
          .int()
          .describe(
            "Number of `seen` tests with a higher score, or with the same score and a better placement or result.",
          ),
        worse: z.int(),
        otherwise: z.int().describe("Changed, but neither better nor worse."),
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
              says: z.array(z.string()).describe("Plain sentences, most important first."),
            }),
          )
          .describe("Tests that would change, newest first."),
      }),
    })
    .meta({ id: "DomainWhatIf" }),
  status: 200,
  errors: ["conflict", "rate_limited", "overloaded"],
});
