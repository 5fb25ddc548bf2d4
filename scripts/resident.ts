import { readdirSync, readFileSync } from "node:fs";

/** A process's share counts what several use only in part. */
const fields = { now: ["status", "VmRSS"], peak: ["status", "VmHWM"], share: ["smaps_rollup", "Pss"] } as const;

/** Resident memory of a process. 0 if the system doesn't report it. */
export function residentBytes(pid: number, which: keyof typeof fields): number {
  const [name, field] = fields[which];
  const text = readIfThere(`/proc/${pid}/${name}`);
  const [, kibibytes] = new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(text) ?? [];
  return Number(kibibytes ?? 0) * 1_024;
}

export function residentMegabytes(pid: number, which: keyof typeof fields): number {
  return residentBytes(pid, which) / 1e6;
}

/** The process, and those that it started. */
export function processTree(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => readIfThere(`/proc/${pid}/task/${task}/children`).match(/\d+/g) ?? []);
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** Empty if the process or the thread has ended. */
export function readIfThere(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
