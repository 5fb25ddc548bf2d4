// Tools that help to fix: what a domain publishes, what other records would change, what a finding means.

import { z } from "zod";
import { toPlural } from "../../../analyzer/count-words.ts";
import { changeableTypes, readDomainName } from "../../../analyzer/dns/domain-name.ts";
import { findClosest } from "../../../platform/closest-word.ts";
import { Refusal } from "../../../platform/errors.ts";
import {
  addDomain,
  type DomainSummary,
  listDomains,
  readDomain,
  recheckDomain,
} from "../../domains/contract/domains.ts";
import { askDomainWhatIf, readDomainSources } from "../../feedback/contract/domain-sources.ts";
import { type CheckEntry, listChecks } from "../../handbook/contract.ts";
import { askWhatIf } from "../../tests/contract/reanalysis.ts";
import { readTest, type TestReport } from "../../tests/contract/tests.ts";
import type { McpHost } from "../contract.ts";
import {
  type Answer,
  asksDns,
  changes,
  detail,
  readPage,
  reads,
  type Tool,
  testId,
  toDomainBrief,
  tool,
  toResults,
  toScore,
} from "./tool.ts";

const checkDomain = tool({
  name: "check_domain",
  title: "Check a domain",
  description:
    "What a monitored domain publishes for its mail (SPF, DKIM, DMARC, BIMI and more), and the issues to fix. By default, returns the last check, which is at most about an hour old.",
  annotations: { ...changes, openWorldHint: true },
  input: z.strictObject({
    domain: z.string().max(300).describe("Such as example.com."),
    recheck: z.boolean().default(false).describe("Checks now. At most once a minute for each domain."),
    monitor: z
      .boolean()
      .default(false)
      .describe("Adds the domain if it is not monitored yet. This changes the workspace: ask the user first."),
    detail,
  }),
  run: async ({ domain: typed, recheck, monitor, detail }, host) => {
    const name = toName(typed);
    const known = await findDomain(name, host);
    if (known === undefined && !monitor)
      return { own: `${name} is not monitored. Ask the user, then call again with monitor: true to add it.` };
    const domain =
      known === undefined
        ? await host.call(addDomain, { body: { domain: typed } })
        : await host.call(recheck ? recheckDomain : readDomain, { params: { id: known.id } });
    const brief = toDomainBrief(domain);
    return detail === "full" ? { ...brief, quoted: domain } : brief;
  },
});

function toName(typed: string): string {
  const reading = readDomainName(typed);
  if (!reading.ok) throw new Refusal("invalid_request", reading.problem);
  return reading.domain;
}

async function findDomain(name: string, host: McpHost): Promise<DomainSummary | undefined> {
  const { items } = await host.call(listDomains, { query: { name } });
  return items[0];
}

const mostListed = 20;

const listSenders = tool({
  name: "list_senders",
  title: "List who sends as a domain",
  description:
    "Who sends as a monitored domain according to DMARC reports: each sender's name, how much of its mail passes DMARC, and what to do. Reports that aren't authenticated are counted too.",
  annotations: reads,
  input: z.strictObject({
    domain: z.string().max(300).describe("A monitored domain, such as example.com."),
    days: z.int().min(1).max(366).default(30),
  }),
  run: async ({ domain: typed, days }, host) => {
    const name = toName(typed);
    const known = await findDomain(name, host);
    if (known === undefined)
      throw new Refusal("not_found", `${name} is not monitored. check_domain can add it, or pass another domain.`);
    const { messages, passed, reports, senders, allSenders } = await host.call(readDomainSources, {
      params: { id: known.id },
      query: { days: String(days) },
    });
    const open = senders.filter(({ needs }) => needs !== "nothing").length;
    return {
      own: `${passed} of ${toPlural(messages, "message passes", "messages pass")} DMARC, in ${toPlural(reports, "report", "reports")} of ${toPlural(days, "day", "days")}. ${toPlural(allSenders, "sender", "senders")}, ${open} to decide about or to set up.`,
      quoted: senders
        .slice(0, mostListed)
        .map(({ name: sender, kind, by, evidence, messages: sent, passed: good, mark, needs, says }) => {
          return { sender, kind, by, evidence, messages: sent, passed: good, mark, needs, says };
        }),
    };
  },
});

const tryDnsChange = tool({
  name: "try_dns_change",
  title: "Try a DNS change",
  description:
    "Previews DNS records before anyone publishes them: how the report of a test, or a monitored domain and its newest mail, would change. Stores and publishes nothing.",
  annotations: asksDns,
  input: z.strictObject({
    test: testId.optional(),
    domain: z.string().max(300).optional().describe("A monitored domain, instead of a test."),
    records: z
      .array(
        z.strictObject({
          name: z.string().max(255).describe("Fully qualified, such as _dmarc.example.com."),
          type: z.enum(changeableTypes),
          values: z
            .array(z.string().max(4_096))
            .max(20)
            .describe("All records of this type at the name, as in a zone file. Empty: none."),
        }),
      )
      .min(1)
      .max(50)
      .describe("They replace all records with the same name and type."),
  }),
  run: async ({ test, domain, records }, host) => {
    if ((test === undefined) === (domain === undefined))
      throw new Refusal("invalid_request", "Pass either a test or a domain.");
    return test === undefined
      ? await tryOnDomain(toName(domain ?? ""), records, host)
      : await tryOnTest(test, records, host);
  },
});

