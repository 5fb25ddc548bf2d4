// A domain's SPF record and its lookup cost, as a fact about the domain that is the same for every client.

import { joinRecords, toMeantRecord, toTerms } from "../checks/authentication/spf-correction.ts";
import type { SpfNode, SpfRecord } from "../checks/authentication-facts.ts";
import { type Fact, known, unknown, whyUnknown } from "../checks/fact.ts";
import { type Dns, type DnsAnswer, textsOf } from "../dns/answer.ts";
import { isNearMiss, isSpfRecord, type ParsedTerm, type SpfTerm } from "../dns/spf.ts";
import { toRegistrableDomain } from "../mail/headers/registrable-domain.ts";
import { toStorableCut } from "../mail/text/bounds.ts";
import { isAskable, maxNames } from "./spf-client.ts";
import {
  countLookups,
  findOpenTerm,
  liveTerms,
  readSpfTree,
  type SpfBranch,
  type SpfTree,
  toStaticName,
} from "./spf-tree.ts";

/** A working record leads to at most 10 others. A longer one is broken anyway. */
const maxBranches = 40;
/** Together with the branches. A message has 100 queries in all. */
const maxQuestions = 60;
/** How many domains are checked for registration. More than two vanished providers are rare. */
const maxRegistrable = 5;
/** What is kept of a stranger's record. A TXT answer can have 64 KB of them. */
const maxTerms = 150;
const maxTermText = 200;
const maxRecords = 20;
const maxText = 4_000;

