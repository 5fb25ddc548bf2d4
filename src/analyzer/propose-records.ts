// Proposes DNS records that fix findings. Each is tried before it is shown: our parsers must accept it, and an SPF
// record must pass for this message's sender with the recorded DNS answers. If a record fails, none is offered and the
// fix describes what to do in words. Those words quote only the offered record.

import { lostTerms, walkTree } from "./checks/authentication/spf-outline.ts";
import { type DnsAnswer, textsOf, toQuestionKey, toQuestionName } from "./dns/answer.ts";
import { createOverlayDns } from "./dns/overlay-dns.ts";
import type { RecordSet } from "./dns/record-sets.ts";
import { isSpfRecord } from "./dns/spf.ts";
import { parseRecord } from "./dns/zone-file.ts";
import { type Proposal, type ProposalBasis, proposeRecords } from "./domains/propose-records.ts";
import { replayAnswers } from "./facts/dns-evidence.ts";
import { checkHelo, checkMailFrom, type SpfClient } from "./facts/spf.ts";
import { maxLookups, maxVoids } from "./facts/spf-check.ts";
import { gatherSpfRecord } from "./facts/spf-record.ts";
import { type ProposedRecord, quoteProposed, toQuoted, withoutQuotedSpf } from "./reports/fix-records.ts";
import type { JudgedFinding, Judgment } from "./reports/judgment.ts";
import { withholdsFixes } from "./reports/suspicion.ts";

/** The message's sender. Null for a domain check or a forwarded message. */
export type Sender = SpfClient & { readonly mailFrom: string };

export async function withRecords(
  judgment: Judgment,
  known: Pick<ProposalBasis, "facts" | "dns">,
  sender: Sender | null,
): Promise<Judgment> {
  const basis: ProposalBasis = { ...known, findings: judgment.findings };
  const trials = new Map<string, Promise<boolean>>();
  const holds = (record: ProposedRecord): Promise<boolean> => {
    if (record.type !== "TXT" || !isSpfRecord(record.value)) return Promise.resolve(true);
    const key = `${record.name} ${record.value}`;
    const trial = trials.get(key) ?? trySpf(record, basis.dns, sender);
    trials.set(key, trial);
    return trial;
  };
  const findings = judgment.findings.map(async (finding) => {
    const isWithheld = finding.fix === null && withholdsFixes(judgment);
    const records = isWithheld ? [] : proposeRecords(finding, basis);
    if (records.length === 0) return finding;
    const verdicts = await Promise.all(records.map(holds));
    return verdicts.every((isRight) => isRight)
      ? withRecordsOf(finding, records)
      : withWords(finding, withoutQuotedSpf);
  });
  return { ...judgment, findings: await Promise.all(findings) };
}

function withRecordsOf(finding: JudgedFinding, proposals: readonly Proposal[]): JudgedFinding {
  const records = proposals.map(({ notes: _, ...record }) => record);
  const notes = proposals.flatMap(({ notes = [] }) => notes);
  const worded = withWords(finding, (fix) => quoteProposed(fix, records, notes));
  const occurrences = worded.occurrences.map((one) => ({
    ...one,
    evidence: { ...one.evidence, ...toProposed(one.evidence, records) },
  }));
  return { ...worded, occurrences, records };
}

/** A check's own correction may cover only its own issue, so the full record replaces it. */
function toProposed(evidence: Readonly<Record<string, unknown>>, records: readonly ProposedRecord[]) {
  const corrections = ["corrected", "suggestion", "merged"].flatMap((key) => {
    const text = evidence[key];
    return typeof text === "string" ? [[key, toQuoted(text, records)] as const] : [];
  });
  return Object.fromEntries(corrections);
}

function withWords(finding: JudgedFinding, change: (fix: string) => string): JudgedFinding {
  const changed = <Worded extends { readonly fix: string | null }>(one: Worded): Worded =>
    one.fix === null ? one : { ...one, fix: change(one.fix) };
  return { ...changed(finding), occurrences: finding.occurrences.map(changed) };
}

/** The records that DNS would have once these are published. Others at the same names stay. */
export function toChanges(records: readonly ProposedRecord[], dns: readonly DnsAnswer[]): RecordSet[] {
  const sets = new Map<string, RecordSet>();
  for (const { name: written, type, value, replaces } of records) {
    const parsed = parseRecord(type, value);
    const name = toQuestionName(written);
    if (!parsed.ok || name === null) continue;
    const key = toQuestionKey(name, type);
    const there =
      sets.get(key)?.records ??
      dns.filter((one) => toQuestionKey(one.name, one.type) === key).flatMap(({ records }) => records);
    const others = there.filter(
      (one) => !textsOf({ records: [one] }).some((text) => isReplaced(text, value, replaces)),
    );
    sets.set(key, { name, type, records: [parsed.record, ...others] });
  }
  return [...sets.values()];
}

/** A name has one record of each of these kinds. */
const kindOf = (text: string) => /^v=(?:spf1|DMARC1|STSv1|TLSRPTv1)/i.exec(text)?.[0].toLowerCase() ?? text;

function isReplaced(text: string, value: string, replaces: readonly string[]): boolean {
  return replaces.includes(text) || kindOf(text) === kindOf(value);
}

async function trySpf(record: ProposedRecord, dns: readonly DnsAnswer[], sender: Sender | null): Promise<boolean> {
  const { name } = record;
  const sets = toChanges([record], dns);
  const imagined = createOverlayDns({ base: replayAnswers(dns), recorded: dns, sets, at: 0 });
  const fact = await gatherSpfRecord(name, imagined);
  if (!fact.known) return false;
  const tree = fact.value;
  const isSound =
    tree.isWhole &&
    tree.lookups <= maxLookups &&
    tree.voids.length <= maxVoids &&
    tree.mxOverLimit.length === 0 &&
    tree.passesAnyone === null &&
    tree.terms.every(({ problem }) => problem === null) &&
    lostTerms(tree).size === 0 &&
    walkTree(tree).every(({ node }) => node.recordCount.known && node.recordCount.value === 1);
  if (!isSound || sender === null) return isSound;
  return passes(sender, name, imagined);
}

/** The SPF record may belong to the HELO name. */
async function passes(sender: Sender, name: string, dns: Parameters<typeof checkMailFrom>[1]): Promise<boolean> {
  const byMailFrom = await checkMailFrom(sender, dns);
  const isOfHelo = byMailFrom.domain !== name.toLowerCase();
  const { result } = isOfHelo ? await checkHelo(sender, dns) : byMailFrom;
  return result === "pass";
}
