// Messages from files or standard input → what they are, and the verdicts on a test. Needs no server and no database.

import { Refusal } from "../errors.ts";
import { claimedSession, type SmtpSession } from "../mail/session.ts";
import { noCircumstances } from "../reports/known-facts.ts";
import type { Report } from "../reports/report.ts";
import { toJson, toText } from "./analysis-text.ts";
import { readClientAddress, toPath } from "./claims.ts";
import { type Arguments, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import { readInputFile, readZone } from "./input-files.ts";
import { loadConfig } from "./settings.ts";

export const analyze: Command = {
  name: "analyze",
  summary: "Say what SPF, DKIM and DMARC make of messages in files, or what a bounce or report says.",
  usage:
    "analyze <file.eml|->… [--ip <address>] [--helo <name>] [--mail-from <address>] [--rcpt <address>]… [--dns <zone.txt>] [--json]",
  example:
    "assay analyze newsletter.eml --ip 192.0.2.10 --helo mail.example.com --mail-from bounce@example.com",
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    ip: { value: "address", doc: "Address that the message was sent from; without it SPF is not checked." },
    helo: { value: "name", doc: "Name that the client greeted with." },
    "mail-from": { value: "address", doc: "Envelope sender; left out, the null reverse-path." },
    rcpt: { value: "address", isList: true, doc: "Envelope recipient; may be given several times." },
    dns: {
      value: "zone.txt",
      doc: "Answer DNS from this zone file, to try records before they are published.",
    },
  },
  details: () =>
    "Several files print one answer each, with --json one line each. A bounce, complaint, report or automatic reply prints what it says instead of verdicts.\n" +
    "Exit status, the worst of all files: 0 fine, 2 wrong use, 3 authentication not wholly checked (DNS did not answer, or --ip is missing).",
  run: analyzeFiles,
};

async function analyzeFiles(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const config = await loadConfig(args, terminal);
  const session = toSession(args);
  const [{ createSystem }, { analyzeMessage }, { createAnalyst, toAnalystOptions }] = await Promise.all([
    import("../system/real.ts"),
    import("../tasks/analyze-message.ts"),
    import("../tasks/analyst.ts"),
  ]);
  const zoneFile = args.option("dns");
  const zone = zoneFile === undefined ? null : await readZone(zoneFile);
  const system = createSystem(config, { write: terminal.err, format: "text", level: "warn" });
  const analyst = createAnalyst(toAnalystOptions(config, "assay"), system.now, zone ?? system.dns);
  const analyzeFile = async (file: string): Promise<ExitCode> => {
    const raw = file === "-" ? await terminal.readInput() : await readInputFile(file);
    const input = { raw, session, receivedAt: system.now(), circumstances: noCircumstances, evidence: null };
    const analysis = await analyzeMessage(input, analyst);
    const among = args.positionals.length > 1 ? file : null;
    terminal.out(
      args.flag("json")
        ? `${JSON.stringify(toJson(analysis, among))}\n`
        : toText(analysis, among, terminal.columns),
    );
    return analysis.report === null || isWhollyChecked(analysis.report)
      ? exitCodes.fine
      : exitCodes.notWhollyChecked;
  };
  try {
    return await analyzeEach(args.positionals, analyzeFile, terminal);
  } finally {
    await system.close();
  }
}

/** A file that cannot be read is told, and the others are still done. */
async function analyzeEach(
  files: readonly string[],
  analyzeFile: (file: string) => Promise<ExitCode>,
  terminal: Terminal,
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  for (const file of files) {
    try {
      codes.push(await analyzeFile(file));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      terminal.err(`${error.message}\n`);
      codes.push(exitCodes.wrongUse);
    }
  }
  return fromWorst.find((code) => codes.includes(code)) ?? exitCodes.fine;
}

const fromWorst = [exitCodes.wrongUse, exitCodes.failed, exitCodes.notWhollyChecked];

function toSession(args: Arguments): SmtpSession {
  return claimedSession({
    clientAddress: readClientAddress(args),
    helo: args.option("helo") ?? null,
    mailFrom: toPath(args.option("mail-from") ?? ""),
    rcptTo: args.list("rcpt").map(toPath),
  });
}

function isWhollyChecked({ authentication: { spf, dkim, dmarcResult, arc } }: Report): boolean {
  if (!spf.known || !dkim.known || !dmarcResult.known || !arc.known) return false;
  return [spf.value, dmarcResult.value, arc.value, ...dkim.value.signatures].every(
    ({ result }) => result !== "temperror",
  );
}
