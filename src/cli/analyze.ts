// A message from a file or standard input → its verdicts. Needs no server and no database.

import { readFile } from "node:fs/promises";
import { toPlainAddress } from "../addresses.ts";
import type { Dns } from "../dns/answer.ts";
import { Refusal } from "../errors.ts";
import { claimedSession, type SmtpSession } from "../mail/session.ts";
import type { Authentication, Report } from "../reports/report.ts";
import { type Arguments, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import { loadConfig } from "./settings.ts";
import { toTable } from "./table.ts";

export const analyze: Command = {
  name: "analyze",
  summary: "Say what SPF, DKIM and DMARC make of a message in a file.",
  usage:
    "analyze <file.eml|-> [--ip <address>] [--helo <name>] [--mail-from <address>] [--dns <zone.txt>] [--json]",
  example:
    "assay analyze newsletter.eml --ip 192.0.2.10 --helo mail.example.com --mail-from bounce@example.com",
  positionals: { min: 1, max: 1 },
  options: {
    ip: { value: "address", doc: "Address that the message was sent from; without it SPF is not checked." },
    helo: { value: "name", doc: "Name that the client greeted with." },
    "mail-from": { value: "address", doc: "Envelope sender; left out, the null reverse-path." },
    dns: {
      value: "zone.txt",
      doc: "Answer DNS from this zone file, to try records before they are published.",
    },
  },
  details: () =>
    "Exit status: 0 fine, 2 wrong use, 3 authentication not wholly checked (DNS did not answer, or --ip is missing).",
  run: analyzeFile,
};

async function analyzeFile(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const config = await loadConfig(args, terminal);
  const raw = await readInput(args.positionals[0] ?? "-", terminal);
  const [{ createSystem }, { analyzeMessage }] = await Promise.all([
    import("../system/real.ts"),
    import("../tasks/analyze-message.ts"),
  ]);
  const system = createSystem(config, { write: terminal.err, format: "text", level: "warn" });
  const zoneFile = args.option("dns");
  const dns = zoneFile === undefined ? system.dns : await readZone(zoneFile);
  const input = { raw, session: toSession(args), receiver: "assay", budgetMs: config.analysisBudgetMs };
  const report = await analyzeMessage(input, { dns, now: system.now });
  await system.close();
  terminal.out(args.flag("json") ? `${JSON.stringify(report)}\n` : toText(report));
  return isWhollyChecked(report) ? exitCodes.fine : exitCodes.notWhollyChecked;
}

async function readInput(path: string, terminal: Terminal): Promise<Uint8Array> {
  return path === "-" ? terminal.readInput() : readInputFile(path);
}

async function readInputFile(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Refusal("invalid_request", `${JSON.stringify(path)} cannot be read (${code}).`);
  }
}

async function readZone(path: string): Promise<Dns> {
  const { createZoneDns } = await import("../system/zone.ts");
  const { parseZone } = await import("../system/zone-file.ts");
  const zone = parseZone(Buffer.from(await readInputFile(path)).toString("utf8"));
  if (!zone.ok) throw new Refusal("invalid_request", `${path}, line ${zone.line}: ${zone.problem}`);
  return createZoneDns(zone.zone);
}

function toSession(args: Arguments): SmtpSession {
  const ip = args.option("ip") ?? null;
  if (ip !== null && toPlainAddress(ip) === undefined)
    throw new Refusal("invalid_request", "--ip takes an IPv4 or IPv6 address.");
  return claimedSession({
    clientAddress: ip,
    helo: args.option("helo") ?? null,
    mailFrom: args.option("mail-from") ?? "",
    rcptTo: [],
  });
}

function toText({ subject, from, authentication }: Report): string {
  const head = [
    ["From", from ?? "(none)"],
    ["Subject", subject ?? "(none)"],
  ];
  const rows = authentication.known
    ? toRows(authentication.value)
    : [["Authentication", "unknown", authentication.why]];
  return `${toTable([...head, ...rows])}\n`;
}

function toRows({ spf, dkim, dmarc }: Authentication): string[][] {
  const spfRow =
    spf === null ? ["SPF", "unknown", "give --ip"] : ["SPF", spf.result, spf.explanation ?? spf.domain ?? ""];
  const dkimRows = dkim.map(({ result, domain, selector, aligned, explanation }) => [
    "DKIM",
    result,
    `${selector ?? "?"}._domainkey.${domain ?? "?"}${aligned ? ", aligned" : ""}${explanation ? `: ${explanation}` : ""}`,
  ]);
  const dmarcRow =
    dmarc === null
      ? ["DMARC", "unknown", "SPF is not known, and DKIM does not pass it"]
      : ["DMARC", dmarc.result, dmarc.record ?? "no record"];
  return [spfRow, ...(dkimRows.length > 0 ? dkimRows : [["DKIM", "none", "no signature"]]), dmarcRow];
}

function isWhollyChecked({ authentication }: Report): boolean {
  if (!authentication.known) return false;
  const { spf, dkim, dmarc } = authentication.value;
  return [spf, dmarc, ...dkim].every((verdict) => verdict !== null && verdict.result !== "temperror");
}
