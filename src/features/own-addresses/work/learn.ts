// Learns what to look up from what is known of monitored domains: their names, their SPF records, their received tests, and
// DMARC reports.

import { isSendingAddress, toPlainAddress } from "../../../analyzer/addresses.ts";
import { findByDomain } from "../../../analyzer/checks/esp.ts";
import { findMx } from "../../../analyzer/checks/infrastructure/mail-domain.ts";
import { parseWatch } from "../../../analyzer/domains/watch.ts";
import { isJsonObject } from "../../../analyzer/json.ts";
import { toRegistrableDomain } from "../../../analyzer/mail/headers/registrable-domain.ts";
import { parseDomainReport } from "../../../analyzer/reports/stored-report.ts";
import { rented } from "../../../analyzer/senders/name-sender.ts";
import type { Db } from "../../../platform/database/schema.ts";
import { inWorkspace, type Scope } from "../../../platform/database/scope.ts";
import { createId } from "../../../platform/ids.ts";
import type { Server } from "../../../platform/server.ts";
import type { Chore } from "../../../platform/work/chores.ts";
import { readLastReport } from "../../domains/rows/domains.ts";
import { listSenders } from "../../domains/rows/seen-senders.ts";
import { isNameWithin } from "../../feedback/rows/report-sources.ts";
import { trustedReporters } from "../../feedback/rules/coach-reporters.ts";
import { type FoundAddress, listNames, mostAddresses, noteAddress, removeOld } from "../rows.ts";
import type { Origin } from "../rules/lists.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const domainsAtOnce = 200;
/** For each domain and origin, those with the most mail. */
const mostOfDomain = 100;
/** A larger network is a provider's, and not all of it is ours. */
const mostOfNetwork = 8;

type LearnTerms = Pick<Server, "senderTable" | "findSenderFacts">;

export function createLearnChore({ store, system, ...naming }: Pick<Server, "store" | "system"> & LearnTerms): Chore {
  return {
    id: "learn own addresses",
    everyMs: hourMs,
    run: async (stopping, serve) => {
      const now = system.now();
      for (let after = ""; ; ) {
        stopping.throwIfAborted();
        const domains = await listDomains(store.readInWorker, after);
        for (const { id, workspace_id: workspaceId, domain } of domains)
          await serve(id, async () => {
            const found = await findAddresses(
              inWorkspace(store.readInWorker, workspaceId),
              { id, domain, now },
              naming,
            );
            const names = await listNames(inWorkspace(store.readInWorker, workspaceId));
            const known = new Map(names.map((row) => [row.value, row]));
            const left = mostAddresses - names.filter(({ ignored }) => ignored === 0).length;
            const isDue = ({ value }: FoundAddress) => (known.get(value)?.seen_at ?? 0) <= now - dayMs;
            const isNew = ({ value }: FoundAddress) => !known.has(value);
            const added = found.filter(isNew).slice(0, Math.max(0, left));
            const noted = [...added, ...found.filter((each) => !isNew(each) && isDue(each))];
            if (noted.length === 0) return;
            await store.write(async (db) => {
              for (const each of noted) {
                const row = { ...each, id: createId("ownAddress", now, system.random(16)) };
                await noteAddress(inWorkspace(db, workspaceId), row, now);
              }
            });
          });
        after = domains.at(-1)?.id ?? "";
        if (domains.length < domainsAtOnce) break;
      }
      await store.write((db) => removeOld(db, now));
    },
  };
}

async function listDomains(db: Db, after: string) {
  const domains = db.selectFrom("domains").select(["id", "workspace_id", "domain"]).where("id", ">", after);
  return await domains.orderBy("id").limit(domainsAtOnce).execute();
}

type Asked = { readonly id: string; readonly domain: string; readonly now: number };

/** What a domain sends from. The origin that is surest comes first. */
export async function findAddresses(scope: Scope, asked: Asked, naming: LearnTerms): Promise<readonly FoundAddress[]> {
  const found: FoundAddress[] = [
    { value: asked.domain, kind: "domain", origin: "domain" },
    ...(await listOfSpf(scope, asked)).flatMap((address) => toFound(address, "spf")),
    ...(await listOfTests(scope, asked)).flatMap((address) => toFound(address, "tests")),
    ...(await listOfReports(scope, asked)).flatMap((address) => toFound(address, "reports")),
  ];
  const all = [...new Map(found.toReversed().map((each) => [each.value, each])).values()].toReversed();
  return await withoutShared(all, naming);
}

