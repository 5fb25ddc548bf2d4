import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second (proc(5)). */
const ticksPerSecond = 100;

/** What all threads of a process have used. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
