// Commands about tests that a server has, or gets.

import { readMessageSource } from "../../../analyzer/mail/mime/message-source.ts";
import { toReportMessage } from "../../../analyzer/mail/reports/report-file.ts";
import {
  type Grade,
  provisional,
  provisionalWhy,
  toGrade,
  toWholeScore,
} from "../../../analyzer/reports/grade-words.ts";
import { toVisible } from "../../../analyzer/visible-text.ts";
import {
  type Arguments,
  answer,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "../../../platform/cli/command.ts";
import { readClientAddress, readInputFile, toPath } from "../../../platform/cli/input-files.ts";
import { serverExitCodes, serverOptions } from "../../../platform/cli/server.ts";
import { Refusal } from "../../../platform/errors.ts";
import { toTable } from "../../../platform/table.ts";
import { workspaceOption } from "../../people/command/token.ts";
import { withServer } from "../../server/command/with-server.ts";
import { unfinishedWords } from "../../server/words.ts";
import { listTests, type TestSummary, uploadTest } from "../contract/tests.ts";
import { outputOptions, readOutput, tellResult } from "./output-options.ts";
import { openTests } from "./remote-tests.ts";
import { followTest, readTimeout, timeoutOption, toUploaded, waitExitCodes } from "./wait.ts";

export const tests: Command = {
  group: "use",
  name: "tests",
  isFirst: true,
  summary: "List a server's tests, newest first.",
  usage: "tests [options]",
  example: "assay tests --query welcome --limit 10",
  options: {
    query: {
      value: "search",
      doc: "Only tests that match this search, as in the web app, such as spf:fail -label:ci.",
    },
    label: { value: "label", doc: "Only tests with this label." },
    limit: { value: "number", doc: "How many to list, up to 100 (default 20)." },
    ...serverOptions,
    workspace: workspaceOption,
  },
  details: () => toExitCodeHelp({ 0: "OK", 2: "usage error", ...serverExitCodes }),
  run: listAll,
};

const listed = "20";

function listAll(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const limit = args.option("limit") ?? listed;
  if (!/^(?:[1-9]\d?|100)$/.test(limit))
    throw new Refusal("invalid_request", "--limit must be a whole number from 1 to 100.");
  const query = { search: args.option("query"), label: args.option("label"), limit: Number(limit) };
  return withServer(args, terminal, async (server) => {
    const { items } = await server.call(listTests, { query });
    return answer(args, terminal, items, () => toList(items, terminal));
  });
}

function toList(items: readonly TestSummary[], { columns }: Terminal): string {
  if (items.length === 0) return "No tests found.";
  const rows = items.map((test) => [
    test.id,
    test.received_at.slice(0, 16).replace("T", " "),
    toScore(test),
    [test.spf, test.dkim, test.dmarc].map((word) => word ?? "?").join(" "),
    test.label ?? "",
    toTitle(test),
  ]);
  const isProvisional = items.some((test) => test.composite !== null && !gradeOf(test));
  const headings = ["ID", "RECEIVED (UTC)", "SCORE", "SPF DKIM DMARC", "LABEL", "SUBJECT"];
  const table = toTable([headings, ...rows], columns);
  return isProvisional ? `${table}\n\n${provisionalWhy}` : table;
}

/** A newer server may find others. An earlier one doesn't say. */
function toTitle({ malware, subject }: TestSummary): string {
  const mark = malware === "found" ? "[malware] " : malware === "suspicious" ? "[suspicious] " : "";
  return `${mark}${subject ?? "(none)"}`;
}

/** As in the app, where a score without a grade is provisional. */
function toScore(test: TestSummary): string {
  const { status, composite } = test;
  // A newer server may have others.
  if (status !== "analyzed") return unfinishedWords[status] ?? status;
  if (composite === null) return "none";
  return `${toWholeScore(composite)} ${gradeOf(test) ?? provisional}`;
}

/** An earlier server doesn't send it. */
function gradeOf({ composite, coverage, grade, ...results }: TestSummary): Grade | null {
  return grade === undefined ? toGrade({ composite, coverage: coverage ?? 0 }, results) : grade;
}

export const report: Command = {
  group: "use",
  name: "report",
  summary: "Show the report of a test.",
  usage: "report <tst_…> [options]",
  example: "assay report tst_01jd4m3xk2v9q8w7e6r5t4y3z2 --markdown",
  positionals: { min: 1, max: 1 },
  options: { ...serverOptions, workspace: workspaceOption, ...outputOptions },
  details: () => toExitCodeHelp({ ...waitExitCodes, 4: "no such test" }),
  run: async (args, terminal) => {
    const [id = ""] = args.positionals;
    const output = readOutput(args);
    return await withServer(args, terminal, async (server) => {
      const source = openTests(server);
      const subject = await source.open(id);
      if (subject !== undefined) return await tellResult(subject, output, terminal);
      const test = await source.read(id);
      if (test === undefined) throw new CommandFailure(exitCodes.nothingCame, "Test not found.");
      throw new CommandFailure(exitCodes.notWhollyChecked, `The test has no report. Its status is ${test.status}.`);
    });
  },
};

export const upload: Command = {
  group: "use",
  name: "upload",
  summary: "Upload a message to a server as a test and wait for its report, or a file of DMARC or TLS reports.",
  usage: "upload <file.eml> [options]",
  example: "assay upload newsletter.eml --label newsletter --ip 192.0.2.10 --mail-from bounce@example.com",
  positionals: { min: 1, max: 1 },
  options: {
    label: { value: "label", doc: "Label of the test." },
    ip: { value: "address", doc: "IP address that sent the message. Without it, SPF is not checked." },
    helo: { value: "name", doc: "Host name that the client used in HELO." },
    "mail-from": { value: "address", doc: "Envelope sender. <> is the null sender." },
    "received-at": { value: "time", doc: "Time the message was received (RFC 3339)." },
    trust: {
      value: "host",
      isList: true,
      doc: "Trust what this mail server recorded in the message. Can be repeated.",
    },
    timeout: timeoutOption,
    ...serverOptions,
    workspace: workspaceOption,
    ...outputOptions,
  },
  details: () => `Use - to read standard input. Uploads trigger no alerts.\n\n${toExitCodeHelp(waitExitCodes)}`,
  run: uploadFile,
};

const notListed = "It isn’t listed as a test, but under Feedback.";

/** A file of reports goes as it is. */
function toUpload(given: Uint8Array, file: string): Uint8Array {
  if (toReportMessage(given) !== null) return given;
  const source = readMessageSource(given);
  if (!source.ok) throw new Refusal("invalid_request", `${file}: ${source.problem}`);
  return source.raw;
}

async function uploadFile(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const [file = ""] = args.positionals;
  const output = readOutput(args);
  const timeoutMs = readTimeout(args);
  const mailFrom = args.option("mail-from");
  const query = {
    label: args.option("label"),
    ip: readClientAddress(args) ?? undefined,
    helo: args.option("helo"),
    mail_from: mailFrom === undefined ? undefined : toPath(mailFrom),
    received_at: args.option("received-at"),
    trust: args.list("trust").join(",") || undefined,
  };
  const bytes = toUpload(file === "-" ? await terminal.readInput() : await readInputFile(file), file);
  return await withServer(args, terminal, async (server) => {
    const { id, not_a_test } = await server.call(uploadTest, { query, bytes });
    if (not_a_test !== undefined) {
      answer(args, terminal, { id, not_a_test }, () => [...not_a_test.says.map(toVisible), notListed].join("\n"));
      return output.failUnder === null ? exitCodes.fine : exitCodes.notWhollyChecked;
    }
    const wanted = { ...toUploaded(id), since: 0 };
    const subject = await followTest(openTests(server), wanted, Date.now() + timeoutMs);
    return await tellResult(subject, output, terminal);
  });
}
