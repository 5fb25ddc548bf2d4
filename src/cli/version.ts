import { version as programVersion } from "../version.ts";
import { type Command, exitCodes } from "./command.ts";

export const version: Command = {
  name: "version",
  summary: "Print the version.",
  usage: "version [--json]",
  example: "assay version",
  positionals: { min: 0, max: 0 },
  options: {},
  run: async (args, terminal) => {
    terminal.out(
      `${args.flag("json") ? JSON.stringify({ version: programVersion }) : `assay ${programVersion}`}\n`,
    );
    return exitCodes.fine;
  },
};
