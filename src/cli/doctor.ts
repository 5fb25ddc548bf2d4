import type { DoctorRow } from "../tasks/doctor/row.ts";
import { toVisible } from "../visible-text.ts";
import { type Command, exitCodes } from "./command.ts";
import { loadConfig } from "./settings.ts";

const colours: Readonly<Record<DoctorRow["state"], number>> = { green: 32, red: 31, grey: 90 };

export function toDoctorText(rows: readonly DoctorRow[], { colour }: { readonly colour: boolean }): string {
  const width = Math.max(...rows.map(({ label }) => label.length));
  const indent = " ".repeat("green".length + 2 + width + 2);
  const lines = rows.flatMap(({ state, label, says, fix }) => {
    const word = state.padEnd(5);
    const painted = colour ? `\x1b[${colours[state]}m${word}\x1b[0m` : word;
    const line = `${painted}  ${toVisible(label).padEnd(width)}  ${toVisible(says)}`;
    return fix === undefined ? [line] : [line, `${indent}→ ${toVisible(fix)}`];
  });
  const counts = (["green", "red", "grey"] as const).map(
    (state) => `${rows.filter((row) => row.state === state).length} ${state}`,
  );
  return `${[...lines, "", `${counts.join(", ")}.`].join("\n")}\n`;
}

export const doctor: Command = {
  name: "doctor",
  summary:
    "Look whether everything is in place: files, ports, DNS, MX, certificates, the sending relay, clock. Changes nothing.",
  usage: "doctor [--config <file>] [--json]",
  example: "assay doctor",
  positionals: { min: 0, max: 0 },
  options: {},
  details: () =>
    "Green is well, red is not and says what to do, grey cannot be told. Exit status 1 when anything is red.",
  run: async (args, terminal) => {
    const config = await loadConfig(args, terminal);
    const [{ createSystem }, { createProbes }, { runDoctor }] = await Promise.all([
      import("../system/real.ts"),
      import("../system/doctor-probes.ts"),
      import("../tasks/doctor/examine.ts"),
    ]);
    const system = createSystem(config, { write: terminal.err, format: "text", level: "error" });
    const probes = createProbes(config, system.now);
    try {
      const rows = await runDoctor(config, system, probes);
      terminal.out(
        args.flag("json") ? `${JSON.stringify({ items: rows }, null, 2)}\n` : toDoctorText(rows, terminal),
      );
      return rows.some(({ state }) => state === "red") ? exitCodes.failed : exitCodes.fine;
    } finally {
      probes.close();
      await system.close();
    }
  },
};
