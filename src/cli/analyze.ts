// Messages from files or standard input → what they are, and the verdicts on a test. Needs no server and no database.

import { type Kind, kinds } from "../checks/kind.ts";
import { type Volume, volumes } from "../checks/volume.ts";
import { Refusal } from "../errors.ts";
import { readMessageSource } from "../mail/mime/message-source.ts";
import { claimedSession, type SmtpSession } from "../mail/session/session.ts";
import { type Circumstances, noCircumstances } from "../reports/known-facts.ts";
import type { Analysis } from "../tasks/analysis/analyze-message.ts";
import { toJson, toText } from "./analysis-text.ts";
import { type Arguments, type Command, type ExitCode, exitCodes, type Terminal } from "./command.ts";
import type { JudgedSubject } from "./gate-text.ts";
import {
  readClientAddress,
  readInputFile,
  readReceivedAt,
  readTrusted,
  readZone,
  toPath,
  zoneOption,
} from "./input-files.ts";
import { toJunit } from "./junit.ts";
import {
  compareScore,
  type Form,
  isWhollyChecked,
  outputOptions,
  readFailUnder,
  readForm,
} from "./output-options.ts";
import { toSarif } from "./sarif.ts";
import { loadConfig } from "./settings.ts";
import { toStyle } from "./style.ts";

export const analyze: Command = {
  name: "analyze",
  summary: "Judge messages in files: the score, what to mend first, and what it rests on.",
  usage:
    "analyze <file.eml|->… [--ip <address>] [--helo <name>] [--mail-from <address>] [--rcpt <address>]… [--received-at <time>] [--trust <host>]… [--dns <zone.txt>] [--kind <kind>] [--volume <volume>] [--label <label>] [--json|--junit|--sarif] [--fail-under <score>]",
  example:
    "assay analyze newsletter.eml --ip 192.0.2.10 --helo mail.example.com --mail-from bounce@example.com",
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    ip: { value: "address", doc: "Address that the message was sent from; without it SPF is not checked." },
    helo: { value: "name", doc: "Name that the client greeted with." },
    "mail-from": { value: "address", doc: "Envelope sender; <> is the null reverse-path." },
    rcpt: { value: "address", isList: true, doc: "Envelope recipient; may be given several times." },
    "received-at": {
      value: "time",
      doc: "When the message was received (RFC 3339); without it, the date of its newest Received header.",
    },
    trust: {
      value: "host",
      isList: true,
      doc: "Use what this receiver recorded (Authentication-Results, client address); may be given several times.",
    },
    dns: zoneOption,
    kind: { value: "kind", doc: `Kind of mail, where it is not what it looks like: ${kinds.join(", ")}.` },
    volume: {
      value: "volume",
      doc: "How much you send to any one mailbox provider: small (fewer than 5,000 messages a day) or large. Without it, both predictions are shown where they differ.",
    },
    label: { value: "label", doc: "Label of the test, as behind the plus of a seed address." },
    ...outputOptions,
  },
  details: () =>
    "Several files print one answer each, with --json one line each, with --junit and --sarif one document. A bounce, complaint,\n" +
    "report or automatic reply prints what it says instead of a score.\n" +
    "Exit status, the worst of all files (2 before 1 before 3): 0 fine, 1 under the score of --fail-under, 2 wrong use,\n" +
    "3 authentication not wholly checked (DNS did not answer, or --ip is missing) or no score to compare.",
  run: analyzeFiles,
};

