// What a stricter DMARC policy would do to a domain's mail.

import { z } from "zod";
import { senderKinds, senderProofs } from "../../../analyzer/senders/name-sender.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";

const day = z.iso.date();
const text = z.string().nullable();
const count = z.int();

const policyWord = z.enum(["none", "quarantine", "reject"]);
const dmarcRecord = z.strictObject({ name: z.string(), type: z.literal("TXT"), value: z.string() });

const coachSource = z.strictObject({
  key: z.string().describe("Identifies the source over time."),
  name: z.string().describe("Name of the sender, or its network."),
  kind: z.enum(senderKinds).describe("As in GET /api/domains/:id/sources, with the next three fields."),
  by: z.enum(senderProofs),
  evidence: text,
  page: text,
  state: z
    .enum(["authenticated", "partly", "not-authenticated", "unknown", "forwarding"])
    .describe(
      "`authenticated`: at least 98% pass. `not-authenticated`: most of it fails, but authenticated mail from it was received here. `unknown`: it never or hardly ever passes, so it may be spoofing or a service that isn't set up. `forwarding`: all of it looks forwarded.",
    ),
  messages: count,
  passed: count,
  dkimAligned: count,
  spfAligned: count,
  failed: count.describe("Fails and doesn't look forwarded. A policy of quarantine or reject would apply to it."),
  forwarded: count.describe(
    "Looks forwarded: the receiver says so, or the domain's signature came through another server.",
  ),
  forwardedFailed: count,
  isKnown: z.boolean().describe("Whether it sent authenticated mail, to the receivers that report or to this server."),
  isNotMine: z.boolean().describe("A member said that it isn't theirs. Then it doesn't block the next step."),
  addresses: z.array(z.string()).describe("At most ten."),
  selectors: z.array(z.string()),
  fixes: z.array(
    z.strictObject({ what: z.enum(["dkim", "key", "spf", "return-path", "find-out", "none"]), says: z.string() }),
  ),
});

const policyCoach = z
  .strictObject({
    domain: z.string(),
    says: z.string().describe("What matters most, in one or two sentences."),
    from: day,
    to: day,
    reports: count.describe("DMARC reports about these days."),
    authenticatedReports: count.describe("Of these, those whose sender is authenticated. Only they count."),
    reportDays: count,
    reporters: count.describe(
      "Authenticated reporters whose reports arrived on at least three days. Others don't count yet.",
    ),
    reporterList: z
      .array(
        z.strictObject({
          domain: z.string(),
          messages: count,
          passed: count,
          days: count.describe("Days that its reports are about."),
          isTrusted: z
            .boolean()
            .describe(
              "Whether only the provider itself can send reports from this domain. Each criterion must also be met without any one of the others.",
            ),
        }),
      )
      .describe("The 50 reporters with the most messages, highest first."),
    messages: count,
    passed: count,
    lost: z
      .strictObject({
        messages: count,
        known: count.describe("From known sources, without what looks forwarded."),
        forwarded: count,
        unknown: count.describe("From sources that aren't authenticated."),
      })
      .describe("Messages that fail DMARC. A policy of quarantine or reject would apply to them."),
    policy: z
      .strictObject({ record: z.string(), p: policyWord, sp: policyWord, np: policyWord, testing: z.boolean() })
      .nullable()
      .describe("Policy in force. `null` if there is none at this domain, or DNS did not answer."),
    recordAt: text.describe("Parent domain whose record applies, if the domain has none."),
    inheritedPolicy: z
      .enum(["none", "quarantine", "reject"])
      .nullable()
      .describe("What that record asks receivers to do with mail from this domain."),
    ignoredRecords: z
      .array(z.string())
      .describe("The domain's DMARC records if there are several, because receivers then use none."),
    reportsTo: z.array(z.string()).describe("Addresses that the record in force asks for reports at."),
    reportsArriveHere: z
      .boolean()
      .nullable()
      .describe(
        "Whether one of them is a seed address of this workspace, so that its reports arrive. `null` if there is no record, or it is not known.",
      ),
    sources: z.array(coachSource).describe("The 100 sources with the most messages, highest first."),
    subdomains: z.array(z.strictObject({ domain: z.string(), messages: count, failed: count })),
    criteria: z.array(
      z.strictObject({
        id: z.enum(["days", "reporters", "messages", "aligned", "unknown-sources", "open-problems"]),
        met: z.boolean().nullable().describe("`null` if there is too little data."),
        says: z.string(),
        current: z.number().nullable(),
        target: z.number(),
      }),
    ),
    isSafe: z
      .boolean()
      .nullable()
      .describe("Whether the criteria for `next` are met. `null` if there is too little data for some of them."),
    present: dmarcRecord.nullable().describe("The current record, corrected if it has mistakes, or a first one."),
    next: z
      .strictObject({
        record: dmarcRecord,
        tag: z.string().describe("What changes, such as `p=quarantine (in test mode)` or `sp=reject`."),
        p: policyWord,
        sp: policyWord,
        testing: z.boolean(),
        says: z.string(),
      })
      .nullable()
      .describe("The next stricter step. Publish it once it is safe. `null` if there is none."),
    npReject: z
      .boolean()
      .describe("Whether `np=reject` could be added, because no subdomain in the reports sends mail that passes."),
    stored: z
      .strictObject({
        total: count.describe("Tests of messages with this domain in the From header."),
        totalIsExact: z.boolean(),
        seen: count.describe("The newest ones, which are counted here."),
        passed: count,
        failed: count,
        unknown: count,
        record: text.describe("The record of `next` in force, without `t=y`."),
        action: policyWord.nullable().describe("What this record asks receivers to do with those that fail."),
      })
      .describe("The same for mail that this server received."),
  })
  .meta({ id: "PolicyCoach" });

export const readPolicyCoach = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/policy-coach",
  token: "read",
  summary:
    "Returns what a stricter DMARC policy would do to the domain's mail, source by source, from authenticated DMARC reports of 30 days and from stored mail, with what to fix, the record to publish next, and whether that is safe.",
  answer: policyCoach,
});
export type PolicyCoach = z.infer<typeof readPolicyCoach.answer>;
