// Who sends as a domain over some days, by name, and its TLS reports.

import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import type { OverrideReason, ReportedSignature, ReportedSpf } from "../../../analyzer/mail/reports/mail-class.ts";
import { toSourceWords } from "../../../analyzer/reports/source-words.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import { listProvenSenders } from "../../domains/rows/seen-senders.ts";
import type { DomainsTable } from "../../domains/tables.ts";
import type { DomainSources, NamedSource, SourceTrends, SourceWords } from "../contract/domain-sources.ts";
import {
  countAddresses,
  type DaySums,
  type DomainDays,
  type GroupSums,
  listSourceWords,
  type SourceSums,
  sumSourcesByDay,
  sumSourcesByGroup,
  sumSourcesByOrganization,
  sumSourcesBySpan,
} from "../rows/report-sources.ts";
import { listMarks, type SourceMark } from "../rows/source-marks.ts";
import { findMark } from "../rules/marks.ts";
import { dayMs, listDays, startOfDay } from "../rules/problem.ts";
import { toSenderAdvice } from "../rules/sender-advice.ts";
import { toDate } from "../words/figure-words.ts";
import { type Named, type NamingTerms, nameGroups } from "./name-groups.ts";
import { createParser } from "./read-feedback.ts";
import { readTlsCounts } from "./tls-counts.ts";

const mostSources = 200;
const mostSenders = 100;
const mostOrganizations = 50;
/** Those with the fewest messages are left out of the names, not of the sums. */
export const mostGroups = 5_000;

type Reading = Pick<WorkspaceStore, "read" | "readInWorker">;
type Domain = Pick<DomainsTable, "id" | "domain">;
type AskedDays = Pick<DomainDays, "reporters"> & {
  readonly now: number;
  readonly days: number;
  /** Senders and addresses. Left out: as many as a page shows. */
  readonly most?: number | undefined;
};

export async function readDomainSources(
  { read, readInWorker }: Reading,
  { id, domain }: Domain,
  asked: AskedDays,
  terms: NamingTerms,
): Promise<DomainSources> {
  const range = toRange(domain, asked);
  const [byDay, groups, organizations, proven, marks, tls] = await Promise.all([
    sumSourcesByDay(readInWorker, range),
    sumSourcesByGroup(readInWorker, range, mostGroups),
    sumSourcesByOrganization(readInWorker, range, mostOrganizations),
    listProvenSenders(read, domain),
    listMarks(read, id),
    readTlsCounts(readInWorker, range),
  ]);
  const isWhole = groups.length < mostGroups;
  const addresses = isWhole ? countDistinct(groups) : await countAddresses(readInWorker, range);
  const named = await nameGroups(groups, domain, terms);
  const isProven = ({ sourceIp }: GroupSums) => sourceIp !== null && proven.addresses.has(sourceIp);
  const total = addUp(byDay);
  const sources = toSources(named, isProven).slice(0, asked.most ?? mostSources);
  const senders = toSenders(named, { domain, marks, isProven });
  return {
    domain,
    from: toDate(range.from),
    to: toDate(range.to),
    reports: organizations[0]?.allReports ?? 0,
    organizations: organizations.map(({ allReports: _, ...sums }) => sums),
    messages: total.messages,
    passed: total.passed,
    senders: senders.slice(0, asked.most ?? mostSenders),
    allSenders: senders.length,
    sources,
    others: toOthers(total, sources, addresses),
    days: toDays(range, byDay),
    tls,
  };
}

function toRange(domain: string, { now, days, reporters }: AskedDays): DomainDays {
  const to = startOfDay(now);
  return { domain, registrableDomain: toRegistrableDomain(domain), from: to - (days - 1) * dayMs, to, reporters };
}

type SenderTerms = {
  readonly domain: string;
  readonly marks: ReadonlyMap<string, SourceMark>;
  readonly isProven: (group: GroupSums) => boolean;
};

function toSenders(groups: readonly Named<GroupSums>[], { domain, marks, isProven }: SenderTerms): NamedSource[] {
  const byKey = Map.groupBy(
    groups.filter(({ sender }) => sender !== null),
    ({ sender }) => sender?.key ?? "",
  );
  return [...byKey]
    .flatMap(([key, some]): NamedSource[] => {
      const first = some.find(({ sender }) => sender?.by !== "nothing") ?? some[0];
      if (!first?.sender) return [];
      const sums = { ...addUp(some), forwarded: countForwarded(some) };
      const { mark = null, note = "" } = findMark(marks, key, some) ?? {};
      const { kind, name } = first.sender;
      return [
        {
          ...first.sender,
          ...sums,
          ...toSpan(some),
          country: toCountry(some),
          addresses: countDistinct(some),
          mark,
          note,
          ...toSenderAdvice({ ...sums, domain, kind, name, mark, isProven: some.some(isProven) }),
        },
      ];
    })
    .sort((one, other) => other.messages - one.messages || (one.key < other.key ? -1 : 1));
}