async function analyzeFiles(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const form = readForm(args);
  const failUnder = readFailUnder(args);
  const circumstances = toCircumstances(args);
  const config = await loadConfig(args, terminal);
  const [
    { createSystem },
    { analyzeMessage },
    { createAnalysisContext: createAnalyst, toAnalysisContextOptions: toAnalystOptions },
  ] = await Promise.all([
    import("../system/real.ts"),
    import("../tasks/analysis/analyze-message.ts"),
    import("../tasks/analysis/context.ts"),
  ]);
  const zoneFile = args.option("dns");
  const zone = zoneFile === undefined ? null : await readZone(zoneFile);
  const system = createSystem(config, { write: terminal.err, format: "text", level: "warn" });
  try {
    const session = toSession(args, system.now());
    const analyst = createAnalyst(toAnalystOptions(config, "assay"), system.now, zone ?? system.dns);
    const printer = createPrinter(form, { isAmongSeveral: args.positionals.length > 1, terminal });
    const analyzeFile = async (file: string): Promise<ExitCode[]> => {
      const raw = toMessage(file === "-" ? await terminal.readInput() : await readInputFile(file), file);
      const analysis = await analyzeMessage(
        { raw, session, receivedAt: system.now(), circumstances, evidence: null },
        analyst,
      );
      printer.tell(file, analysis);
      const { report } = analysis;
      const scored = compareScore(report?.judgment ?? null, { failUnder, name: file }, terminal);
      return [
        scored,
        report === null || isWhollyChecked(report) ? exitCodes.fine : exitCodes.notWhollyChecked,
      ];
    };
    try {
      return await analyzeEach(args.positionals, analyzeFile, terminal);
    } finally {
      printer.end();
    }
  } finally {
    await system.close();
  }
}

type Printer = { readonly tell: (file: string, analysis: Analysis) => void; readonly end: () => void };

/** JUnit and SARIF are one document for all files; the others are told one after the other. */
function createPrinter(
  form: Form,
  { isAmongSeveral, terminal }: { readonly isAmongSeveral: boolean; readonly terminal: Terminal },
): Printer {
  const judged: JudgedSubject[] = [];
  const style = toStyle(terminal);
  return {
    tell(file, analysis) {
      const among = isAmongSeveral ? file : null;
      const isInput = file === "-";
      if (form === "text") terminal.out(toText(analysis, among, style));
      else if (form === "json") terminal.out(`${JSON.stringify(toJson(analysis, among))}\n`);
      else
        judged.push({
          name: isInput ? "standard input" : file,
          path: isInput ? null : file,
          judgment: analysis.report?.judgment ?? null,
        });
    },
    end() {
      if (form === "junit") terminal.out(toJunit(judged));
      if (form === "sarif") terminal.out(`${JSON.stringify(toSarif(judged))}\n`);
    },
  };
}

/** A file that cannot be read is told, and the others are still done. */
async function analyzeEach(
  files: readonly string[],
  analyzeFile: (file: string) => Promise<ExitCode[]>,
  terminal: Terminal,
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  for (const file of files) {
    try {
      codes.push(...(await analyzeFile(file)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      terminal.err(`${error.message}\n`);
      codes.push(exitCodes.wrongUse);
    }
  }
  return fromWorst.find((code) => codes.includes(code)) ?? exitCodes.fine;
}

const fromWorst = [exitCodes.wrongUse, exitCodes.failed, exitCodes.notWhollyChecked];

function toMessage(given: Uint8Array, file: string): Uint8Array {
  const source = readMessageSource(given);
  if (source.ok) return source.raw;
  const name = file === "-" ? "Standard input" : file;
  throw new Refusal("invalid_request", `${name}: ${source.problem}`);
}

function toCircumstances(args: Arguments): Circumstances {
  const kindOverride = args.option("kind") ?? null;
  if (kindOverride !== null && !isKind(kindOverride))
    throw new Refusal("invalid_request", `--kind takes one of: ${kinds.join(", ")}.`);
  const volume = args.option("volume") ?? null;
  if (volume !== null && !isVolume(volume))
    throw new Refusal("invalid_request", `--volume takes one of: ${volumes.join(", ")}.`);
  return { ...noCircumstances, kindOverride, volume, label: args.option("label") ?? null };
}

function isVolume(word: string): word is NonNullable<Volume> {
  return volumes.some((volume) => volume === word);
}

function isKind(word: string): word is Kind {
  return kinds.some((kind) => kind === word);
}

function toSession(args: Arguments, now: number): SmtpSession {
  const mailFrom = args.option("mail-from");
  return claimedSession({
    clientAddress: readClientAddress(args),
    helo: args.option("helo") ?? null,
    mailFrom: mailFrom === undefined ? null : toPath(mailFrom),
    rcptTo: args.list("rcpt").map(toPath),
    ...readReceivedAt(args, now),
    trusted: readTrusted(args.list("trust")),
  });
}
