// Domains that a workspace monitors (src/decisions.md, "Monitored domains").

import { z } from "zod";
import type { CheckCatalog } from "../checks/catalog.ts";
import { noticeKinds } from "../domains/change-kind-table.ts";
import { type DomainReport, type Mechanism, mechanisms, type VerdictWord } from "../reports/domain-report.ts";
import { detailFields, domainJudgmentFields, toDomainReportJson } from "./domain-report.ts";
import { defineEndpoint } from "./endpoint.ts";
import { judgmentSummary } from "./judgment.ts";
import {
  identifier,
  idParams,
  pageOf,
  pageQuery,
  queryInteger,
  timestamp,
  toTimestamp,
} from "./primitives.ts";

export const verdictWord = z.enum(["pass", "warn", "fail", "missing", "error"]).meta({
  id: "Verdict",
  description: "error: DNS did not answer, which is never a change.",
});

const verdict = verdictWord.nullable().describe("Null until first checked.");
export const score = judgmentSummary.composite;

const fields = {
  id: identifier("domain"),
  domain: z.string().describe("In A-labels and lower case."),
  dkimSelector: z
    .string()
    .nullable()
    .describe("Null: selectors are learned from the domain's mail, then well-known ones are tried."),
  spf: verdict,
  dkim: verdict,
  dmarc: verdict,
  bimi: verdict,
  score,
  verified: z.boolean().describe("Its verifyRecord was there when DNS last told."),
  verifyRecord: z
    .strictObject({ name: z.string(), type: z.literal("TXT"), value: z.string() })
    .describe(
      "Published beside what stands there, it shows that the domain is yours; then it may send samples.",
    ),
  unstable: z.boolean().describe("It went to and fro lately; its changes are told once."),
  createdAt: timestamp,
  checkedAt: timestamp.nullable(),
  nextCheckAt: timestamp.nullable().describe("At about this time; at once where it lies in the past."),
  lastDriftAt: timestamp.nullable(),
};

export const domainSummary = z.strictObject(fields).meta({ id: "DomainSummary" });
export type DomainSummary = z.infer<typeof domainSummary>;

const detail = z
  .strictObject({
    ...detailFields,
    lastKnown: z
      .strictObject({ verdict: verdict.describe("Null where the mechanism has no word."), at: timestamp })
      .nullable()
      .describe("What DNS told when it last answered."),
  })
  .meta({ id: "DomainDetail" });

export const monitoredDomain = z
  .strictObject({
    ...fields,
    details: z
      .strictObject(Object.fromEntries(mechanisms.map((mechanism) => [mechanism, detail])))
      .nullable()
      .describe("By mechanism; null until first checked."),
    ...domainJudgmentFields,
  })
  .meta({ id: "Domain" });
export type MonitoredDomain = z.infer<typeof monitoredDomain>;

type CheckedField = "details" | keyof typeof domainJudgmentFields;
type LastKnown = { readonly verdict: VerdictWord | null; readonly at: number };

/** What the last check found; null until the first. */
export function toCheckedFields(
  report: DomainReport | null,
  lastKnownOf: (mechanism: Mechanism) => LastKnown | null,
  catalog: CheckCatalog,
): Pick<z.input<typeof monitoredDomain>, CheckedField> {
  if (report === null) return nothingYet;
  const { domain: _, details, ...fields } = toDomainReportJson(report, catalog);
  const withLastKnown = mechanisms.map((mechanism) => {
    const known = lastKnownOf(mechanism);
    const lastKnown = known && { ...known, at: toTimestamp(known.at) };
    return [mechanism, { ...details[mechanism], lastKnown }];
  });
  return { ...fields, details: Object.fromEntries(withLastKnown) };
}

const nothingYet = {
  details: null,
  ...{ findings: null, grade: null, coverage: null, limit: null, plan: null },
  ...{ categoryScores: null, skipped: null, notApplicable: null, analysis: null },
};

const dkimSelector = z
  .string()
  .max(300)
  .nullable()
  .describe(
    "The s= tag of its signatures. That key must then be there. Null: selectors are learned and tried.",
  );

const mostAtOnce = 1_000;

