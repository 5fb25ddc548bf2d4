// May this address send for this domain? With the term that decides and the record's tree. Needs no server and no database.

import type { SpfNode, SpfRecord, SpfResult } from "../checks/authentication-facts.ts";
import type { Fact } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { Refusal } from "../errors.ts";
import { toVisible } from "../visible-text.ts";
import { type Arguments, answer, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import { readClientAddress, readZone, toPath, zoneOption } from "./input-files.ts";
import { loadConfig } from "./settings.ts";
import { toTable } from "./table.ts";

export const spf: Command = {
  name: "spf",
  summary: "Say whether an address may send for a domain, by which term, and what the record costs.",
  usage: "spf --ip <address> [--helo <name>] [--mail-from <address>] [--dns <zone.txt>] [--json]",
  example: "assay spf --ip 192.0.2.10 --mail-from bounce@example.com",
  positionals: { min: 0, max: 0 },
  options: {
    ip: { value: "address", doc: "Address that sends." },
    helo: { value: "name", doc: "Name that it greets with; checked too, and alone without --mail-from." },
    "mail-from": { value: "address", doc: "Envelope sender; <> is the null reverse-path." },
    dns: zoneOption,
  },
  details: () => "Exit status: 0 fine, whatever the verdict; 2 wrong use; 3 temperror, DNS did not answer.",
  run: checkSpf,
};

export type SpfAnswer = {
  readonly address: string;
  readonly verdict: SpfResult;
  /** Of the HELO name, where the verdict is on the envelope sender. */
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
  const { createSystem } = await import("../system/real.ts");
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
  const [{ checkHelo, checkMailFrom }, { gatherSpfRecord }, { recordAnswers, withinBudget }] =
    await Promise.all([
      import("../facts/spf.ts"),
      import("../facts/spf-record.ts"),
      import("../system/dns-evidence.ts"),
    ]);
  const receivedAt = now();
  const budget = { maxQuestions, deadlineAt: receivedAt + budgetMs, now };
  const recording = recordAnswers(withinBudget(dns, budget));
  // RFC 7208 §7.3: the word where the checking host has no name.
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
  if (address === null) throw new Refusal("invalid_request", "Say with --ip which address sends.");
  const path = toPath(args.option("mail-from") ?? "");
  if (path === "" && !helo)
    throw new Refusal("invalid_request", "Say for whom it sends: --mail-from, --helo, or both.");
  return { address, helo, mailFrom: path };
}

// An SPF check for a person: the verdict, what decided it, and the record as the tree that it is.

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
      return `${domain} says that ${address} may not send for it.`;
    case "softfail":
      return `${domain} says that ${address} should not send for it.`;
    case "neutral":
      return `${domain} says nothing about ${address}.`;
    default:
      return problem ?? "";
  }
}

function toRows(verdict: SpfResult, helo: SpfResult | null, record: SpfRecord | null): string[][] {
  const { domain, identity, matchedTerm, matchedIn, lookups, voids, explanation } = verdict;
  const whole = record?.tree ? `; the whole record needs ${toCount(record)}` : "";
  return [
    ["Checked", `${domain ?? "(no domain)"} (${identity === "helo" ? "HELO" : "MAIL FROM"})`],
    ...(matchedTerm === null ? [] : [["Decided by", `${matchedTerm}, in the record of ${matchedIn}`]]),
    ...(record?.tree ? [["Look-ups", `${lookups} of 10${whole}; ${voids} of 2 found nothing`]] : []),
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

/** Each record below the term that leads to it, and what that term costs with all below it. */
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
    ...node.children.flatMap((child, index) =>
      toTree(child, verdict, index === node.children.length - 1, below),
    ),
  ];
}

function toCost(lookups: number): string {
  return lookups === 1 ? "1 look-up" : `${lookups} look-ups`;
}

function toBody({ record, recordCount, exists, isLoop, terms, domain }: SpfNode): string[] {
  if (isLoop) return ["(leads back to a record above)"];
  if (!recordCount.known) return [`(DNS did not answer: ${recordCount.why})`];
  if (record === null)
    return [exists ? `(${recordCount.value || "no"} SPF records)` : `(${domain} does not exist)`];
  return [record, ...terms.flatMap(({ problem }) => (problem === null ? [] : [`✗ ${problem}`]))];
}

function toNotes(record: SpfRecord): string[] {
  const { domain, nearMisses, voids, mxOverLimit, passesAnyone, lookups, isWhole } = record;
  return [
    ...nearMisses.map((text) => `Not seen as SPF at ${domain}: ${text}`),
    ...(lookups > 10
      ? ["The whole record needs more than 10 look-ups: addresses behind the tenth get a permerror."]
      : []),
    ...voids.map((found) => `${found.term} in the record of ${found.domain} finds nothing at ${found.name}.`),
    ...mxOverLimit.map(
      (found) => `${found.term} in the record of ${found.domain} leads to ${found.hosts} hosts; 10 may be.`,
    ),
    ...(passesAnyone === null ? [] : [`Anybody passes, because of ${passesAnyone}.`]),
    ...(isWhole ? [] : ["A part of the record could not be read."]),
  ];
}