/** The customers of a service share its addresses, and only the service can get one off a list. */
async function withoutShared(
  found: readonly FoundAddress[],
  { senderTable, findSenderFacts }: LearnTerms,
): Promise<readonly FoundAddress[]> {
  const isSeen = ({ origin }: FoundAddress) => origin === "tests" || origin === "reports";
  const facts = await findSenderFacts(found.filter(isSeen).map(({ value }) => value));
  return found.filter(({ value }) => {
    const { host = null } = facts.get(value) ?? {};
    const known = host === null ? null : findByDomain(host, senderTable);
    return known === null || rented.has(known.kind);
  });
}

function toFound(address: string, origin: Origin): readonly FoundAddress[] {
  const value = toPlainAddress(address);
  if (value === undefined || !isSendingAddress(value)) return [];
  return [{ value, kind: value.includes(":") ? "ipv6" : "ipv4", origin }];
}

async function listOfSpf(scope: Scope, { id, domain }: Asked): Promise<readonly string[]> {
  const last = await readLastReport(scope, id);
  const meaning = last && parseWatch(last.watch)?.baseline.spf?.meaning;
  if (!isJsonObject(meaning) || !Array.isArray(meaning.terms)) return [];
  const first = new Map<string, string>();
  for (const term of meaning.terms.filter((each) => typeof each === "string"))
    for (const address of listOfTerm(term)) if (!first.has(address)) first.set(address, term);
  const passing = [...first].filter(([, term]) => term.startsWith("+"));
  const ofMx = last && meaning.terms.includes("+mx") ? listOfMx(last.report, domain) : [];
  return [...passing.map(([address]) => address), ...ofMx].slice(0, mostOfDomain);
}

/** Hosts in another domain are a provider's. */
function listOfMx(report: string, domain: string): readonly string[] {
  const rows = parseDomainReport(report)?.facts.mx;
  const mx = rows?.known ? findMx(rows.value, domain) : undefined;
  if (!mx?.known) return [];
  const own = mx.value.hosts.filter(({ name }) => toRegistrableDomain(name) === toRegistrableDomain(domain));
  return own.flatMap(({ addresses }) => (addresses.known ? addresses.value : []));
}

/** `term`: as analyzer/domains/spf-meaning.ts writes it. */
function listOfTerm(term: string): readonly string[] {
  const v4 = /^[-+~?]ip4:([\d.]+)\/(\d+)$/.exec(term);
  if (v4) {
    const size = 2 ** (32 - Number(v4[2]));
    const first = (v4[1] ?? "").split(".").reduce((number, part) => number * 256 + Number(part), 0);
    const toText = (number: number) => [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join(".");
    return size > mostOfNetwork ? [] : Array.from({ length: size }, (_, index) => toText(first + index));
  }
  const v6 = /^[-+~?]ip6:([\da-f]{32})\/128$/.exec(term);
  return v6 ? [(v6[1]?.match(/.{4}/g) ?? []).join(":")] : [];
}

/** Only authenticated mail is in there. */
async function listOfTests(scope: Scope, { domain, now }: Asked): Promise<readonly string[]> {
  const seen = (await listSenders(scope, domain, now)).filter(({ kind, isWatched }) => kind === "address" && isWatched);
  return seen.slice(0, mostOfDomain).map(({ value }) => value);
}

const reportedWithinMs = 7 * dayMs;

/** Those that passed SPF for the domain. DKIM alone passes at forwarders too, and others could report any address. */
async function listOfReports(scope: Scope, { domain, now }: Asked): Promise<readonly string[]> {
  const rows = await scope
    .selectFrom("mail_reports")
    .innerJoin("report_sources", "report_sources.report_id", "mail_reports.id")
    .where("mail_reports.registrable_domain", "=", toRegistrableDomain(domain))
    .where("mail_reports.day", ">=", now - reportedWithinMs)
    .where("mail_reports.sender_authenticated", "=", 1)
    .where("mail_reports.sender_domain", "in", [...trustedReporters])
    .where("spf_aligned", "=", 1)
    .where("source_ip", "is not", null)
    .where(isNameWithin("report_sources.header_from", domain))
    .select(["source_ip", ({ fn }) => fn.sum<number>("messages").as("messages")])
    .groupBy("source_ip")
    .orderBy("messages", "desc")
    .orderBy("source_ip")
    .limit(mostOfDomain)
    .execute();
  return rows.flatMap(({ source_ip }) => source_ip ?? []);
}
