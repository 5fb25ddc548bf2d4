import { Readable } from "node:stream";
import type { Terminal } from "../../../src/platform/cli/command.ts";

export type TestTerminal = Terminal & { readonly output: () => string; readonly complaints: () => string };

/** A terminal that remembers what was written to it. */
export function testTerminal(
  environment: Record<string, string> = {},
  input = "",
  columns: number | null = null,
): TestTerminal {
  const out: string[] = [];
  const err: string[] = [];
  return {
    environment,
    isTerminal: false,
    columns,
    colour: false,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    readInput: async () => Buffer.from(input),
    openInput: () => Readable.from([Buffer.from(input)]),
    onSignal: () => () => {},
    drained: async () => {},
    exitNow: (code) => {
      throw new Error(`exit ${code}`);
    },
    output: () => out.join(""),
    complaints: () => err.join(""),
  };
}
