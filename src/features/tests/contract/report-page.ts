// A report that is read without the app: as a shared page, or saved as a file. The app's own components show it
// (web/report/static.tsx), so that it says the same.
// What a share may show is named here field by field, and never left out (src/decisions.md, "Shares"): what a later version
// adds to a report isn't shared until it is named.

import type { CheckCatalog } from "../../../analyzer/checks/catalog.ts";
import type { Check } from "../../../analyzer/checks/check.ts";
import type { FactName } from "../../../analyzer/checks/facts.ts";
import type { Mask } from "../../../analyzer/reports/mask.ts";
import { pick } from "../../../platform/contract/primitives.ts";
import { type NamedBadge, toBadges } from "../words/authentication-chip-words.ts";
import type { ForwardingPrediction } from "./forwarding.ts";
import type { Finding } from "./judgment.ts";
import type { SecondReaderResult } from "./second-reading.ts";
import type { TestReport, TestSummary } from "./tests.ts";
import type { Transport } from "./transport.ts";

/** As the Test resource has it, without what only its owner may see. */
export type SharedTest = SharedRow &
  Pick<TestReport, "findings" | "category_scores" | "skipped" | "grade" | "limit" | "plan"> &
  Pick<TestReport, "placement_results" | "rules"> &
  Partial<Pick<TestReport, "notices" | "suspicion">> & {
    readonly kind_detail: Pick<NonNullable<TestReport["kind_detail"]>, "source" | "confidence" | "scored_as"> | null;
    readonly transport: Pick<Transport, "looped">;
    /** SPF, DKIM and DMARC results. */
    readonly badges?: readonly NamedBadge[];
  };

type SharedRow = Pick<TestSummary, "received_at" | "from" | "subject" | "spf" | "dkim" | "dmarc" | "sample"> &
  Pick<TestSummary, "composite" | "coverage" | "kind">;

/** The message as a page without scripts shows it. `frame`: its address, its document, or why it is left out. */
export type PageMail = {
  readonly frame: { readonly src: string } | { readonly document: string } | { readonly leftOut: string };
  /** The issues with a number in the frame. */
  readonly placed: readonly string[];
  readonly preheader: string | null;
};

/** Everything a page is rendered from. */
export type ReportPage = {
  /** What it is and whom it is for. */
  readonly note: string;
  readonly time?: { readonly says: string; readonly at: string };
  /** Missing if there is no report. */
  readonly mail?: PageMail;
  readonly content:
    | { readonly shows: "share"; readonly test: SharedTest }
    | {
        readonly shows: "all";
        readonly test: TestReport;
        /** Null if it isn't worked out. */
        readonly second: Pick<SecondReaderResult, "result" | "scanners">;
        readonly forwarding: ForwardingPrediction | null;
      }
    | { readonly shows: "notice"; readonly title: string; readonly says: string };
  readonly foot: readonly string[];
  /** Whose page it is, if not Assay's, and what its reader can do: a public test. */
  readonly owner?: PageOwner;
};

export type PageOwner = {
  readonly name: string | null;
  /** A `data:` URL. */
  readonly logo: string | null;
  /** Where its pages begin. */
  readonly home: string;
  /** Posting there deletes the report. */
  readonly deleteAt: string;
  /** Says how to fix what the report finds. */
  readonly help: string;
};

/** What web/report/static.tsx exports. `card`: what a chat shows of a link to the page. */
export type RenderReportPage = (page: ReportPage) => {
  readonly body: string;
  readonly card: { readonly title: string; readonly description: string } | null;
};

type ShareTerms = {
  readonly catalog: CheckCatalog;
  readonly mask: Mask;
  /** Leave out the body and findings that quote it. */
  readonly redactsBody: boolean;
};

