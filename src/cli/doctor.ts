import { type Command, exitCodes } from "./command.ts";
import { toDoctorText } from "./doctor-text.ts";
import { loadConfig } from "./settings.ts";

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
      import("../tasks/doctor.ts"),
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
