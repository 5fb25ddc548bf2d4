import { existsSync, readdirSync, readFileSync } from "node:fs";

const fields = { now: "VmRSS", peak: "VmHWM" };

/** Resident memory of a process, now or at its peak. 0 if the system doesn't report it. */
export function residentBytes(pid: number, which: keyof typeof fields): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  const [, kibibytes] = new RegExp(`^${fields[which]}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8")) ?? [];
  return Number(kibibytes ?? 0) * 1_024;
}

export function residentMegabytes(pid: number, which: keyof typeof fields): number {
  return residentBytes(pid, which) / 1e6;
}

/** The process, and those that it started. */
export function processTree(pid: number): number[] {
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap(
    (task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").match(/\d+/g) ?? [],
  );
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}
