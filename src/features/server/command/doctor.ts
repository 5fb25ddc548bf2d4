import { type Command, exitCodes, toExitCodeHelp } from "../../../platform/cli/command.ts";
import { settings } from "../../../platform/settings/config.ts";
import { toTable } from "../../../platform/table.ts";
import { type Style, type Tone, toStyle } from "../../tests/formats/style.ts";
import type { DoctorRow } from "../doctor/row.ts";
import { doctorWords } from "../words.ts";
import { loadWithSaved } from "./saved-settings.ts";

type State = DoctorRow["state"];

const states: readonly State[] = ["green", "red", "grey"];
const tones: Readonly<Record<State, Tone>> = { green: "good", red: "critical", grey: "faint" };

export function toDoctorText(rows: readonly DoctorRow[], { signs, paint, columns }: Style): string {
  const marks: Readonly<Record<State, string>> = { green: signs.good, red: signs.problem, grey: signs.dash };
  const toMark = (state: State) => `${marks[state]} ${doctorWords[state]}`;
  const cells = rows.flatMap(({ state, label, says, fix }) => [
    [toMark(state), label, says],
    ...(fix === undefined ? [] : [["", "", `${signs.arrow} ${fix}`]]),
  ]);
  // Only the first line of a row begins with its mark.
  const lines = toTable(cells, columns)
    .split("\n")
    .map((line) => {
      const state = states.find((each) => line.startsWith(toMark(each)));
      if (state === undefined) return line;
      const { length } = toMark(state);
      return `${paint(tones[state], line.slice(0, length))}${line.slice(length)}`;
    });
  return `${[paint("strong", "Server check"), "", ...lines, "", toSummary(rows)].join("\n")}\n`;
}

function toSummary(rows: readonly DoctorRow[]): string {
  const count = (wanted: State) => rows.filter(({ state }) => state === wanted).length;
  const problems = count("red");
  const found = problems === 0 ? "No problems" : problems === 1 ? "1 problem" : `${problems} problems`;
  return `${found}, ${count("green")} OK, ${count("grey")} ${count("grey") === 1 ? "note" : "notes"}.`;
}

export const doctor: Command = {
  group: "run",
  name: "doctor",
  isFirst: true,
  summary: "Check this server's files, ports, DNS, certificates, and relay.",
  usage: "doctor [--config <file>] [--json]",
  example: "assay doctor",
  details: () =>
    `This changes nothing. In the --json output, the state is "green" (OK), "red" (problem), or "grey" (a note: unknown, turned off, or not used).\n\n${toExitCodeHelp(
      { 0: "no problems", 1: "at least one problem", 2: "usage error" },
    )}`,
  run: async (args, terminal, features) => {
    const { config, saved } = await loadWithSaved(args, terminal);
    const isRelayGuarded = saved.includes(settings.sendSmtpUrl.name);
    const [{ createSystem }, { createProbes }, { runDoctor }] = await Promise.all([
      import("../../../platform/system/real.ts"),
      import("../../../platform/system/doctor-probes.ts"),
      import("../doctor/examine.ts"),
    ]);
    const system = createSystem(config, { write: terminal.err, format: "text", level: "error" });
    const probes = createProbes(config, system.now);
    try {
      const rows = await runDoctor({ config, system, probes, isRelayGuarded }, await features());
      const text = () => toDoctorText(rows, toStyle(terminal));
      terminal.out(args.flag("json") ? `${JSON.stringify({ items: rows }, null, 2)}\n` : text());
      return rows.some(({ state }) => state === "red") ? exitCodes.failed : exitCodes.fine;
    } finally {
      probes.close();
      await system.close();
    }
  },
};
