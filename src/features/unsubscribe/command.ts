// Unsubscribes the address that received a test. It reaches a stranger's server and can't be taken back, so it asks first.

import { createInterface } from "node:readline";
import { unsubscribeMethods } from "../../analyzer/reports/unsubscribe.ts";
import { toVisible } from "../../analyzer/visible-text.ts";
import {
  type Arguments,
  answer,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCodes,
  type Terminal,
  toExitCodeHelp,
} from "../../platform/cli/command.ts";
import { ServerRefusal, serverExitCodes, serverOptions } from "../../platform/cli/server.ts";
import { Refusal } from "../../platform/errors.ts";
import { workspaceOption } from "../people/command/token.ts";
import { withServer } from "../server/command/with-server.ts";
import { readUnsubscribes, requestUnsubscribe, type Unsubscribes } from "./contract.ts";

export const unsubscribe: Command = {
  group: "use",
  name: "unsubscribe",
  summary: "Unsubscribe the address that received a test, and see whether the list honors it.",
  usage: "unsubscribe <tst_…> [options]",
  example: "assay unsubscribe tst_01jd4m3xk2v9q8w7e6r5t4y3z2",
  positionals: { min: 1, max: 1 },
  options: {
    yes: { doc: "Do not ask for confirmation." },
    again: { doc: "Repeat a request that was made before." },
    method: { value: "method", doc: "one-click or mailto. Default: one-click if possible." },
    status: { doc: "Send nothing. Show earlier requests, and whether mail of the list still arrives." },
    ...serverOptions,
    workspace: workspaceOption,
  },
  details: () =>
    "Sends the one-click POST request of the List-Unsubscribe header (RFC 8058), or a message to its mailto address. Links in\nthe message are not opened. The address is really unsubscribed.\n\n" +
    toExitCodeHelp({
      0: "accepted; with --status, no mail of the list is known to have arrived after the allowed two days",
      1: "not accepted or not possible; with --status, mail of the list still arrives",
      2: "usage error, or not confirmed",
      3: "the outcome is unclear",
      4: "no such test",
      ...serverExitCodes,
    }),
  run: (args, terminal) =>
    withServer(args, terminal, async (server) => {
      const [id = ""] = args.positionals;
      const method = readMethod(args);
      const before = await server.call(readUnsubscribes, { params: { id } });
      if (args.flag("status")) {
        answer(args, terminal, before, () => toStatus(before));
        return toStatusCode(before);
      }
      await confirm(before, args, terminal);
      const body = { method, again: args.flag("again") };
      const after = await orRefused(server.call(requestUnsubscribe, { params: { id }, body }));
      answer(args, terminal, after, () => toAttemptText(after));
      return toCode(after);
    }),
};

/** That it isn't possible is an outcome, and not a failure of the server. */
async function orRefused<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerRefusal && error.code === "conflict")
      throw new CommandFailure(exitCodes.failed, error.message);
    throw error;
  }
}

function readMethod(args: Arguments) {
  const written = args.option("method");
  const method = unsubscribeMethods.find((one) => one === written);
  if (written !== undefined && method === undefined)
    throw new Refusal("invalid_request", `--method must be one of: ${unsubscribeMethods.join(", ")}.`);
  return method;
}

async function confirm(before: Unsubscribes, args: Arguments, terminal: Terminal): Promise<void> {
  if (args.flag("yes")) return;
  const wanted = before.ways.find(({ possible, method }) => possible && (args.option("method") ?? method) === method);
  // The server says why it isn't possible.
  if (wanted === undefined) return;
  if (!terminal.isTerminal)
    throw new Refusal("invalid_request", "This really unsubscribes the address. Pass --yes to confirm.");
  const how = wanted.method === "one-click" ? "a POST request goes to" : "a message goes to";
  terminal.err(
    `This really unsubscribes ${toVisible(before.recipient ?? "the address")}: ${how}\n${toVisible(wanted.target ?? "")}\nContinue? [y/N] `,
  );
  if (!/^y(?:es)?$/i.test(await readLine(terminal))) throw new CommandFailure(exitCodes.wrongUse, "Nothing was sent.");
}

async function readLine(terminal: Terminal): Promise<string> {
  const lines = createInterface({ input: terminal.openInput() });
  for await (const line of lines) {
    lines.close();
    return line.trim();
  }
  return "";
}

function toAttemptText(after: Unsubscribes): string {
  const [attempt] = after.attempts;
  if (attempt === undefined) return "No request was made.";
  const marks = { true: "ok", false: "no", null: "? " };
  return [
    attempt.says,
    ...attempt.requirements.map(({ met, says }) => `  ${marks[`${met}`]}  ${toVisible(says)}`),
    ...(attempt.reply === null ? [] : [`  Reply: ${toVisible(attempt.reply)}`]),
    attempt.proof.says,
  ]
    .map(toVisible)
    .join("\n");
}

function toStatus({ attempts, earlier, ways }: Unsubscribes): string {
  const lines = [
    ...(earlier === null ? [] : [earlier.says]),
    ...attempts.flatMap((attempt) => [
      `${attempt.createdAt.slice(0, 16).replace("T", " ")} UTC  ${attempt.method}  ${attempt.result}  ${attempt.target}`,
      `  ${attempt.says}`,
      `  ${attempt.proof.says}`,
    ]),
  ];
  if (attempts.length === 0)
    lines.push(
      "No request was made for this message.",
      ...ways.map(({ method, why }) => `  ${method}: ${why ?? "possible"}`),
    );
  return lines.map(toVisible).join("\n");
}

function toCode({ attempts: [attempt] }: Unsubscribes): ExitCode {
  if (attempt?.result === "accepted") return exitCodes.fine;
  return attempt?.result === "unclear" || attempt?.result === "unknown" || attempt?.result === "pending"
    ? exitCodes.notWhollyChecked
    : exitCodes.failed;
}

function toStatusCode({ attempts: [attempt], earlier }: Unsubscribes): ExitCode {
  return attempt?.proof.state === "receiving" || earlier?.late ? exitCodes.failed : exitCodes.fine;
}