function countDistinct(groups: readonly Pick<GroupSums, "sourceIp">[]): number {
  return new Set(groups.flatMap(({ sourceIp }) => sourceIp ?? [])).size;
}

function countForwarded(groups: readonly GroupSums[]): number {
  return groups.reduce((sum, { forwarded }) => sum + forwarded, 0);
}

function toSpan(groups: readonly GroupSums[]) {
  const first = groups.reduce((least, { firstDay }) => Math.min(least, firstDay), Number.POSITIVE_INFINITY);
  return { firstDay: toDate(first), lastDay: toDate(groups.reduce((most, { lastDay }) => Math.max(most, lastDay), 0)) };
}

/** Where most messages are from. */
function toCountry(groups: readonly Named<GroupSums>[]): string | null {
  const byCountry = Map.groupBy(groups, ({ country }) => country);
  const counted = [...byCountry].map(([country, some]) => ({ country, messages: addUp(some).messages }));
  return counted.reduce((most, each) => (each.messages > most.messages ? each : most)).country;
}

function toSources(
  groups: readonly Named<GroupSums>[],
  isProven: (group: GroupSums) => boolean,
): DomainSources["sources"] {
  const byAddress = Map.groupBy(groups, ({ sourceIp, sender }) => JSON.stringify([sourceIp, sender?.key]));
  return [...byAddress.values()]
    .flatMap((some) => {
      const [first] = some;
      if (!first || first.sourceIp === null) return [];
      const { sourceIp, sender, host, country } = first;
      return [
        {
          sourceIp,
          sender: sender?.key ?? null,
          name: sender === null || sender.by === "nothing" ? null : sender.name,
          host,
          country,
          ...addUp(some),
          forwarded: countForwarded(some),
          knownFromTests: isProven(first),
          ...toSpan(some),
        },
      ];
    })
    .sort((one, other) => other.messages - one.messages || (one.sourceIp < other.sourceIp ? -1 : 1));
}

function toOthers(total: SourceSums, shown: DomainSources["sources"], addresses: number): DomainSources["others"] {
  const listed = addUp(shown);
  const rest = sumNames.map((name) => [name, total[name] - listed[name]] as const);
  const left = addresses - countDistinct(shown);
  return { addresses: left, ...(Object.fromEntries(rest) as SourceSums) };
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

const mostSpans = 30;

export async function readTrends(
  { readInWorker }: Reading,
  { domain }: Domain,
  asked: AskedDays,
  terms: NamingTerms,
): Promise<SourceTrends> {
  const range = toRange(domain, asked);
  const spanDays = Math.ceil(asked.days / mostSpans);
  const rows = await nameGroups(await sumSourcesBySpan(readInWorker, range, spanDays * dayMs), domain, terms);
  const spans = Math.ceil(asked.days / spanDays);
  const byKey = new Map<string, { messages: number[]; passed: number[] }>();
  const nothing = () => ({ messages: Array<number>(spans).fill(0), passed: Array<number>(spans).fill(0) });
  for (const { sender, span, messages, passed } of rows) {
    if (sender === null) continue;
    const sums = byKey.getOrInsertComputed(sender.key, nothing);
    sums.messages[span] = (sums.messages[span] ?? 0) + messages;
    sums.passed[span] = (sums.passed[span] ?? 0) + passed;
  }
  const size = ({ messages }: { readonly messages: readonly number[] }) =>
    messages.reduce((sum, each) => sum + each, 0);
  const items = [...byKey].map(([key, sums]) => ({ key, ...sums })).sort((one, other) => size(other) - size(one));
  return { from: toDate(range.from), spanDays, items: items.slice(0, mostSenders) };
}

const mostWordRows = 50;

export async function readSourceWords(
  { readInWorker }: Reading,
  { domain }: Domain,
  { address, ...asked }: AskedDays & { readonly address?: string | undefined },
): Promise<SourceWords> {
  const parse = createParser();
  const rows = await listSourceWords(readInWorker, toRange(domain, asked), address, mostWordRows);
  return toSourceWords(
    rows.map((row) => ({
      organization: row.organization,
      headerFrom: row.header_from,
      dkim: parse(row.dkim) as ReportedSignature[],
      spf: parse(row.spf) as ReportedSpf[],
      reasons: parse(row.reasons) as OverrideReason[],
    })),
  );
}
