import type { DoctorRow } from "../tasks/doctor/row.ts";
import { toVisible } from "../visible-text.ts";

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
