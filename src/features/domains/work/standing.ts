// How a domain stands, asked of each feature. One that fails leaves its area unknown, and the others as they are.

import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import type { Change } from "../../../analyzer/domains/drift.ts";
import { verdictMechanisms } from "../../../analyzer/reports/domain-report.ts";
import { parseDomainReport } from "../../../analyzer/reports/stored-report.ts";
import { toUnserved } from "../../../platform/contract/server-state-words.ts";
import type { WorkspaceStore } from "../../../platform/database/scope.ts";
import { messageOf } from "../../../platform/errors.ts";
import type { Server } from "../../../platform/server.ts";
import { faultsOf } from "../../tests/rules/issues.ts";
import { toDomainReportJson } from "../contract/domain-report.ts";
import { listDomainChanges, readLastReport } from "../rows/domains.ts";
import {
  type DomainStanding,
  isPutBack,
  type StandingArea,
  type StandingItem,
  type StandingWords,
  toChangesStanding,
  toRecordsStanding,
  toStanding,
} from "../rules/standing.ts";
import type { DomainsTable } from "../tables.ts";

type ReadStanding = (
  domain: DomainsTable,
  store: WorkspaceStore,
  server: Omit<Server, "store">,
) => Promise<StandingWords | null>;

declare module "../../../platform/server.ts" {
  interface Feature {
    /** What it knows of how a domain stands, by area. Null: nothing to say. */
    readonly standing?: Partial<Readonly<Record<StandingArea, ReadStanding>>>;
  }
}

export async function readStanding(
  domain: DomainsTable,
  store: WorkspaceStore,
  server: Omit<Server, "store">,
): Promise<DomainStanding> {
  const readers = server.features.flatMap(
    ({ standing = {} }) => Object.entries(standing) as [StandingArea, ReadStanding][],
  );
  const read = async ([area, ask]: (typeof readers)[number]): Promise<readonly StandingItem[]> => {
    try {
      const words = await ask(domain, store, server);
      return words === null ? [] : [{ area, ...words }];
    } catch (error) {
      server.system.log.error("an area of a domain's standing couldn't be read", { area, problem: messageOf(error) });
      return [{ area, state: "unknown", says: "It couldn’t be read. See the server’s log.", page: "#standing" }];
    }
  };
  // A later feature is about the area alone, so it knows more of what is equally bad.
  return toStanding((await Promise.all(readers.map(read))).flat().toReversed());
}

const blocklistChecks: readonly string[] = ["domain-blocklist", "sender-blocklist"];

async function readJudged(domain: DomainsTable, { read }: WorkspaceStore) {
  const last = await readLastReport(read, domain.id);
  const report = last && parseDomainReport(last.report);
  const issues = report ? faultsOf(toDomainReportJson(report, checkCatalog)) : [];
  return Map.groupBy(issues, ({ check }) => (blocklistChecks.includes(check) ? "blocklists" : "records"));
}

const weekMs = 7 * 86_400_000;
const mostChanges = 50;

export const domainStanding: Partial<Readonly<Record<StandingArea, ReadStanding>>> = {
  records: async (domain, store) => {
    const judged = await readJudged(domain, store);
    const namesOf = (word: string) =>
      verdictMechanisms.filter((mechanism) => domain[mechanism] === word).map((mechanism) => mechanism.toUpperCase());
    return toRecordsStanding({
      trouble: isPutBack(domain.due_at, domain.checked_at ?? domain.created_at) ? toUnserved("checked") : null,
      isChecked: domain.checked_at !== null,
      issues: judged.get("records") ?? [],
      silent: namesOf("error"),
      passing: namesOf("pass"),
    });
  },

  // Where own addresses aren't watched, or not yet.
  blocklists: async (domain, store) => {
    const [worst] = (await readJudged(domain, store)).get("blocklists") ?? [];
    if (worst === undefined) return null;
    return { state: worst.severity === "minor" ? "warning" : "bad", says: worst.summary, page: "#fix" };
  },

  changes: async (domain, { read }, { system }) => {
    if (domain.checked_at === null) return null;
    const since = system.now() - weekMs;
    const rows = (await listDomainChanges(read, domain.id, { limit: mostChanges })).filter(({ at }) => at > since);
    const told = rows.map((row) => ({ row, changes: JSON.parse(row.changes) as Change[] }));
    const fix = told.findIndex(({ row }) => row.kind === "mended");
    // A fix ends what was worse before it.
    const worse = (fix < 0 ? told : told.slice(0, fix)).find(({ changes }) =>
      changes.some(({ direction }) => direction === "worse"),
    );
    const shown = worse ?? told[0];
    return toChangesStanding({
      isUnstable: domain.unstable === 1,
      isYoung: domain.created_at > since,
      newest: shown ? { isWorse: worse !== undefined, says: shown.changes.map(({ says }) => says) } : null,
    });
  },
};
