// Whether an address may send for a domain, with the deciding term and the tree of the record. Needs no server or database.

import type { SpfNode, SpfRecord, SpfResult } from "../../../analyzer/checks/authentication-facts.ts";
import type { Fact } from "../../../analyzer/checks/fact.ts";
import type { Dns } from "../../../analyzer/dns/answer.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import {
  type Arguments,
  answer,
  type Command,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "../../../platform/cli/command.ts";
import { readClientAddress, readZone, toPath, zoneOption } from "../../../platform/cli/input-files.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toTable } from "../../../platform/table.ts";

export const spf: Command = {
  group: "test",
  name: "spf",
  summary: "Check whether an IP address may send for a domain (SPF).",
  usage: "spf --ip <address> [options]",
  example: "assay spf --ip 192.0.2.10 --mail-from bounce@example.com",
  options: {
    ip: { value: "address", doc: "Sending IP address." },
    helo: { value: "name", doc: "Host name in HELO. Checked in addition to --mail-from, or instead of it." },
    "mail-from": { value: "address", doc: "Envelope sender. <> is the null sender." },
    dns: zoneOption,
  },
  details: () =>
    `Shows which term decides, and the record's DNS lookups.\n\n${toExitCodeHelp({
      0: "OK, whatever the result",
      2: "usage error",
      3: "temperror: a DNS lookup failed",
    })}`,
  run: checkSpf,
};

export type SpfAnswer = {
  readonly address: string;
  readonly verdict: SpfResult;
  /** Result for the HELO name, if the verdict is for the envelope sender. */
  readonly helo: SpfResult | null;
  readonly record: Fact<SpfRecord> | null;
};

/** RFC 7208 §4.6.4: at least 20 seconds should be allowed. */
const budgetMs = 20_000;
const maxQuestions = 200;

async function checkSpf(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const client = toClient(args);
  const config = await loadConfig(args, terminal);
  const zoneFile = args.option("dns");
  const zone = zoneFile === undefined ? null : await readZone(zoneFile);
  const { createSystem } = await import("../../../platform/system/real.ts");
  const system = createSystem(config, { write: terminal.err, format: "text", level: "warn" });
  try {
    const found = await gatherAnswer(client, zone ?? system.dns, system.now);
    const { verdict, helo, record } = found;
    const json = { ...verdict, helo, spfRecord: record?.known ? record.value : null };
    answer(args, terminal, json, () => toSpfText(found));
    return verdict.result === "temperror" ? exitCodes.notWhollyChecked : exitCodes.fine;
  } finally {
    await system.close();
  }
}

type Client = { readonly address: string; readonly helo: string | null; readonly mailFrom: string };

async function gatherAnswer(client: Client, dns: Dns, now: () => number): Promise<SpfAnswer> {
  const [{ checkHelo, checkMailFrom }, { gatherSpfRecord }, { recordAnswers, withinBudget }] = await Promise.all([
    import("../../../analyzer/facts/spf.ts"),
    import("../../../analyzer/facts/spf-record.ts"),
    import("../../../analyzer/facts/dns-evidence.ts"),
  ]);
  const receivedAt = now();
  const budget = { maxQuestions, deadlineAt: receivedAt + budgetMs, now };
  const recording = recordAnswers(withinBudget(dns, budget));
  // RFC 7208 §7.3: the word for a checking host without a name.
  const question = { ...client, receiver: "unknown", now: receivedAt };
  const isBoth = client.mailFrom !== "" && client.helo !== null;
  const [verdict, helo] = await Promise.all([
    checkMailFrom(question, recording.dns),
    isBoth ? checkHelo(question, recording.dns) : null,
  ]);
  const record = verdict.domain === null ? null : await gatherSpfRecord(verdict.domain, recording.dns);
  return { address: client.address, verdict, helo, record };
}

function toClient(args: Arguments): Client {
  const address = readClientAddress(args);
  const helo = args.option("helo") ?? null;
  if (address === null) throw new Refusal("invalid_request", "Missing option: --ip <address>, the sending IP address.");
  const path = toPath(args.option("mail-from") ?? "");
  if (path === "" && !helo) throw new Refusal("invalid_request", "Missing option: --mail-from, --helo, or both.");
  return { address, helo, mailFrom: path };
}

// An SPF check as text: the result, the deciding term, and the record as a tree.

