// May this address send for this domain? With the term that decides and the record's tree. Needs no server and no database.

import type { SpfRecord, SpfResult } from "../checks/authentication-facts.ts";
import type { Fact } from "../checks/fact.ts";
import type { Dns } from "../dns/answer.ts";
import { Refusal } from "../errors.ts";
import { readClientAddress, toPath } from "./claims.ts";
import { type Arguments, answer, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import { readZone, zoneOption } from "./input-files.ts";
import { loadConfig } from "./settings.ts";
import { toSpfText } from "./spf-text.ts";

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
