import { version as programVersion } from "../../../analyzer/version.ts";
import { answer, type Command } from "../../../platform/cli/command.ts";

export const version: Command = {
  group: "maintain",
  name: "version",
  summary: "Print the version.",
  usage: "version [--json]",
  example: "assay version",
  run: async (args, terminal) => answer(args, terminal, { version: programVersion }, () => `assay ${programVersion}`),
};
