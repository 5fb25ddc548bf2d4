// Domains that a workspace monitors (src/decisions.md, "Monitored domains").

import { z } from "zod";
import type { CheckCatalog } from "../../../analyzer/checks/catalog.ts";
import { readDomainName } from "../../../analyzer/dns/domain-name.ts";
import { noticeKinds } from "../../../analyzer/domains/change-kind-table.ts";
import {
  type DomainReport,
  type Mechanism,
  mechanisms,
  type VerdictWord,
} from "../../../analyzer/reports/domain-report.ts";
import { defineEndpoint } from "../../../platform/contract/endpoint.ts";
import {
  identifier,
  pageOf,
  pageQuery,
  queryInteger,
  timestamp,
  toTimestamp,
} from "../../../platform/contract/primitives.ts";
import { judgmentSummary } from "../../tests/contract/judgment.ts";
import { detailFields, domainJudgmentFields, toDomainReportJson } from "./domain-report.ts";

export const verdictWord = z
  .enum(["pass", "warn", "fail", "missing", "error"])
  .meta({ id: "Verdict", description: "`error`: DNS did not respond. This never counts as a change." });

const verdict = verdictWord.nullable().describe("`null` until first checked.");
export const score = judgmentSummary.composite;

const fields = {
  id: identifier("domain"),
  domain: z.string().describe("Lowercase, with internationalized names in A-label form."),
  dkimSelector: z
    .string()
    .nullable()
    .describe("`null`: selectors are learned from the domain's mail, and well-known ones are tried after that."),
  spf: verdict,
  dkim: verdict,
  dmarc: verdict,
  bimi: verdict,
  score,
  verified: z.boolean().describe("Whether `verifyRecord` was found at the last successful lookup."),
  verifyRecord: z
    .strictObject({ name: z.string(), type: z.literal("TXT"), value: z.string() })
    .describe(
      "Publish this record next to the existing ones to prove that you own the domain. Samples can then be sent from the domain.",
    ),
  unstable: z
    .boolean()
    .describe("Whether the records have kept changing recently. If so, each change is reported only once."),
  createdAt: timestamp,
  checkedAt: timestamp.nullable(),
  nextCheckAt: timestamp.nullable().describe("Approximate. If it is in the past, the domain is next in line."),
  lastDriftAt: timestamp.nullable(),
};

export const domainSummary = z.strictObject(fields).meta({ id: "DomainSummary" });
export type DomainSummary = z.infer<typeof domainSummary>;

const detail = z
  .strictObject({
    ...detailFields,
    lastKnown: z
      .strictObject({ verdict: verdict.describe("`null` if there is no verdict for the mechanism."), at: timestamp })
      .nullable()
      .describe("The last DNS response."),
  })
  .meta({ id: "DomainDetail" });

export const monitoredDomain = z
  .strictObject({
    ...fields,
    details: z
      .strictObject(Object.fromEntries(mechanisms.map((mechanism) => [mechanism, detail])))
      .nullable()
      .describe("Details by mechanism. `null` until first checked."),
    ...domainJudgmentFields,
  })
  .meta({ id: "Domain" });
export type MonitoredDomain = z.infer<typeof monitoredDomain>;

type LastKnown = { readonly verdict: VerdictWord | null; readonly at: number };

/** The results of a check. */
export function toChecked(
  report: DomainReport,
  lastKnownOf: (mechanism: Mechanism) => LastKnown | null,
  catalog: CheckCatalog,
): z.input<typeof checkedDomain> {
  const { details, ...fields } = toDomainReportJson(report, catalog);
  const withLastKnown = mechanisms.map((mechanism) => {
    const known = lastKnownOf(mechanism);
    const lastKnown = known && { ...known, at: toTimestamp(known.at) };
    return [mechanism, { ...details[mechanism], lastKnown }];
  });
  return { ...fields, details: Object.fromEntries(withLastKnown) };
}

/** Until the first check. */
export const nothingYet = {
  details: null,
  findings: null,
  grade: null,
  coverage: null,
  limit: null,
  plan: null,
  categoryScores: null,
  skipped: null,
  notApplicable: null,
  analysis: null,
};

const dkimSelector = z
  .string()
  .max(300)
  .nullable()
  .describe(
    "The `s=` tag of the domain's signatures. Its key must then exist. `null`: selectors are learned from mail, and well-known ones are tried.",
  );

const named = z
  .string()
  .max(2_000)
  .describe(
    "A registrable domain or a subdomain that sends mail. If you pass a URL or an email address, its domain is used. The name of a website (`www.`) or of a DNS record (`_dmarc.`) is refused, with the domain that sends as `suggestion`. To monitor such a website's name, pass an email address there.",
  );

const mostAtOnce = 1_000;

