// An address for one run of a pipeline. A random part after the label, which is not part of it, lets `assay wait --address`
// find exactly the message of this run, whatever other runs send meanwhile.

import { randomBytes } from "node:crypto";
import {
  parseRehearsalTag,
  probes,
  type RehearsalTag,
  receivers,
  rehearsalTags,
  writtenTags,
} from "../../../analyzer/mail/headers/rehearsal-address.ts";
import { longestLocalPart, runLength, toRun } from "../../../analyzer/mail/headers/seed-address.ts";
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
import { toShellWord } from "../../../platform/cli/invocation.ts";
import { serverExitCodes, serverOptions } from "../../../platform/cli/server.ts";
import { findClosest } from "../../../platform/closest-word.ts";
import { Refusal } from "../../../platform/errors.ts";
import { listSeedInboxes } from "../../intake/contract/seed-inboxes.ts";
import { workspaceOption } from "../../people/command/token.ts";
import { withServer } from "../../server/command/with-server.ts";

export const address: Command = {
  group: "use",
  name: "address",
  summary: "Print a seed address for one message, for CI.",
  usage: "address [--label <label>] [--as <receiver> | --probe <probe>] [options]",
  example: "assay address --label build-4711",
  options: {
    label: { value: "label", doc: "Letters, digits, dots, hyphens, and underscores. Shown with the test." },
    as: { value: "receiver", doc: `Answers mail as this receiver would: ${receivers.join(", ")}.` },
    probe: { value: "probe", doc: `Tests how the sender behaves: ${probes.join(", ")}.` },
    ...serverOptions,
    workspace: workspaceOption,
  },
  details: () =>
    "Each call prints a new address. Send one message to it, then run assay wait --address <address>. The test gets the\n" +
    "label without the random part. --json also prints the run's token, for assay wait --label. With --as and --probe, see\n" +
    "what the sender did with assay rehearsal.\n\n" +
    toExitCodeHelp({ 0: "OK", 1: "no seed inbox receives mail", 2: "usage error", ...serverExitCodes }),
  run: printAddress,
};

function printAddress(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const label = args.option("label");
  if (label !== undefined && !/^\w(?:[\w.-]{0,62}\w)?$/.test(label))
    throw new Refusal(
      "invalid_request",
      "--label must have letters, digits, dots, hyphens, and underscores only, and begin and end with a letter or digit.",
    );
  const tag = readRehearsalOptions(args);
  return withServer(args, terminal, async (server) => {
    const { items } = await server.call(listSeedInboxes);
    const receiving = items.filter(({ receives }) => receives);
    const inbox = receiving.find(({ active }) => active) ?? receiving[0];
    if (inbox === undefined)
      throw new CommandFailure(exitCodes.failed, "None of the workspace's seed inboxes receives mail.");
    const run = toRun(randomBytes(runLength));
    const detail = [tag, label].filter((part) => part !== null && part !== undefined).join(".");
    const token = detail === "" ? run : `${detail}+${run}`;
    const localPart = `${inbox.localPart}+${token}`;
    const room = longestLocalPart - (localPart.length - (label ?? "").length);
    if (room < 0)
      throw new CommandFailure(
        exitCodes.failed,
        `${inbox.address} is too long for a label. Create a seed inbox with a shorter name.`,
      );
    if (localPart.length > longestLocalPart)
      throw new Refusal(
        "invalid_request",
        `--label must have at most ${room} characters, because the part before @ is limited to ${longestLocalPart}.`,
      );
    const address = `${localPart}@${inbox.domain}`;
    if (terminal.isTerminal && !args.flag("json"))
      terminal.err(`Send one message to this address, then run: assay wait --address ${toShellWord(address)}\n`);
    return answer(args, terminal, { address, token, label: label ?? null, rehearsal: tag }, () => address);
  });
}

/** The part after the plus sign that asks for it. Null without either option. */
function readRehearsalOptions(args: Arguments): RehearsalTag | null {
  const as = args.option("as");
  const probe = args.option("probe");
  if (as !== undefined && probe !== undefined) throw new Refusal("invalid_request", "Use either --as or --probe.");
  if (as !== undefined) return pick("as", as);
  return probe === undefined ? null : pick("probe", probe);
}

function pick(option: "as" | "probe", given: string): RehearsalTag {
  const wordsOf = (tags: readonly string[]) =>
    tags.flatMap((tag) => (tag.startsWith(`${option}-`) ? [tag.slice(option.length + 1)] : []));
  const written = wordsOf(writtenTags);
  const tag = written.includes(given.toLowerCase()) ? parseRehearsalTag(`${option}-${given}`) : null;
  if (tag !== null) return tag;
  const closest = findClosest(given, written);
  const hint = closest === undefined ? "" : ` Did you mean ${closest}?`;
  throw new Refusal("invalid_request", `--${option} must be one of ${wordsOf(rehearsalTags).join(", ")}.${hint}`);
}
