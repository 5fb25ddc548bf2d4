// Who sends as a monitored domain, what passes, and whose sessions to it were encrypted: as receivers reported it.

import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";
import { idParams, queryInteger } from "./primitives.ts";

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

export const domainSources = z
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
