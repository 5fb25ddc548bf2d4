// Counts TLS sessions and failures at a domain's mail servers, from recent TLS reports.

import type { Scope } from "../../../platform/database/scope.ts";
import type { DomainSources } from "../contract/domain-sources.ts";
import { countTlsReports, sumTlsByDay, sumTlsFailures, type TlsFailureSums } from "../rows/mail-reports.ts";
import type { DomainDays } from "../rows/report-sources.ts";
import { listDays } from "../rules/problem.ts";
import { toDate } from "../words/figure-words.ts";

type TlsCounts = DomainSources["tls"];

const mostFailures = 50;
/** Each organization reports a failure in its own row. */
const mostRows = 500;

export async function readTlsCounts(scope: Scope, asked: DomainDays): Promise<TlsCounts> {
  const [reports, byDay, failures] = await Promise.all([
    countTlsReports(scope, asked),
    sumTlsByDay(scope, asked),
    sumTlsFailures(scope, asked, mostRows),
  ]);
  const rowsByDay = new Map(byDay.map((row) => [row.day, row]));
  return {
    reports,
    sessions: byDay.reduce((sum, { sessions }) => sum + sessions, 0),
    failed: byDay.reduce((sum, { failed }) => sum + failed, 0),
    failures: toFailures(failures),
    days: listDays(asked).map((day) => {
      const { sessions, failed } = rowsByDay.get(day) ?? { sessions: 0, failed: 0 };
      return { day: toDate(day), sessions, failed };
    }),
  };
}

function toFailures(rows: readonly TlsFailureSums[]): TlsCounts["failures"] {
  const alike = Map.groupBy(rows, ({ result_type, mx_host }) => JSON.stringify([result_type, mx_host]));
  return [...alike.values()]
    .map((some) => ({
      resultType: some[0]?.result_type ?? null,
      mxHost: some[0]?.mx_host ?? null,
      sessions: some.reduce((sum, { sessions }) => sum + sessions, 0),
      organizations: some.flatMap(({ organization }) => organization ?? []).slice(0, mostOrganizations),
    }))
    .sort((left, right) => right.sessions - left.sessions)
    .slice(0, mostFailures);
}

const mostOrganizations = 10;
