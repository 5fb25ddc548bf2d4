import { type Command, exitCodes } from "../../../platform/cli/command.ts";
import { Refusal } from "../../../platform/errors.ts";

/** The files are part of the handbook, so that every form of the program has them. */
function definePrint(name: string, file: string, words: Pick<Command, "summary" | "example">): Command {
  return {
    group: "maintain",
    name,
    ...words,
    usage: name,
    run: async (_args, terminal) => {
      const { readHandbookFiles } = await import("../../../platform/system/assets.ts");
      const bytes = readHandbookFiles().get(file);
      if (bytes === undefined) throw new Refusal("not_found", `This build has no ${file}.`);
      terminal.out(Buffer.from(bytes).toString("utf8"));
      return exitCodes.fine;
    },
  };
}

export const grafanaDashboard = definePrint("grafana-dashboard", "grafana-dashboard.json", {
  summary: "Print a dashboard for Grafana.",
  example: "assay grafana-dashboard > assay.json",
});

export const prometheusRules = definePrint("prometheus-rules", "prometheus-rules.yml", {
  summary: "Print alert rules for Prometheus.",
  example: "assay prometheus-rules > assay.rules.yml",
});
