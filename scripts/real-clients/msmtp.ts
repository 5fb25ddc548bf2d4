// msmtp reads a message like a Unix program: each LF becomes CRLF.

import { hasBareLf, type RealClient, toUnixLines } from "./letters.ts";
import { findProgramLack, runProgram } from "./program.ts";
import type { Port } from "./swaks.ts";

export function createMsmtp(name: string, { host, port }: Port, more: readonly string[]): RealClient {
  return {
    name,
    findLack: () => findProgramLack("msmtp", "msmtp"),
    carries: (letter) => !hasBareLf(letter),
    addsHeader: false,
    send: async (letter, { from, to }) => {
      const place = [`--host=${host}`, `--port=${port}`, "--auth=off", "--domain=client.example"];
      await runProgram("msmtp", [...place, ...more, `--from=${from}`, "--", to], toUnixLines(letter));
    },
  };
}
