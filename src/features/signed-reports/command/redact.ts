// Makes redacted copies of signed reports. Needs no server, because the original signature still holds.

import { writeFile } from "node:fs/promises";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
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
import { toFileReason } from "../../../platform/cli/input-files.ts";
import { Refusal } from "../../../platform/errors.ts";
import { readSignedFile } from "../rules/signed-file.ts";
import type { SectionName } from "../rules/statement.ts";
import { readBounded } from "./verify.ts";

export const redact: Command = {
  group: "test",
  name: "redact",
  summary: "Make a redacted copy of a signed report. The original signature still verifies.",
  usage: "redact <report.html|report.json> --without recipients|body --save <copy.json>",
  example: "assay redact report.json --without recipients --save copy.json",
  positionals: { min: 1, max: 1 },
  options: {
    without: {
      value: "what",
      doc: "recipients: leaves out what a shared report hides. body: also what quotes the body.",
    },
    save: { value: "file", doc: "File to write." },
  },
  details: () =>
    "The copy is JSON. What is left out is only known by a salted hash, which does not reveal it.\n\n" +
    toExitCodeHelp({ 0: "OK", 1: "the report is not as it was signed", 2: "usage error, or a file cannot be read" }),
  run: redactFile,
};

/** Whatever the file itself allows: a stranger may have signed it. */
const mayKeep: Readonly<Record<"recipients" | "body", readonly SectionName[]>> = {
  recipients: ["summary", "findings", "dns"],
  body: ["summary"],
};

async function redactFile(args: Arguments, terminal: Terminal): Promise<ExitCode> {
  const [file = ""] = args.positionals;
  const [without, save] = [args.option("without"), args.option("save")];
  if ((without !== "recipients" && without !== "body") || save === undefined)
    throw new Refusal("invalid_request", "Both --without recipients|body and --save <file> are needed.");
  const reading = readSignedFile(await readBounded(file, terminal));
  if (!reading.ok)
    throw new CommandFailure(exitCodes.failed, `${toVisibleCut(file, 200)} is not as it was signed. ${reading.why}`);
  const { report } = reading;
  const kept = report.present.filter(
    (name) => mayKeep[without].includes(name) && report.statement.copies[without].includes(name),
  );
  const content = report.redact(kept);
  try {
    await writeFile(save, content);
  } catch (error) {
    throw new Refusal("invalid_request", `Cannot write ${JSON.stringify(save)}: ${toFileReason(error)}.`);
  }
  return answer(args, terminal, { saved: save, kept }, () => `Saved ${save}, with: ${kept.join(", ")}.`);
}
