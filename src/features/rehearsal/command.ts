// What became of mail to a rehearsal address, and which addresses there are.

import { matchSeedAddress } from "../../analyzer/mail/headers/seed-address.ts";
import { answer, type Command, CommandFailure, exitCodes, toExitCodeHelp } from "../../platform/cli/command.ts";
import { type Server, serverExitCodes, serverOptions } from "../../platform/cli/server.ts";
import { toTable } from "../../platform/table.ts";
import { workspaceOption } from "../people/command/token.ts";
import { withServer } from "../server/command/with-server.ts";
import { openTests } from "../tests/command/remote-tests.ts";
import { type Style, toStyle } from "../tests/formats/style.ts";
import { type Rehearsal, readRehearsal } from "./contract.ts";
import { toAttemptConnection, toAttemptOutcome, toRehearsalName } from "./words.ts";

export const rehearsal: Command = {
  group: "use",
  name: "rehearsal",
  summary: "Show how a sender behaved at a rehearsal address.",
  usage: "rehearsal <tst_… | address> [options]",
  example: 'assay rehearsal "$address"',
  positionals: { min: 1, max: 1 },
  options: { ...serverOptions, workspace: workspaceOption },
  details: () =>
    "For mail to an address that assay address --as or --probe printed: its newest message, or a test. Run it again later: a sender's queue may take hours.\n\n" +
    toExitCodeHelp({ 0: "OK", 2: "usage error", 4: "no such test, or nothing was rehearsed", ...serverExitCodes }),
  run: (args, terminal) => {
    const [given = ""] = args.positionals;
    return withServer(args, terminal, async (server) => {
      const id = given.includes("@") ? await findNewest(server, given) : given;
      const { asked, rehearsal: found } = await server.call(readRehearsal, { params: { id } });
      if (found !== null) return answer(args, terminal, found, () => toText(found, toStyle(terminal)));
      throw new CommandFailure(
        exitCodes.nothingCame,
        asked === null
          ? "This test was not sent to a rehearsal address."
          : "Rehearsals were turned off for this message. Turn them on under Settings, Rehearsals.",
      );
    });
  },
};

async function findNewest(server: Server, address: string): Promise<string> {
  const seed = matchSeedAddress(address);
  const wanted = { messageId: null, sendId: null, testId: null, words: `to ${address}`, since: 0 };
  const found = seed && (await openTests(server).find({ ...wanted, ...seed }));
  if (found) return found.id;
  throw new CommandFailure(exitCodes.nothingCame, `No message to ${address} arrived.`);
}

const tones = { good: "good", bad: "major", info: "faint", waiting: "faint" } as const;

function toText({ tag, address, attempts, behavior }: Rehearsal, style: Style): string {
  const { paint, signs, columns } = style;
  const rows = attempts.map((attempt) => [
    attempt.at.slice(0, 19).replace("T", " "),
    attempt.address ?? "?",
    toAttemptConnection(attempt),
    [toAttemptOutcome(attempt), ...(attempt.reply.length > 0 ? [attempt.reply.join(" ")] : [])].join(": "),
  ]);
  const marks = { good: signs.good, bad: signs.fault, info: signs.point, waiting: signs.arrow };
  const observed = behavior.map(({ tone, says, section }) => [
    marks[tone],
    section === null ? says : `${says.replace(/\.$/, "")} (${section}).`,
  ]);
  const marked = toTable(observed, columns).split("\n");
  return [
    paint("strong", toRehearsalName(tag)),
    address,
    "",
    toTable([["TIME (UTC)", "FROM", "CONNECTION", "RESULT"], ...rows], columns),
    "",
    paint("strong", "Sender behavior"),
    ...marked.map((line) => paintMark(line, behavior, marks, style)),
  ].join("\n");
}

function paintMark(
  line: string,
  behavior: Rehearsal["behavior"],
  marks: Readonly<Record<keyof typeof tones, string>>,
  { paint }: Style,
): string {
  const found = behavior.find(({ tone }) => line.startsWith(`${marks[tone]} `));
  if (found === undefined) return line;
  const mark = marks[found.tone];
  return paint(tones[found.tone], mark) + line.slice(mark.length);
}
