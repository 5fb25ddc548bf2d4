// Analyzes messages from files or standard input. Needs no server or database.

import type { Analysis } from "../../../analyzer/analyze-message.ts";
import { checkCatalog } from "../../../analyzer/checks/catalog.ts";
import { type Kind, kinds } from "../../../analyzer/checks/kind.ts";
import { type Volume, volumes } from "../../../analyzer/checks/volume.ts";
import { readMessageSource } from "../../../analyzer/mail/mime/message-source.ts";
import { claimedSession, type SmtpSession } from "../../../analyzer/mail/session/session.ts";
import type { Forwarding } from "../../../analyzer/reports/forwarding.ts";
import { toPoints } from "../../../analyzer/reports/grade-words.ts";
import { type Circumstances, noCircumstances } from "../../../analyzer/reports/known-facts.ts";
import type { SecondReading } from "../../../analyzer/reports/second-reading.ts";
import type { AnalysisContext } from "../../../analyzer/world.ts";
import {
  type Arguments,
  type Command,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "../../../platform/cli/command.ts";
import {
  readClientAddress,
  readInputFile,
  readReceivedAt,
  readTrusted,
  readZone,
  toPath,
  zoneOption,
} from "../../../platform/cli/input-files.ts";
import { loadConfig } from "../../../platform/cli/settings.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toReportFields } from "../contract/report.ts";
import type { ReportFormat } from "../contract/report-formats.ts";
import { readLabel } from "../contract/test-filters.ts";
import type { JudgedSubject } from "../formats/gate-text.ts";
import { toJunit } from "../formats/junit.ts";
import { toReportMarkdown, toUnscoredMarkdown } from "../formats/markdown.ts";
import { toSarif } from "../formats/sarif.ts";
import { type Style, toStyle } from "../formats/style.ts";
import { type TwiceRead, toJson, toText } from "./analysis-text.ts";
import {
  judge,
  notWhollyChecked,
  type Output,
  outputOptions,
  readOutput,
  saveFile,
  toChecked,
  toVerdict,
  withVerdict,
} from "./output-options.ts";

export const analyze: Command = {
  group: "test",
  name: "analyze",
  isFirst: true,
  summary: "Analyze message files. Shows the score, what to fix, and the evidence.",
  usage: "analyze <file.eml>… [options]",
  example: "assay analyze newsletter.eml --ip 192.0.2.10 --helo mail.example.com --mail-from bounce@example.com",
  positionals: { min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    ip: { value: "address", doc: "IP address that sent the message. Without it, SPF is not checked." },
    helo: { value: "name", doc: "Host name that the client used in HELO." },
    "mail-from": { value: "address", doc: "Envelope sender. <> is the null sender." },
    rcpt: { value: "address", isList: true, doc: "Envelope recipient. Can be repeated." },
    "received-at": {
      value: "time",
      doc: "Time the message was received (RFC 3339). Default: the date of the newest Received header.",
    },
    trust: {
      value: "host",
      isList: true,
      doc: "Trust what this mail server recorded (Authentication-Results, client address). Can be repeated.",
    },
    dns: zoneOption,
    type: { value: "type", doc: `Message type, if the detected one is wrong: ${kinds.join(", ")}.` },
    kind: { value: "type", doc: "The same, by its earlier name." },
    volume: {
      value: "volume",
      doc: "How much you send to any one mailbox provider: small (fewer than 5,000 messages a day) or large. Without it, both predictions are shown if they differ.",
    },
    second: { doc: "Also read the message with other software (mailparser, mailauth), and show where it differs." },
    label: { value: "label", doc: "Label for the test, like the text after + in a seed address." },
    ...outputOptions,
  },
  details: () =>
    "Use - to read standard input. Each file gets its own result. --json prints one line per file, and --junit and --sarif\n" +
    "print one document. Without --ip, results that need it are not checked, which --strict does not accept. Bounces, complaints, reports, and automatic replies are recognized and get no score.\n\n" +
    toExitCodeHelp({
      0: "OK",
      1: "score below --fail-under",
      2: "usage error, or a file cannot be read",
      3: notWhollyChecked,
    }) +
    "\nWith several files, the worst result counts: 2, then 1, then 3.",
  run: analyzeFiles,
};

async function analyzeFiles(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const output = readOutput(args);
  const circumstances = toCircumstances(args);
  const config = await loadConfig(args, terminal);
  const [
    { createSystem },
    { analyzeMessage },
    { createAnalysisContext: createAnalyst, toAnalysisContextOptions: toAnalystOptions },
  ] = await Promise.all([
    import("../../../platform/system/real.ts"),
    import("../../../analyzer/analyze-message.ts"),
    import("../analysis/context.ts"),
  ]);
  const zoneFile = args.option("dns");
  const zone = zoneFile === undefined ? null : await readZone(zoneFile);
  const system = createSystem(config, { write: terminal.err, format: "text", level: "warn" });
  try {
    const session = toSession(args, system.now());
    const analyst = createAnalyst(toAnalystOptions(config, "assay"), system.now, zone ?? system.dns);
    const printer = createPrinter(output, { isAmongSeveral: args.positionals.length > 1, terminal });
    const analyzeFile = async (file: string): Promise<ExitCode> => {
      const raw = toMessage(file === "-" ? await terminal.readInput() : await readInputFile(file), file);
      const analysis = await analyzeMessage(
        { raw, session, receivedAt: system.now(), circumstances, evidence: null },
        analyst,
      );
      const second = args.flag("second") ? await readTwice(raw, session, analysis, analyst) : null;
      return printer.tell(file, { ...analysis, second, forwarding: await foresee(raw, analysis) });
    };
    try {
      return await analyzeEach(args.positionals, analyzeFile, terminal);
    } finally {
      await printer.end();
    }
  } finally {
    await system.close();
  }
}

/** Null for a message that isn't a test. */
async function readTwice(
  raw: Uint8Array,
  session: SmtpSession,
  { report }: Analysis,
  analyst: AnalysisContext,
): Promise<SecondReading | null> {
  if (report === null) return null;
  const [{ examineAgain }, { toInput }] = await Promise.all([
    import("../../../analyzer/second-reader/examine.ts"),
    import("../analysis/examinations.ts"),
  ]);
  const receivedAt = session.saidReceivedAt ?? report.analysis.startedAt;
  return await examineAgain(toInput({ raw, session, receivedAt, report }, analyst));
}

/** Null for a message that isn't a test. */
async function foresee(raw: Uint8Array, { report }: Analysis): Promise<Forwarding | null> {
  if (report === null) return null;
  const { forwardMessage } = await import("../../../analyzer/forward-message.ts");
  return await forwardMessage({ raw, receivedAt: report.analysis.startedAt, report });
}

type Printer = { readonly tell: (file: string, analysis: TwiceRead) => ExitCode; readonly end: () => Promise<void> };

type Told = {
  readonly file: string;
  readonly subject: JudgedSubject;
  readonly analysis: TwiceRead;
  readonly verdict: string | null;
};

/** JUnit and SARIF print one document for all files. Text and JSON print each file when it is done. */
function createPrinter(
  output: Output,
  { isAmongSeveral, terminal }: { readonly isAmongSeveral: boolean; readonly terminal: Terminal },
): Printer {
  const told: Told[] = [];
  const among = ({ file }: Told) => (isAmongSeveral ? file : null);
  const write = (form: ReportFormat, list: readonly Told[], style: Style): string => {
    if (form === "junit") return toJunit(list.map(({ subject }) => subject));
    if (form === "sarif") return `${JSON.stringify(toSarif(list.map(({ subject }) => subject)))}\n`;
    if (form === "markdown") return list.map(toMarkdown).join("\n");
    if (form === "json") return list.map((one) => `${JSON.stringify(toJson(one.analysis, among(one)))}\n`).join("");
    return list.map((one) => toText(one.analysis, among(one), style)).join("");
  };
  const style = toStyle(terminal);
  const isOneDocument = output.form !== "text" && output.form !== "json";
  return {
    tell(file, analysis) {
      const { report } = analysis;
      const checked =
        report &&
        toChecked(
          {
            ...report.judgment.score,
            points: toPoints(report.judgment.score),
            ...toReportFields(report, checkCatalog),
          },
          true,
        );
      const { code, says } = judge({ name: file, checked }, output);
      const isInput = file === "-";
      const name = isInput ? "standard input" : file;
      const subject = { name, path: isInput ? null : file, report };
      const one = { file, subject, analysis, verdict: toVerdict({ name, checked }, code, output) };
      told.push(one);
      if (!isOneDocument) terminal.out(write(output.form, [one], style));
      for (const sentence of says) terminal.err(`${sentence}\n`);
      return code;
    },
    async end() {
      if (isOneDocument) terminal.out(write(output.form, told, style));
      const plain = toStyle({ ...terminal, columns: null, colour: false });
      for (const { path, form } of output.files) await saveFile(path, write(form, told, plain));
    },
  };
}

function toMarkdown({ subject, analysis, verdict }: Told): string {
  const { report, recognised } = analysis;
  return report === null
    ? toUnscoredMarkdown(subject.name, recognised.kind)
    : withVerdict(toReportMarkdown(subject.name, report), verdict);
}

/** Reports a file that cannot be read, and goes on with the others. */
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

function toMessage(given: Uint8Array, file: string): Uint8Array {
  const source = readMessageSource(given);
  if (source.ok) return source.raw;
  const name = file === "-" ? "Standard input" : file;
  throw new Refusal("invalid_request", `${name}: ${source.problem}`);
}

function toCircumstances(args: Arguments): Circumstances {
  const kindOverride = args.option("type") ?? args.option("kind") ?? null;
  if (kindOverride !== null && !isKind(kindOverride))
    throw new Refusal("invalid_request", `--type must be one of: ${kinds.join(", ")}.`);
  const volume = args.option("volume") ?? null;
  if (volume !== null && !isVolume(volume))
    throw new Refusal("invalid_request", `--volume must be one of: ${volumes.join(", ")}.`);
  return { ...noCircumstances, kindOverride, volume, label: readLabel(args.option("label")) };
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