/** Unknown if DNS does not answer for the domain itself. A missing answer further down makes the record incomplete. */
export async function gatherSpfRecord(domain: string, dns: Dns): Promise<Fact<SpfRecord>> {
  const tree = await readSpfTree(domain, dns, maxBranches);
  const { top } = tree;
  const why = top.answer === null ? undefined : whyUnknown(top.answer);
  if (why !== undefined) return unknown(why);
  const [hosts, free, merged] = await Promise.all([
    gatherHosts(tree, dns),
    gatherFree(tree, dns),
    gatherMerged(tree, dns),
  ]);
  const node = top.records.length === 1 ? toNode(top, free) : null;
  const texts = top.answer === null ? [] : textsOf(top.answer);
  const voids = new Set(hosts.voids.map(({ question }) => question.term));
  const open = findOpenTerm(top, "IPv4", voids) ?? findOpenTerm(top, "IPv6", voids);
  return known({
    domain: keep(domain),
    records: top.records.slice(0, maxRecords).map(keep),
    nearMisses: texts.filter(isNearMiss).slice(0, maxRecords).map(keep),
    strings: node === null ? [] : readStrings(top).slice(0, maxRecords).map(keep),
    terms: node?.terms ?? [],
    tree: node,
    merged,
    lookups: node?.lookups ?? 0,
    voids: hosts.voids.map(({ question }) => toEvidence(question)),
    mxOverLimit: hosts.answered
      .filter(({ question, answer }) => question.term.name === "mx" && answer.records.length > maxNames)
      .map(({ question: { term, domain }, answer }) => ({
        term: keep(term.text),
        domain: keep(domain),
        hosts: answer.records.length,
      })),
    bytes: countBytes(domain, top.answer),
    senderId: texts.some((text) => /^spf2\.0\//i.test(text)),
    passesAnyone: open && keep(open.text),
    isWhole: tree.isWhole && hosts.isWhole,
  });
}

/**
 * Several records are invalid, and so are bad terms and terms after `all`. The tree of a corrected record decides what
 * the correction may contain.
 */
async function gatherMerged({ top }: SpfTree, dns: Dns): Promise<SpfNode | null> {
  const { answer, domain, records } = top;
  if (answer === null || records.length > maxRecords) return null;
  const [only = ""] = records;
  const written = records.length > 1 ? joinRecords(records) : only;
  const meant = toMeantRecord(written);
  if (records.length < 2 && meant === ["v=spf1", ...toTerms(only)].join(" ")) return null;
  const record = { type: "TXT" as const, parts: [meant] };
  const merged: Dns = {
    query: async (name, type) =>
      name === domain && type === "TXT" ? { ...answer, records: [record] } : dns.query(name, type),
  };
  const tree = await readSpfTree(domain, merged, maxBranches);
  // Looks up the hosts, so that the answers are available when the corrected record is tried.
  const [free] = await Promise.all([gatherFree(tree, dns), gatherHosts(tree, dns)]);
  return toNode(tree.top, free);
}

/** The name that an `a`, `mx` or `exists` looks up. */
type HostQuestion = { readonly term: ParsedTerm; readonly domain: string; readonly name: string };
type HostAnswer = { readonly question: HostQuestion; readonly answer: DnsAnswer };

async function gatherHosts({ top, branches, isWhole }: SpfTree, dns: Dns) {
  const questions = branches.flatMap((branch) => toQuestions(branch, top.domain));
  // Two each, because a host without an address of one family is looked up for the other.
  const asked = questions.slice(0, Math.floor((maxQuestions - branches.length) / 2));
  const found = await Promise.all(asked.map(async (question) => ({ question, answer: await askHost(question, dns) })));
  const answered: readonly HostAnswer[] = found.filter(({ answer }) => whyUnknown(answer) === undefined);
  return {
    answered,
    voids: answered.filter(({ answer }) => answer.records.length === 0),
    isWhole: isWhole && answered.length === questions.length,
  };
}

function toQuestions({ domain, terms }: SpfBranch, sender: string): readonly HostQuestion[] {
  return liveTerms(terms).flatMap((term) => {
    if (term.problem !== null || !/^(?:a|mx|exists)$/.test(term.name)) return [];
    const name = toStaticName(term, domain, sender);
    return name === null || !isAskable(name) ? [] : { term, domain, name };
  });
}

/** A host exists if it has an address of either family. Which one counts depends on the client. */
async function askHost({ term, name }: HostQuestion, dns: Dns): Promise<DnsAnswer> {
  const answer = await dns.query(name, term.name === "mx" ? "MX" : "A");
  const isVoid = whyUnknown(answer) === undefined && answer.records.length === 0;
  return term.name === "a" && isVoid ? dns.query(name, "AAAA") : answer;
}

/** Whether names that do not exist can be registered. */
async function gatherFree({ branches }: SpfTree, dns: Dns): Promise<ReadonlyMap<SpfBranch, Fact<boolean>>> {
  const gone = branches.filter(({ answer }) => answer?.status === "nxdomain");
  const byDomain = Map.groupBy(gone, ({ domain }) => toRegistrableDomain(domain.toLowerCase()));
  const judged = [...byDomain].map(async ([domain, those], index) => {
    const isAsked = index < maxRegistrable;
    const fact = isAsked ? await isFree(domain, those, dns) : unknown("budget");
    return those.map((branch) => [branch, fact] as const);
  });
  return new Map((await Promise.all(judged)).flat());
}

async function isFree(domain: string, gone: readonly SpfBranch[], dns: Dns): Promise<Fact<boolean>> {
  if (gone.some((branch) => branch.domain.toLowerCase() === domain)) return known(true);
  const answer = await dns.query(domain, "SOA");
  const why = whyUnknown(answer);
  return why === undefined ? known(answer.status === "nxdomain") : unknown(why);
}

function toEvidence({ term, domain, name }: HostQuestion) {
  return { term: keep(term.text), domain: keep(domain), name: keep(name) };
}

function toNode(branch: SpfBranch, free: ReadonlyMap<SpfBranch, Fact<boolean>>): SpfNode {
  const { domain, via, answer, records, isLoop, terms, children } = branch;
  const why = answer === null ? undefined : whyUnknown(answer);
  return {
    domain: keep(domain),
    via: via && keep(via.text),
    record: records.length === 1 ? keep(records[0] ?? "") : null,
    recordCount: why === undefined ? known(isLoop ? 1 : records.length) : unknown(why),
    exists: isLoop || (answer !== null && answer.status !== "nxdomain"),
    isFree: free.get(branch) ?? known(false),
    isLoop,
    terms: terms.slice(0, maxTerms).map(toTerm),
    lookups: countLookups(branch),
    children: children.map((child) => toNode(child, free)),
  };
}

function toTerm({ target: _target, network: _network, ...term }: ParsedTerm): SpfTerm {
  return {
    ...term,
    text: toStorableCut(term.text, maxTermText),
    name: toStorableCut(term.name, maxTermText),
    value: term.value === null ? null : toStorableCut(term.value, maxTermText),
  };
}

function readStrings({ answer }: SpfBranch): readonly string[] {
  const texts = answer?.records.flatMap((record) => (record.type === "TXT" ? [record.parts] : [])) ?? [];
  return texts.find((parts) => isSpfRecord(parts.join(""))) ?? [];
}

/**
 * The size of the whole packet without extensions, to which the limit of 512 bytes applies (RFC 1035 §4.1, RFC 7208
 * §3.4).
 */
function countBytes(domain: string, answer: DnsAnswer | null): number {
  const texts = answer?.records.flatMap((record) => (record.type === "TXT" ? [record.parts] : [])) ?? [];
  const headerAndQuestion = 12 + domain.length + 2 + 4;
  return texts.reduce(
    (sum, parts) => parts.reduce((bytes, part) => bytes + 1 + part.length, sum + 12),
    headerAndQuestion,
  );
}

function keep(text: string): string {
  return toStorableCut(text, maxText);
}
