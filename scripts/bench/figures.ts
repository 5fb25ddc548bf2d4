// The figures that the handbook publishes: with --record, a benchmark adds a line with its figures to results.jsonl, and
// scripts/docs.ts writes the newest line of each table into the page. This script runs all those benchmarks.
// Usage: npm run script -- scripts/bench/figures.ts

import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { basename, join } from "node:path";
import { runTool } from "../older-build.ts";
import { format, machine } from "./bench.ts";

const benchmarks = [
  ["peers.ts"],
  ["analyze.ts", "--sizes", "3 KB,60 KB"],
  ["start.ts"],
  ["api.ts", "--tests", "100000", "--seconds", "2"],
  ["web.ts", "--tests", "100000", "--pages", "3"],
  ["idle.ts"],
];

export const tables = ["message", "libraries", "memory", "disk", "start", "sizes", "web", "reads", "idle"] as const;
type Table = (typeof tables)[number];

/** The value and its unit of each row and column. */
export type Figures = Readonly<Record<string, Readonly<Record<string, readonly [value: number, unit: string]>>>>;

type Result = {
  readonly table: Table;
  readonly date: string;
  /** The newest one that changes the product. */
  readonly commit: string;
  /** With its load, because a busy machine makes everything dearer. */
  readonly machine: string;
  readonly command: string;
  readonly figures: Figures;
  /** The peers that this machine lacks, and what it needs for them. */
  readonly absent: Readonly<Record<string, string>>;
};

const file = join(import.meta.dirname, "results.jsonl");

export function newestResult(table: Table): Result | undefined {
  const results = readFileSync(file, "utf8").trimEnd().split("\n");
  return results.map((line) => JSON.parse(line) as Result).findLast((result) => result.table === table);
}

/** Only with --record, because most runs are for the eye. */
export function record(table: Table, figures: Figures, absent: Result["absent"] = {}): void {
  const [script = "", ...args] = process.argv.slice(1);
  if (!args.includes("--record")) return;
  const product = ["--", "src", ":!src/handbook"];
  const isChanged = runTool("git", ["status", "--porcelain", ...product]) !== "";
  const options = args.filter((arg) => arg !== "--record").map((arg) => (arg.includes(" ") ? `"${arg}"` : arg));
  const result: Result = {
    table,
    date: new Date().toISOString().slice(0, 10),
    commit: runTool("git", ["log", "-1", "--format=%h", ...product]) + (isChanged ? " with changes" : ""),
    machine: `${machine}, load ${format(loadavg()[0] ?? 0)}`,
    command: ["npm run script -- scripts/bench/", basename(script), ...options.map((option) => ` ${option}`)].join(""),
    figures,
    absent,
  };
  appendFileSync(
    file,
    `${JSON.stringify(result, (_, value) => (typeof value === "number" ? rounded(value) : value))}\n`,
  );
}

function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}

if (import.meta.main) {
  // The figures carry the newest commit, so its build is measured.
  runTool(process.execPath, ["scripts/bootstrap.mjs", "build:binary"]);
  for (const [script = "", ...options] of benchmarks) {
    const args = [join(import.meta.dirname, script), ...options, "--record"];
    if (spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0) process.exitCode = 1;
  }
  runTool(process.execPath, ["scripts/docs.ts"]);
}