export const listDomains = defineEndpoint({
  method: "GET",
  path: "/api/domains",
  access: "member",
  summary: `The monitored domains, newest first: all of them, up to ${mostAtOnce} a page. GET /api/domains/:id has the details of one.`,
  query: z.strictObject({
    ...pageQuery("domain"),
    limit: queryInteger(1, mostAtOnce).default(mostAtOnce).describe("How many at most."),
  }),
  answer: pageOf(domainSummary),
});

export const addDomain = defineEndpoint({
  method: "POST",
  path: "/api/domains",
  access: "member",
  summary:
    "Adds a domain to the hourly sweep. It is checked at once, for at most 5 seconds, and answered with what is known by then.",
  body: z
    .strictObject({
      domain: z
        .string()
        .max(2_000)
        .describe("A name that somebody can register, or one below it; of a web or mail address its domain."),
      dkimSelector: dkimSelector.default(null),
    })
    .meta({ examples: [{ domain: "example.com", dkimSelector: "s1" }] }),
  answer: monitoredDomain,
  errors: ["conflict", "plan_limit", "rate_limited"],
});

export const readDomain = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id",
  access: "member",
  summary: "One monitored domain, with the details of its last check.",
  params: idParams,
  answer: monitoredDomain,
});

export const changeDomain = defineEndpoint({
  method: "PATCH",
  path: "/api/domains/:id",
  access: "member",
  summary:
    "Changes the DKIM selector; the domain is then due to be checked at once. A workspace takes 30 changes an hour.",
  params: idParams,
  body: z
    .strictObject({ dkimSelector: dkimSelector.optional() })
    .meta({ examples: [{ dkimSelector: "s2" }, { dkimSelector: null }] }),
  answer: monitoredDomain,
  errors: ["rate_limited"],
});

export const deleteDomain = defineEndpoint({
  method: "DELETE",
  path: "/api/domains/:id",
  access: "member",
  summary: "Ends the monitoring of a domain; its history goes with it.",
  params: idParams,
  answer: null,
});

export const recheckDomain = defineEndpoint({
  method: "POST",
  path: "/api/domains/:id/recheck",
  access: "member",
  summary:
    "Checks a domain now and answers with what is found. A domain takes one a minute, a workspace 30 an hour. A change is looked at a second time before it is told.",
  params: idParams,
  answer: monitoredDomain,
  status: 200,
  errors: ["rate_limited"],
});

const side = z.strictObject({ verdict, record: z.string().nullable() });

const toldChange = z
  .strictObject({
    id: identifier("domainChange"),
    at: timestamp,
    kind: z
      .enum(noticeKinds)
      .describe("mended: back as it was before a drift. unstable: to and fro, and told no further."),
    changes: z.array(
      z
        .strictObject({
          mechanism: z.enum(mechanisms),
          kind: z.string().describe("A public word, like policy_loosened."),
          direction: z.enum(["worse", "better", "neutral"]),
          says: z.string(),
          before: side,
          after: side,
        })
        .meta({ id: "MechanismChange" }),
    ),
  })
  .meta({ id: "DomainChange" });
export type ToldChange = z.infer<typeof toldChange>;

export const readHistory = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/history",
  access: "member",
  summary: "What changed in a domain's records, each confirmed by a second look, newest first.",
  params: idParams,
  query: z.strictObject(pageQuery("domainChange")),
  answer: pageOf(toldChange),
});

export const readZone = defineEndpoint({
  method: "GET",
  path: "/api/domains/:id/zone",
  access: "member",
  summary:
    "All records that the domain should have for its mail, ready to paste, as its last check found them. One that has not been checked yet is refused with conflict.",
  params: idParams,
  answer: z.strictObject({
    records: z.array(
      z.strictObject({
        name: z.string(),
        type: z.string(),
        value: z.string(),
        ttl: z.int(),
        status: z
          .enum(["present", "missing", "change"])
          .describe("change: another record stands there, which it replaces."),
        why: z.string(),
      }),
    ),
    zoneFile: z.string().describe("The same as lines of a zone file (RFC 1035 §5)."),
  }),
  errors: ["conflict"],
});
