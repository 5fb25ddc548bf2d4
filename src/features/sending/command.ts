// Commands that make the server send a message to itself, and wait for its report.

import { toWholeScore } from "../../analyzer/reports/grade-words.ts";
import { labelPrefix } from "../../analyzer/samples/letter.ts";
import {
  type Arguments,
  answer,
  type Command,
  type ExitCode,
  type Terminal,
  toExitCodeHelp,
} from "../../platform/cli/command.ts";
import { readInputFile } from "../../platform/cli/input-files.ts";
import { serverExitCodes, serverOptions } from "../../platform/cli/server.ts";
import { Refusal } from "../../platform/errors.ts";
import { workspaceOption } from "../people/command/token.ts";
import { sendPrepared } from "../samples/contract.ts";
import { withServer } from "../server/command/with-server.ts";
import { outputOptions, readOutput, tellResult } from "../tests/command/output-options.ts";
import { openTests } from "../tests/command/remote-tests.ts";
import {
  findFinished,
  followTest,
  readTimeout,
  timeoutOption,
  toLabeled,
  toSent,
  waitExitCodes,
} from "../tests/command/wait.ts";
import { readTest } from "../tests/contract/tests.ts";
import { sendTest } from "./contract.ts";

export const sendSample: Command = {
  group: "test",
  name: "send-sample",
  summary: "Send a message of the sample gallery through the server.",
  usage: "send-sample [--workspace <wsp_…>] [--json]",
  example: "assay send-sample",
  options: { ...serverOptions, workspace: workspaceOption },
  details: () =>
    "The sample is a newsletter with three mistakes. Prints its score and the link to its report.\n\n" +
    toExitCodeHelp({ 0: "OK", 2: "usage error", 4: waitExitCodes[4], ...serverExitCodes }),
  run: sendAndWait,
};

// Only the server can send the sample, because it is checked against the gallery's own DNS zone.

const id = "sample";
const analyzeWithinMs = 30_000;

function sendAndWait(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  return withServer(args, terminal, async (server) => {
    const since = server.now();
    await server.call(sendPrepared, { body: { ids: [id] } });
    const wanted = { ...toLabeled(`${labelPrefix}${id}`), since };
    const found = await findFinished(openTests(server), wanted, Date.now() + analyzeWithinMs);
    const { composite } = await server.call(readTest, { params: { id: found.id } });
    const report = `${server.base}/tests/${found.id}`;
    const score = composite === null ? "" : ` Its score is ${toWholeScore(composite)}.`;
    const text = `Sample sent and analyzed.${score}\nReport: ${report}`;
    return answer(args, terminal, { id: found.id, score: composite, report }, () => text);
  });
}

export const send: Command = {
  group: "use",
  name: "send",
  summary: "Send a message the way the server sends mail, and wait for its report.",
  usage: "send --from <address> --subject <text> [options]",
  example: "assay send --from news@example.com --subject 'Order 4711' --html order.html",
  options: {
    from: { value: "address", doc: "A seed address of the workspace, or an address at a domain that it has verified." },
    subject: { value: "text", doc: "Subject of the message." },
    to: { value: "address", doc: "A seed address, such as one from assay address. Default: the active one." },
    label: { value: "label", doc: "Label of the test, if the address has none." },
    html: { value: "file", doc: "HTML part. Without --html and --text, a sample text is sent." },
    text: { value: "file", doc: "Plain text part." },
    timeout: timeoutOption,
    ...serverOptions,
    workspace: workspaceOption,
    ...outputOptions,
  },
  details: () =>
    "The server sends through its relay (ASSAY_SEND_SMTP_URL) to a seed address, so the report shows how mail from the relay\narrives. Without a relay, it sends directly to itself, and the report says so.\n\n" +
    toExitCodeHelp(waitExitCodes),
  run: sendOwn,
};

async function sendOwn(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const [from, subject] = [args.option("from"), args.option("subject")];
  if (!from || !subject)
    throw new Refusal("invalid_request", "Missing option: both --from <address> and --subject <text> are needed.");
  const output = readOutput(args);
  const timeoutMs = readTimeout(args);
  const [html, text] = await Promise.all([readPart(args, "html"), readPart(args, "text")]);
  const body = { from, subject, to: args.option("to"), label: args.option("label"), html, text };
  return await withServer(args, terminal, async (server) => {
    const { id } = await server.call(sendTest, { body });
    const wanted = { ...toSent(id), since: 0 };
    const subject = await followTest(openTests(server), wanted, Date.now() + timeoutMs);
    return await tellResult(subject, output, terminal);
  });
}

async function readPart(args: Arguments, name: string): Promise<string | undefined> {
  const file = args.option(name);
  return file === undefined ? undefined : Buffer.from(await readInputFile(file)).toString("utf8");
}