/** A share leaves out what the counts are made from, so it carries the counts themselves. */
export function toSharedTest(test: TestReport, terms: ShareTerms): SharedTest {
  const { mask } = terms;
  const { from, subject, transport, authentication, findings, limit } = test;
  const { category_scores, skipped, plan, placement_results, kind_detail, rules } = test;
  const { notices, suspicion } = test;
  return {
    ...pick(test, ["received_at", "spf", "dkim", "dmarc", "sample", "composite", "coverage", "kind", "grade"]),
    from: from && mask(from),
    subject: subject && mask(subject),
    transport: { looped: transport.looped },
    limit: limit && pick(limit, ["value", "why", "findings"]),
    findings: findings?.map((finding) => toShared(finding, terms)) ?? null,
    // Those of which anything is asked here: a text has no HTML to look at.
    category_scores:
      category_scores
        ?.filter((area) => area.coverage !== null)
        .map((area) => pick(area, ["id", "label", "score", "weight", "coverage"])) ?? null,
    skipped: skipped?.map((one) => ({ ...one, lacks: null })) ?? null,
    plan:
      plan?.map((step) =>
        pick(step, ["finding", "composite", "gain", "unlocks", "reason", "cap", "cures", "providers"]),
      ) ?? null,
    notices: notices?.map(({ title, text }) => ({ title: mask(title), text: mask(text) })) ?? null,
    suspicion: suspicion && {
      kind: suspicion.kind,
      domain: mask(suspicion.domain),
      imitated: suspicion.imitated && mask(suspicion.imitated),
      withholds_fixes: suspicion.withholds_fixes,
    },
    ...(authentication && { badges: toBadges(test, authentication) }),
    placement_results: placement_results?.map(toSharedPlacement) ?? null,
    rules:
      rules?.map(({ provider, met, total, unknown }) => ({ provider, met, total, unknown, items: [], unseen: [] })) ??
      null,
    kind_detail: kind_detail && pick(kind_detail, ["source", "confidence", "scored_as"]),
  };
}

/** Facts about the body, or about the whole message including its body. */
const bodyFacts: ReadonlySet<FactName> = new Set([
  "message",
  "raw",
  "html",
  "links",
  "linkHosts",
  "images",
  "attachments",
  "uribl",
  "scanner",
  "malware",
] as const);

/**
 * An issue that quotes hidden parts keeps only its title and the fix from the catalog. A passed check keeps what it
 * checks. Evidence is always left out.
 */
function toShared(finding: Finding, { catalog, mask, redactsBody }: ShareTerms): Finding {
  const { id, check: name, severity } = finding;
  const check = catalog.checks.get(name);
  const facts: readonly FactName[] = check ? [...check.needs, ...check.wants] : ["message", "attachments"];
  const isQuotable = !facts.includes("attachments") && !(redactsBody && facts.some((fact) => bodyFacts.has(fact)));
  const isGood = severity === "good";
  return {
    ...pick(finding, ["id", "check", "area", "severity", "title", "detail", "owner", "cost", "gain"]),
    ...pick(finding, ["references", "owned_by"]),
    summary: isGood ? (check?.asks ?? "") : isQuotable ? mask(finding.summary) : "",
    fix: isGood ? null : isQuotable ? finding.fix && mask(finding.fix) : toGeneralFix(check, id, mask),
    records: isQuotable
      ? finding.records.map(({ name, type, value, replaces }) => ({
          name: mask(name),
          type,
          value: mask(value),
          replaces: replaces.map(mask),
        }))
      : [],
    evidence: {},
    gates: [],
    occurrences: [],
    occurrences_left_out: Math.max(0, finding.occurrences.length - 1) + finding.occurrences_left_out,
  };
}

/** Without what a message would fill in. */
function toGeneralFix(check: Check | undefined, id: string, mask: Mask): string | null {
  const fix = check?.findings[id.slice(check.id.length + 1)]?.fix ?? null;
  return fix && mask(fix.replace(/\[\[[^[\]]*\]\]/g, "").replace(/\{\w+\}/g, "…"));
}

type Placed = NonNullable<TestReport["placement_results"]>[number];

/** The folder and how sure it is; not what it rests on. `imap:<account>` names its owner. */
function toSharedPlacement({ provider, folder, method, confidence, predicted }: Placed): Placed {
  const nothing = { reasons: [], smtp_reply: null, observed: [] };
  return {
    provider: provider.startsWith("imap:") ? "imap:A seed mailbox" : provider,
    folder,
    method,
    confidence,
    ...nothing,
    predicted:
      method === "observed" || predicted === null
        ? null
        : {
            folder: predicted.folder,
            odds: predicted.odds,
            confidence: predicted.confidence,
            reasons: [],
            smtp_reply: null,
            weights: "",
            if_large: predicted.if_large && {
              folder: predicted.if_large.folder,
              odds: predicted.if_large.odds,
              smtp_reply: null,
              reasons: [],
            },
          },
  };
}