type Records = Parameters<typeof tryOnTest>[1];

async function tryOnTest(
  id: string,
  records: { name: string; type: (typeof changeableTypes)[number]; values: string[] }[],
  host: McpHost,
): Promise<Answer> {
  const before = await host.call(readTest, { params: { id } });
  const after = await host.call(askWhatIf, { params: { id }, body: { records } });
  const bad = ({ findings }: TestReport) => (findings ?? []).filter(({ severity }) => severity !== "good");
  const idsOf = (test: TestReport) => new Set(bad(test).map((finding) => finding.id));
  const [old, now] = [idsOf(before), idsOf(after)];
  const standing = ({ composite: score, spf, dkim, dmarc }: TestReport) => ({ score, spf, dkim, dmarc });
  const added = bad(after).filter((finding) => !old.has(finding.id));
  return toPreview({
    before: standing(before),
    after: standing(after),
    gone: bad(before).filter((finding) => !now.has(finding.id)),
    added,
  });
}

async function tryOnDomain(name: string, records: Records, host: McpHost): Promise<Answer> {
  const known = await findDomain(name, host);
  if (known === undefined)
    throw new Refusal("not_found", `${name} is not monitored. check_domain can add it, or pass a test.`);
  const preview = await host.call(askDomainWhatIf, { params: { id: known.id }, body: { records } });
  const { seen, better, worse, otherwise, unchanged } = preview.messages;
  const mail = `Of ${seen} newest messages: ${better} better, ${worse} worse, ${otherwise} different, ${unchanged} unchanged.`;
  const { own, quoted } = toPreview(preview);
  return { own: `${own}\n${mail}`, quoted };
}

type Standing = { readonly score: number | null } & Readonly<Record<string, string | number | null>>;
type Listed = { readonly id: string; readonly title: string; readonly summary: string };

type Preview = {
  readonly before: Standing;
  readonly after: Standing;
  readonly gone: readonly Listed[];
  readonly added: readonly Listed[];
};

function toPreview({ before, after, gone, added }: Preview): Answer {
  const toWords = ({ score, ...results }: Standing) =>
    `score ${toScore(score)}, ${toResults(results as Record<string, string | null>)}`;
  const toNames = (list: readonly Listed[]) =>
    list.length === 0 ? "none" : list.map(({ id, title }) => `${id} (${title})`).join(", ");
  return {
    own: `Before: ${toWords(before)}\nAfter: ${toWords(after)}\nGone: ${toNames(gone)}\nNew: ${toNames(added)}`,
    ...(added.length > 0 ? { quoted: added.map(({ id, summary }) => ({ id, summary })) } : {}),
  };
}

const explainFinding = tool({
  name: "explain_finding",
  title: "Explain a finding",
  description:
    "What a finding or check means, why it matters, and how to fix it. Describes the finding in general, not in a particular message.",
  annotations: reads,
  input: z.strictObject({
    finding: z.string().max(100).describe("Such as ptr-record.missing, or a check such as ptr-record."),
    detail: z.enum(["short", "full"]).default("short").describe("`full`: includes the handbook page."),
  }),
  run: async ({ finding: id, detail }, host) => {
    const { checks } = await host.call(listChecks, {});
    const check = checks.find((one) => one.id === id.split(".")[0]);
    const findings = check?.findings.filter((one) => one.id === id || check.id === id) ?? [];
    if (check === undefined || findings.length === 0) throw unknownFinding(id, checks);
    const page = (findings[0]?.help ?? check.help).replace("/docs/", "");
    const text = readPage(page);
    const lines = [
      `${check.label}. ${check.why}`,
      ...findings.map(
        ({ id: one, title, severity, cost, says, fix }) =>
          `${one}: ${title} (${severity}, ${cost} points). ${toPlain(says)}${fix === null ? "" : ` Fix: ${toPlain(fix)}`}`,
      ),
      "A report fills in the words in {braces}, and leaves out what does not apply.",
      `Handbook: assay://docs/${page}`,
      ...(detail === "full" && text !== null ? [text] : []),
    ];
    return { own: lines.join("\n") };
  },
});

/** Without the marks around text that may be left out. */
function toPlain(words: string): string {
  return words.replaceAll("]][[", " ").replaceAll(/\[\[|\]\]/g, "");
}

function unknownFinding(id: string, checks: readonly CheckEntry[]): Refusal {
  const ids = checks.flatMap((check) => [check.id, ...check.findings.map((finding) => finding.id)]);
  const meant = findClosest(id, ids);
  return new Refusal("not_found", `There is no such finding.${meant === undefined ? "" : ` Did you mean ${meant}?`}`);
}

export const fixTools: readonly Tool[] = [checkDomain, listSenders, tryDnsChange, explainFinding];