export const listDomains = defineEndpoint({
  method: "GET",
  path: "/api/domains",
  token: "read",
  summary: `Lists the monitored domains, newest first, up to ${mostAtOnce} per page. Use GET /api/domains/:id for details.`,
  query: z.strictObject({
    ...pageQuery("domain"),
    limit: queryInteger(1, mostAtOnce).default(mostAtOnce).describe("Maximum number of items."),
    name: z
      .string()
      .max(2_000)
      .transform((text, context) => {
        const reading = readDomainName(text);
        if (reading.ok) return reading.domain;
        context.addIssue({ code: "custom", message: "must be a domain name like example.com" });
        return z.NEVER;
      })
      .optional()
      .meta({ description: "Only the domain with this name.", examples: ["example.com"] }),
  }),
  answer: pageOf(domainSummary),
});

export const addDomain = defineEndpoint({
  method: "POST",
  path: "/api/domains",
  token: "write",
  summary:
    "Adds a domain to monitor. It is checked immediately, and the response contains what is known after at most 5 seconds.",
  body: z
    .strictObject({ domain: named, dkimSelector: dkimSelector.default(null) })
    .meta({ examples: [{ domain: "example.com", dkimSelector: "s1" }] }),
  answer: monitoredDomain,
  errors: ["conflict", "plan_limit", "rate_limited"],
});

const { domain, spf, dkim, dmarc, bimi } = fields;
const checkedDomain = z
  .strictObject({
    domain,
    spf,
    dkim,
    dmarc,
    bimi,
    score,
    details: monitoredDomain.shape.details,
    ...domainJudgmentFields,
  })
  .meta({ id: "CheckedDomain" });
export type CheckedDomain = z.infer<typeof checkedDomain>;

export const checkDomainOnce = defineEndpoint({
  method: "POST",
  path: "/api/domains/check",
  access: "member",
  token: "write",
  summary:
    "Checks a domain without monitoring it, and keeps nothing. It counts as a manual recheck: one per minute for each domain and 30 per hour for each workspace.",
  body: z.strictObject({ domain: named }).meta({ examples: [{ domain: "example.com" }] }),
  answer: checkedDomain,
  status: 200,
  errors: ["rate_limited", "overloaded"],
});

export const readDomain = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id",
  token: "read",
  summary: "Returns a monitored domain with the details of its last check.",
  answer: monitoredDomain,
});

export const changeDomain = defineEndpoint({
  method: "PATCH",
  path: "/api/domains/:id",
  token: "write",
  summary: "Changes the DKIM selector. The domain is checked again soon. Limited to 30 changes an hour per workspace.",
  body: z
    .strictObject({ dkimSelector: dkimSelector.optional() })
    .meta({ examples: [{ dkimSelector: "s2" }, { dkimSelector: null }] }),
  answer: monitoredDomain,
  errors: ["rate_limited"],
});

export const deleteDomain = defineEndpoint({
  method: "DELETE",
  path: "/api/domains/:id",
  token: "write",
  summary: "Removes a monitored domain and its history.",
});

export const recheckDomain = defineEndpoint({
  method: "POST",
  path: "/api/domains/:id/recheck",
  token: "write",
  summary:
    "Checks a domain now and returns the result. Manual rechecks are limited to one per minute for each domain and 30 per hour for each workspace. Changes are confirmed by a second check before they are reported.",
  answer: monitoredDomain,
  status: 200,
  errors: ["rate_limited"],
});

const side = z.strictObject({ verdict, record: z.string().nullable() });

const domainChanges = z.array(
  z
    .strictObject({
      mechanism: z.enum(mechanisms),
      kind: z.string().describe("A stable identifier, such as `policy_loosened`."),
      direction: z.enum(["worse", "better", "neutral"]),
      says: z.string(),
      before: side,
      after: side,
    })
    .meta({ id: "MechanismChange" }),
);
const toldChange = z
  .strictObject({
    id: identifier("domainChange"),
    at: timestamp,
    kind: z
      .enum(noticeKinds)
      .describe(
        "`mended`: back to the state before a drift. `unstable`: it keeps changing, so further changes are not reported.",
      ),
    changes: domainChanges,
  })
  .meta({ id: "DomainChange" });
export type ToldChange = z.infer<typeof toldChange>;

export const readHistory = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/history",
  token: "read",
  summary: "Lists changes in the domain's records, newest first. Each was confirmed by a second check.",
  query: z.strictObject(pageQuery("domainChange")),
  answer: pageOf(toldChange),
});

export const readZone = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/zone",
  token: "read",
  summary:
    "Lists all DNS records that the domain should publish for its mail, based on its last check. Returns `conflict` if it has not been checked yet.",
  answer: z.strictObject({
    records: z.array(
      z.strictObject({
        name: z.string(),
        type: z.string(),
        value: z.string(),
        ttl: z.int(),
        status: z.enum(["present", "missing", "change"]).describe("`change`: replaces an existing record."),
        why: z.string(),
      }),
    ),
    zoneFile: z.string().describe("The same records as zone file lines (RFC 1035 §5)."),
  }),
  errors: ["conflict"],
});