function toSpfText({ address, verdict, helo, record }: SpfAnswer): string {
  const published = record?.known ? record.value : null;
  const parts = [
    `SPF ${verdict.result}: ${toVisible(toSentence(address, verdict))}`,
    toTable(toRows(verdict, helo, published)),
    ...(published?.tree ? [toTree(published.tree, verdict).join("\n")] : []),
    ...(published === null ? [] : [toNotes(published).map(toVisible).join("\n")]),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function toSentence(address: string, { result, domain, problem }: SpfResult): string {
  switch (result) {
    case "pass":
      return `${address} may send for ${domain}.`;
    case "fail":
      return `${domain} does not allow ${address} to send for it.`;
    case "softfail":
      return `${address} is probably not allowed to send for ${domain}.`;
    case "neutral":
      return `${domain} neither allows nor disallows ${address}.`;
    default:
      return problem ?? "";
  }
}

function toRows(verdict: SpfResult, helo: SpfResult | null, record: SpfRecord | null): string[][] {
  const { domain, identity, matchedTerm, matchedIn, lookups, voids, explanation } = verdict;
  const whole = record?.tree ? ` (whole record: ${toCount(record)})` : "";
  return [
    ["Checked", `${domain ?? "(no domain)"} (${identity === "helo" ? "HELO" : "MAIL FROM"})`],
    ...(matchedTerm === null ? [] : [["Decided by", `${matchedTerm}, in the record for ${matchedIn}`]]),
    ...(record?.tree ? [["DNS lookups", `${lookups} of 10${whole}, ${voids} of 2 void`]] : []),
    ...(explanation === null ? [] : [["Explanation", explanation]]),
    ...(helo === null ? [] : [["HELO", toHelo(helo)]]),
  ];
}

function toHelo({ result, domain, matchedTerm, problem }: SpfResult): string {
  const reason = matchedTerm === null ? problem : `by ${matchedTerm}`;
  return `${result}${domain === null ? "" : ` for ${domain}`}${reason === null ? "" : `: ${reason}`}`;
}

function toCount({ lookups, isWhole }: SpfRecord): string {
  return isWhole ? String(lookups) : `at least ${lookups}`;
}

/** Each record is below the term that includes it. A term counts its own lookup and all below it. */
function toTree(node: SpfNode, verdict: SpfResult, isLast = true, indent = ""): string[] {
  const isTop = node.via === null;
  const cost = node.lookups + (isTop ? 0 : 1);
  const below = isTop ? "" : `${indent}${isLast ? "   " : "│  "}`;
  const stem = node.children.length > 0 ? "│ " : "  ";
  const decides = verdict.matchedIn?.toLowerCase() === node.domain.toLowerCase() ? "  ← decides" : "";
  const heading = `${toVisible(node.via ?? node.domain)}  ${toCost(cost)}${decides}`;
  return [
    isTop ? heading : `${indent}${isLast ? "└─ " : "├─ "}${heading}`,
    ...toBody(node).map((line) => `${below}${stem}${toVisible(line)}`),
    ...node.children.flatMap((child, index) => toTree(child, verdict, index === node.children.length - 1, below)),
  ];
}

function toCost(lookups: number): string {
  return lookups === 1 ? "1 lookup" : `${lookups} lookups`;
}

function toBody({ record, recordCount, exists, isLoop, terms, domain }: SpfNode): string[] {
  if (isLoop) return ["(loop: this record is included above)"];
  if (!recordCount.known) return [`(DNS lookup failed: ${recordCount.why})`];
  if (record === null) return [exists ? `(${recordCount.value || "no"} SPF records)` : `(${domain} does not exist)`];
  return [record, ...terms.flatMap(({ problem }) => (problem === null ? [] : [`✗ ${problem}`]))];
}

function toNotes(record: SpfRecord): string[] {
  const { domain, nearMisses, voids, mxOverLimit, passesAnyone, lookups, isWhole } = record;
  return [
    ...nearMisses.map((text) => `Not a valid SPF record at ${domain}: ${text}`),
    ...(lookups > 10
      ? ["The whole record needs more than 10 lookups. Addresses after the tenth lookup get permerror."]
      : []),
    ...voids.map((found) => `${found.term} in the record for ${found.domain} finds no records at ${found.name}.`),
    ...mxOverLimit.map(
      (found) => `${found.term} in the record for ${found.domain} lists ${found.hosts} hosts. The limit is 10.`,
    ),
    ...(passesAnyone === null ? [] : [`Any address passes because of ${passesAnyone}.`]),
    ...(isWhole ? [] : ["Part of the record could not be read."]),
  ];
}
