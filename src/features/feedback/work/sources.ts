// Lists who sends as a domain, from recent DMARC reports and from tests.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { OverrideReason, ReportedSignature, ReportedSpf } from "../../../analyzer/mail/reports/mail-class.ts";
import { type SourceWordsRow, toSourceWords } from "../../../analyzer/reports/source-words.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { listProvenSenders, type ProvenSenders } from "../../domains/rows/seen-senders.ts";
import { dayMs, listDays, startOfDay, toDate } from "../../tests/work/report-rows.ts";
import type { DomainSources } from "../contract/domain-sources.ts";
import {
  type AddressSums,
  type DaySums,
  type DomainDays,
  listSourceWords,
  type SourceSums,
  type SourceWords,
  sumSourcesByAddress,
  sumSourcesByDay,
  sumSourcesByOrganization,
} from "../rows/report-sources.ts";
import { createParser } from "./read-feedback.ts";
import { readTlsCounts } from "./tls-counts.ts";

const mostSources = 200;
const mostOrganizations = 50;

export async function readDomainSources(
  scope: Scope,
  domain: string,
  { now, days }: { readonly now: number; readonly days: number },
): Promise<DomainSources> {
  const to = startOfDay(now);
  const asked = { domain, registrableDomain: toRegistrableDomain(domain), from: to - (days - 1) * dayMs, to };
  const [byDay, byAddress, organizations, proven, tls] = await Promise.all([
    sumSourcesByDay(scope, asked),
    sumSourcesByAddress(scope, asked, mostSources),
    sumSourcesByOrganization(scope, asked, mostOrganizations),
    listProvenSenders(scope, domain),
    readTlsCounts(scope, asked),
  ]);
  const words = await listSourceWords(
    scope,
    asked,
    byAddress.map(({ sourceIp }) => sourceIp),
  );
  const total = addUp(byDay);
  return {
    domain,
    from: toDate(asked.from),
    to: toDate(to),
    reports: organizations[0]?.allReports ?? 0,
    organizations: organizations.map(({ allReports: _, ...sums }) => sums),
    messages: total.messages,
    passed: total.passed,
    sources: toSources(byAddress, words, proven),
    senders: [],
    others: toOthers(total, byAddress),
    days: toDays(asked, byDay),
    tls,
  };
}

function toSources(
  byAddress: readonly AddressSums[],
  words: readonly SourceWords[],
  proven: ProvenSenders,
): DomainSources["sources"] {
  const parse = createParser();
  const byIp = Map.groupBy(words, ({ source_ip }) => source_ip);
  return byAddress.map(({ addresses: _, firstDay, lastDay, sourceIp, ...sums }) => {
    const rows = (byIp.get(sourceIp) ?? []).map(
      (row): SourceWordsRow => ({
        organization: row.organization,
        headerFrom: row.header_from,
        dkim: parse(row.dkim) as ReportedSignature[],
        spf: parse(row.spf) as ReportedSpf[],
        reasons: parse(row.reasons) as OverrideReason[],
      }),
    );
    return {
      sourceIp,
      sender: null,
      host: null,
      ...sums,
      ...toSourceWords(rows),
      knownFromTests: proven.addresses.has(sourceIp) || rows.some(({ dkim }) => dkim.some(isProven(proven))),
      firstDay: toDate(firstDay),
      lastDay: toDate(lastDay),
    };
  });
}

function isProven({ selectors }: ProvenSenders) {
  return ({ domain, selector, result }: ReportedSignature) =>
    result === "pass" && selector !== null && selectors.has(`${selector} ${domain}`);
}

function toOthers(total: SourceSums, shown: readonly AddressSums[]): DomainSources["others"] {
  const addresses = (shown[0]?.addresses ?? 0) - shown.length;
  const listed = addUp(shown);
  const rest = sumNames.map((name) => [name, total[name] - listed[name]] as const);
  return { addresses, ...(Object.fromEntries(rest) as SourceSums) };
}

const sumNames = ["messages", "passed", "dkimAligned", "spfAligned", "none", "quarantine", "reject"] as const;

function addUp(rows: readonly SourceSums[]): SourceSums {
  const sums = sumNames.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)] as const);
  return Object.fromEntries(sums) as SourceSums;
}

/** Includes days without reports. */
function toDays(asked: DomainDays, rows: readonly DaySums[]): DomainSources["days"] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return listDays(asked).map((day) => {
    const { messages, passed, none, quarantine, reject } = byDay.get(day) ?? addUp([]);
    return { day: toDate(day), messages, passed, none, quarantine, reject };
  });
}
